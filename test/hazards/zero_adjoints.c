// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l %s -lm -o %t && %t || exit 1; done
// RUN: %ad -O2 -ffp-contract=off %s -lm -o %t && %t
// What is computed and not used adds nothing, whatever its partial derivatives are; a slope of 0 times a vertical one is 0. Both
// modes say the same.
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>

static int bad;
static void want(const char *what, double got, double wanted) {
    if (fabs(got - wanted) <= 1e-9 * (1 + fabs(wanted))) return;
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

/* Not used where it is not finite. */
static double clipped(double x, double y) {
    double p = x * y;
    return isinf(p) ? x : p;
}
static double chosen(double x, double y) {
    double r = log(x) * x + x * y;
    return x > 0 ? r : x + y;
}
static double summed(double x, double y) {
    double a[3] = {x * y, y * y * x, x - y}, s = 0;
    for (int i = 0; i < 3; i++)
        if (isfinite(a[i])) s += a[i];
    return s;
}
static float narrow(float x, float y) {
    float p = x * y * y;
    return p > 1e30f ? y : p;
}
static double narrowed(double x, double y) { return (double)narrow((float)x, (float)y); }
typedef double v2 __attribute__((vector_size(16)));
static double lanes(double x, double y) {
    v2 p = (v2){x, y} * (v2){y * 1e308, 2};
    return p[1] + x;
}
/* A vertical slope further on. */
static double underflow(double x, double y) { return sqrt(x * x * exp(-1800)) + y; }
static double norm(double x, double y) { return sqrt(x * x + y * y); }
static double power(double x, double y) { return pow(x * y, 0.5) + x; }
static double scaled(double x, double y) { return sqrt(exp(x) * y * y) + y; }
BOTH(clipped) BOTH(chosen) BOTH(summed) BOTH(narrowed) BOTH(lanes) BOTH(underflow) BOTH(norm) BOTH(power) BOTH(scaled)

/* The same two usual forms of log(e^x + e^y) at x = y, where the larger of both has a tie. */
static double log_sum(double x, double y) { return fmax(x, y) + log1p(exp(-fabs(x - y))); }
static double log_sum_min(double x, double y) { return -fmin(-x, -y) + log1p(exp(-fabs(y - x))); }
BOTH(log_sum) BOTH(log_sum_min)

int main(void) {
    volatile double infinity = INFINITY, zero = 0;
    TEST(clipped, 2, infinity, 1, 0);
    TEST(clipped, 2, 3, 3, 2);
    TEST(chosen, zero, 5, 1, 1);
    TEST(summed, 2, 1e300, 1 + 1e300, 1);
    TEST(narrowed, 1e30, 1e10, 0, 1);
    TEST(lanes, 3, 1e10, 1, 2);
    TEST(underflow, 1.5, 2, 0, 1);
    TEST(norm, zero, zero, 0, 0);
    TEST(norm, 3, 4, 0.6, 0.8);
    TEST(power, 4, 1, 1.25, 1);
    TEST(scaled, -2000, 2, 0, 1);
    TEST(log_sum, 1, 1, 0.5, 0.5);
    TEST(log_sum, 2, 1, 1 / (1 + exp(-1)), 1 / (1 + exp(1)));
    TEST(log_sum_min, 1, 1, 0.5, 0.5);
    return bad;
}
