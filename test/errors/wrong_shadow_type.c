// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// Under -g: the shadow of a double array is an array of doubles.
#include <cofactor/ad.h>

static double f(const double *x, int n) { return x[0] * x[n - 1]; }
double f_grad(const double *x, float *xb, int n);
// CHECK: wrong_shadow_type.c:[[#@LINE+1]]
CF_REVERSE(f_grad, f, "dup const");
// CHECK: {{.*}}float
