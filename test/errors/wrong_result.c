// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// A reverse request returns what the primal returns, or nothing.
#include <cofactor/ad.h>

static double f(double x) { return x * x; }
float f_grad(double x, double *xb);
// CHECK: wrong_result.c:[[#@LINE+1]]
CF_REVERSE(f_grad, f, "dup");
// CHECK: {{.*}}f_grad
