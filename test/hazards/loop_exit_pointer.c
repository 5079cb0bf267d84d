// RUN: %S/run.sh "%ad" %s %t
// An address that a loop leaves behind leads to what its earlier iterations loaded: LLVM compares it with the last one's.
#include "hazard.h"

/* p[-1] was loaded one iteration before. */
static double before_last(double *x) {
    double s = 0, *p = x;
    for (;;) {
        s += *p * *p;
        if (p[0] > 2) break;
        p++;
    }
    p[-1] = 7;
    return s;
}
/* The same by an index, and by a block. */
static double by_index(double *x, int n) {
    double s = 0;
    int i;
    for (i = 0;; i++) {
        s += x[i] * x[i];
        if (x[i] > n) break;
    }
    x[i - 1] = 7;
    return s;
}
static double by_block(double *x) {
    double s = 0, *p = x;
    for (;;) {
        s += *p * *p * *p;
        if (p[0] > 2) break;
        p++;
    }
    memset(p - 2, 0, 2 * sizeof *p);
    return s;
}
/* The writer is a function. */
APART void put(double *p, double v, int n) {
    if (n)
        put(p, v, n - 1);
    else
        p[-2] = v * v;
}
static double by_call(double *x) {
    double s = 0, *p = x;
    for (;;) {
        s += *p * *p;
        if (p[0] > 2) break;
        p++;
    }
    put(p, x[1], 2);
    return s + x[0] * x[0];
}
double r1(double *x, double *b), r2(double *x, double *b, int n), r3(double *x, double *b),
    r4(double *x, double *b);
CF_REVERSE(r1, before_last, "dup");
CF_REVERSE(r2, by_index, "dup const");
CF_REVERSE(r3, by_block, "dup");
CF_REVERSE(r4, by_call, "dup");
double t1(double *x, double *d), t2(double *x, double *d, int n), t3(double *x, double *d),
    t4(double *x, double *d);
CF_FORWARD(t1, before_last, "dup");
CF_FORWARD(t2, by_index, "dup const");
CF_FORWARD(t3, by_block, "dup");
CF_FORWARD(t4, by_call, "dup");

static double x[4], b[4];
static void fresh(double seed) {
    const double in[4] = {1, 1.5, 2.5, 4};
    memcpy(x, in, sizeof x), memset(b, 0, sizeof b);
    b[1] = seed;
}
int main(void) {
    fresh(0), WANT(r1(x, b), 9.5), WANT(b[0], 2), WANT(b[1], 3), WANT(b[2], 5), WANT(b[3], 0), WANT(x[1], 7);
    fresh(0), WANT(r2(x, b, 2), 9.5), WANT(b[0], 2), WANT(b[1], 3), WANT(b[2], 5), WANT(x[1], 7);
    fresh(0), WANT(r3(x, b), 20), WANT(b[0], 3), WANT(b[1], 6.75), WANT(b[2], 18.75), WANT(x[1], 0);
    /* x0 becomes x1^2: its square is x1^4 */
    fresh(0), WANT(r4(x, b), 9.5 + pow(1.5, 4)), WANT(b[0], 2), WANT(b[1], 3 + 4 * pow(1.5, 3)),
        WANT(b[2], 5);
    WANT(x[0], 2.25);
    fresh(1), WANT(t1(x, b), 3), WANT(b[1], 0);
    fresh(1), WANT(t2(x, b, 2), 3), WANT(b[1], 0);
    fresh(1), WANT(t3(x, b), 6.75), WANT(b[1], 0);
    fresh(1), WANT(t4(x, b), 3 + 4 * pow(1.5, 3)), WANT(b[0], 3);
    return wrong;
}
