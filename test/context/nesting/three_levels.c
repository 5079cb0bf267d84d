// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Three contexts that all do something, one inside the other; the same one twice; and one whose hooks are in another's.
#include "events.h"

struct a { long n; };
CF_PREHOOK(a, "fadd") static void a_add(struct a *c) { c->n++; }
struct b { long n; };
CF_PREHOOK(b, "fadd") static void b_add(struct b *c) { c->n += 10; }
struct d { long n; long ints; };
CF_PREHOOK(d, "fadd") static void d_add(struct d *c) { c->n += 100; }
CF_PREHOOK(d, "add type=i64") static void d_int(struct d *c) { c->ints++; }

APART double helper(double x) { return x + 1; }
static double f(double x) { return helper(x) + helper(x + 2); }
double fa(struct a *a, double x);
CF_IN(fa, f, a);
double fb(struct b *b, struct a *a, double x);
CF_IN(fb, fa, b);
double fd(struct d *d, struct b *b, struct a *a, double x);
CF_IN(fd, fb, d);
double faa(struct a *outer, struct a *inner, double x);
CF_IN(faa, fa, a);

int main(void) {
    struct a a = {0}, a2 = {0};
    struct b b = {0};
    struct d d = {0, 0};
    WANT(fd(&d, &b, &a, 5), 14);
    /* Four additions of the program, each seen by each; the outermost sees the counting of the two within it. */
    WANT(a.n, 4), WANT(b.n, 40), WANT(d.n, 400), WANT(d.ints, 8);
    WANT(faa(&a2, &a, 5), 14), WANT(a2.n, 4), WANT(a.n, 8);
    return wrong;
}
