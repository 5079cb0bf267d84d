// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Several hooks for one event run in the order of their definitions; replacing ones hand the value on; an override's result
// is what post hooks see; values that a replacing hook gives are what the program goes on with.
#include "events.h"

struct chain { struct events e; };
CF_POSTHOOK(chain, add) static int twice(struct chain *c, int r) { return note(&c->e, "twice:%d", r), r * 2; }
CF_PREHOOK(chain, "call add") static void first(struct chain *c) { note(&c->e, "first"); }
CF_POSTHOOK(chain, "call add") static int minus_one(struct chain *c, int r, int x, int y) { return note(&c->e, "minus:%d(%d,%d)", r, x, y), r - 1; }
CF_PREHOOK(chain, add) static void second(struct chain *c, int x, int y) { note(&c->e, "second:%d,%d", x, y); }
CF_POSTHOOK(chain, "call") static void sees(struct chain *c, int r) { note(&c->e, "sees:%d", r); }
CF_OVERDUB(chain, add) static int sum_and_one(struct chain *c, int x, int y) { return note(&c->e, "override"), x + y + 1; }
CF_POSTHOOK(chain, "mul") static int mul_and_one(struct chain *c, int r) { return (void)c, r + 1; }
CF_POSTHOOK(chain, "icmp") static _Bool never(struct chain *c, _Bool r) { return (void)c, (void)r, 0; }
CF_POSTHOOK(chain, "load in=loads") static int odd(struct chain *c, int r) { return (void)c, r | 1; }

APART int add(int x, int y) { return x + y; }
static int f(int x, int y) { return add(x, y) * 10; }
static int g(int x) { return x > 3 ? 100 : 200; }
static int loads(const int *p) { return *p; }
int f_in(struct chain *c, int x, int y);
CF_IN(f_in, f, chain);
int g_in(struct chain *c, int x);
CF_IN(g_in, g, chain);
int loads_in(struct chain *c, const int *p);
CF_IN(loads_in, loads, chain);

int main(void) {
    static struct chain c;
    /* (3 + 4 + 1) * 2 - 1 = 15; 15 * 10 + 1 */
    WANT(f_in(&c, 3, 4), 151);
    SAME(c.e, "first second:3,4 override twice:8 minus:16(3,4) sees:15");
    WANT(g_in(&c, 5), 200), WANT(g(5), 100);
    int even = 6;
    WANT(loads_in(&c, &even), 7), WANT(even, 6);
    return wrong;
}
