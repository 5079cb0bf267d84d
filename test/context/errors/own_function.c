// RUN: for l in -O0 -O2; do %ad $l -g -I%S/.. %s -lm -o %t && %t || exit 1; done
// An override that calls the function it overrides by its name calls the function itself, outside: no endless recursion, no
// events. Its own recursion is an ordinary one. With cf_recurse it goes on inside, and meets itself below.
#include "events.h"

struct outside { long n, adds; };
CF_PREHOOK(outside, "add") static void outside_add(struct outside *c) { c->adds++; }
struct inside { long n, adds; };
CF_PREHOOK(inside, "add") static void inside_add(struct inside *c) { c->adds++; }
struct own { long n, adds; };
CF_PREHOOK(own, "add") static void own_add(struct own *c) { c->adds++; }

APART int sum(int x) { return x == 0 ? 0 : sum(x - 1) + x; }
CF_OVERDUB(outside, sum) static int sum_outside(struct outside *c, int x) { return c->n++, sum(x); }
CF_OVERDUB(inside, sum) static int sum_inside(struct inside *c, int x) { return c->n++, cf_recurse(sum)(x); }
CF_OVERDUB(own, sum) static int sum_own(struct own *c, int x) { return c->n++, x > 3 ? sum_own(c, x - 1) + x : cf_original(sum)(x); }
static int f(int x) { return sum(x) * 10; }
int f_outside(struct outside *c, int x);
CF_IN(f_outside, f, outside);
int f_inside(struct inside *c, int x);
CF_IN(f_inside, f, inside);
int f_own(struct own *c, int x);
CF_IN(f_own, f, own);

int main(void) {
    struct outside a = {0, 0};
    struct inside b = {0, 0};
    struct own d = {0, 0};
    WANT(f_outside(&a, 5), 150), WANT(a.n, 1), WANT(a.adds, 0);
    WANT(f_inside(&b, 5), 150), WANT(b.n, 6), WANT(b.adds, 5);
    WANT(f_own(&d, 5), 150), WANT(d.n, 3), WANT(d.adds, 0);
    return wrong;
}
