/* memcpy, memmove, memset: numbers, structs with pointers, overlapping, onto itself; swaps through bytes. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */
#include <stdint.h>

static T copied(const T *x, int n) {
    T t[8];
    memcpy(t, x, (size_t)n * sizeof *t);
    t[0] *= t[1];
    return t[0] * x[0];
}
ZOO_OF(copied, 2, (2, 3), (12), (12, 4));

static void copied_out(const T *x, T *y, int n) {
    T t[8];
    for (int i = 0; i < n; i++) t[i] = x[i] * x[i];
    memcpy(y, t, (size_t)n * sizeof *t);
}
ZOO_MAP(copied_out, 2, 2, (2, 3), (4, 9), (4, 0, 0, 6));

/* Source and destination are the same. */
__attribute__((noinline)) static void copy(T *to, const T *from, int n) {
    memcpy(to, from, (size_t)n * sizeof *to);
}
static void onto_itself(T *x, int n) {
    copy(x, x, n);
    x[0] *= 7;
}
ZOO_INOUT(onto_itself, 2, (1, 2), (7, 2), (7, 0, 0, 1));

/* Assignment of a struct onto itself. */
struct block {
    T v[5];
};
__attribute__((noinline)) static void assign(struct block *a, const struct block *b) { *a = *b; }
static T struct_onto_itself(const T *x, int n) {
    struct block b = {{0}};
    for (int i = 0; i < n; i++) b.v[i] = 7 * x[i];
    assign(&b, &b);
    return b.v[0] * x[1] + b.v[1];
}
ZOO_OF(struct_onto_itself, 2, (1, 2), (28), (14, 7 + 7));

static void moved_up(T *x, int n) {
    memmove(x + 1, x, (size_t)(n - 1) * sizeof *x);
    x[0] = x[1] * x[2];
}
/* (a b c d) -> (ab, a, b, c) */
ZOO_INOUT(moved_up, 4, (2, 3, 5, 7), (6, 2, 3, 5), (3, 2, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0));

static void moved_down(T *x, int n) {
    memmove(x, x + 1, (size_t)(n - 1) * sizeof *x);
    x[n - 1] *= x[0];
}
/* (a b c) -> (b, c, cb) */
ZOO_INOUT(moved_down, 3, (2, 3, 5), (3, 5, 15), (0, 1, 0, 0, 0, 1, 0, 5, 3));

static void zeroed(T *x, int n) {
    x[n - 1] += x[0] * x[0];
    memset(x, 0, (size_t)(n - 1) * sizeof *x);
    x[1] += x[n - 1];
}
/* (a b c) -> (0, c + a^2, c + a^2) */
ZOO_INOUT(zeroed, 3, (2, 3, 5), (0, 9, 9), (0, 0, 0, 4, 0, 1, 4, 0, 1));

/* Structs with numbers, integers and pointers are copied as bytes. */
struct cell {
    T v;
    int k;
    T *p;
    struct cell *next;
    T w;
};
static T cells(const T *x, int n) {
    T a = x[0], b = x[1];
    struct cell c[2] = {{x[0], 2, &b, NULL, 1}, {x[1], 3, &a, &c[0], x[0]}}, d[2];
    memcpy(d, c, sizeof c);
    *c[0].p = 100;
    c[1].v = 0;
    memcpy(&c[0], &d[1], sizeof d[1]);
    (void)n;
    return c[0].v * (T)c[0].k * *c[0].p + d[1].next->v * c[0].w * *d[0].p;
}
/* 3 b a + b a 100 */
ZOO_OF(cells, 2, (2, 3), (618), (309, 206));

/* A generic exchange through a buffer of bytes. */
static void exchange(void *a, void *b, size_t size) {
    char t[64];
    memcpy(t, a, size);
    memcpy(a, b, size);
    memcpy(b, t, size);
}
static void exchanged(T *x, int n) {
    exchange(&x[0], &x[n - 1], sizeof *x);
    x[0] *= 2;
}
ZOO_INOUT(exchanged, 3, (1, 2, 3), (6, 2, 1), (0, 0, 2, 0, 1, 0, 1, 0, 0));

/* Copies of changing length inside a loop. */
static T windows(const T *x, int n) {
    T t[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) {
        memcpy(t + i, x, (size_t)(n - i) * sizeof *t);
        s += t[n - 1] * t[0];
    }
    return s;
}
/* n = 3: t = abc: ca; t = a ab: b a; t = a a a: a a */
ZOO_OF(windows, 3, (2, 3, 5), (10 + 6 + 4), (5 + 3 + 4, 2, 2));

/* The buffer is filled again in each iteration; earlier contents are needed. */
static T refilled(const T *x, int n) {
    T t[4], s = 1;
    for (int k = 0; k < 3; k++) {
        memcpy(t, x, (size_t)n * sizeof *t);
        for (int i = 0; i < n; i++) t[i] = t[i] * s;
        s = t[0] * t[1];
        memset(t, 0, sizeof t);
    }
    return s;
}
/* s -> ab s^2: ab, (ab)^3, (ab)^7 */
ZOO_OF(refilled, 2, (1.5, 1.25), (pow(1.875, 7)), (7 * pow(1.875, 7) / 1.5, 7 * pow(1.875, 7) / 1.25));

/* memset with another byte, and to active memory that is read as a number no more. */
static T poisoned(const T *x, int n) {
    T t[4];
    memset(t, 0xff, sizeof t);
    for (int i = 0; i < n; i++) t[i] = x[i];
    T r = t[0] * t[1];
    memset(t, 0xff, sizeof t);
    return r;
}
ZOO_OF(poisoned, 2, (2, 3), (6), (3, 2));

/* Elements of a pointer array are moved. */
static T moved_pointers(const T *x, int n) {
    const T *p[3] = {&x[0], &x[1], &x[2]};
    memmove(p, p + 1, 2 * sizeof *p);
    (void)n;
    return *p[0] * *p[1] * *p[2];
}
/* b c c */
ZOO_OF(moved_pointers, 3, (2, 3, 5), (75), (0, 25, 30));
