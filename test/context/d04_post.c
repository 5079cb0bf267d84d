// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Post hooks see result and operands; what is within is finished first.
#include "events.h"

struct trace { struct events e; };
CF_POSTHOOK(trace, "call") static void on_call(struct trace *c, const cf_site *s, double r, int a) { note(&c->e, "%.1f=%s(%d)", r, s->what, a); }
CF_POSTHOOK(trace, "call") static void on_pair(struct trace *c, const cf_site *s, double r, int a, int b) { note(&c->e, "%.1f=%s(%d,%d)", r, s->what, a, b); }
CF_POSTHOOK(trace, "cast") static void on_cast(struct trace *c, const cf_site *s, double r, int a) { note(&c->e, "%.1f=%s(%d)", r, s->what, a); }
CF_POSTHOOK(trace, "fp") static void on_fp(struct trace *c, const cf_site *s, double r, double a, double b) { note(&c->e, "%.1f=%s(%.1f,%.1f)", r, s->what, a, b); }

APART double flt(int a) { return a; }
static double divide(int a, int b) { return flt(a) / flt(b); }
double divide_traced(struct trace *c, int a, int b);
CF_IN(divide_traced, divide, trace, "entry");

int main(void) {
    static struct trace c;
    WANT(divide_traced(&c, 1, 2), 0.5);
    SAME(c.e, "1.0=sitofp(1) 1.0=flt(1) 2.0=sitofp(2) 2.0=flt(2) 0.5=fdiv(1.0,2.0) 0.5=divide(1,2)");
    return wrong;
}
