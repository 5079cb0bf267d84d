// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// A hook whose first parameter is not the context.
#include <cofactor/context.h>

struct count { long n; };
static long n;
// CHECK: no_context_parameter.c:[[#@LINE+1]]{{.*}}error: {{.*}}on_f
CF_PREHOOK(count, f) static void on_f(double x) { n += (long)x; }
static double f(double x) { return x + 1; }
static double g(double x) { return f(x) * 2; }
double g_in(struct count *c, double x);
CF_IN(g_in, g, count);
