// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l %s -lm -o %t && %t || exit 1; done
// RUN: env COFACTOR_NO_INLINE=1 %ad -O2 %s -lm -o %t && %t
// RUN: %ad -O2 -ffp-contract=off %s -lm -o %t && %t
// RUN: %ad -O2 -fno-honor-infinities -DINFINITE_ONLY %s -lm -o %t && %t
// A product is 0 where one of its factors is, in both modes: where NaN or infinity is computed and not used, in every shape in which
// a factor may come; where a vertical slope meets a slope of 0 by way of memory, calls and divisions; where a value that has
// overflowed has no influence.
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>

static int bad;
static void want(const char *what, double got, double wanted) {
    if (got == wanted || fabs(got - wanted) <= 1e-9 * (1 + fabs(wanted))) return;
    printf("%s: %g, not %g\n", what, got, wanted);
    bad++;
}
#define BOTH(f)                                                                                              \
    double f##_rev(double x, double *xb, double y, double *yb);                                              \
    CF_REVERSE(f##_rev, f, "dup dup");                                                                       \
    double f##_fwd(double x, double xd, double y, double yd);                                                \
    CF_FORWARD(f##_fwd, f, "dup dup");
#define TEST(f, x, y, dx, dy)                                                                                \
    do {                                                                                                     \
        double xb = 0, yb = 0;                                                                               \
        f##_rev(x, &xb, y, &yb);                                                                             \
        want(#f " reverse x", xb, dx), want(#f " reverse y", yb, dy);                                        \
        want(#f " forward x", f##_fwd(x, 1, y, 0), dx), want(#f " forward y", f##_fwd(x, 0, y, 1), dy);      \
    } while (0)

/* Factors that are bounded where they are numbers, and are not used where they are none. */
static double sine(double x, double y) {
    double r = x * sin(y);
    return fabs(y) < 1e300 ? r : x;
}
static double missing(double x, double y) {
    double r = x * tanh(y);
    return y > 0 || y <= 0 ? r : x;
}
/* More than float can hold. */
static double wide(double x, double y) {
    unsigned __int128 all = ~(unsigned __int128)0;
    if (y > 3) all = 7;
    float p = (float)x * (float)all;
    return p > 1e38f ? x : p;
}
static double integers(double x, double y) {
    int n = (int)y;
    double p = 0;
    for (int i = 0; i < n; i++) p += x * i;
    return p > 0 ? p : y;
}
BOTH(sine) BOTH(missing) BOTH(wide) BOTH(integers)

#ifndef INFINITE_ONLY
/* A vertical slope behind memory, calls, divisions, loops. */
static double arrays(double x, double y) {
    double a[3] = {x, y, x}, b[3], s = 0;
    for (int i = 0; i < 3; i++) b[i] = a[i] * a[i];
    for (int i = 0; i < 3; i++) s += b[i];
    return sqrt(s);
}
static double sum;
__attribute__((noinline)) static void set_sum(double x, double y) { sum = x * x + 2 * y * y; }
static double global(double x, double y) {
    set_sum(x, y);
    return sqrt(sum);
}
__attribute__((noinline)) static double squares(double x, double y) { return x * x + y * y; }
__attribute__((noinline)) static double root(double s) { return cbrt(s); }
static double called(double x, double y) { return root(squares(x, y)) + sqrt(squares(y, x)); }
static double cosines(double x, double y) { return acos(cos(x) * cos(y)); }
static double quotient(double x, double y) { return sqrt(x / y); }
static double deep(double x, double y) {
    double p = x * x;
    for (int i = 0; i < 40; i++) p = i % 3 ? p * 1.01 : p + y * y;
    return pow(p, 0.25);
}
/* The slope of what comes after is 0, or the factor beside it is. */
static double three_halves(double x, double y) { return x * sqrt(x) + y; }
static double fused(double x, double y) { return fma(x, cbrt(x), y); }
static double divided(double x, double y) { return sqrt(x) / y; }
static double saturated(double x, double y) { return 1 / (1 + exp(x)) + y; }
static double flat(double x, double y) { return tanh(exp(x)) * y; }
static double bump(double x, double y) { return exp(-1 / (x * x)) + y; }
static double far(double x, double y) { return atan(x * y); }
BOTH(arrays) BOTH(global) BOTH(called) BOTH(cosines) BOTH(quotient) BOTH(deep) BOTH(three_halves) BOTH(fused)
BOTH(divided) BOTH(saturated) BOTH(flat) BOTH(bump) BOTH(far)
#endif

int main(void) {
    volatile double infinity = INFINITY, zero = 0, nan = NAN;
    TEST(sine, 2, infinity, 1, 0);
    TEST(missing, 2, nan, 1, 0);
    TEST(wide, 2, 1, 1, 0);
    TEST(wide, 2, 4, 7, 0);
    TEST(integers, 2, 4, 6, 0);
#ifndef INFINITE_ONLY
    TEST(arrays, zero, zero, 0, 0);
    TEST(arrays, 1, 1, 2 / sqrt(3), 1 / sqrt(3));
    TEST(global, zero, zero, 0, 0);
    TEST(called, zero, zero, 0, 0);
    TEST(cosines, zero, zero, 0, 0);
    TEST(quotient, zero, 2, INFINITY, 0);
    TEST(quotient, 2, infinity, 0, 0);
    TEST(quotient, 4, 4, 0.125, -0.125);
    TEST(deep, zero, zero, 0, 0);
    TEST(three_halves, zero, 3, 0, 1);
    TEST(three_halves, 4, 3, 3, 1);
    TEST(fused, zero, 3, 0, 1);
    TEST(divided, zero, infinity, 0, 0);
    TEST(saturated, 1000, 1, 0, 1);
    TEST(flat, 1000, 2, 0, 1);
    TEST(bump, zero, 1, 0, 1);
    TEST(far, infinity, 2, 0, 0);
#endif
    return bad != 0;
}
