// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -fno-math-errno -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// What a function promises (const, pure, restrict, returns its argument, never null, does not throw) is not what its clone with
// hooks in it does: every call that the front end wrote has its events, and what hooks write is seen.
#include "events.h"
#include <math.h>
#include <stdlib.h>

struct all { long calls, ops, sins; double *target; int *place; };
CF_PREHOOK(all, "call constant,pure,allocate,self,nonnull,leaf") static void on_call(struct all *c) { c->calls++; }
CF_PREHOOK(all, "mul") static void on_mul(struct all *c) { c->ops++; }
CF_OVERDUB(all, sin) static double my_sin(struct all *c, double x) { return c->sins++, 2 * x; }
CF_PREHOOK(all, "call touch") static void writes(struct all *c) { c->target[0] = 5; }
CF_PREHOOK(all, "call look") static void places(struct all *c) { *c->place = 7; }

__attribute__((const)) APART int constant(int x) { return x * 3; }
__attribute__((pure)) APART int pure(const int *x) { return *x * 2; }
__attribute__((malloc, returns_nonnull)) APART int *allocate(int x) {
    int *p = malloc(sizeof *p);
    return *p = x * 5, p;
}
APART int *self(int *p) { return *p = *p * 7, p; }
__attribute__((nothrow, leaf)) APART int leaf(int x) { return x * 11; }
static int promises(int x) {
    (void)constant(x), (void)constant(x);
    int y = constant(x) + constant(x) + pure(&x) + pure(&x);
    (void)pure(&x), leaf(x);
    int *p = allocate(x);
    y += *self(p) + *self(p);
    free(p);
    return y;
}
APART void touch(void) { __asm__ volatile(""); }
static double restricted(double *restrict p) {
    p[0] = 1;
    touch();
    return p[0];
}
__attribute__((pure)) APART int look(const int *p) { return *p; }
static int reads(int *p) {
    int before = *p;
    int x = look(p);
    return before * 100 + x * 10 + *p;
}
static double unused_sin(double x) {
    (void)sin(x), (void)sin(x);
    return sin(x) + sin(x) + cos(x);
}
int promises_in(struct all *c, int x);
CF_IN(promises_in, promises, all);
double restricted_in(struct all *c, double *p);
CF_IN(restricted_in, restricted, all);
int reads_in(struct all *c, int *p);
CF_IN(reads_in, reads, all);
double unused_sin_in(struct all *c, double x);
CF_IN(unused_sin_in, unused_sin, all);

int main(void) {
    double d = 0;
    int i = 3;
    struct all c = {0, 0, 0, &d, &i};
    volatile double x = 0.5;
    /* 4 of constant, 3 of pure, a leaf, an allocation, 2 of self: each multiplies once. */
    WANT(promises_in(&c, 2), 6 + 6 + 4 + 4 + 70 + 490), WANT(c.calls, 11), WANT(c.ops, 11);
    WANT(restricted(&d), 1), WANT(restricted_in(&c, &d), 5);
    WANT(reads(&i), 333), WANT(reads_in(&c, &i), 377);
    WANT(unused_sin_in(&c, x), 2 + cos(x)), WANT(c.sins, 4);
    return wrong;
}
