// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// In forward mode the tangent of a number is a number.
#include <cofactor/ad.h>

static double f(double x) { return x * x; }
double f_tan(double x, double *xd);
// CHECK: shadow_by_pointer_forward.c:[[#@LINE+1]]
CF_FORWARD(f_tan, f, "dup");
// CHECK: {{.*}}f_tan
