// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// A tree of calls, made by pre and post hooks that keep a stack: each node is written when it is finished.
#include "events.h"

struct node { char text[256]; };
struct trace { int depth; struct node stack[8]; };
static void push(struct trace *c, const char *what) { snprintf(c->stack[++c->depth].text, sizeof c->stack[0].text, "(%s:", what); }
static void pop(struct trace *c) {
    char *inner = c->stack[c->depth--].text, *outer = c->stack[c->depth].text;
    size_t n = strlen(outer);
    snprintf(outer + n, sizeof c->stack[0].text - n, " %s)", inner);
}
CF_PREHOOK(trace, "call") static void enter(struct trace *c, const cf_site *s) { push(c, s->what); }
CF_PREHOOK(trace, "fp") static void begin(struct trace *c, const cf_site *s) { push(c, s->what); }
CF_POSTHOOK(trace, "fp") static void end(struct trace *c) { pop(c); }
CF_POSTHOOK(trace, "call") static void leave(struct trace *c) { pop(c); }

APART double mul(double a, double b) { return a * b; }
APART double add(double a, double b) { return a + b; }
static double f(double x, double y, double z) { return add(mul(x, y), mul(y, z)); }
double f_traced(struct trace *c, double x, double y, double z);
CF_IN(f_traced, f, trace, "entry");

int main(void) {
    static struct trace c;
    WANT(f_traced(&c, 2, 3, 5), 21);
    WANT(c.depth, 0);
    TEXT(c.stack[0].text, " (f: (mul: (fmul:)) (mul: (fmul:)) (add: (fadd:)))");
    return wrong;
}
