// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// The order of hooks for x1 + x2 * x3 through helpers.
#include "events.h"

struct order { struct events pre, post; };
CF_PREHOOK(order, "call") static void pre_call(struct order *c, const cf_site *s) { note(&c->pre, "%s", s->what); }
CF_PREHOOK(order, "fp") static void pre_fp(struct order *c, const cf_site *s) { note(&c->pre, "%s", s->what); }
CF_POSTHOOK(order, "call") static void post_call(struct order *c, const cf_site *s) { note(&c->post, "%s", s->what); }
CF_POSTHOOK(order, "fp") static void post_fp(struct order *c, const cf_site *s) { note(&c->post, "%s", s->what); }

APART double add(double a, double b) { return a + b; }
APART double mul(double a, double b) { return a * b; }
static double f(double x1, double x2, double x3) { return add(x1, mul(x2, x3)); }
double f_hooked(struct order *c, double x1, double x2, double x3);
CF_IN(f_hooked, f, order);

int main(void) {
    static struct order c;
    WANT(f_hooked(&c, 2, 3, 5), 17);
    SAME(c.pre, "mul fmul add fadd");
    SAME(c.post, "fmul mul fadd add");
    return wrong;
}
