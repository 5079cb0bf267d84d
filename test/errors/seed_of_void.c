// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// The primal has no result that a seed could belong to.
#include <cofactor/ad.h>

static void f(const double *x, double *y) { *y = *x * *x; }
void f_grad(const double *x, double *xb, double *y, double *yb, double seed);
// CHECK: seed_of_void.c:[[#@LINE+1]]
CF_REVERSE(f_grad, f, "dup dup seed");
// CHECK-SAME: {{.*}}seed
