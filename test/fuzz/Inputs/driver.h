/* What the random programs share, and the comparison of their derivatives. */
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double table[4] = {0.3, -0.4, 0.7, 0.2};

struct st {
    double *p;
    double v;
    int i;
    double a[4];
};
__attribute__((noinline)) static double touch(struct st *s, int deep) {
    if (deep) return touch(s, deep - 1);
    s->p[s->i] = sin(s->v * s->a[0]) + s->p[1];
    s->a[1] *= s->v;
    return s->p[2] * s->v;
}
__attribute__((noinline)) static struct st turned(struct st s, int deep) {
    if (deep) return turned(s, deep - 1);
    s.i = (s.i + 1) & 3;
    s.v = sin(s.v + s.p[s.i]);
    return s;
}
union number {
    double real;
    long whole;
};
__attribute__((noinline)) static double held(union number u, int deep) {
    return deep ? held(u, deep - 1) : u.real * u.real;
}
__attribute__((noinline)) static const double *pick(const double *a, const double *c, int i, int deep) {
    if (deep) return pick(a, c, i, deep - 1);
    return i % 3 == 0 ? a : i % 3 == 1 ? c : table;
}
static double one(double v) { return v * v; }
static double two(double v) { return sin(v) * v; }
static double three(double v) { return 0.5 * v; }
static double (*const unary[3])(double) = {one, two, three};

#define REQUESTS(f)                                                                                            \
    double f##_r(double *x, double *xb, double *y, double *yb, const double *c, const int *k, int n);          \
    CF_REVERSE(f##_r, f, "dup dup const const const");                                                         \
    double f##_t(double *x, double *xd, double *y, double *yd, const double *c, const int *k, int n);          \
    CF_FORWARD(f##_t, f, "dup dup const const const");
#define TEST(f, reset) test(#f, f, f##_r, f##_t, reset)

typedef double primal(double *, double *, const double *, const int *, int);
typedef double derivative(double *, double *, double *, double *, const double *, const int *, int);
static const double seed[8] = {1, -.7, .3, .9, .5, -1.1, .8, .6}, constant[4] = {0.6, -0.3, 0.9, 0.4};

/* One number of it all: the result, and what is in x and y afterwards, weighed. */
static double total(primal *f, void (*reset)(void), const double *in, const int *k, int n, double *out) {
    double b[8];
    memcpy(b, in, sizeof b), reset();
    double r = f(b, b + 4, constant, k, n);
    for (int i = 0; i < 8; i++) r += seed[i] * b[i];
    if (out) memcpy(out, b, sizeof b);
    return r;
}

static int differs(double got, double want, double tolerance) {
    return !(fabs(got - want) <= tolerance * (1 + fabs(want)));
}
static int report(const char *f, int set, const char *what, int i, double got, double want) {
    printf("%s, input %d: %s[%d] is %.12g, should be %.12g\n", f, set, what, i, got, want);
    return 1;
}

/* The derivative along input i by differences, if three steps agree. */
static int difference(primal *f, void (*reset)(void), const double *in, const int *k, int n, int i, double *slope) {
    static const double step[3] = {1e-5, 1.1e-6, 1.3e-7};
    double d[3];
    for (int s = 0; s < 3; s++) {
        double p[8], m[8];
        memcpy(p, in, sizeof p), memcpy(m, in, sizeof m);
        p[i] += step[s], m[i] -= step[s];
        d[s] = (total(f, reset, p, k, n, NULL) - total(f, reset, m, k, n, NULL)) / (p[i] - m[i]);
    }
    *slope = d[1];
    return isfinite(d[0]) && !differs(d[0], d[1], 1e-5) && !differs(d[1], d[2], 1e-5);
}

static int test_at(const char *name, int set, primal *f, derivative *r, derivative *t, void (*reset)(void)) {
    double in[8], out[8], b[8], bar[8], value = 0;
    int k[4], n = 4 - (set & 1), bad = 0;
    srand((unsigned)set + 7);
    for (int i = 0; i < 8; i++) in[i] = (double)rand() / RAND_MAX * 2 - 1;
    for (int i = 0; i < 4; i++) k[i] = rand() % 5;
    double v = total(f, reset, in, k, n, out);
    if (!isfinite(v) || fabs(v) > 1e6) return 0;
    for (int i = 0; i < 8; i++) v -= seed[i] * out[i];
    for (int again = 0; again < 2; again++) {
        memcpy(b, in, sizeof b), memcpy(bar, seed, sizeof bar), reset();
        value = r(b, bar, b + 4, bar + 4, constant, k, n);
    }
    if (differs(value, v, 1e-9)) bad |= report(name, set, "value", 0, value, v);
    for (int i = 0; i < 8; i++)
        if (differs(b[i], out[i], 1e-9)) bad |= report(name, set, "memory", i, b[i], out[i]);
    for (int i = 0; i < 8; i++) {
        double slope, dot[8] = {0};
        dot[i] = 1, memcpy(b, in, sizeof b), reset();
        double along = t(b, dot, b + 4, dot + 4, constant, k, n);
        for (int j = 0; j < 8; j++) along += seed[j] * dot[j];
        if (differs(bar[i], along, 1e-8)) bad |= report(name, set, "reverse against forward", i, bar[i], along);
        if (difference(f, reset, in, k, n, i, &slope) && differs(along, slope, 3e-5))
            bad |= report(name, set, "forward against differences", i, along, slope);
    }
    return bad;
}

static int test(const char *name, primal *f, derivative *r, derivative *t, void (*reset)(void)) {
    int bad = 0;
    for (int set = 0; set < 6; set++) bad |= test_at(name, set, f, r, t, reset);
    return bad;
}
