// RUN: for l in -O0 -O2; do %ad $l -g -I%S/.. %s -lm -o %t 2> %t.txt && %t && %FileCheck %s < %t.txt || exit 1; done
// An override of a name that nothing in the program has: a warning with its place; the rest works.
#include "events.h"
#include <math.h>

struct other { long n; };
// CHECK: unknown_override.c:[[#@LINE+1]]{{.*}}warning: {{.*}}sine
CF_OVERDUB(other, sine) static double my_missing(struct other *c, double x) { return c->n++, x; }
CF_OVERDUB(other, sin) static double my_sin(struct other *c, double x) { return c->n++, x; }
// CHECK-NOT: my_sin
static double g(double x) { return sin(x); }
double g_in(struct other *c, double x);
CF_IN(g_in, g, other);

int main(void) {
    struct other c = {0};
    WANT(g_in(&c, 7), 7), WANT(c.n, 1);
    return wrong;
}
