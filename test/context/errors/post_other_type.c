// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// A post hook that replaces a double by a float.
#include <cofactor/context.h>

struct count { long n; };
// CHECK: post_other_type.c:[[#@LINE+1]]{{.*}}error: {{.*}}after_f
CF_POSTHOOK(count, f) static float after_f(struct count *c, double r) { return c->n++, (float)r; }
static double f(double x) { return x + 1; }
static double g(double x) { return f(x) * 2; }
double g_in(struct count *c, double x);
CF_IN(g_in, g, count);
