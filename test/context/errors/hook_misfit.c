// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// A hook for a function whose parameters are of other types than that function's.
#include <cofactor/context.h>

struct count { long n; };
// CHECK: hook_misfit.c:[[#@LINE+1]]{{.*}}error: {{.*}}on_f{{.*}}count{{.*}}
CF_PREHOOK(count, f) static void on_f(struct count *c, float x) { (void)x, c->n++; }
static double f(double x) { return x + 1; }
static double g(double x) { return f(x) * 2; }
double g_in(struct count *c, double x);
CF_IN(g_in, g, count);
