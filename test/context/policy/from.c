// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// from=: hooks and overrides work in these functions and in what they call, and nowhere else.
#include "events.h"

struct count { struct events e; };
CF_CONTEXT(count, "from=start*");
CF_PREHOOK(count, "add") static void on_add(struct count *c, int x, int y) { note(&c->e, "%d+%d", x, y); }
CF_OVERDUB(count, number) static int other_number(struct count *c, int x) { return (void)c, x * 2; }

APART int number(int x) { return x; }
APART int helper(int x) { return number(x) + 1; }
APART int start_here(int x) { return helper(x) + 20; }
APART int around(int x) { return start_here(x) + helper(x) + 300; }
static int f(int x) { return around(x) + helper(x) + 4000; }
int f_in(struct count *c, int x);
CF_IN(f_in, f, count);

int main(void) {
    static struct count c;
    WANT(f(7), 8 + 20 + 8 + 300 + 8 + 4000);
    WANT(f_in(&c, 7), 15 + 20 + 8 + 300 + 8 + 4000);
    SAME(c.e, "14+1 15+20");
    return wrong;
}
