// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Which calls can go on inside: functions defined here, aliases of them; not what is only declared, intrinsics, and libc.
#include "events.h"
#include <math.h>
#include <stdlib.h>

struct table { struct events yes, no; };
CF_PREHOOK(table, "call body=yes") static void can(struct table *c, const cf_site *s) { note(&c->yes, "%s", s->what); }
CF_PREHOOK(table, "call body=no") static void cannot(struct table *c, const cf_site *s) { note(&c->no, "%s", s->what); }

APART double defined(double x) { return x + 1; }
static double also_defined(double) __attribute__((alias("defined")));
extern double external_defined(double);
__attribute__((noinline)) double external_defined(double x) { return x + 2; }
static double f(double x) {
    double y = defined(x) + also_defined(x) + external_defined(x) + sqrt(x) + fabs(x) + hypot(x, x);
    __asm__ volatile("" ::: "memory");
    return y + strtod("1", NULL);
}
double f_in(struct table *c, double x);
CF_IN(f_in, f, table);

int main(void) {
    static struct table c;
    WANT(f_in(&c, 4), f(4));
    SAME(c.yes, "defined also_defined external_defined");
    SAME(c.no, "sqrt fabs hypot strtod");
    return wrong;
}
