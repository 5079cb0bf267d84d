// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l %s -I%S -lm -o %t && %t || exit 1; done
// A function with a rule is never looked through, though its result is a constant, its argument is, or nobody uses it.
#include "hazard.h"

APART double constant(double x) {
    (void)x;
    return 7;
}
static void constant_rule(double x, double *bar, double seed) {
    (void)x;
    *bar += 100 * seed;
}
CF_RULE_REVERSE(constant, constant_rule);

static double same(double x) { return x; }
static void same_rule(double x, double *bar, double seed) { *bar += x * seed; }
CF_RULE_REVERSE(same, same_rule);

static double use(double x) { return constant(x) * x + same(x) - same(3); }
double use_grad(double x, double *b);
CF_REVERSE(use_grad, use, "dup");

static double constant_tangent(double x, double d) {
    (void)x;
    return 50 * d;
}
CF_RULE_FORWARD(constant, constant_tangent);
static double same_tangent(double x, double d) { return 2 * x * d; }
CF_RULE_FORWARD(same, same_tangent);
double use_tan(double x, double d);
CF_FORWARD(use_tan, use, "dup");

int main(void) {
    double b = 0;
    WANT(use_grad(5, &b), 37), WANT(b, 7 + 500 + 5);
    WANT(use_tan(5, 1), 7 + 250 + 10);
    return wrong;
}
