// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// A pre hook on each call and operation prints a trace of a division of two ints; the entry is no event.
#include "events.h"

struct trace { struct events e; };
CF_CONTEXT(trace, "optional");
CF_PREHOOK(trace, "call") static void on_call(struct trace *c, const cf_site *s, int a) { note(&c->e, "%s(%d)", s->what, a); }
CF_PREHOOK(trace, "call") static void on_pair(struct trace *c, const cf_site *s, int a, int b) { note(&c->e, "%s(%d,%d)", s->what, a, b); }
CF_PREHOOK(trace, "cast") static void on_cast(struct trace *c, const cf_site *s, int a) { note(&c->e, "%s(%d)", s->what, a); }
CF_PREHOOK(trace, "fp") static void on_fp(struct trace *c, const cf_site *s, double a, double b) { note(&c->e, "%s(%.1f,%.1f)", s->what, a, b); }

APART double flt(int a) { return a; }
static double divide(int a, int b) { return flt(a) / flt(b); }
double divide_traced(struct trace *c, int a, int b);
CF_IN(divide_traced, divide, trace);

int main(void) {
    static struct trace c;
    WANT(divide_traced(&c, 1, 2), 0.5);
    SAME(c.e, "flt(1) sitofp(1) flt(2) sitofp(2) fdiv(1.0,2.0)");
    WANT(divide(1, 2), 0.5);
    SAME(c.e, "");
    return wrong;
}
