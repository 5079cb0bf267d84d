// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// A bodyless function that is handed active memory may write it: no row, no body, no derivative.
#include <cofactor/ad.h>

void mystery(double *x, int n);
static double f(const double *x, int n) {
    double t[2] = {x[0], x[n - 1]};
    // CHECK: no_body_memory.c:[[#@LINE+1]]
    mystery(t, 2);
    return t[0] * t[1];
}
// CHECK: {{.*}}mystery
double f_grad(const double *x, double *xb, int n);
CF_REVERSE(f_grad, f, "dup const");
