// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// The last event with two operands of pi * 2 is the multiplication of two doubles.
#include "events.h"

struct last { struct events e; };
CF_PREHOOK_ANY(last, "op") static void on_op(struct last *c, const cf_site *s, const cf_value *v) {
    if (s->operands != 2) return;
    c->e.used = 0;
    note(&c->e, "%s %d:%u:%.3f %d:%u:%.3f", s->what, v[0].kind, v[0].bits, v[0].as.real, v[1].kind, v[1].bits, v[1].as.real);
}
static double f(double x) { return x * 2.0; }
double f_in(struct last *c, double x);
CF_IN(f_in, f, last);

int main(void) {
    static struct last c;
    WANT(f_in(&c, 3.14159), 6.28318);
    SAME(c.e, "fmul 1:64:3.142 1:64:2.000");
    return wrong;
}
