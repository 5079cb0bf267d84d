// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// With an override of add that is native code, its fadd is no event any more; add itself is one, before and after.
#include "order.h"

CF_OVERDUB(order, add) static double add_native(struct order *c, double a, double b) { return note(&c->pre, "override"), cf_original(add)(a, b); }

int main(void) {
    static struct order c;
    WANT(f_hooked(&c, 2, 3, 5), 17);
    SAME(c.pre, "mul fmul add override");
    SAME(c.post, "fmul mul add");
    return wrong;
}
