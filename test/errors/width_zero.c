// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// A width is at least 1.
#include <cofactor/ad.h>

static double f(double x) { return x * x; }
double f_grad(double x, double *xb);
// CHECK: width_zero.c:[[#@LINE+1]]
CF_REVERSE(f_grad, f, "dup width=0");
// CHECK-SAME: {{.*}}width
