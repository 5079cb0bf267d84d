// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// only=: hooks and overrides work in functions of these names only; others are passed through, so that those they call work.
#include "events.h"

struct count { struct events e; };
CF_CONTEXT(count, "only=mine_*");
CF_PREHOOK(count, "call") static void on_call(struct count *c, const cf_site *s, int x) { note(&c->e, "%s(%d)", s->what, x); }
CF_PREHOOK(count, "add") static void on_add(struct count *c, int x, int y) { note(&c->e, "%d+%d", x, y); }
CF_OVERDUB(count, number) static int other_number(struct count *c, int x) { return (void)c, x * 2; }

APART int number(int x) { return x; }
APART int mine_inner(int x) { return number(x) + 1; }
APART int other(int x) { return mine_inner(x) + number(20); }
APART int mine_outer(int x) { return other(x) + 300; }
static int f(int x) { return mine_outer(x) + 4000; }
int f_in(struct count *c, int x);
CF_IN(f_in, f, count);

int main(void) {
    static struct count c;
    WANT(f(7), 7 + 1 + 20 + 300 + 4000);
    WANT(f_in(&c, 7), 14 + 1 + 20 + 300 + 4000);
    SAME(c.e, "other(7) number(7) 14+1 35+300");
    return wrong;
}
