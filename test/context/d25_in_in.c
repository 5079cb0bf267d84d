// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// A context inside a context: the outer one sees the program and the hooks of the inner one.
#include "events.h"

struct inner { long n; };
CF_PREHOOK(inner, "fadd") static void inner_add(struct inner *c) { c->n++; }
struct outer { long adds; struct events e; };
CF_PREHOOK(outer, "fadd") static void outer_add(struct outer *c, double a, double b) { (void)a, (void)b, c->adds++; }
CF_PREHOOK(outer, "call inner_*") static void outer_call(struct outer *c, const cf_site *s) { note(&c->e, "%s", s->what); }
CF_PREHOOK(outer, "add type=i64") static void outer_int(struct outer *c, const cf_site *s, long a, long b) { (void)s, note(&c->e, "%ld+%ld", a, b); }

static double f(double x) { return 1 + x; }
double f_in(struct inner *c, double x);
CF_IN(f_in, f, inner);
double f_in_in(struct outer *o, struct inner *c, double x);
CF_IN(f_in_in, f_in, outer);

int main(void) {
    struct inner i = {41};
    static struct outer o;
    WANT(f_in_in(&o, &i, 1), 2);
    WANT(i.n, 42), WANT(o.adds, 1);
    SAME(o.e, "inner_add 41+1");
    return wrong;
}
