// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// The Rosenbrock function: inside a context the result has the same bits; a log kept in a global and one kept in the
// context are equal; a context whose hook takes doubles only logs less.
#include "events.h"

static struct events global;
struct by_global { int unused; };
CF_PREHOOK_ANY(by_global, "call") static void global_call(struct by_global *c, const cf_site *s, const cf_value *v) { (void)c, (void)v, note(&global, "%s", s->what); }
CF_PREHOOK_ANY(by_global, "fp") static void global_fp(struct by_global *c, const cf_site *s, const cf_value *v) { (void)c, (void)v, note(&global, "%s", s->what); }
struct by_context { struct events e; long n; };
CF_PREHOOK_ANY(by_context, "call") static void context_call(struct by_context *c, const cf_site *s, const cf_value *v) { (void)v, c->n++, note(&c->e, "%s", s->what); }
CF_PREHOOK_ANY(by_context, "fp") static void context_fp(struct by_context *c, const cf_site *s, const cf_value *v) { (void)v, c->n++, note(&c->e, "%s", s->what); }
struct numeric { long calls, fp; };
CF_PREHOOK(numeric, "call") static void numeric_call(struct numeric *c, double a) { (void)a, c->calls++; }
CF_PREHOOK(numeric, "fp") static void numeric_fp(struct numeric *c, double a, double b) { (void)a, (void)b, c->fp++; }

APART double square(double v) { return v * v; }
APART double at(const double *x, int i) { return x[i]; }
static double rosenbrock(const double *x, int n) {
    double s = 0;
    for (int i = 0; i + 1 < n; i++) s += 100 * square(at(x, i + 1) - square(at(x, i))) + square(1 - at(x, i));
    return s;
}
double rosenbrock_global(struct by_global *c, const double *x, int n);
CF_IN(rosenbrock_global, rosenbrock, by_global);
double rosenbrock_context(struct by_context *c, const double *x, int n);
CF_IN(rosenbrock_context, rosenbrock, by_context);
double rosenbrock_numeric(struct numeric *c, const double *x, int n);
CF_IN(rosenbrock_numeric, rosenbrock, numeric);

/* What each turn of the loop does: 14 events. */
#define TURN "at at square fmul fsub square fmul at fsub square fmul fmul fadd fadd"
int main(void) {
    double x[6] = {0.1, -0.3, 0.7, 1.9, -2.3, 0.05};
    struct by_global g = {0};
    static struct by_context c;
    struct numeric n = {0, 0};
    double native = rosenbrock(x, 6);
    WANT(rosenbrock_global(&g, x, 2), rosenbrock(x, 2));
    SAME(global, TURN);
    WANT(rosenbrock_global(&g, x, 6), native);
    WANT(rosenbrock_context(&c, x, 6), native);
    WANT(c.n, 5 * 14);
    TEXT(global.text, c.e.text);
    SAME(c.e, TURN " " TURN " " TURN " " TURN " " TURN);
    WANT(rosenbrock_numeric(&n, x, 6), native);
    WANT(n.calls, 5 * 3), WANT(n.fp, 5 * 8);
    return wrong;
}
