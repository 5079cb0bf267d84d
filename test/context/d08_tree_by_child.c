// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// The same tree without a stack: overrides that go on in a child context, which is another pointer to the same type.
#include "events.h"

struct trace { char text[256]; };
static struct trace child(const char *what) {
    struct trace t;
    snprintf(t.text, sizeof t.text, "(%s:", what);
    return t;
}
static void adopt(struct trace *c, const struct trace *inner) {
    size_t n = strlen(c->text);
    snprintf(c->text + n, sizeof c->text - n, " %.200s)", inner->text);
}

APART double mul(double a, double b) { return a * b; }
APART double add(double a, double b) { return a + b; }
APART double f(double x, double y, double z) { return add(mul(x, y), mul(y, z)); }

CF_OVERDUB(trace, mul) static double trace_mul(struct trace *c, const cf_site *s, double a, double b) {
    struct trace t = child(s->what);
    double r = cf_recurse_in(&t, mul)(a, b);
    return adopt(c, &t), r;
}
CF_OVERDUB(trace, add) static double trace_add(struct trace *c, const cf_site *s, double a, double b) {
    struct trace t = child(s->what);
    double r = cf_recurse_in(&t, add)(a, b);
    return adopt(c, &t), r;
}
CF_OVERDUB(trace, f) static double trace_f(struct trace *c, const cf_site *s, double x, double y, double z) {
    struct trace t = child(s->what);
    double r = cf_recurse_in(&t, f)(x, y, z);
    return adopt(c, &t), r;
}
CF_OVERDUB(trace, "fp") static double trace_fp(struct trace *c, const cf_site *s, double a, double b) {
    struct trace t = child(s->what);
    adopt(c, &t);
    return strcmp(s->what, "fmul") == 0 ? a * b : a + b;
}

static double thunk(double x, double y, double z) { return f(x, y, z); }
double f_traced(struct trace *c, double x, double y, double z);
CF_IN(f_traced, thunk, trace);

int main(void) {
    static struct trace c;
    WANT(f_traced(&c, 2, 3, 5), 21);
    TEXT(c.text, " (f: (mul: (fmul:)) (mul: (fmul:)) (add: (fadd:)))");
    return wrong;
}
