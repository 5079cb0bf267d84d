// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Two contexts, each inside the other: what is inside is what the outer one sees.
#include "events.h"
#include <math.h>

struct swap { long n; };
CF_OVERDUB(swap, sin) static double sin_is_cos(struct swap *c, double x) { return c->n++, cos(x); }
struct watch { struct events e; };
CF_PREHOOK(watch, "call sin,cos,sin_is_cos,helper") static void on_call(struct watch *c, const cf_site *s) { note(&c->e, "%s", s->what); }
CF_PREHOOK(watch, "fp") static void on_fp(struct watch *c, const cf_site *s) { note(&c->e, "%s", s->what); }

APART double helper(double x) { return sin(x) * 2; }
static double f(double x) { return helper(x) + 1; }
double f_swap(struct swap *c, double x);
CF_IN(f_swap, f, swap);
double f_watch(struct watch *c, double x);
CF_IN(f_watch, f, watch);
double swap_in_watch(struct watch *w, struct swap *c, double x);
CF_IN(swap_in_watch, f_swap, watch);
double watch_in_swap(struct swap *c, struct watch *w, double x);
CF_IN(watch_in_swap, f_watch, swap);

int main(void) {
    static struct watch w;
    struct swap s = {0};
    volatile double x = 0.7;
    WANT(swap_in_watch(&w, &s, x), cos(x) * 2 + 1), WANT(s.n, 1);
    /* The program that is watched calls the override, and that calls cos. */
    SAME(w.e, "helper sin_is_cos cos fmul fadd");
    WANT(watch_in_swap(&s, &w, x), cos(x) * 2 + 1), WANT(s.n, 2);
    /* The watching hooks stand around the call of sin, whatever it becomes later. */
    SAME(w.e, "helper sin fmul fadd");
    return wrong;
}
