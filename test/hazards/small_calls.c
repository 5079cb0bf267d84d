// RUN: %S/run.sh "%ad" %s %t
// A gradient that needs little never touches the heap: its tape begins on the machine's stack.
#include "hazard.h"

static size_t taken;
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t);
void *malloc(size_t n) {
    taken += n;
    return __libc_malloc(n);
}
void *calloc(size_t n, size_t m) {
    taken += n * m;
    return __libc_calloc(n, m);
}

APART double horner(const double *c, double x, int n) { return n ? c[n] + x * horner(c, x, n - 1) : c[0]; }
static double small(double *x, int n) {
    double s = 0;
    for (int i = 0; s < 100 && i < 8; i++) s += sin(s) + x[i % n] * x[i % n];
    return s * horner(x, x[0], n - 1);
}
GRADIENT(small);

int main(void) {
    const double x[2] = {1, 0.5};
    double y[2], b[2], d[2] = {1, 0}, e[2] = {0, 1};
    memcpy(y, x, sizeof y);
    void *volatile seen[] = {malloc(8), calloc(2, 8)}; /* what takes memory is seen here */
    WANT(taken >= 24, 1), free(seen[0]), free(seen[1]);
    size_t before = taken;
    memset(b, 0, sizeof b);
    for (int k = 0; k < 100; k++) memset(b, 0, sizeof b), small_r(y, b, 2);
    WANT(taken - before, 0);
    WANT(b[0], small_t(y, d, 2)), WANT(b[1], small_t(y, e, 2));
    /* s by hand */
    double s = 0, s0 = 0, s1 = 0;
    for (int i = 0; i < 8; i++) {
        double c = 1 + cos(s);
        s0 = s0 * c + (i & 1 ? 0 : 2 * x[0]), s1 = s1 * c + (i & 1 ? 2 * x[1] : 0);
        s += sin(s) + x[i & 1] * x[i & 1];
    }
    /* horner = x1 + x0 x0 */
    double h = x[1] + x[0] * x[0];
    WANT(b[0], s0 * h + s * 2 * x[0]), WANT(b[1], s1 * h + s);
    return wrong;
}
