// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// The requested function already has a body.
#include <cofactor/ad.h>

static double f(double x) { return x * x; }
double f_grad(double x, double *xb) {
    *xb += 1;
    return x;
}
// CHECK: defined_request.c:[[#@LINE+1]]
CF_REVERSE(f_grad, f, "dup");
// CHECK-SAME: {{.*}}f_grad
