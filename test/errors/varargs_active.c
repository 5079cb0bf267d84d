// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// An active number that goes through the user's own variable arguments.
#include <cofactor/ad.h>
#include <stdarg.h>

__attribute__((noinline)) static double sum(int n, ...) {
    va_list a;
    double s = 0;
    va_start(a, n);
    for (int i = 0; i < n; i++) s += va_arg(a, double);
    va_end(a);
    return s;
}
static double f(double x) {
    // CHECK: varargs_active.c:{{[0-9]+}}
    return sum(2, x, x * x);
}
double f_grad(double x, double *xb);
CF_REVERSE(f_grad, f, "dup");
