// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// Two overrides for one function, or one operation: the message names both.
#include <cofactor/context.h>
#include <math.h>

struct other { long n; };
CF_OVERDUB(other, sin) static double first_sin(struct other *c, double x) { return c->n++, x; }
// CHECK-DAG: two_overrides.c:[[#@LINE+1]]{{.*}}error: {{.*(first_sin.*second_sin|second_sin.*first_sin)}}
CF_OVERDUB(other, sin) static double second_sin(struct other *c, double x) { return c->n--, x; }
static double g(double x) { return sin(x); }
double g_in(struct other *c, double x);
CF_IN(g_in, g, other);

struct product { long n; };
CF_OVERDUB(product, "fmul") static double first_mul(struct product *c, double x, double y) { return c->n++, x + y; }
/* Another type is another operation. */
CF_OVERDUB(product, "fmul") static float float_mul(struct product *c, float x, float y) { return c->n++, x + y; }
// CHECK-DAG: two_overrides.c:[[#@LINE+1]]{{.*}}error: {{.*(first_mul.*second_mul|second_mul.*first_mul)}}
CF_OVERDUB(product, "fmul") static double second_mul(struct product *c, double x, double y) { return c->n++, x - y; }
static double h(double x, float y) { return x * x + y * y; }
double h_in(struct product *c, double x, float y);
CF_IN(h_in, h, product);
// CHECK-NOT: float_mul
