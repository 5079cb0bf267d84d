// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Hooks are defined, but the request says nohooks: none runs, on either of two levels; overrides still hold.
#include "events.h"
#include <math.h>

struct hooked { long pre, post, any; };
CF_PREHOOK(hooked, "call") static void pre_call(struct hooked *c) { c->pre++; }
CF_POSTHOOK(hooked, "call") static void post_call(struct hooked *c) { c->post++; }
CF_PREHOOK(hooked, "op") static void pre_op(struct hooked *c) { c->pre++; }
CF_POSTHOOK_ANY(hooked, "op") static void any_op(struct hooked *c, const cf_site *s, const cf_value *o, const cf_value *r) { (void)s, (void)o, (void)r, c->any++; }
CF_OVERDUB(hooked, tan) static double tan_is_sin(struct hooked *c, double x) { return (void)c, sin(x); }

static double f(double x) { return sin(x); }
double f_off(struct hooked *c, double x);
CF_IN(f_off, f, hooked, "nohooks");
double f_off_off(struct hooked *outer, struct hooked *c, double x);
CF_IN(f_off_off, f_off, hooked, "nohooks");
double f_on(struct hooked *c, double x);
CF_IN(f_on, f, hooked);
static double g(double x) { return tan(x); }
double g_off(struct hooked *c, double x);
CF_IN(g_off, g, hooked, "nohooks entry");

int main(void) {
    struct hooked c = {0, 0, 0}, d = {0, 0, 0};
    volatile double one = 1;
    WANT(f_off(&c, one), sin(one));
    WANT(f_off_off(&d, &c, one), sin(one));
    WANT(g_off(&c, one), sin(one));
    WANT(c.pre + c.post + c.any, 0), WANT(d.pre + d.post + d.any, 0);
    WANT(f_on(&c, one), sin(one));
    WANT(c.pre > 0 && c.post == 1 && c.any > 0, 1);
    return wrong;
}
