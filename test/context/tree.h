/* A tree of calls and operations, made by pre and post hooks that keep a stack: each node is written when it is finished. */
#ifndef TREE_H
#define TREE_H
#include "events.h"

struct trace { int depth; char stack[8][256]; };
static void push(struct trace *c, const char *what) { snprintf(c->stack[++c->depth], sizeof c->stack[0], "(%s:", what); }
static void pop(struct trace *c) {
    char *inner = c->stack[c->depth--], *outer = c->stack[c->depth];
    size_t n = strlen(outer);
    snprintf(outer + n, sizeof c->stack[0] - n, " %s)", inner);
}
CF_PREHOOK(trace, "call") static void enter(struct trace *c, const cf_site *s) { push(c, s->what); }
CF_PREHOOK(trace, "fp") static void begin(struct trace *c, const cf_site *s) { push(c, s->what); }
CF_POSTHOOK(trace, "fp") static void end(struct trace *c) { pop(c); }
CF_POSTHOOK(trace, "call") static void leave(struct trace *c) { pop(c); }

APART double mul(double a, double b) { return a * b; }
APART double add(double a, double b) { return a + b; }
#endif
