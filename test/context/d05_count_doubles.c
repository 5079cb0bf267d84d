// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// How many calls and operations have nothing but doubles for operands: the division itself.
#include "events.h"

struct count { int one, two, three; };
CF_CONTEXT(count, "optional");
CF_PREHOOK(count, "call") static void call1(struct count *c, double a) { (void)a, c->one++; }
CF_PREHOOK(count, "call") static void call2(struct count *c, double a, double b) { (void)a, (void)b, c->two++; }
CF_PREHOOK(count, "op") static void op2(struct count *c, double a, double b) { (void)a, (void)b, c->two++; }
CF_PREHOOK(count, "call") static void call3(struct count *c, double a, double b, double d) { (void)a, (void)b, (void)d, c->three++; }

APART double flt(int a) { return a; }
static double divide(int a, int b) { return flt(a) / flt(b); }
double divide_counted(struct count *c, int a, int b);
CF_IN(divide_counted, divide, count, "entry");

APART double add3(double a, double b, double c) { return a + b + c; }
APART double twice(double a) { return add3(a, a, 0); }
static double more(double x) { return twice(x) * x; }
double more_counted(struct count *c, double x);
CF_IN(more_counted, more, count);

int main(void) {
    struct count c = {0, 0, 0};
    WANT(divide_counted(&c, 1, 2), 0.5);
    WANT(c.one, 0), WANT(c.two, 1), WANT(c.three, 0);
    c = (struct count){0, 0, 0};
    WANT(more_counted(&c, 3), 18);
    WANT(c.one, 1), WANT(c.two, 3), WANT(c.three, 1);
    return wrong;
}
