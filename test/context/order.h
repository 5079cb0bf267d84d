/* What happens in x1 + x2 * x3 through helpers, before and behind each call and operation, in order. */
#ifndef ORDER_H
#define ORDER_H
#include "events.h"

struct order { struct events pre, post; };
CF_PREHOOK(order, "call") static void pre_call(struct order *c, const cf_site *s) { note(&c->pre, "%s", s->what); }
CF_PREHOOK(order, "fp") static void pre_fp(struct order *c, const cf_site *s) { note(&c->pre, "%s", s->what); }
CF_POSTHOOK(order, "call") static void post_call(struct order *c, const cf_site *s) { note(&c->post, "%s", s->what); }
CF_POSTHOOK(order, "fp") static void post_fp(struct order *c, const cf_site *s) { note(&c->post, "%s", s->what); }

APART double add(double a, double b) { return a + b; }
APART double mul(double a, double b) { return a * b; }
static double f(double x1, double x2, double x3) { return add(x1, mul(x2, x3)); }
double f_hooked(struct order *c, double x1, double x2, double x3);
CF_IN(f_hooked, f, order);
#endif
