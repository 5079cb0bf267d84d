// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Results of operations replaced and operations overridden, by type: the two halves of what may be fused, vectors, atomics, loads,
// stores, and what a function returns.
#include "events.h"
#include <stdatomic.h>

struct rounded { long mul, add; };
CF_POSTHOOK(rounded, "fmul type=double") static double round_product(struct rounded *c, double x) { return c->mul++, (double)(float)x; }
CF_POSTHOOK(rounded, "fadd type=double") static double round_sum(struct rounded *c, double x) { return c->add++, (double)(float)x; }
typedef float v4 __attribute__((vector_size(16)));
CF_OVERDUB(rounded, "fmul") static v4 add_vectors(struct rounded *c, v4 a, v4 b) { return c->mul += 100, a + b; }

static double f(double a, double b, double c) { return a * b + c * a; }
double f_in(struct rounded *c, double a, double b, double d);
CF_IN(f_in, f, rounded);
static float g(v4 a) {
    v4 b = a * a;
    return b[0] + b[3];
}
float g_in(struct rounded *c, v4 a);
CF_IN(g_in, g, rounded);

struct atomics { long n; };
CF_PREHOOK(atomics, "atomicrmw type=i32") static void on_rmw(struct atomics *c, const cf_site *s, int *p, int v) { (void)s, c->n += v + (p != 0); }
CF_POSTHOOK(atomics, "cmpxchg") static void on_cas(struct atomics *c, const cf_site *s) { (void)s, c->n += 1000; }
CF_POSTHOOK(atomics, "atomicrmw") static int post_rmw(struct atomics *c, int old) { return c->n += 100000 * old, old + 1; }
static _Atomic int counter;
static int h(int x) {
    int old = atomic_fetch_add(&counter, x), expected = 3;
    atomic_compare_exchange_strong(&counter, &expected, 9);
    return old;
}
int h_in(struct atomics *c, int x);
CF_IN(h_in, h, atomics);

struct memory { long n; };
CF_OVERDUB(memory, "load type=i32") static int ld(struct memory *c, const cf_site *s, int *p) { return (void)s, c->n++, *p + 1; }
CF_OVERDUB(memory, "store") static void st(struct memory *c, int v, int *p) { c->n += 10, *p = v * 2; }
CF_OVERDUB(memory, "ret") static int rt(struct memory *c, int v) { return c->n += 100, v + 1; }
static int k(int *p) { *p = 5; return *p; }
int k_in(struct memory *c, int *p);
CF_IN(k_in, k, memory);

int main(void) {
    struct rounded c = {0, 0};
    struct atomics a = {0};
    struct memory o = {0};
    WANT(f_in(&c, 0.1, 0.3, 0.7), (double)(float)((double)(float)(0.1 * 0.3) + (double)(float)(0.7 * 0.1)));
    WANT(c.mul, 2), WANT(c.add, 1);
    WANT(g_in(&c, (v4){1, 2, 3, 4}), 10), WANT(c.mul, 102);
    WANT(h_in(&a, 3), 1), WANT(a.n, 3 + 1 + 1000), WANT(counter, 9);
    int v = 0;
    /* stored 10, loaded 11, returned 12 */
    WANT(k_in(&o, &v), 12), WANT(v, 10), WANT(o.n, 111);
    return wrong;
}
