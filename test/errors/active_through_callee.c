// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// The active value reaches the const argument through a callee: the message gives the place of the store.
#include <cofactor/ad.h>

__attribute__((noinline)) static void put(double *to, double v) { *to = v * v; }
static double f(double x, double *log) {
    put(log, x);
    return *log;
}
double f_grad(double x, double *xb, double *log);
CF_REVERSE(f_grad, f, "dup const");
// CHECK: active_through_callee.c:{{[0-9]+}}
// CHECK: {{.*}}const
