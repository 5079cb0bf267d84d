// RUN: for l in -O0 -O1 -O2 -O3; do %adxx $l %s -I%S -o %t && %t || exit 1; done
// RUN: for l in -O0 -O2; do env COFACTOR_NO_INLINE=1 %adxx $l %s -I%S -o %t && %t || exit 1; done
// A callee overwrites what is needed, then throws. Reverse mode catches nothing within a gradient: the exception leaves
// it, and no wrong number comes out; where nothing is thrown the numbers are right. Forward mode follows exceptions.
#include "hazard.h"

static double state;
static void callee(double x, double limit) {
    state = x * x;
    if (x > limit) throw 1;
}
static double caught(double x, double limit) {
    state = 2;
    double y = state * x;
    try {
        callee(x, limit);
    } catch (int) {
        y *= 3;
    }
    return y + state;
}
double caught_r(double x, double *b, double limit), caught_t(double x, double d, double limit);
CF_REVERSE(caught_r, caught, "dup const");
CF_FORWARD(caught_t, caught, "dup const");

/* The handler is in a callee only, which is inlined: the same holds. */
static double through(double x, double limit) { return caught(x, limit) * x; }
double through_r(double x, double *b, double limit), through_t(double x, double d, double limit);
CF_REVERSE(through_r, through, "dup const");
CF_FORWARD(through_t, through, "dup const");

static int told;
static double *powers(double x, int n) {
    double *p;
    try {
        p = new double[(unsigned)n];
    } catch (...) {
        told++;
        throw;
    }
    for (int i = 0; i < n; i++) p[i] = i ? p[i - 1] * x : x;
    return p;
}
static double sum(double *x, int n) {
    n *= 4;
    double *p = powers(*x, n), s = 0;
    for (int i = 0; i < n; i++) s += p[i] * p[n - 1 - i];
    delete[] p;
    return s;
}
extern "C" {
GRADIENT(sum);
}

int main() {
    double b = 0;
    bool left = false;
    WANT(caught_r(3, &b, 10), 15), WANT(b, 2 + 6);
    b = 0;
    try {
        caught_r(3, &b, 1);
    } catch (int) {
        left = true;
    }
    WANT(left, 1), WANT(b, 0);
    /* The next gradient is not disturbed. */
    WANT(caught_r(3, &b, 10), 15), WANT(b, 8);
    WANT(caught_t(3, 1, 10), 8), WANT(caught_t(3, 1, 1), 12);

    b = 0;
    WANT(through_r(3, &b, 10), 45), WANT(b, 8 * 3 + 15);
    b = 0, left = false;
    try {
        through_r(3, &b, 1);
    } catch (int) {
        left = true;
    }
    WANT(left, 1), WANT(b, 0);
    /* (2x + x^2) x; thrown: (6x + x^2) x */
    WANT(through_t(3, 1, 10), 39), WANT(through_t(3, 1, 1), 12 * 3 + 18 + 9);
    /* n x^(n+1) */
    const double x[] = {1.5}, grad[] = {4 * 5 * 1.5 * 1.5 * 1.5 * 1.5};
    check_gradient("sum", sum_r, sum_t, 1, x, 4 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5, grad, x);
    return wrong;
}
