// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Calls through aliases, of static and of external functions, direct and through pointers.
#include "every.h"

APART int inner(int x) { return x + 1; }
APART int original(int x) { return inner(x) * 2; }
static int other_name(int) __attribute__((alias("original")));
__attribute__((noinline)) int external_original(int x) { return inner(x) * 3; }
int external_other(int) __attribute__((alias("external_original")));
static int (*const table[2])(int) = {other_name, external_other};

static int direct(int x) { return other_name(x) + external_other(x); }
static int pointer(int i, int x) { return table[i](x); }
int direct_in(struct every *c, int x);
CF_IN(direct_in, direct, every);
int pointer_in(struct every *c, int i, int x);
CF_IN(pointer_in, pointer, every);

struct over { int n; };
CF_OVERDUB(over, original) static int nothing(struct over *c, int x) { return c->n++, x; }
int direct_over(struct over *c, int x);
CF_IN(direct_over, direct, over);

int main(void) {
    static struct every c;
    struct over o = {0};
    WANT(direct_in(&c, 3), 8 + 12);
    SAME(c.e, "other_name( 3 ) inner( 3 ) [inner 4 ] [other_name 8 ] external_other( 3 ) inner( 3 ) [inner 4 ] [external_other 12 ]");
    WANT(pointer_in(&c, 0, 3), 8);
    SAME(c.e, "( 3 ) inner( 3 ) [inner 4 ] [ 8 ]");
    WANT(pointer_in(&c, 1, 3), 12);
    SAME(c.e, "( 3 ) inner( 3 ) [inner 4 ] [ 12 ]");
    /* A call by another name is a call of the same function. */
    WANT(direct_over(&o, 3), 3 + 12), WANT(o.n, 1);
    return wrong;
}
