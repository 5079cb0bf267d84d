// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// A hook that is defined anew: the same program in a context that counts by 2 gives twice the count, and the same unit
// compiled anew with another step gives that step.
// RUN: for l in -O0 -O2; do for s in 1 2 7; do %ad $l -DSTEP=$s -I%S %s -lm -o %t && %t || exit 1; done; done
#include "events.h"
#ifndef STEP
#define STEP 1
#endif

struct once { long n; };
CF_PREHOOK(once, "call") static void once_call(struct once *c) { c->n += STEP; }
CF_PREHOOK(once, "fp") static void once_fp(struct once *c) { c->n += STEP; }
struct twice { long n; };
CF_PREHOOK(twice, "call") static void twice_call(struct twice *c) { c->n += 2 * STEP; }
CF_PREHOOK(twice, "fp") static void twice_fp(struct twice *c) { c->n += 2 * STEP; }

APART double square(double x) { return x * x; }
static double sum(int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += square(i);
    return s;
}
double sum_once(struct once *c, int n);
CF_IN(sum_once, sum, once);
double sum_twice(struct twice *c, int n);
CF_IN(sum_twice, sum, twice);

int main(void) {
    struct once a = {0};
    struct twice b = {0};
    WANT(sum_once(&a, 10), 285), WANT(sum_twice(&b, 10), 285);
    /* A call, a multiplication and an addition in each of ten turns. */
    WANT(a.n, 30 * STEP), WANT(b.n, 2 * a.n);
    return wrong;
}
