/* A program that knows nothing of Cofactor: the energy of a string of n masses joined by stiffening springs. */
#include "wave.h"

static double spring(double stretch) {
    return stretch * stretch / 2 + stretch * stretch * stretch * stretch / 4;
}

double energy(const double *x, double stiffness, int n) {
    double e = 0;
    for (int i = 0; i + 1 < n; i++) e += stiffness * spring(x[i + 1] - x[i]);
    return e;
}
