// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Tangents and adjoints through what a context does: an override with its own formula, through memory of the context, through
// an override that goes on inside, and through a rule of the user's that stays in force.
#include "events.h"
#include <cofactor/ad.h>
#include <math.h>

struct model { double gain; long calls; double last; };
APART double respond(double x) { return x; }
APART double keep(double x) { return respond(x) + x; }
CF_OVERDUB(model, respond) static double respond_cubic(struct model *c, double x) { return c->calls++, c->gain * x * x * x; }
CF_OVERDUB(model, keep) static double keep_and_double(struct model *c, double x) {
    c->last = 2 * x;
    return cf_recurse(keep)(x) + c->last;
}
APART double special(double x) { return x * x; }
static void special_rule(double x, double *x_bar, double seed) { (void)x, *x_bar += 1000 * seed; }
CF_RULE_REVERSE(special, special_rule);

static double f(double x) { return respond(x) + x; }
static double g(double x) { return keep(x) * x; }
static double h(double x) { return special(x) + respond(x); }
double f_in(struct model *c, double x);
CF_IN(f_in, f, model);
double g_in(struct model *c, double x);
CF_IN(g_in, g, model);
double h_in(struct model *c, double x);
CF_IN(h_in, h, model);
double f_tan(struct model *c, double x, double x_dot);
CF_FORWARD(f_tan, f_in, "const dup");
double f_grad(struct model *c, double x, double *x_bar);
CF_REVERSE(f_grad, f_in, "const dup");
double g_tan(struct model *c, struct model *c_dot, double x, double x_dot);
CF_FORWARD(g_tan, g_in, "dup dup");
double g_grad(struct model *c, struct model *c_bar, double x, double *x_bar);
CF_REVERSE(g_grad, g_in, "dup dup");
double h_grad(struct model *c, double x, double *x_bar);
CF_REVERSE(h_grad, h_in, "const dup");

int main(void) {
    struct model c = {5, 0, 0}, c_dot = {0, 0, 0}, c_bar = {0, 0, 0};
    double b = 0;
    /* 5 x^3 + x */
    WANT(f_tan(&c, 2, 1), 61), WANT(c.calls, 1);
    WANT(f_grad(&c, 2, &b), 42), WANT(b, 61), WANT(c.calls, 2), b = 0;
    /* (5 x^3 + x + 2 x) x = 5 x^4 + 3 x^2; by the gain: x^4 */
    WANT(g_tan(&c, &c_dot, 2, 1), 160 + 12);
    c_dot.gain = 1;
    WANT(g_tan(&c, &c_dot, 2, 0), 16), WANT(c.last, 4);
    WANT(g_grad(&c, &c_bar, 2, &b), 92), WANT(b, 172), WANT(c_bar.gain, 16), b = 0;
    WANT(h_grad(&c, 2, &b), 44), WANT(b, 1000 + 60);
    return wrong;
}
