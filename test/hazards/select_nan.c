// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -fno-math-errno %s -I%S -lm -o %t && %t || exit 1; done
// RUN: %clang -O2 -fno-math-errno -DNO_REQUEST -c -emit-llvm %s -I%include -o %t.bc
// RUN: %cofactor grad %t.bc -f quotient --reverse "dup dup" -f root -f both --no-primal -o %t.o
// RUN: %clang -DOPTIMISED %s -I%S -I%include %t.o %t.bc -lm -o %t.opt && %t.opt
// The arm that was not taken gives no NaN, also where the compiler made a select of the branch before Cofactor sees it.
#include "hazard.h"

#ifndef OPTIMISED
double quotient(double x, double y) { return y != 0 ? x / y : 0; }
double root(double x) { return x > 0 ? sqrt(x) : 0; }
double both(double x) {
    double a = x > 0 ? sqrt(x) : -x, b = x < 1 ? 1 / (1 - x) : 3;
    return a * b;
}
#endif
double quotient_grad(double x, double *xb, double y, double *yb), root_grad(double x, double *b),
    both_grad(double x, double *b);
#if !defined OPTIMISED && !defined NO_REQUEST
CF_REVERSE(quotient_grad, quotient, "dup dup");
CF_REVERSE(root_grad, root, "dup");
CF_REVERSE(both_grad, both, "dup");
double quotient_tan(double x, double xd, double y, double yd), root_tan(double x, double d), both_tan(double x, double d);
CF_FORWARD(quotient_tan, quotient, "dup dup");
CF_FORWARD(root_tan, root, "dup");
CF_FORWARD(both_tan, both, "dup");
#endif
#ifndef NO_REQUEST
int main(void) {
    double a = 0, b = 0;
    WANT(quotient_grad(3, &a, 0, &b), 0), WANT(a, 0), WANT(b, 0);
    WANT(quotient_grad(3, &a, 2, &b), 1.5), WANT(a, 0.5), WANT(b, -0.75);
    a = 0;
    WANT(root_grad(-1, &a), 0), WANT(a, 0);
    WANT(root_grad(0, &a), 0), WANT(a, 0);
    WANT(root_grad(4, &a), 2), WANT(a, 0.25);
    a = 0;
    WANT(both_grad(-1, &a), 0.5), WANT(a, -0.5 + 0.25);
    a = 0;
    WANT(both_grad(1, &a), 3), WANT(a, 1.5);
#ifndef OPTIMISED
    WANT(quotient_tan(3, 1, 0, 1), 0), WANT(quotient_tan(3, 1, 2, 0), 0.5), WANT(quotient_tan(3, 0, 2, 1), -0.75);
    WANT(root_tan(-1, 1), 0), WANT(root_tan(0, 1), 0), WANT(root_tan(4, 1), 0.25);
    WANT(both_tan(-1, 1), -0.25), WANT(both_tan(1, 1), 1.5);
#endif
    return wrong;
}
#endif
