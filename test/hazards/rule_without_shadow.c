// RUN: %S/run.sh "%ad" %s %t
// A rule of the user's gets NULL for the shadow of a pointer that has none, known before or found at run time: not the
// primal's own memory, to which it would add.
#include "hazard.h"
APART double dot(const double *x, const double *y, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}
static void dot_rule(const double *x, double *xb, const double *y, double *yb, int n, double seed) {
    for (int i = 0; i < n; i++) {
        if (xb) xb[i] += seed * y[i];
        if (yb) yb[i] += seed * x[i];
    }
}
CF_RULE_REVERSE(dot, dot_rule);
static double dot_fwd(const double *x, const double *xd, const double *y, const double *yd, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += (xd ? xd[i] : 0) * y[i] + x[i] * (yd ? yd[i] : 0);
    return s;
}
CF_RULE_FORWARD(dot, dot_fwd);
static double f(const double *x, const double *c, int n) { return dot(x, c, n); }
double r(const double *x, double *b, const double *c, int n),
    t(const double *x, const double *b, const double *c, int n);
CF_REVERSE(r, f, "dup const const");
CF_FORWARD(t, f, "dup const const");
static double g(const double *x, const double *c, int n) {
    double s = 0;
    for (int i = 0; i < 2; i++) s += dot(i ? x : c, x, n);
    return s;
}
double gr(const double *x, double *b, const double *c, int n),
    gt(const double *x, const double *b, const double *c, int n);
CF_REVERSE(gr, g, "dup const const");
CF_FORWARD(gt, g, "dup const const");
int main(void) {
    double x[2] = {2, 3}, b[2] = {0}, c[2] = {5, 7}, d[2] = {1, 0};
    WANT(r(x, b, c, 2), 31);
    WANT(b[0], 5);
    WANT(b[1], 7);
    WANT(c[0], 5);
    WANT(c[1], 7);
    WANT(t(x, d, c, 2), 5);
    c[0] = 5;
    c[1] = 7;
    b[0] = b[1] = 0;
    WANT(gr(x, b, c, 2), 31 + 13);
    WANT(b[0], 9);
    WANT(b[1], 13);
    WANT(c[0], 5);
    WANT(c[1], 7);
    c[0] = 5;
    c[1] = 7;
    WANT(gt(x, d, c, 2), 9);
    return wrong;
}
