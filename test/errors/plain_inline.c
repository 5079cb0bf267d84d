// RUN: rm -f %t.o
// RUN: %not %ad -O0 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// A plain C99 inline function has no body in this unit at -O0: the message says how to write it.
#include <cofactor/ad.h>

inline double f(double x) { return x * x; }
double f_grad(double x, double *xb);
static double use(double x) { return f(x); }
double use_grad(double x, double *xb);
// CHECK: plain_inline.c:[[#@LINE+1]]
CF_REVERSE(use_grad, use, "dup");
// CHECK: {{.*}}static inline
