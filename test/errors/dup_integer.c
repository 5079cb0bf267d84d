// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// An integer cannot be differentiated.
#include <cofactor/ad.h>

static double f(double x, int n) { return x * n; }
double f_grad(double x, double *xb, int n, int *nb);
// CHECK: dup_integer.c:[[#@LINE+1]]
CF_REVERSE(f_grad, f, "dup dup");
// CHECK: {{.*}}{{const|integer}}
