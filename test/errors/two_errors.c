// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// One function that cannot be differentiated does not hide the message of another.
#include <cofactor/ad.h>

double mystery(double x);
double enigma(double x);
static double f(double x) { return mystery(x) * x; }
static double g(double x) { return enigma(x) * x; }
double f_grad(double x, double *xb);
CF_REVERSE(f_grad, f, "dup");
double g_grad(double x, double *xb);
CF_REVERSE(g_grad, g, "dup");
// CHECK-DAG: {{.*}}mystery
// CHECK-DAG: {{.*}}enigma
