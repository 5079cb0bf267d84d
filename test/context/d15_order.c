// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// The order of hooks for x1 + x2 * x3 through helpers.
#include "order.h"

int main(void) {
    static struct order c;
    WANT(f_hooked(&c, 2, 3, 5), 17);
    SAME(c.pre, "mul fmul add fadd");
    SAME(c.post, "fmul mul fadd add");
    return wrong;
}
