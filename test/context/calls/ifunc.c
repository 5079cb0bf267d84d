// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// A function that a resolver chooses when the program is loaded: hooks see the call, arguments and result; which body runs is
// only known then, and that body runs.
#include "every.h"

static int first(int x) { return x + 1; }
static int second(int x) { return x + 2; }
static int (*resolve(void))(int) { return sizeof(void *) == 8 ? second : first; }
__attribute__((ifunc("resolve"))) int chosen(int x);

static int f(int x) { return chosen(x) * 10; }
int f_in(struct every *c, int x);
CF_IN(f_in, f, every);

int main(void) {
    static struct every c;
    WANT(f_in(&c, 3), 50), WANT(f(3), 50);
    SAME(c.e, "chosen( 3 ) [chosen 5 ]");
    return wrong;
}
