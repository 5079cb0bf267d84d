// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// Of many, twenty are told, and how many there are more. Forward mode tells the same.
#include <cofactor/ad.h>
#define E(n) double m##n(double);
#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23)
ALL(E)
#define S(n) s += m##n(x);
static double f(double x) {
    double s = 0;
    ALL(S)
    return s;
}
double f_grad(double x, double *x_bar);
CF_REVERSE(f_grad, f, "dup");
// CHECK-COUNT-20: has neither a body nor a rule here, either (called by `f`)
// CHECK-NOT: either (called
// CHECK: 3 more functions have neither
