/* Reverse against forward mode, and both against differences, for programs double f(const double *x, int n). */
#ifndef AGREE_H
#define AGREE_H
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12 };
typedef double agree_f(const double *x, int n);
typedef double agree_rev(const double *x, double *x_bar, int n);
typedef double agree_fwd(const double *x, const double *x_dot, int n);

#define PROGRAM(f)                                                                                           \
    double f##_rev(const double *x, double *x_bar, int n);                                                   \
    CF_REVERSE(f##_rev, f, "dup const");                                                                     \
    double f##_fwd(const double *x, const double *x_dot, int n);                                             \
    CF_FORWARD(f##_fwd, f, "dup const");

/* Central differences of second order, extrapolated: exact to about 1e-9 for the programs here. */
static double agree_difference(agree_f *f, double *x, int n, int k) {
    double d[2], keep = x[k];
    for (int i = 0; i < 2; i++) {
        double h = (1 + i) * 1e-3;
        x[k] = keep + h;
        double p = f(x, n);
        x[k] = keep - h;
        d[i] = (p - f(x, n)) / (2 * h);
        x[k] = keep;
    }
    return (4 * d[0] - d[1]) / 3;
}

/* The shadow of x holds 1 before: the gradient is added. */
static int agree(const char *name, agree_f *f, agree_rev *rev, agree_fwd *fwd, int n, double tolerance) {
    double x[MOST], bar[MOST], dot[MOST] = {0};
    int bad = 0;
    for (int i = 0; i < n; i++) x[i] = 0.4 + 0.31 * ((i * 5) % 7), bar[i] = 1;
    double value = rev(x, bar, n), plain = f(x, n);
    if (fabs(value - plain) > 1e-12 * (1 + fabs(plain))) bad++, printf("%s: value %g, not %g\n", name, value, plain);
    for (int k = 0; k < n; k++) {
        dot[k] = 1;
        double t = fwd(x, dot, n), d = agree_difference(f, x, n, k), r = bar[k] - 1;
        dot[k] = 0;
        if (fabs(r - t) > 1e-6 * (1 + fabs(t)) || fabs(t - d) > tolerance * (1 + fabs(t)))
            bad++, printf("%s, %d: reverse %.9g forward %.9g differences %.9g\n", name, k, r, t, d);
    }
    return bad;
}
#define AGREE(f, n) agree(#f, f, f##_rev, f##_fwd, n, 1e-7)
#define AGREE_FLOAT(f, n) agree(#f, f, f##_rev, f##_fwd, n, 2e-3)
#endif
