/* Least squares fit of a polynomial with m coefficients to the sign function at n points. */
#include "llsq.h"
#include <cofactor/ad.h>

static double sign(double t) { return t > 0 ? 1 : t < 0 ? -1 : 0; }

double llsq(int m, int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double t = -1 + 2 * (double)i / (n - 1);
        double power = 1, value = 0;
        for (int j = 0; j < m; j++) {
            value += x[j] * power;
            power *= t;
        }
        double r = sign(t) - value;
        sum += r * r;
    }
    return sum / 2;
}

CF_REVERSE(llsq_grad, llsq, "const const dup");
CF_FORWARD(llsq_tan, llsq, "const const dup");
