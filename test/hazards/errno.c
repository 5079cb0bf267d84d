// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l %s -I%S -lm -o %t && %t || exit 1; done
// The reverse sweep does not touch errno; the forward sweep sets what the primal sets.
#include "hazard.h"

static double f(const double *x) { return log(x[0]) * sqrt(x[1]) + pow(x[0], x[1]); }
double f_grad(const double *x, double *b);
CF_REVERSE(f_grad, f, "dup");
double f_tan(const double *x, const double *d);
CF_FORWARD(f_tan, f, "dup");

/* The derivative by x1 has log(x0), which sets errno at 0. */
static double g(const double *x) { return pow(x[0], x[1]); }
double g_grad(const double *x, double *b);
CF_REVERSE(g_grad, g, "dup");

int main(void) {
    double x[2] = {2, 9}, b[2] = {0};
    errno = 77;
    f_grad(x, b);
    WANT(errno, 77);
    WANT(b[0], 1.5 + 9 * 256), WANT(b[1], log(2) / 6 + 512 * log(2));
    const double d[2] = {1, 0};
    WANT(f_tan(x, d), 1.5 + 9 * 256), WANT(errno, 77);
    const double zero[2] = {0, 2}, outside[2] = {-1, 9};
    memset(b, 0, sizeof b);
    WANT(g_grad(zero, b), 0), WANT(errno, 77), WANT(b[0], 0), WANT(b[1], 0);
    f_grad(outside, b);
    WANT(errno, EDOM), errno = 77;
    f_tan(outside, d);
    WANT(errno, EDOM);
    return wrong;
}
