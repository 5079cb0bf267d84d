// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// value belongs to forward requests.
#include <cofactor/ad.h>

static double f(double x) { return x * x; }
double f_grad(double x, double *xb, double *value);
// CHECK: value_reverse.c:[[#@LINE+1]]
CF_REVERSE(f_grad, f, "dup value");
// CHECK-SAME: {{.*}}value
