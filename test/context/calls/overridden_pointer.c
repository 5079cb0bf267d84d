// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// An override holds for calls through pointers, too: of functions with a body and of libc's, in tables, with a struct result,
// with the site, going on inside. The call is one event, of no name. Where hooks and overrides do not work it does not hold.
#include "events.h"
#include <math.h>

struct big { double v[9]; };
struct other { struct events e; long sites; };
CF_PREHOOK_ANY(other, "call") static void before(struct other *c, const cf_site *s, const cf_value *v) { (void)v, note(&c->e, "(%s", s->what); }
CF_POSTHOOK(other, "call") static void after(struct other *c, const cf_site *s) { note(&c->e, "%s)", s->what); }
CF_PREHOOK(other, "fmul") static void on_mul(struct other *c) { note(&c->e, "*"); }

APART double square(double x) { return x * x; }
APART double half(double x) { return square(x) / 2; }
APART struct big fill(double x) {
    struct big b = {{x, x, x, x, x, x, x, x, x}};
    return b;
}
CF_OVERDUB(other, sin) static double my_sin(struct other *c, double x) { return note(&c->e, "sin"), cos(x); }
CF_OVERDUB(other, half) static double my_half(struct other *c, const cf_site *s, double x) { return c->sites += s->operands, cf_recurse(half)(x) + 1000; }
CF_OVERDUB(other, fill) static struct big my_fill(struct other *c, double x) {
    struct big b = cf_original(fill)(x);
    return note(&c->e, "fill"), b.v[3] = 7, b;
}

typedef double (*unary)(double);
static const unary table[3] = {sin, half, square};
APART double apply(unary f, double x) { return f(x); }
static double by_table(int i, double x) { return table[i](x); }
static double by_argument(double x) { return apply(sin, x) + apply(half, 4); }
static double by_struct(double x) {
    struct big (*f)(double) = fill;
    struct big b = f(x);
    return b.v[2] + 10 * b.v[3];
}
double by_table_in(struct other *c, int i, double x);
CF_IN(by_table_in, by_table, other);
double by_argument_in(struct other *c, double x);
CF_IN(by_argument_in, by_argument, other);
double by_struct_in(struct other *c, double x);
CF_IN(by_struct_in, by_struct, other);
double by_table_quiet(struct other *c, int i, double x);
CF_IN(by_table_quiet, by_table, other, "nohooks");

struct some { long n; };
CF_CONTEXT(some, "only=chosen");
CF_OVERDUB(some, half) static double some_half(struct some *c, double x) { return c->n++, x; }
APART double chosen(unary f, double x) { return f(x); }
APART double not_chosen(unary f, double x) { return f(x); }
static double both(double x) { return chosen(half, x) + 100 * not_chosen(half, x); }
double both_in(struct some *c, double x);
CF_IN(both_in, both, some);

int main(void) {
    static struct other c;
    volatile double x = 0.4;
    WANT(by_table_in(&c, 0, x), cos(x));
    SAME(c.e, "( sin )");
    WANT(by_table_in(&c, 1, 6), 1018), WANT(c.sites, 1);
    SAME(c.e, "( (square * square) )");
    WANT(by_table_in(&c, 2, 6), 36);
    SAME(c.e, "( * )");
    WANT(by_argument_in(&c, x), cos(x) + 1008), WANT(c.sites, 2);
    SAME(c.e, "(apply ( sin ) apply) (apply ( (square * square) ) apply)");
    WANT(by_struct_in(&c, 3), 73);
    SAME(c.e, "( fill ) *");
    WANT(by_table_quiet(&c, 1, 6), 1018), WANT(by_table_quiet(&c, 0, x), cos(x));
    SAME(c.e, "sin");
    WANT(by_table(0, x), sin(x)), WANT(by_table(1, 6), 18);
    struct some s = {0};
    WANT(both_in(&s, 4), 4 + 800), WANT(s.n, 1);
    return wrong;
}
