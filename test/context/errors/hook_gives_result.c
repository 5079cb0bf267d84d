// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// A pre hook that returns something: what would become of it?
#include <cofactor/context.h>

struct count { long n; };
// CHECK: hook_gives_result.c:[[#@LINE+1]]{{.*}}error: {{.*}}on_f
CF_PREHOOK(count, f) static double on_f(struct count *c, double x) { return c->n++, x; }
static double f(double x) { return x + 1; }
static double g(double x) { return f(x) * 2; }
double g_in(struct count *c, double x);
CF_IN(g_in, g, count);
