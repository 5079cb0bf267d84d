// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -Wall -Wextra %s -lm -o %t && %t || exit 1; done
// RUN: for l in -O0 -O2; do %ad $l -g %s -lm -o %t && %t || exit 1; done
// RUN: env COFACTOR_NO_INLINE=1 %ad -O1 %s -lm -o %t && %t
// Structs whose size or form is unusual: packed, of odd size, aligned to more, with an array without end; moved by assignment,
// memcpy, memmove and realloc, also none of them.
#include "agree.h"
#define APART __attribute__((noinline)) static

/* 9, 13 and 11 bytes. */
struct __attribute__((packed)) nine { double d; char c; };
struct __attribute__((packed)) thirteen { char c; double d; float f; };
struct __attribute__((packed)) eleven { char c[3]; double d; };
APART void move_nine(struct nine *to, const struct nine *from, int i, int j) { to[i] = from[j]; }
APART void move_thirteen(struct thirteen *to, const struct thirteen *from, size_t n) { memcpy(to, from, n * sizeof *to); }
APART void move_eleven(struct eleven *p, int to, int from, int n) { memmove(p + to, p + from, (size_t)n * sizeof *p); }
static double packed(const double *x, int n) {
    struct nine a[MOST], b[MOST] = {{0, 0}};
    struct thirteen c[MOST], d[MOST];
    struct eleven e[2 * MOST] = {{{0}, 0}};
    double s = 0;
    for (int i = 0; i < n; i++) {
        a[i] = (struct nine){x[i] * x[i], (char)i};
        c[i] = (struct thirteen){(char)i, x[i] * x[0], (float)x[i]};
        e[i] = (struct eleven){"ab", sin(x[i])};
    }
    for (int i = 0; i < n; i++) move_nine(b, a, i, n - 1 - i);
    move_thirteen(d, c, (size_t)n);
    move_eleven(e, 1, 0, n);
    move_eleven(e, 4, 2, n - 1);
    for (int i = 0; i < n; i++) s += (i + 1) * b[i].d + d[i].c * d[i].d * (double)d[i].f + (i + 2) * e[i].d * e[i + 2].d;
    return s;
}
PROGRAM(packed)

/* A header of several forms and an array without end, which grows. */
struct header { int n, capacity; double v[]; };
struct named { const char *name; long n; float v[]; };
struct weighted { double weight; int n; double v[]; };
static double growing(const double *x, int n) {
    struct header *h = malloc(sizeof *h);
    struct named *m = malloc(sizeof *m + (size_t)n * sizeof(float));
    struct weighted *w = malloc(sizeof *w + (size_t)n * sizeof(double)), *copy;
    size_t size = sizeof *w + (size_t)n * sizeof(double);
    h->n = h->capacity = 0;
    m->name = "values", m->n = n;
    w->weight = x[0], w->n = n;
    for (int i = 0; i < n; i++) {
        if (h->n == h->capacity) {
            h->capacity = h->capacity ? 2 * h->capacity : 1;
            h = realloc(h, sizeof *h + (size_t)h->capacity * sizeof(double));
        }
        h->v[h->n++] = x[i] * x[i];
        m->v[i] = (float)(2 * x[i]);
        w->v[i] = exp(-x[i]);
    }
    m = realloc(m, sizeof *m + 4 * (size_t)n * sizeof(float));
    copy = malloc(size);
    memcpy(copy, w, size);
    double s = 0;
    for (int i = 0; i < n; i++) s += (i + 1) * h->v[i] * (double)m->v[i] + copy->weight * copy->v[i] * (m->name[0] == 'v');
    free(h);
    free(m);
    free(w);
    free(copy);
    return s;
}
PROGRAM(growing)

/* An array that begins with one element and is doubled; elements of several fields. Copies of nothing. */
struct field { int id[4]; double v[4]; };
struct link { int id; double v; const double *p; };
static double moved(const double *x, int n) {
    int capacity = 1;
    struct field *a = malloc(sizeof *a), *b = malloc((size_t)(n + 1) * sizeof *b);
    struct link *l = malloc((size_t)(n + 1) * sizeof *l), *k = malloc((size_t)(n + 1) * sizeof *k);
    for (int i = 0; i < n; i++) {
        if (i == capacity) a = realloc(a, (size_t)(capacity *= 2) * sizeof *a);
        a[i] = (struct field){{i + 1}, {x[i] * x[i], 0, 0, 2 * x[i]}};
        l[i] = (struct link){i, x[i], &a->v[0]};
        l[i].p = &x[n - 1 - i];
    }
    memcpy(b, a, (size_t)n * sizeof *a);
    memcpy(k, l, (size_t)n * sizeof *l);
    for (int m = 0; m < 3; m += 2) { /* none, and the last two one further */
        memmove(b + n - m + 1, b + n - m, (size_t)m * sizeof *b);
        memcpy(k, l, (size_t)m * sizeof *l);
        memset(b, 0, (size_t)(m / 2) * sizeof *b);
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += b[i].id[0] * (b[i].v[0] + b[i].v[3]) + (k[i].id + 1) * k[i].v * *k[i].p;
    free(a);
    free(b);
    free(l);
    free(k);
    return s;
}
PROGRAM(moved)

/* Aligned to more than its size needs; copied by assignment through functions that take and give it by value. */
struct __attribute__((aligned(64))) wide { double d; float f[3]; };
APART struct wide twice(struct wide w) {
    w.d *= 2;
    w.f[1] *= 3;
    return w;
}
static double aligned(const double *x, int n) {
    struct wide a[4];
    double s = 0;
    for (int i = 0; i < n; i++) a[i % 4] = twice((struct wide){x[i], {(float)x[i], (float)(x[i] * x[0]), 1}});
    for (int i = 0; i < 4 && i < n; i++) s += a[i].d * a[i].d * (double)a[i].f[1];
    return s;
}
PROGRAM(aligned)

/* The same arrays of numbers under types of different length. */
static const double table[6] = {0.6, -0.3, 0.9, 0.4, -0.75, 0.15};
static double state[4];
APART double *step(double *p, int n) {
    double *a = state, *b = p;
    for (int u = 0; u < n; u++) {
        for (int i = 0; i < 4; i++) b[i] = a[i] + p[i] * 0.5;
        double *t = a;
        a = b;
        b = t;
    }
    memmove(state, table, sizeof state);
    return p;
}
static double lengths(const double *x, int n) {
    double *a = malloc(4 * sizeof *a);
    for (int i = 0; i < 4; i++) a[i] = x[i % n] * x[i % n], state[i] = 0;
    a = realloc(a, 5 * sizeof *a);
    double r = step(a, 1)[1];
    free(a);
    return r * x[0];
}
PROGRAM(lengths)

int main(void) {
    return AGREE_FLOAT(packed, 5) + AGREE_FLOAT(growing, 7) + AGREE(moved, 5) + AGREE_FLOAT(aligned, 6) + AGREE(lengths, 3) +
           AGREE_FLOAT(growing, 1) + AGREE(moved, 3);
}
