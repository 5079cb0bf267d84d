// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// The tree of a function with variable arguments that forwards to f has the tree of f within.
#include "tree.h"

APART double f(double x, double y, double z) { return add(mul(x, y), mul(y, z)); }
APART double forward(int n, ...) {
    double v[3];
    va_list list;
    va_start(list, n);
    for (int i = 0; i < n; i++) v[i] = va_arg(list, double);
    va_end(list);
    return f(v[0], v[1], v[2]);
}
static double keyword(double x, double y, double z) { return forward(3, x, y, z); }
double keyword_traced(struct trace *c, double x, double y, double z);
CF_IN(keyword_traced, keyword, trace);

int main(void) {
    static struct trace c;
    WANT(keyword_traced(&c, 2, 3, 5), 21);
    WANT(c.depth, 0);
    TEXT(c.stack[0], " (forward: (f: (mul: (fmul:)) (mul: (fmul:)) (add: (fadd:))))");
    return wrong;
}
