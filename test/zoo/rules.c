/* Rules of the user's own. Where it can be seen, a rule gives another number than differentiation would, so that a
 * rule that is passed over is a failure. */
#include "zoo.h"

#ifdef ZOO_NUMERIC
#define RULES ZOO_NONE
#else
#define RULES ZOO_SOME
#endif

/* Inlined first, were it not for the rule. */
static double helper(double x) { return x * x; }
RULES(
    static double helper_tangent(double x, double xd) {
        return 10 * x * xd;
    } static void helper_adjoint(double x, double *xb, double rb) {
        *xb += 10 * x * rb;
    } CF_RULE_FORWARD(helper, helper_tangent);
    CF_RULE_REVERSE(helper, helper_adjoint);)
static double uses_helper(double x, double y) { return helper(x) * y + helper(y * y); }
/* d helper(u) = 10 u du */
ZOO_NUM2_FLAGS(uses_helper, ZOO_KINK, (2, 3), (12 + 81), (10 * 2 * 3, 4 + 10 * 9 * 6));

/* Static, noinline, with a constant result: LLVM would fold the call away. */
__attribute__((noinline)) static double folded(double x) {
    (void)x;
    return 3;
}
RULES(
    static double folded_tangent(double x, double xd) {
        return 7 * x * xd;
    } static void folded_adjoint(double x, double *xb, double rb) {
        *xb += 7 * x * rb;
    } CF_RULE_FORWARD(folded, folded_tangent);
    CF_RULE_REVERSE(folded, folded_adjoint);)
static double uses_folded(double x) { return folded(x) * x; }
ZOO_NUM1_FLAGS(uses_folded, ZOO_KINK, (2), (6), (3 + 7 * 2 * 2));

/* Pointers and integers among the parameters. */
static double weighted_sum(const double *x, int n, double w) {
    double s = 0;
    for (int i = 0; i < n; i++) s += w * x[i];
    return s;
}
RULES(
    static double weighted_tangent(const double *x, const double *xd, int n, double w, double wd) {
        double s = 0;
        for (int i = 0; i < n; i++) s += w * xd[i] + wd * x[i];
        return 2 * s;
    } static void weighted_adjoint(const double *x, double *xb, int n, double w, double *wb, double rb) {
        for (int i = 0; i < n; i++) {
            xb[i] += 2 * w * rb;
            *wb += 2 * x[i] * rb;
        }
    } CF_RULE_FORWARD(weighted_sum, weighted_tangent);
    CF_RULE_REVERSE(weighted_sum, weighted_adjoint);)
static double uses_weighted(const double *x, int n) { return weighted_sum(x, n, x[0]) * x[1]; }
/* w = a: value (a a + a b) b; with doubled derivatives of the sum: d/da = 2 (2a + b) b, d/db = 2 a b + (a a + a b) */
ZOO_OF_FLAGS(uses_weighted, ZOO_KINK, 2, (2, 3), (30), (2 * 7 * 3, 2 * 2 * 3 + 10));

/* A void function that writes through a pointer: its rule takes the adjoints of y, and zeroes them. */
static void spread(const double *x, double *y, int n) {
    for (int i = 0; i < n; i++) y[i] = x[0] * x[i];
}
RULES(
    static void spread_tangent(const double *x, const double *xd, double *y, double *yd, int n) {
        (void)y;
        for (int i = 0; i < n; i++) yd[i] = 3 * (x[0] * xd[i] + xd[0] * x[i]);
    } static void spread_adjoint(const double *x, double *xb, double *y, double *yb, int n) {
        (void)y;
        for (int i = 0; i < n; i++) {
            xb[i] += 3 * x[0] * yb[i];
            xb[0] += 3 * x[i] * yb[i];
            yb[i] = 0;
        }
    } CF_RULE_FORWARD(spread, spread_tangent);
    CF_RULE_REVERSE(spread, spread_adjoint);)
static double uses_spread(const double *x, int n) {
    double t[4] = {x[1], x[1]};
    double before = t[0];
    spread(x, t, n);
    return t[0] * t[1] + before;
}
/* a^2 (ab) + b, with derivatives of the two factors tripled: 3 (2a) ab + a^2 3 b, a^2 3 a + 1 */
ZOO_OF_FLAGS(uses_spread, ZOO_KINK, 2, (2, 3), (27), (3 * 4 * 6 + 4 * 9, 4 * 6 + 1));

/* An inactive function: no derivative of its result, nor through what it writes. */
static double step_size(double x) { return 1 / (1 + x * x); }
RULES(CF_INACTIVE(step_size);)
static double uses_inactive(double x) { return step_size(x) * x; }
ZOO_NUM1_FLAGS(uses_inactive, ZOO_KINK, (2), (0.4), (0.2));

__attribute__((noinline)) static void statistics(const double *x, int n, double *mean) {
    *mean = 0;
    for (int i = 0; i < n; i++) *mean += x[i] / n;
}
RULES(CF_INACTIVE(statistics);)
static double uses_inactive_memory(const double *x, int n) {
    double mean = x[0];
    statistics(x, n, &mean);
    return mean * x[0];
}
ZOO_OF_FLAGS(uses_inactive_memory, ZOO_KINK, 2, (2, 4), (6), (3, 0));

/* A rule that calls a function with a rule of its own; called in a loop and in recursion. */
static double gate(double x) { return x > 0 ? x : 0; }
RULES(
    static double smooth(double x) { return 1 / (1 + exp(-x)); } static double gate_tangent(double x,
                                                                                            double xd) {
        return smooth(x) * xd;
    } static void gate_adjoint(double x, double *xb, double rb) {
        *xb += smooth(x) * rb;
    } CF_RULE_FORWARD(gate, gate_tangent);
    CF_RULE_REVERSE(gate, gate_adjoint);)
static double down(double x, int n) { return n ? gate(down(x, n - 1)) : x; }
static double uses_gate(double x) { return down(x, 3); }
ZOO_NUM1_FLAGS(uses_gate, ZOO_KINK, (1), (1), (pow(1 / (1 + exp(-1)), 3)));

/* A rule for a function without a body in this unit. */
double zoo_elsewhere(double x);
RULES(
    static double elsewhere_tangent(double x, double xd) {
        return 2 * x * xd;
    } static void elsewhere_adjoint(double x, double *xb, double rb) {
        *xb += 2 * x * rb;
    } CF_RULE_FORWARD(zoo_elsewhere, elsewhere_tangent);
    CF_RULE_REVERSE(zoo_elsewhere, elsewhere_adjoint);)
static double uses_elsewhere(double x, double y) { return zoo_elsewhere(x * y); }
ZOO_NUM2(uses_elsewhere, (2, 3), (36), (2 * 6 * 3, 2 * 6 * 2));

/* The reverse rule reads memory that the caller overwrites later: it sees what the call saw. */
static double first_squared(const double *x) { return x[0] * x[0]; }
RULES(
    static double first_tangent(const double *x, const double *xd) {
        return 2 * x[0] * xd[0];
    } static void first_adjoint(const double *x, double *xb, double rb) {
        xb[0] += 2 * x[0] * rb;
    } CF_RULE_FORWARD(first_squared, first_tangent);
    CF_RULE_REVERSE(first_squared, first_adjoint);)
static double rule_sees_memory(const double *x, int n) {
    double t[1] = {x[0]};
    double r = first_squared(t);
    t[0] = x[n - 1];
    r *= first_squared(t);
    t[0] = 1000;
    return r + t[0];
}
/* a^2 b^2 + 1000 */
ZOO_OF(rule_sees_memory, 2, (2, 3), (1036), (36, 24));
