// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -I%S/.. %s -lm -o %t && %t || exit 1; done
// Inline assembly runs as it is; it is a call of nothing by name, so that no hook on calls sees it.
#include "every.h"

static long f(long x) {
    long y = x + 1;
    __asm__ volatile("" : "+r"(y));
    __asm__("# nothing" ::: "memory");
    return y * 2;
}
long f_in(struct every *c, long x);
CF_IN(f_in, f, every);

int main(void) {
    static struct every c;
    WANT(f_in(&c, 3), 8);
    SAME(c.e, "");
    return wrong;
}
