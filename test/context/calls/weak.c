// RUN: for l in -O0 -O2; do %clang $l -c -DLIBRARY %s -o %t.o && %ad $l -Wall -Wextra -Werror -I%S/.. %s %t.o -lm -o %t && %t || exit 1; done
// RUN: for l in -O0 -O2; do %ad $l -DALONE -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Weak functions: another unit's definition replaces the weak one, inside the context as outside. A weak function that nobody
// defines is called only when it is there.
#ifdef LIBRARY
int replaced(int x) { return x * 100; }
#else
#include "every.h"

__attribute__((weak, noinline)) int replaced(int x) { return x + 1; }
__attribute__((weak)) int absent(int x);

static int f(int x) { return replaced(x) + (absent ? absent(x) : 5); }
int f_in(struct every *c, int x);
CF_IN(f_in, f, every);
static int g(int x) {
    int (*p)(int) = replaced;
    return p(x);
}
int g_in(struct every *c, int x);
CF_IN(g_in, g, every);

int main(void) {
    static struct every c;
#ifdef ALONE
    WANT(f(3), 9), WANT(f_in(&c, 3), 9);
    SAME(c.e, "replaced( 3 ) [replaced 4 ]");
    WANT(g_in(&c, 3), 4);
    SAME(c.e, "( 3 ) [ 4 ]");
#else
    WANT(f(3), 305), WANT(f_in(&c, 3), 305);
    SAME(c.e, "replaced( 3 ) [replaced 300 ]");
    WANT(g_in(&c, 3), 300);
    SAME(c.e, "( 3 ) [ 300 ]");
#endif
    return wrong;
}
#endif
