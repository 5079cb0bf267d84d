// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// Hooks of the _ANY forms have fixed parameters.
#include <cofactor/context.h>

struct count { long n; };
// CHECK-DAG: any_misfit.c:[[#@LINE+1]]{{.*}}error: {{.*}}on_f
CF_PREHOOK_ANY(count, f) static void on_f(struct count *c, const cf_site *s) { (void)s, c->n++; }
// CHECK-DAG: any_misfit.c:[[#@LINE+1]]{{.*}}error: {{.*}}after_f
CF_POSTHOOK_ANY(count, f) static void after_f(struct count *c, const cf_site *s, const cf_value *v) { (void)s, (void)v, c->n++; }
static double f(double x) { return x + 1; }
static double g(double x) { return f(x) * 2; }
double g_in(struct count *c, double x);
CF_IN(g_in, g, count);
