// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l %s -lm -o %t && %t || exit 1; done
// RUN: env COFACTOR_NO_INLINE=1 %ad -O2 %s -lm -o %t && %t
// Outputs that a caller may leave out: a null pointer has no shadow and needs none. Functions of libraries through pointers.
#include "../contents/agree.h"

/* Called with and without, directly and through itself. */
static void inner(double x, int n, double *value, double *slope) {
    if (n) {
        inner(x + 0.5, n - 1, value, slope);
        return;
    }
    *value = sin(x);
    if (slope) *slope = cos(x) * x;
}
static double without(const double *x, int n) {
    double v = 0, s = 0;
    for (int i = 0; i < n; i++) {
        inner(x[i], i, &v, NULL);
        s += v * x[0];
    }
    return s;
}
static double with(const double *x, int n) {
    double v, d, s = 0;
    for (int i = 0; i < n; i++) {
        inner(x[i], 2, &v, i % 2 ? &d : NULL);
        s += i % 2 ? v * d : v;
    }
    return s;
}
PROGRAM(without)
PROGRAM(with)

struct results { double *sum, *product; double values[2]; };
__attribute__((noinline)) static void fill(struct results *r, double a, double b) {
    if (r->sum) *r->sum = a + b;
    if (r->product) *r->product = a * b;
}
static double in_struct(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        struct results r = {i % 2 ? &r.values[0] : NULL, NULL, {0, 0}};
        if (i % 3) r.product = &r.values[1];
        fill(&r, x[i], x[n - 1 - i]);
        s += r.values[0] * 2 + r.values[1];
    }
    return s;
}
PROGRAM(in_struct)

struct library { void *(*get)(size_t); void (*put)(void *); void *(*copy)(void *, const void *, size_t); double (*fn)(double); size_t (*length)(const char *); };
static double through(const double *x, int n, const struct library *l) {
    double *p = l->get((size_t)n * sizeof *p), s = 0;
    l->copy(p, x, (size_t)n * sizeof *p);
    for (int i = 0; i < n; i++) s += l->fn(p[i]) * x[i] * (double)l->length("abc");
    l->put(p);
    return s;
}
static const struct library sine = {malloc, free, memcpy, sin, strlen}, exponential = {malloc, free, memmove, exp, strlen};
static double libraries(const double *x, int n) { return through(x, n, &sine) + through(x, n - 1, n > 100 ? &sine : &exponential); }
PROGRAM(libraries)

int main(void) { return AGREE(without, 4) + AGREE(with, 5) + AGREE(in_struct, 7) + AGREE(libraries, 4); }
