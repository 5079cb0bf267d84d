// RUN: for l in -O0 -O2; do %ad $l -DSECOND -I%S -c %s -o %t.2.o && %ad $l -I%S %s %t.2.o -lm -o %t && %t || exit 1; done
// RUN: for l in -O0 -O2; do %ad $l -g -DSECOND -I%S -c %s -o %t.2.o && %ad $l -g -I%S %s %t.2.o -lm -o %t && %t || exit 1; done
// A context and requests in a header that several units include: the unit that defines the program gives the requested
// function its body; the other calls it. A program that goes on in another unit leaves the context there.
#include "events.h"

struct count { long fp; };
CF_PREHOOK(count, "fp") static void on_fp(struct count *c) { c->fp++; }
double first(double x);
double first_in(struct count *c, double x);
CF_IN(first_in, first, count);
double second(double x);
double second_in(struct count *c, double x);
CF_IN(second_in, second, count);

#ifdef SECOND
double second(double x) { return x * 3 * x; }
#else
double first(double x) { return second(x) + 1; }
int main(void) {
    struct count c = {0};
    WANT(first_in(&c, 2), 13), WANT(c.fp, 1);
    WANT(second_in(&c, 2), 12), WANT(c.fp, 3);
    return wrong;
}
#endif
