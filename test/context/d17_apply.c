// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Through a pointer and through a forwarder with variable arguments hooks see the callee's real arguments.
#include "events.h"

struct order { struct events e; };
CF_PREHOOK(order, "call") static void pre2(struct order *c, const cf_site *s, double a, double b) { note(&c->e, "%s(%g,%g)", s->what, a, b); }
CF_POSTHOOK(order, "call") static void post2(struct order *c, const cf_site *s, double r, double a, double b) { note(&c->e, "%g=%s(%g,%g)", r, s->what, a, b); }
CF_PREHOOK(order, "fp") static void pre_fp(struct order *c, const cf_site *s, double a, double b) { note(&c->e, "%s(%g,%g)", s->what, a, b); }
CF_PREHOOK_ANY(order, "call apply*") static void pre_apply(struct order *c, const cf_site *s, const cf_value *v) {
    note(&c->e, "%s/%u:%lld,%g,%g", s->what, s->operands, v[1].as.integer, v[2].as.real, v[3].as.real);
}

typedef double (*binary)(double, double);
APART double mul(double a, double b) { return a * b; }
APART double add(double a, double b) { return a + b; }
APART double apply(binary f, int n, ...) {
    double v[2];
    va_list list;
    va_start(list, n);
    for (int i = 0; i < n; i++) v[i] = va_arg(list, double);
    va_end(list);
    return f(v[0], v[1]);
}
static double pointer(int which, double x, double y) {
    binary f = which ? mul : add;
    return f(x, y);
}
static double forwarded(double x, double y) { return apply(mul, 2, x, y); }
double pointer_hooked(struct order *c, int which, double x, double y);
CF_IN(pointer_hooked, pointer, order);
double forwarded_hooked(struct order *c, double x, double y);
CF_IN(forwarded_hooked, forwarded, order);

int main(void) {
    static struct order c;
    WANT(pointer_hooked(&c, 1, 3, 5), 15);
    SAME(c.e, "(3,5) fmul(3,5) 15=(3,5)");
    WANT(pointer_hooked(&c, 0, 3, 5), 8);
    SAME(c.e, "(3,5) fadd(3,5) 8=(3,5)");
    WANT(forwarded_hooked(&c, 3, 5), 15);
    SAME(c.e, "apply/4:2,3,5 (3,5) fmul(3,5) 15=(3,5)");
    return wrong;
}
