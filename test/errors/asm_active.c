// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// Inline assembly on an active path: the message says where it stands (with -g) and what it is.
#include <cofactor/ad.h>

static double f(double x) {
    double y = x * x;
    // CHECK: asm_active.c:[[#@LINE+1]]
    __asm__("unpcklpd %1, %0" : "+x"(y) : "x"(x));
    return y;
}
// CHECK: {{asm}}
double f_grad(double x, double *xb);
CF_REVERSE(f_grad, f, "dup");
