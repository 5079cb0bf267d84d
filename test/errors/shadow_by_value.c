// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// In reverse mode the adjoint of a number comes back through a pointer.
#include <cofactor/ad.h>

static double f(double x) { return x * x; }
double f_grad(double x, double xb);
// CHECK: shadow_by_value.c:[[#@LINE+1]]
CF_REVERSE(f_grad, f, "dup");
// CHECK: {{.*}}f_grad
