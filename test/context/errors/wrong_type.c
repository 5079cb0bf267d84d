// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// The requested function has not the type that the program has inside the context.
#include <cofactor/context.h>

struct count { long n; };
CF_CONTEXT(count, "");
static double g(double x, int n) { return x * n; }
double no_pointer(double x, int n);
// CHECK-DAG: wrong_type.c:[[#@LINE+1]]{{.*}}error: {{.*}}no_pointer
CF_IN(no_pointer, g, count);
double other_order(struct count *c, int n, double x);
// CHECK-DAG: wrong_type.c:[[#@LINE+1]]{{.*}}error: {{.*}}other_order
CF_IN(other_order, g, count);
float other_result(struct count *c, double x, int n);
// CHECK-DAG: wrong_type.c:[[#@LINE+1]]{{.*}}error: {{.*}}other_result
CF_IN(other_result, g, count);
