// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Hooks that are narrowed down by type: by the types of their parameters, by type=, and by what they ask of values.
#include "events.h"

struct ints { struct events e; };
CF_CONTEXT(ints, "optional");
CF_PREHOOK(ints, "call") static void ints_call(struct ints *c, const cf_site *s, int a) { note(&c->e, "%s(%d)", s->what, a); }
CF_PREHOOK(ints, "call") static void ints_call2(struct ints *c, const cf_site *s, int a, int b) { note(&c->e, "%s(%d,%d)", s->what, a, b); }
CF_PREHOOK(ints, "cast type=i32") static void ints_cast(struct ints *c, const cf_site *s) { note(&c->e, "%s", s->what); }
CF_PREHOOK(ints, "fp type=i32") static void ints_fp(struct ints *c, const cf_site *s) { note(&c->e, "%s", s->what); }

struct reals { struct events e; };
CF_CONTEXT(reals, "optional");
CF_PREHOOK(reals, "call") static void reals_call(struct reals *c, const cf_site *s, double a, double b) { note(&c->e, "%s(%.1f,%.1f)", s->what, a, b); }
CF_PREHOOK(reals, "cast type=double") static void reals_cast(struct reals *c, const cf_site *s, double a) { note(&c->e, "%s(%.1f)", s->what, a); }
CF_PREHOOK(reals, "fp type=double") static void reals_fp(struct reals *c, const cf_site *s, double a, double b) { note(&c->e, "%s(%.1f,%.1f)", s->what, a, b); }
CF_PREHOOK(reals, "fp type=float") static void reals_float(struct reals *c, const cf_site *s) { note(&c->e, "%s", s->what); }

struct any { struct events e; };
CF_CONTEXT(any, "optional");
static void first(struct any *c, const cf_site *s, const cf_value *v) {
    if (s->operands == 0) return;
    if (v[0].kind == CF_INTEGER && v[0].bits == 32) note(&c->e, "%s(%lld)", s->what, v[0].as.integer);
    if (v[0].kind == CF_REAL && v[0].bits == 64) note(&c->e, "%s(%.1f)", s->what, v[0].as.real);
}
CF_PREHOOK_ANY(any, "call") static void any_call(struct any *c, const cf_site *s, const cf_value *v) { first(c, s, v); }
CF_PREHOOK_ANY(any, "cast") static void any_cast(struct any *c, const cf_site *s, const cf_value *v) { first(c, s, v); }
CF_PREHOOK_ANY(any, "fp") static void any_fp(struct any *c, const cf_site *s, const cf_value *v) { first(c, s, v); }

APART double flt(int a) { return a; }
APART double ratio(double a, double b) { return a / b; }
static double divide(int a, int b) { return ratio(flt(a), flt(b)); }
double divide_ints(struct ints *c, int a, int b);
CF_IN(divide_ints, divide, ints, "entry");
double divide_reals(struct reals *c, int a, int b);
CF_IN(divide_reals, divide, reals, "entry");
double divide_any(struct any *c, int a, int b);
CF_IN(divide_any, divide, any, "entry");

int main(void) {
    static struct ints i;
    static struct reals d;
    static struct any a;
    WANT(divide_ints(&i, 1, 2), 0.5);
    SAME(i.e, "divide(1,2) flt(1) sitofp flt(2) sitofp");
    WANT(divide_reals(&d, 1, 2), 0.5);
    SAME(d.e, "ratio(1.0,2.0) fdiv(1.0,2.0)");
    WANT(divide_any(&a, 1, 2), 0.5);
    SAME(a.e, "divide(1) flt(1) sitofp(1) flt(2) sitofp(2) ratio(1.0) fdiv(1.0)");
    return wrong;
}
