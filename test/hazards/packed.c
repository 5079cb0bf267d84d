// RUN: %S/run.sh "%ad" %s %t
// RUN: %if avx2 %{ %S/run.sh "%ad -mavx2" %s %t.avx2 %}
// Packed structs with vectors, numbers of several precisions and pointers at odd places: in arrays, on the heap, copied
// whole, passed and returned by value, one inside another.
#include "hazard.h"
typedef double v4 __attribute__((vector_size(32)));
struct __attribute__((packed)) part {
    char c;
    v4 v;
    double d;
    float f;
    double *p;
};
struct __attribute__((packed, aligned(2))) whole {
    short s;
    double d;
    long double q;
    struct part k;
};
APART double moved(double *x, int n) {
    struct part a[3], *h = malloc(sizeof *h * 3);
    for (int i = 0; i < 3; i++) a[i] = (struct part){'c', {x[0], x[1], x[2], x[3]}, x[i], 2, x + i};
    memcpy(h, a, sizeof a);
    h[2] = h[1], h[1] = a[2];
    double s = n > 1 ? moved(x, n - 1) : 0;
    for (int i = 0; i < 3; i++) s += h[i].v[i] * h[i].d * *h[i].p * h[i].f;
    free(h);
    return s;
}
static double copied(double *x, int n) { return moved(x, n); }
GRADIENT(copied);
APART struct whole by_value(struct whole a, int n) {
    a.d *= (double)a.q, a.k.v *= a.d, *a.k.p *= a.k.v[2];
    return n ? by_value(a, n - 1) : a;
}
static double passed(double *x, int n) {
    double y = x[3];
    struct whole a = {1, x[0], x[1], {'x', {x[0], x[1], x[2], x[3]}, 1, 2, &y}}, b = by_value(a, n - 1);
    return b.d * b.k.v[0] * y + a.k.v[1] * (double)b.q;
}
GRADIENT(passed);

int main(void) {
    const double a = 2, b = 0.5, c = 3, d = 1.5;
    /* 2 (a^3 + b c^2 + c b^2), n times */
    CHECK_SAME(copied, 4, LIST(a, b, c, d), 8 * (a * a * a + b * c * c + c * b * b),
               LIST(24 * a * a, 8 * (c * c + 2 * b * c), 8 * (2 * b * c + b * b), 0));
    /* n = 1: d becomes ab, v becomes ab v, y becomes d (ab c): a^4 b^3 c d + b^2 */
    double x[4] = {a, b, c, d}, bar[4] = {0}, a3 = a * a * a, b2 = b * b;
    WANT(passed_r(x, bar, 1), a3 * a * b2 * b * c * d + b2);
    WANT(bar[0], 4 * a3 * b2 * b * c * d), WANT(bar[1], 3 * a3 * a * b2 * c * d + 2 * b);
    WANT(bar[2], a3 * a * b2 * b * d), WANT(bar[3], a3 * a * b2 * b * c);
    for (int n = 1; n < 4; n++) {
        memset(bar, 0, sizeof bar), passed_r(x, bar, n);
        for (int i = 0; i < 4; i++) {
            double e[4] = {0};
            e[i] = 1;
            WANT(passed_t(x, e, n), bar[i]);
        }
    }
    return wrong;
}
