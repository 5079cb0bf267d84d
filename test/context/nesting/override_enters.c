// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// An override that enters another context: with a requested function; and one that enters its own again, with a fresh object.
#include "events.h"

struct inner { long mul; };
CF_PREHOOK(inner, "fmul") static void on_mul(struct inner *c) { c->mul++; }
struct outer { long add, mul; struct inner within; };
CF_PREHOOK(outer, "fadd") static void on_add(struct outer *c) { c->add++; }
CF_PREHOOK(outer, "fmul") static void outer_mul(struct outer *c) { c->mul++; }

APART double leaf(double x) { return x * x + 1; }
APART double part(double x) { return leaf(x) * 2 + 3; }
double part_in(struct inner *c, double x);
CF_IN(part_in, part, inner);
CF_OVERDUB(outer, part) static double part_enters(struct outer *c, double x) { return part_in(&c->within, x); }
static double f(double x) { return part(x) + leaf(x); }
double f_in(struct outer *c, double x);
CF_IN(f_in, f, outer);

struct again { long add; struct again *below; };
CF_PREHOOK(again, "fadd") static void again_add(struct again *c) { c->add++; }
double leaf_again(struct again *c, double x);
CF_IN(leaf_again, leaf, again);
CF_OVERDUB(again, part) static double part_again(struct again *c, double x) { return leaf_again(c->below, x) + cf_recurse_in(c->below, leaf)(x); }
double f_again(struct again *c, double x);
CF_IN(f_again, f, again);

int main(void) {
    struct outer c = {0, 0, {0}};
    /* part: (9 + 1) * 2 + 3; leaf: 10 */
    WANT(f_in(&c, 3), 33), WANT(c.add, 2), WANT(c.mul, 1), WANT(c.within.mul, 2);
    struct again below = {0, 0}, top = {0, &below};
    WANT(f_again(&top, 3), 30), WANT(top.add, 2), WANT(below.add, 2);
    return wrong;
}
