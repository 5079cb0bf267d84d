/* What other topics need from another unit: bodies that they do not see, and the owner of requests in a header. */
#include "shared.h"

double zoo_elsewhere(double x);
double zoo_elsewhere(double x) { return x * x; }

double zoo_shared(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i] * x[i];
    return s;
}

/* A static primal and request of the same names as in names.c, with another meaning. */
static double twin(double x) { return 5 * x; }
ZOO_NUM1(twin, (2), (10), (5));
double zoo_other_twin(double x) {
    double b = 0;
    ZOO_R(twin_rev(x, &b);)
    return twin(x) + b;
}
