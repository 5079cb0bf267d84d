// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// A callee with neither body nor rule, forward, without -g: the request's line stands for the place.
#include <cofactor/ad.h>

double mystery(double x);
static double f(double x) { return mystery(x) * x; }
double f_tan(double x, double xd);
// CHECK: no_body_forward.c:[[#@LINE+1]]
CF_FORWARD(f_tan, f, "dup");
// CHECK: {{.*}}mystery
