// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l %s -I%S -lm -o %t && %t || exit 1; done
// Functions that write and read a global by its name only, and that are not inlined: they call themselves.
#include "hazard.h"

static double g = 0.5, h;
APART void set(const double *x, int n) {
    if (n > 0)
        set(x, n - 1);
    else
        g = x[0] * x[1];
}
APART double get(int n) { return n > 0 ? get(n - 1) : g * g; }

static double written_by_callee(const double *x) {
    set(x, 2);
    return g * x[0];
}
static double read_by_callee(const double *x) {
    h = x[0];
    double s = get(2);
    g = x[0] * h;
    return s + get(3);
}
static double written_and_read(const double *x) {
    g = x[0];
    set(x, 2);
    double a = get(2);
    g *= a;
    return g;
}
double r1(const double *, double *), r2(const double *, double *), r3(const double *, double *);
double t1(const double *, const double *), t2(const double *, const double *),
    t3(const double *, const double *);
CF_REVERSE(r1, written_by_callee, "dup");
CF_REVERSE(r2, read_by_callee, "dup");
CF_REVERSE(r3, written_and_read, "dup");
CF_FORWARD(t1, written_by_callee, "dup");
CF_FORWARD(t2, read_by_callee, "dup");
CF_FORWARD(t3, written_and_read, "dup");

int main(void) {
    const double x[2] = {2, 3}, e[2] = {1, 0};
    for (int again = 0; again < 2; again++) {
        double b[2] = {0};
        WANT(r1(x, b), 12), WANT(b[0], 12), WANT(b[1], 4);
        memset(b, 0, sizeof b), g = 0.5;
        WANT(r2(x, b), 16.25), WANT(b[0], 32), WANT(b[1], 0), WANT(g, 4);
        memset(b, 0, sizeof b);
        WANT(r3(x, b), 216), WANT(b[0], 324), WANT(b[1], 216), WANT(g, 216);
        WANT(t1(x, e), 12), WANT(t2(x, e), 32), WANT(t3(x, e), 324);
    }
    return wrong;
}
