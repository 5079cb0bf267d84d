// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// A word that does not exist: the request's line, the word, and the right spelling.
#include <cofactor/ad.h>

static double f(double x) { return x * x; }
double f_grad(double x, double *xb);
// CHECK: unknown_word.c:[[#@LINE+1]]
CF_REVERSE(f_grad, f, "dupp");
// CHECK: {{.*}}dupp
// CHECK: {{.*}}dup
