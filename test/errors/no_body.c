// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// A callee with neither body nor rule: the message names it, says where it is called and how to give a rule or a body.
#include <cofactor/ad.h>

double mystery(double x);
static double f(double x) {
    // CHECK: no_body.c:[[#@LINE+1]]
    return mystery(x) * x;
}
// CHECK: {{.*}}mystery
// CHECK: {{CF_RULE|rule|--link}}
double f_grad(double x, double *xb);
CF_REVERSE(f_grad, f, "dup");
