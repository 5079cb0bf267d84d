// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// RUN: for l in -O0 -O2; do %ad $l -fno-math-errno -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Intrinsics are calls of the C function that they stand for, with its arguments; those that only help the compiler are none.
#include "events.h"
#include <math.h>

struct log { struct events e; };
CF_PREHOOK(log, "call") static void of1(struct log *c, const cf_site *s, double x) { note(&c->e, "%s(%g)", s->what, x); }
CF_PREHOOK(log, "call") static void of1f(struct log *c, const cf_site *s, float x) { note(&c->e, "%s(%g)", s->what, x); }
CF_PREHOOK(log, "call") static void of2(struct log *c, const cf_site *s, double x, double y) { note(&c->e, "%s(%g,%g)", s->what, x, y); }
CF_PREHOOK_ANY(log, "call mem*") static void of_memory(struct log *c, const cf_site *s, const cf_value *v) { note(&c->e, "%s/%u(%lld)", s->what, s->operands, v[2].as.integer); }
CF_OVERDUB(log, pow) static double pow_is_sum(struct log *c, double x, double y) { return (void)c, x + y; }

struct block { double v[40]; };
static double f(double x) {
    struct block a, b;
    memset(&a, 0, sizeof a);
    a.v[3] = x;
    memcpy(&b, &a, sizeof b);
    memmove(b.v + 1, b.v, 10 * sizeof *b.v);
    if (__builtin_expect(x > 100, 0)) return 0;
    return b.v[4] + sqrt(x) + fabs(x) + pow(x, 2) + (double)sqrtf(16) + floor(x) + copysign(1, -x);
}
double f_in(struct log *c, double x);
CF_IN(f_in, f, log);

int main(void) {
    static struct log c;
    WANT(f(9), 9 + 3 + 9 + 81 + 4 + 9 - 1);
    WANT(f_in(&c, 9), 9 + 3 + 9 + 11 + 4 + 9 - 1);
    SAME(c.e, "memset/3(320) memcpy/3(320) memmove/3(80) sqrt(9) fabs(9) pow(9,2) sqrtf(16) floor(9) copysign(1,-9)");
    return wrong;
}
