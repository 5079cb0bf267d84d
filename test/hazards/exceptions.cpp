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
    return wrong;
}
