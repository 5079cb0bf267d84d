// RUN: %S/run.sh "%ad" %s %t
// Local variables whose address goes to callees, into memory or into the next iteration live until the reverse sweep.
#include "hazard.h"

APART double callee(double *t, int deep) {
    double mine[3] = {t[0], t[1], 0};
    if (deep) {
        mine[2] = callee(mine, deep - 1);
        return mine[2] * mine[0];
    }
    t[1] *= mine[0];
    return t[1] * mine[1];
}
static double to_callee(double *x, int n) {
    double t[2] = {x[0], x[n - 1]};
    double r = callee(t, 1);
    return r * t[1];
}
GRADIENT(to_callee);

/* Each iteration has its own. */
static double in_loop(double *x, int n) {
    double s = 0, *last = NULL;
    double keep[8][2];
    for (int i = 0; i < n; i++) {
        double t[2] = {x[i], x[i] * x[i]};
        memcpy(keep[i], t, sizeof t);
        if (last) s += last[1] * t[0];
        last = keep[i];
    }
    return s;
}
GRADIENT(in_loop);

/* Of a length that is told at run time, in a loop and in a recursion. */
static double vla(double *x, int n) {
    double s = 0;
    for (int i = 1; i <= n; i++) {
        double t[i];
        for (int j = 0; j < i; j++) t[j] = x[j] * x[i - 1];
        for (int j = 0; j < i; j++) s += t[j] * t[i - 1 - j];
    }
    return s;
}
GRADIENT(vla);
APART double deep_vla(const double *x, int n) {
    double t[n + 1];
    for (int i = 0; i < n; i++) t[i] = x[i] * x[n - 1];
    t[n] = n > 1 ? deep_vla(t, n - 1) : 1;
    return t[n] * t[0];
}
static double recursive(double *x, int n) { return deep_vla(x, n); }
GRADIENT(recursive);

/* Aligned storage stays aligned. */
APART double aligned_sum(const double *x, int deep) {
    _Alignas(64) double t[8];
    for (int i = 0; i < 2; i++) t[i] = x[i] * x[i];
    if ((size_t)t & 63) return 1e9;
    return deep ? aligned_sum(t, deep - 1) : t[0] * t[1];
}
static double aligned(double *x, int n) { return aligned_sum(x, n - 1); }
GRADIENT(aligned);

int main(void) {
    /* m = (x, y), then inner: m1 = y x, returns y x y; outer: y^2 x x; t1 = y: x^2 y^3 */
    CHECK_SAME(to_callee, 2, LIST(2, 3), 108, LIST(108, 108));
    CHECK_SAME(in_loop, 3, LIST(2, 3, 5), 12 + 45, LIST(12, 4 + 30, 9));
    /* x0^4 + 2 x0 x1 x1^2 */
    CHECK_SAME(vla, 2, LIST(2, 3), 16 + 108, LIST(32 + 54, 108));
    /* n = 2: t0 = x0 x1; inner: t0' = t0^2: times 1 each: x0^2 x1^2 * x0 x1 */
    CHECK_SAME(recursive, 2, LIST(2, 3), 216, LIST(324, 216));
    CHECK_SAME(aligned, 2, LIST(2, 1.5), 81, LIST(162, 216));
    return wrong;
}
