// RUN: %S/run.sh "%ad" %s %t
// Structs that the machine passes as copies in memory, to functions that stay calls, in both modes of one program.
#include "hazard.h"

struct state {
    double *p;
    double v;
    int i;
    double a[4];
};
APART struct state turned(struct state s, int deep) {
    if (deep) return turned(s, deep - 1);
    s.i = (s.i + 1) & 1;
    s.v = s.v * s.p[s.i] * s.a[0];
    s.a[0] += s.v;
    return s;
}
static double by_value(double *x, int n) {
    struct state s = {x, x[0], 0, {1}}, t = s;
    for (int i = 0; i < n; i++) s = turned(s, i & 1);
    t.v = 5; /* a copy */
    return s.v * t.v;
}
GRADIENT(by_value);

/* The callee's copy is its own. */
APART double spoiled(struct state s, int deep) {
    s.v *= 2, s.a[1] = s.v, s.p[0] += s.v;
    return deep ? spoiled(s, deep - 1) : s.a[1] * s.v;
}
static double copies(double *x, int n) {
    struct state s = {x, x[1], 0, {0}};
    return spoiled(s, n - 1) * s.v + s.a[1];
}
GRADIENT(copies);

int main(void) {
    /* v = a b, then a0 = 1 + ab; v = ab a (1 + ab): 5 a^2 b (1 + ab) */
    const double a = 2, b = 0.5;
    CHECK_SAME(by_value, 2, LIST(a, b), 5 * a * a * b * (1 + a * b),
               LIST(10 * a * b + 15 * a * a * b * b, 5 * a * a + 10 * a * a * a * b));
    /* n = 2: (4 b)^2 b; x0 + 2 b + 4 b */
    CHECK(copies, 2, LIST(a, b), 16 * b * b * b, LIST(0, 48 * b * b), LIST(a + 6 * b, b));
    return wrong;
}
