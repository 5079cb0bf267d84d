// RUN: %S/run.sh "%ad" %s %t
// Pointers that lead now to a differentiated argument, now to a `const` one, which has no shadow: nothing is added to its
// memory, whoever gets the pointer.
#include "hazard.h"

APART double squared(const double *p, int n) { return n ? squared(p, n - 1) : p[0] * p[0]; }
static double one_or_other(const double *x, const double *c, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        const double *p = i & 1 ? x : c;
        s += squared(p + i, 1) * x[0];
    }
    return s;
}

/* In a struct: the pointer to it has a shadow, and one of those in it has not. */
struct both {
    const double *a, *c;
    double v;
};
APART double product(const struct both *p, int n) {
    return n ? product(p, n - 1) : p->a[0] * p->c[0] * p->c[0] * p->v;
}
static double in_struct(const double *x, const double *c) {
    struct both t = {x, c, x[1]};
    return product(&t, 1);
}
/* All that the struct points to is const. */
static double only_const(const double *x, const double *c) {
    struct both t = {c, c, x[1]};
    return product(&t, 1);
}

/* Through a function pointer. */
typedef double of_both(const struct both *, int);
static double twice(const struct both *p, int n) { return n * p->a[0] * p->c[0] * p->v; }
static double by_pointer(const double *x, const double *c, of_both **f) {
    struct both t = {x, c, x[1]};
    return (*f)(&t, 2);
}

/* A pointer that comes back. */
APART const double *choose(const double *x, const double *c, int n) {
    return n > 9 ? choose(c, x, n - 1) : n & 1 ? x : c;
}
static double comes_back(const double *x, const double *c, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        const double *p = choose(x, c, i);
        s += p[i] * p[i] * x[0];
    }
    return s;
}

/* Two levels down, kept in memory by a callee. */
struct holder {
    const struct both *to;
};
APART void hold(struct holder *h, const struct both *t, int n) {
    if (n)
        hold(h, t, n - 1);
    else
        h->to = t;
}
APART double held(const struct holder *h, int n) {
    return n ? held(h, n - 1) : h->to->a[0] * h->to->c[1] * h->to->v;
}
static double two_levels(const double *x, const double *c) {
    struct both t = {x, c, x[1]};
    struct holder h;
    hold(&h, &t, 1);
    return held(&h, 1);
}

/* Blocks of a size that is told at run time, from both. */
static double blocks(const double *x, const double *c, int n) {
    double t[4] = {0}, s = 0;
    for (int i = 0; i < 2; i++) {
        const double *p = i ? x : c;
        memcpy(t, p, (size_t)n * sizeof *t);
        s += t[0] * t[n - 1] * x[1];
    }
    return s;
}

#define BOTH(k, f)                                                                                           \
    double r##k(const double *x, double *b, const double *c),                                                \
        t##k(const double *x, const double *d, const double *c);                                             \
    CF_REVERSE(r##k, f, "dup const");                                                                        \
    CF_FORWARD(t##k, f, "dup const")
#define BOTH_N(k, f, T)                                                                                      \
    double r##k(const double *x, double *b, const double *c, T),                                             \
        t##k(const double *x, const double *d, const double *c, T);                                          \
    CF_REVERSE(r##k, f, "dup const const");                                                                  \
    CF_FORWARD(t##k, f, "dup const const")
BOTH_N(1, one_or_other, int);
BOTH(2, in_struct);
BOTH(3, only_const);
BOTH_N(4, by_pointer, of_both **);
BOTH_N(5, comes_back, int);
BOTH(6, two_levels);
BOTH_N(7, blocks, int);

int main(void) {
    const double x[4] = {1, 2, 3, 4}, c[4] = {5, 6, 7, 8},
                 d[4] = {1, 1, 1, 1}; /* const: written to, they trap */
    of_both *f = twice;
    double b[4] = {0};
#define CLEAR memset(b, 0, sizeof b)
    /* x0 (25 + 4 + 49 + 16) */
    WANT(r1(x, b, c, 4), 94), WANT(b[0], 94), WANT(b[1], 4), WANT(b[3], 8), WANT(t1(x, d, c, 4), 106), CLEAR;
    /* x0 25 x1 */
    WANT(r2(x, b, c), 50), WANT(b[0], 50), WANT(b[1], 25), WANT(t2(x, d, c), 75), CLEAR;
    WANT(r3(x, b, c), 250), WANT(b[0], 0), WANT(b[1], 125), WANT(t3(x, d, c), 125), CLEAR;
    WANT(r4(x, b, c, &f), 20), WANT(b[0], 20), WANT(b[1], 10), WANT(t4(x, d, c, &f), 30), CLEAR;
    WANT(r5(x, b, c, 4), 94), WANT(b[0], 94), WANT(b[1], 4), WANT(b[3], 8), WANT(t5(x, d, c, 4), 106), CLEAR;
    WANT(r6(x, b, c), 12), WANT(b[0], 12), WANT(b[1], 6), WANT(t6(x, d, c), 18), CLEAR;
    /* x1 (5 * 7 + x0 x2) */
    WANT(r7(x, b, c, 3), 76), WANT(b[0], 6), WANT(b[1], 38), WANT(b[2], 2), WANT(t7(x, d, c, 3), 46);
    return wrong;
}
