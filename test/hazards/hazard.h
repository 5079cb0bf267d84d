/* For tests of hazards: a value computed and the one wanted. main returns `wrong`. */
#ifndef HAZARD_H
#define HAZARD_H
#include <cofactor/ad.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int wrong;
static void want(const char *what, double got, double expected, double tolerance) {
    if (fabs(got - expected) <= tolerance * (1 + fabs(expected))) return;
    printf("%s: got %.17g, want %.17g\n", what, got, expected);
    wrong = 1;
}
#define WANT(got, expected) want(#got, (double)(got), (double)(expected), 1e-12)
#define WANT_F(got, expected) want(#got, (double)(got), (double)(expected), 1e-5)
/* For a function that recurses, so that its call stays a call. */
#define APART __attribute__((noinline)) static
/* Requests for double f(double *x, int n): NAME_r(x, shadow, n) and NAME_t. */
#define GRADIENT(f)                                                                                          \
    double f##_r(double *x, double *bar, int n);                                                             \
    CF_REVERSE(f##_r, f, "dup const");                                                                       \
    double f##_t(double *x, double *dot, int n);                                                             \
    CF_FORWARD(f##_t, f, "dup const")

/* Value, gradient and final memory of such an f at `in`, and each tangent; twice, since nothing may be left behind. */
typedef double gradient(double *x, double *bar, int n);
static inline void check_gradient(const char *name, gradient *reverse, gradient *forward, int n, const double *in,
                           double value, const double *grad, const double *after) {
    double x[64], b[64];
    char what[200];
    for (int again = 0; again < 2; again++) {
        memcpy(x, in, (size_t)n * sizeof *x), memset(b, 0, sizeof b);
        snprintf(what, sizeof what, "%s: value", name), want(what, reverse(x, b, n), value, 1e-12);
        for (int i = 0; i < n; i++) {
            snprintf(what, sizeof what, "%s: adjoint[%d]", name, i), want(what, b[i], grad[i], 1e-12);
            snprintf(what, sizeof what, "%s: memory[%d]", name, i), want(what, x[i], after[i], 1e-12);
        }
        for (int i = 0; i < n; i++) {
            memcpy(x, in, (size_t)n * sizeof *x), memset(b, 0, sizeof b), b[i] = 1;
            snprintf(what, sizeof what, "%s: tangent[%d]", name, i),
                want(what, forward(x, b, n), grad[i], 1e-12);
        }
    }
}
#define LIST(...) ((const double[]){__VA_ARGS__})
#define CHECK(f, n, in, value, grad, after) check_gradient(#f, f##_r, f##_t, n, in, value, grad, after)
#define CHECK_SAME(f, n, in, value, grad) CHECK(f, n, in, value, grad, in)
#endif
