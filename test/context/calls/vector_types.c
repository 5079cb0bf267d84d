// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Wno-gnu-imaginary-constant -I%S/.. %s -lm -o %t && %t || exit 1; done
// `type=` of types that are written with spaces: vectors, structs, arrays.
#include "events.h"

struct seen { long four, two, pairs, arrays; };
typedef float v4 __attribute__((vector_size(16)));
typedef double v2 __attribute__((vector_size(16)));
CF_PREHOOK(seen, "fadd type=<4 x float> in=f") static void on_four(struct seen *c) { c->four++; }
CF_PREHOOK(seen, "fmul in=f type=<2 x double>") static void on_two(struct seen *c) { c->two++; }
CF_PREHOOK(seen, "ret type={ double, double }") static void on_pair(struct seen *c) { c->pairs++; }
CF_PREHOOK(seen, "alloca type=[5 x i32]") static void on_array(struct seen *c) { c->arrays++; }

static _Complex double pair(double x) { return x + 1i * x; }
APART double f(int n) {
    volatile int a[5] = {n};
    v4 x = {1, 2, 3, 4};
    v2 y = {1, 2};
    for (int i = 0; i < n; i++) x = x + x, y = y * y;
    y = y + y;
    return x[0] + y[1] + __real__ pair(3) + a[1];
}
double f_in(struct seen *c, int n);
CF_IN(f_in, f, seen);

int main(void) {
    struct seen c = {0, 0, 0, 0};
    WANT(f_in(&c, 3), f(3)), WANT(c.four, 3), WANT(c.two, 3), WANT(c.pairs, 1), WANT(c.arrays, 1);
    return wrong;
}
