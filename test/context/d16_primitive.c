// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// With an override of add that is native code, its fadd is no event any more; add itself is one, before and after.
#include "events.h"

struct order { struct events pre, post; };
CF_PREHOOK(order, "call") static void pre_call(struct order *c, const cf_site *s) { note(&c->pre, "%s", s->what); }
CF_PREHOOK(order, "fp") static void pre_fp(struct order *c, const cf_site *s) { note(&c->pre, "%s", s->what); }
CF_POSTHOOK(order, "call") static void post_call(struct order *c, const cf_site *s) { note(&c->post, "%s", s->what); }
CF_POSTHOOK(order, "fp") static void post_fp(struct order *c, const cf_site *s) { note(&c->post, "%s", s->what); }

APART double add(double a, double b) { return a + b; }
APART double mul(double a, double b) { return a * b; }
CF_OVERDUB(order, add) static double add_native(struct order *c, double a, double b) { return note(&c->pre, "override"), cf_original(add)(a, b); }
static double f(double x1, double x2, double x3) { return add(x1, mul(x2, x3)); }
double f_hooked(struct order *c, double x1, double x2, double x3);
CF_IN(f_hooked, f, order);

int main(void) {
    static struct order c;
    WANT(f_hooked(&c, 2, 3, 5), 17);
    SAME(c.pre, "mul fmul add override");
    SAME(c.post, "fmul mul add");
    return wrong;
}
