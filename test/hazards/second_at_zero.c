// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -Wall -Wextra %s -lm -o %t && %t || exit 1; done
// RUN: env COFACTOR_NO_INLINE=1 %ad -O1 -g %s -lm -o %t && %t
// RUN: %ad -O2 -DREAL=float -DTOLERANCE=2e-5 %s -lm -o %t && %t
// Second derivatives, most where a first one, an adjoint or a tangent is 0: products with 0 are 0, their derivatives are not.
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>
#ifndef REAL
#define REAL double
#define TOLERANCE 1e-12
#endif
typedef REAL real;

static int bad;
static void near_to(const char *what, const char *how, double got, double want) {
    if (fabs(got - want) <= TOLERANCE * (1 + fabs(want))) return;
    printf("%s, %s: %.17g, right is %.17g\n", what, how, got, want);
    bad = 1;
}

/* f'' in all four ways. */
#define SECOND(f, expression)                                                                                \
    static real f(real x) { return (real)(expression); }                                                     \
    real f##_rev(real x, real *x_bar);                                                                       \
    CF_REVERSE(f##_rev, f, "dup");                                                                           \
    real f##_fwd(real x, real x_dot);                                                                        \
    CF_FORWARD(f##_fwd, f, "dup");                                                                           \
    static real f##_by_rev(real x) {                                                                         \
        real bar = 0;                                                                                        \
        f##_rev(x, &bar);                                                                                    \
        return bar;                                                                                          \
    }                                                                                                        \
    static real f##_by_fwd(real x) { return f##_fwd(x, 1); }                                                 \
    real f##_rev_fwd(real x, real x_dot);                                                                    \
    CF_FORWARD(f##_rev_fwd, f##_by_rev, "dup");                                                              \
    real f##_rev_rev(real x, real *x_bar);                                                                   \
    CF_REVERSE(f##_rev_rev, f##_by_rev, "dup");                                                              \
    real f##_fwd_fwd(real x, real x_dot);                                                                    \
    CF_FORWARD(f##_fwd_fwd, f##_by_fwd, "dup");                                                              \
    real f##_fwd_rev(real x, real *x_bar);                                                                   \
    CF_REVERSE(f##_fwd_rev, f##_by_fwd, "dup");                                                              \
    static void f##_at(real x, double want) {                                                                \
        real a = 0, b = 0;                                                                                   \
        f##_rev_rev(x, &a);                                                                                  \
        f##_fwd_rev(x, &b);                                                                                  \
        near_to(#expression, "forward over reverse", f##_rev_fwd(x, 1), want);                               \
        near_to(#expression, "reverse over reverse", a, want);                                               \
        near_to(#expression, "forward over forward", f##_fwd_fwd(x, 1), want);                               \
        near_to(#expression, "reverse over forward", b, want);                                               \
    }

SECOND(even, cos(x))
SECOND(square, x *x)
SECOND(root, sqrt(x *x + 1))
SECOND(sines, sin(x) * sin(x))
SECOND(mixed, x *sin(x))
SECOND(bell, exp(-x * x))
SECOND(logarithm, log(x) * log(x))
SECOND(power, pow(x, 2))
SECOND(quotient, x *x / (1 + x))
SECOND(cubed, pow(x, 3))
SECOND(tangents, tanh(x) * tanh(x))
SECOND(fused, fma(x, x, x))
/* Rules with loops in them. */
SECOND(log_gamma, lgamma(x))
SECOND(factorial, tgamma(x))
/* What is computed and not used, has no part in it. */
static real unused(real x) {
    real bad_for_0 = log(x) * x, r = x * x;
    return isfinite(bad_for_0) && x > 1 ? bad_for_0 : r;
}
SECOND(beside, unused(x))

/* Least squares at an exact fit: all residuals are 0. Numbers lie in memory. */
static real fit(const real *p, const real *t, const real *y, int n) {
    real s = 0;
    for (int i = 0; i < n; i++) {
        real r = p[0] * (real)exp(-p[1] * t[i]) - y[i];
        s += r * r;
    }
    return s;
}
real fit_grad(const real *p, real *p_bar, const real *t, const real *y, int n);
CF_REVERSE(fit_grad, fit, "dup const const const");
real fit_hv(const real *p, const real *p_dot, real *p_bar, real *p_bar_dot, const real *t, const real *y, int n);
CF_FORWARD(fit_hv, fit_grad, "dup dup const const const");

/* By hand: twice the sum of products of the residuals' derivatives. */
static void fits(void) {
    enum { N = 4 };
    real p[2] = {2, (real)0.5}, t[N] = {0, 1, 2, 3}, y[N];
    double h[2][2] = {{0}};
    for (int i = 0; i < N; i++) {
        y[i] = p[0] * (real)exp(-p[1] * t[i]);
        double e = exp(-(double)p[1] * t[i]), d[2] = {e, -p[0] * t[i] * e};
        for (int j = 0; j < 4; j++) h[j / 2][j % 2] += 2 * d[j / 2] * d[j % 2];
    }
    for (int k = 0; k < 2; k++) {
        real p_dot[2] = {k == 0, k == 1}, bar[2] = {0}, bar_dot[2] = {0};
        fit_hv(p, p_dot, bar, bar_dot, t, y, N);
        for (int j = 0; j < 2; j++) near_to("fit", "forward over reverse", bar_dot[j], h[k][j]);
    }
}

/* A tangent is linear in its direction: its gradient by the direction is the gradient, also where the direction is 0. */
static real sums(const real *x) {
    real s = 0;
    for (int i = 0; i < 4; i++) s += x[i % 2] * (real)sin(i * x[1 - i % 2]);
    return s;
}
real sums_grad(const real *x, real *x_bar);
CF_REVERSE(sums_grad, sums, "dup");
real sums_tan(const real *x, const real *x_dot);
CF_FORWARD(sums_tan, sums, "dup");
real sums_tan_grad(const real *x, real *x_bar, const real *x_dot, real *x_dot_bar);
CF_REVERSE(sums_tan_grad, sums_tan, "dup dup");

static void directions(void) {
    real x[2] = {2, 3}, g[2] = {0}, bar[2] = {0}, x_dot[2] = {1, 0}, x_dot_bar[2] = {0};
    sums_grad(x, g);
    sums_tan_grad(x, bar, x_dot, x_dot_bar);
    for (int i = 0; i < 2; i++) near_to("sums", "reverse over forward, by the direction", x_dot_bar[i], g[i]);
}

/* The third derivative of x^3, forward over forward over forward. */
static real cubed_2(real x) { return cubed_fwd_fwd(x, 1); }
real cubed_3(real x, real x_dot);
CF_FORWARD(cubed_3, cubed_2, "dup");

int main(void) {
    even_at(0, -1);
    square_at(0, 2);
    root_at(0, 1);
    sines_at(0, 2);
    mixed_at(0, 2);
    bell_at(0, -2);
    logarithm_at(1, 2);
    power_at(0, 2);
    quotient_at(0, 2);
    cubed_at(0, 0);
    tangents_at(0, 2);
    fused_at(0, 2);
    log_gamma_at(1, 1.6449340668482264);  /* pi^2 / 6 */
    factorial_at(1, 1.9781119906559451); /* and the square of Euler's constant */
    beside_at(0, 2);
    fits();
    directions();
    near_to("pow(x, 3)", "third", cubed_3(0, 1), 6);
    return bad;
}
