// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -std=c99 -Wall -Wextra -Wno-deprecated-non-prototype -Wno-strict-prototypes -I%S/.. %s -lm -o %t && %t || exit 1; done
// Calls by other types than the function's stay inside: by a pointer without a prototype, by the name of a function that was declared
// without one, and by the name with a cast, also where the result or an argument is of another width. An alias of a weak function
// is that function's body.
#include "events.h"
#include <math.h>

struct seen { long ticks, doubled; };
static long ticks;
APART void tick(void) { ticks++; }
CF_PREHOOK(seen, tick) static void on_tick(struct seen *c) { c->ticks++; }

APART int pair(a, b) int a, b; { return tick(), a - b; }
APART double widened(x) float x; { return tick(), x + 1; }
APART int doubled(x) int x; { return tick(), 2 * x; }
CF_OVERDUB(seen, doubled) static int o_doubled(struct seen *c, int x) { return c->doubled++, cf_recurse(doubled)(x) + 1000; }
static int (*pair_pointer)() = pair;
static double (*widened_pointer)() = widened;
static int (*const table[2])() = {doubled, pair};
int later();
APART long wide(long x) { return tick(), x + 3; }
APART int narrow(signed char x) { return tick(), x; }
APART int no_more(int x) { return tick(), x * 5; }
__attribute__((weak)) int replaced(int x) { return tick(), x + 7; }
int other_name(int) __attribute__((alias("replaced")));

static long f(int n) {
    long s = pair_pointer(n, 2) + (long)widened_pointer(1.5f) + table[0](n) + table[1](1, n) + later(n, 4);
    s += ((int (*)(long))(void *)wide)(n) + ((int (*)(int))(void *)narrow)(n) + ((int (*)(int, int))(void *)no_more)(n, 3);
    return s + replaced(n) + other_name(n);
}
int later(int x, int y) { return tick(), x * y; }
long f_in(struct seen *c, int n);
CF_IN(f_in, f, seen);

int main(void) {
    struct seen c = {0, 0};
    long plain = f(10), before = ticks;
    WANT(plain, 8 + 2 + 20 - 9 + 40 + 13 + 10 + 50 + 17 + 17), WANT(before, 10);
    WANT(f_in(&c, 10), plain + 1000), WANT(ticks, 20), WANT(c.ticks, 10), WANT(c.doubled, 1);
    return wrong;
}
