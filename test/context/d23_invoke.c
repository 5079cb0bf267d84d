// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Calls of one certain function: through an alias, through a weak name, with a default argument; the trace sees the callee.
#include "events.h"

struct trace { struct events e; };
CF_PREHOOK(trace, "call") static void pre2(struct trace *c, const cf_site *s, double a, double b) { note(&c->e, "%s(%g,%g)", s->what, a, b); }
CF_PREHOOK(trace, "call") static void pre1(struct trace *c, const cf_site *s, double a) { note(&c->e, "%s(%g)", s->what, a); }
CF_PREHOOK(trace, "fp") static void on_fp(struct trace *c, const cf_site *s, double a, double b) { note(&c->e, "%s(%g,%g)", s->what, a, b); }

APART double method(double x, double y) { return x * x + y; }
static double also_method(double, double) __attribute__((alias("method")));
__attribute__((weak, noinline)) double weak_method(double x, double y) { return x * x + y; }
APART double with_default(double x) { return method(x, 4); }

static double by_alias(void) { return also_method(2, 5); }
static double by_default(void) { return with_default(3); }
static double by_weak(void) { return weak_method(2, 5); }
double by_alias_in(struct trace *c);
CF_IN(by_alias_in, by_alias, trace);
double by_default_in(struct trace *c);
CF_IN(by_default_in, by_default, trace);
double by_weak_in(struct trace *c);
CF_IN(by_weak_in, by_weak, trace);

int main(void) {
    static struct trace c;
    WANT(by_alias_in(&c), 9);
    SAME(c.e, "also_method(2,5) fmul(2,2) fadd(4,5)");
    WANT(by_default_in(&c), 13);
    SAME(c.e, "with_default(3) method(3,4) fmul(3,3) fadd(9,4)");
    WANT(by_weak_in(&c), 9);
    SAME(c.e, "weak_method(2,5) fmul(2,2) fadd(4,5)");
    return wrong;
}
