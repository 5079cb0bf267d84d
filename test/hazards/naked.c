// RUN: %S/run.sh "%ad" %s %t
// Functions that are nothing but assembly: with rules, declared inactive, called with what carries no derivative, also by
// another name.
#include "hazard.h"
#define ASSEMBLY __attribute__((naked, noinline))

ASSEMBLY static double square(double x) { __asm__("mulsd %xmm0, %xmm0\n ret"); }
static double square_forward(double x, double d) { return 2 * x * d; }
static void square_reverse(double x, double *x_bar, double seed) { *x_bar += 2 * x * seed; }
CF_RULE_FORWARD(square, square_forward);
CF_RULE_REVERSE(square, square_reverse);

ASSEMBLY static double twice(double x) { __asm__("addsd %xmm0, %xmm0\n ret"); }
CF_INACTIVE(twice);
ASSEMBLY static int three(void) { __asm__("movl $3, %eax\n ret"); }
double quadruple(double x);
ASSEMBLY double quadruple(double x) { __asm__("addsd %xmm0, %xmm0\n addsd %xmm0, %xmm0\n ret"); }
double times_four(double x) __attribute__((alias("quadruple")));

static double f(double *x, int n) {
    return square(x[0]) * three() + twice(x[0]) + times_four(n) * x[0] + quadruple(2) * x[0];
}
GRADIENT(f);

int main(void) {
    CHECK_SAME(f, 1, LIST(3), 27 + 6 + 12 + 24, LIST(18 + 4 + 8));
    return wrong;
}
