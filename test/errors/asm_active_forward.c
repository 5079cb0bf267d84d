// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// Inline assembly on an active path, forward.
#include <cofactor/ad.h>

static double f(double x) {
    double y = x * x;
    // CHECK: asm_active_forward.c:[[#@LINE+1]]
    __asm__("unpcklpd %1, %0" : "+x"(y) : "x"(x));
    return y;
}
// CHECK: {{asm}}
double f_tan(double x, double xd);
CF_FORWARD(f_tan, f, "dup");
