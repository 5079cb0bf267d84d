// RUN: rm -f %t.o
// RUN: for l in -O0 -O2; do %not %ad $l -g -c %s -o %t.o > %t.txt 2>&1; %FileCheck %s < %t.txt || exit 1; done
// RUN: %not test -e %t.o
// All functions that have no body are told at once, the first as an error, with the way from the request to each; what a
// rule or the library knows, what takes no numbers, and what is told already are not.
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>

double e1(double), e2(double), e3(const double *), never(int);
static double deep(double x) { return e1(x) + e3(&x) + sin(x); }
static double mid(double x) { return deep(x) * e2(x) + e2(x + 1) * never(3); }
static double f(double x) { return mid(x) + printf("%g", x); }
double f_grad(double x, double *x_bar);
CF_REVERSE(f_grad, f, "dup");
// CHECK: all_missing.c:12:{{.*}}error: {{.*}}e2 has an active argument
// CHECK: all_missing.c:11:{{.*}}note: `e1` has neither a body nor a rule here, either (called by `deep`, called by `mid`, called by `f`): where a derivative goes through it, it needs one
// CHECK: all_missing.c:11:{{.*}}note: `e3` has neither a body nor a rule here, either (called by `deep`, called by `mid`, called by `f`)
// CHECK-NOT: note:
// CHECK: 1 error generated
