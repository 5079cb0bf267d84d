// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// The request lacks the shadow of a dup parameter: the message shows both, the primal and the request.
#include <cofactor/ad.h>

static double f(const double *x, int n) { return x[0] * x[n - 1]; }
double f_grad(const double *x, int n);
// CHECK: missing_shadow.c:[[#@LINE+1]]
CF_REVERSE(f_grad, f, "dup const");
// CHECK: {{.*}}f_grad
