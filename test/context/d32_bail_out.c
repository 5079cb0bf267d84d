// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Leaving the context below some functions: by overrides that call the original, or by exclude=. What is below is no event.
#include "events.h"

struct by_override { struct events e; };
CF_PREHOOK(by_override, "call") static void override_call(struct by_override *c, const cf_site *s, double x) { note(&c->e, "%s(%g)", s->what, x); }
CF_PREHOOK(by_override, "fp") static void override_fp(struct by_override *c, const cf_site *s) { note(&c->e, "%s", s->what); }
struct by_list { struct events e; };
CF_CONTEXT(by_list, "exclude=library_*");
CF_PREHOOK(by_list, "call") static void list_call(struct by_list *c, const cf_site *s, double x) { note(&c->e, "%s(%g)", s->what, x); }
CF_PREHOOK(by_list, "fp") static void list_fp(struct by_list *c, const cf_site *s) { note(&c->e, "%s", s->what); }

APART double tiny(double x) { return x + 1; }
APART double library_inner(double x) { return tiny(x) * 2; }
APART double library_outer(double x) { return library_inner(x) - 3; }
APART double mine(double x) { return tiny(x) / 2; }
CF_OVERDUB(by_override, library_outer) static double outer_native(struct by_override *c, double x) { return (void)c, library_outer(x); }
static double f(double x) { return library_outer(x) + mine(x); }
double f_override(struct by_override *c, double x);
CF_IN(f_override, f, by_override);
double f_list(struct by_list *c, double x);
CF_IN(f_list, f, by_list);

int main(void) {
    static struct by_override c;
    static struct by_list d;
    /* (x + 1) * 2 - 3 + (x + 1) / 2 */
    WANT(f_override(&c, 5), 12);
    SAME(c.e, "library_outer(5) mine(5) tiny(5) fadd fdiv fadd");
    WANT(f_list(&d, 5), 12);
    SAME(d.e, "library_outer(5) mine(5) tiny(5) fadd fdiv fadd");
    return wrong;
}
