// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// Fewer words than parameters.
#include <cofactor/ad.h>

static double f(double x, double y) { return x * y; }
double f_grad(double x, double *xb, double y, double *yb);
// CHECK: too_few_words.c:[[#@LINE+1]]
CF_REVERSE(f_grad, f, "dup");
// CHECK-SAME: {{.*}}f
