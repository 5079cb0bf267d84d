// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// An override with other parameters than the function, and one with another result.
#include <cofactor/context.h>
#include <math.h>

struct other { long n; };
// CHECK-DAG: override_misfit.c:[[#@LINE+1]]{{.*}}error: {{.*}}my_sin
CF_OVERDUB(other, sin) static float my_sin(struct other *c, float x) { return c->n++, x; }
// CHECK-DAG: override_misfit.c:[[#@LINE+1]]{{.*}}error: {{.*}}my_pow
CF_OVERDUB(other, pow) static double my_pow(struct other *c, double x) { return c->n++, x; }
// CHECK-DAG: override_misfit.c:[[#@LINE+1]]{{.*}}error: {{.*}}my_cos
CF_OVERDUB(other, cos) static int my_cos(struct other *c, double x) { return c->n++, (int)x; }
static double g(double x) { return sin(x) + pow(x, 3) + cos(x); }
double g_in(struct other *c, double x);
CF_IN(g_in, g, other);
