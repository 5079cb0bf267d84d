// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// The sum of all numbers that calls, conversions and floating operations give.
#include "events.h"

struct sum { double total; };
CF_CONTEXT(sum, "optional");
CF_POSTHOOK(sum, "call") static void call_real(struct sum *c, double r) { c->total += r; }
CF_POSTHOOK(sum, "call") static void call_int(struct sum *c, int r) { c->total += r; }
CF_POSTHOOK(sum, "cast") static void cast_real(struct sum *c, double r) { c->total += r; }
CF_POSTHOOK(sum, "fp") static void fp_real(struct sum *c, double r) { c->total += r; }

APART double flt(int a) { return a; }
static double divide(int a, int b) { return flt(a) / flt(b); }
double divide_summed(struct sum *c, int a, int b);
CF_IN(divide_summed, divide, sum);
double divide_summed_entry(struct sum *c, int a, int b);
CF_IN(divide_summed_entry, divide, sum, "entry");

int main(void) {
    struct sum c = {0};
    WANT(divide_summed(&c, 1, 2), 0.5);
    WANT(c.total, 1 + 1 + 2 + 2 + 0.5);
    c.total = 0;
    WANT(divide_summed_entry(&c, 1, 2), 0.5);
    WANT(c.total, 1 + 1 + 2 + 2 + 0.5 + 0.5);
    return wrong;
}
