// RUN: for l in -O0 -O2; do %ad $l -g -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// RUN: for l in -O0 -O2; do %ad $l -g -DSTOP -I%S %s -lm -o %t && (%not --crash %t 2>&1) > %t.txt; %FileCheck %s < %t.txt || exit 1; done
// A post hook stops at the operation that makes a NaN out of numbers, deep in a chain of calls, and names its place and
// those of the calls that lead to it. The lines are those of the user's program.
#include "events.h"
#include <math.h>
#include <stdlib.h>

struct nan_trap { const cf_site *stack[16]; int depth; struct events e; };
CF_PREHOOK(nan_trap, "call body=yes") static void enter(struct nan_trap *c, const cf_site *s) { c->stack[c->depth++] = s; }
CF_POSTHOOK(nan_trap, "call body=yes") static void leave(struct nan_trap *c) { c->depth--; }
CF_POSTHOOK(nan_trap, "fp type=double") static void after(struct nan_trap *c, const cf_site *s, double r, double a, double b) {
    if (!isnan(r) || isnan(a) || isnan(b)) return;
    note(&c->e, "%s in %s, line %u", s->what, s->function, s->line);
    for (int i = c->depth; i-- > 0;) note(&c->e, "< %s from %s, line %u", c->stack[i]->what, c->stack[i]->function, c->stack[i]->line);
#ifdef STOP
    fprintf(stderr, "%s: %s\n", strrchr(s->file, '/') ? strrchr(s->file, '/') + 1 : s->file, c->e.text);
    abort();
#endif
}

APART double deep(double x) {
    double y = x - x;
    return y / y;
}
APART double middle(double x) {
    double a = x * 2;
    return deep(a) + 1;
}
static double top(double x) {
    return middle(x + 1) * 3;
}
double top_trapped(struct nan_trap *c, double x);
CF_IN(top_trapped, top, nan_trap);

int main(void) {
    static struct nan_trap c;
    WANT(isnan(top_trapped(&c, 1)), 1);
    // CHECK: d29_nan.c: fdiv in deep, line 24 < deep from middle, line 28 < middle from top, line 31
    SAME(c.e, "fdiv in deep, line 24 < deep from middle, line 28 < middle from top, line 31");
    WANT(c.depth, 0);
    return wrong;
}
