// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// A tree of calls, made by pre and post hooks that keep a stack: each node is written when it is finished.
#include "tree.h"

static double f(double x, double y, double z) { return add(mul(x, y), mul(y, z)); }
double f_traced(struct trace *c, double x, double y, double z);
CF_IN(f_traced, f, trace, "entry");

int main(void) {
    static struct trace c;
    WANT(f_traced(&c, 2, 3, 5), 21);
    WANT(c.depth, 0);
    TEXT(c.stack[0], " (f: (mul: (fmul:)) (mul: (fmul:)) (add: (fadd:)))");
    return wrong;
}
