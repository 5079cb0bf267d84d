// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// What a hook does may change while the program runs: it asks a pointer. A context made before sees it; taking it away stops it.
#include "events.h"
#include <math.h>

struct world { void (*hook)(struct world *); long n; };
static void (*everywhere)(struct world *);
static long counted;
static void step(struct world *c) { c->n++, counted++; }
CF_PREHOOK(world, "call") static void on_call(struct world *c) {
    if (c->hook) c->hook(c);
    if (everywhere) everywhere(c);
}
static double f(double x) { return sin(x) + cos(x) + fabs(x); }
double f_hooked(struct world *c, double x);
CF_IN(f_hooked, f, world);

int main(void) {
    struct world c = {0, 0};
    double native = f(1);
    WANT(f_hooked(&c, 1), native), WANT(c.n, 0);
    everywhere = step;
    WANT(f_hooked(&c, 1), native), WANT(c.n, 3), WANT(counted, 3);
    c.hook = step;
    WANT(f_hooked(&c, 1), native), WANT(c.n, 9), WANT(counted, 9);
    everywhere = 0;
    WANT(f_hooked(&c, 1), native), WANT(c.n, 12);
    c.hook = 0;
    WANT(f_hooked(&c, 1), native), WANT(c.n, 12), WANT(counted, 12);
    return wrong;
}
