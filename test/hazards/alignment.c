// RUN: %S/run.sh "%ad" %s %t
// RUN: %if avx2 %{ %S/run.sh "%ad -mavx2" %s %t.avx2 %}
// RUN: %if avx512 %{ %S/run.sh "%ad -mavx512f" %s %t.avx512 %}
// Alignments above 16: structs passed as copies, vectors kept on the tape, blocks that the program aligns by hand or asks
// for aligned, and shadows that are aligned to less than what they stand beside.
#include "hazard.h"
#include <stdint.h>
typedef double v4 __attribute__((vector_size(32)));
typedef double v8 __attribute__((vector_size(64)));

static v4 four(const double *x) { return (v4){x[0], x[1], x[2], x[3]}; }

struct two {
    v4 a, b;
};
struct wide {
    _Alignas(128) double a;
    double *p;
    v8 v;
};
APART v4 product(struct two t, int n) { return n ? product(t, n - 1) : t.a * t.b; }
APART double widest(struct wide w, int n) {
    w.v *= w.a, w.p[0] *= w.v[3];
    return n ? widest(w, n - 1) + w.v[n & 7] : w.v[1] * w.p[0];
}
static double copies(double *x, int n) {
    double y = x[0], s = 0;
    for (int k = 0; k < n; k++) {
        struct two t = {four(x), four(x) + 1};
        v4 z = product(t, k);
        s += z[k & 3];
    }
    struct wide w = {x[1], &y, {x[0], x[1], x[2], x[3], 1, 2, 3, 4}};
    return s * widest(w, n);
}
GRADIENT(copies);

/* A function that stays a call keeps vectors outside of loops, in loops that count and in others. */
APART double kept(double *x, v8 *v, int n) {
    v8 before = *v;
    for (int i = 0; i < n; i++) *v = *v * (v8){x[0], x[1], x[2], x[3], x[3], x[2], x[1], x[0]};
    double below = n ? kept(x, v, n - 1) : 1;
    while ((*v)[0] < 4) *v = *v * (1 + *v * 0.1) + before * 0.1;
    return below * sin((*v)[0] + (*v)[1]) + (*v)[2] * (*v)[7];
}
static double keeps(double *x, int n) {
    v8 v = {1, 1.5, 1, 1, 2, 2, 2, .25};
    return kept(x, &v, n);
}
GRADIENT(keeps);

static double by_hand(double *x, int n) {
    double s = 0;
    for (int k = 0; k < n; k++) {
        char *p = malloc(3 * sizeof(v8) + 16 * (size_t)k);
        v8 *q = (v8 *)(((uintptr_t)p + 63) & ~(uintptr_t)63);
        q[0] = (v8){x[0], x[1], x[2], x[3], 1, x[0], 1, 1};
        q[1] = q[0] * q[0];
        s += ((double *)(q + 1))[k & 7] * (k + 1);
        free(p);
    }
    return s;
}
GRADIENT(by_hand);

static double asked_for(double *x, int n) {
    double s = 0;
    for (int k = 0; k < n; k++) {
        void *p = NULL;
        if (posix_memalign(&p, 64, 2 * sizeof(v8))) return 0;
        v8 *q = p;
        q[0] = (v8){x[0], x[1], x[2], x[3], 1, 1, 1, 1};
        q[1] = q[0] * q[0];
        v4 *r = aligned_alloc(32, 2 * sizeof *r);
        r[1] = *(v4 *)(q + 1);
        s += r[1][k & 3] * (k + 1);
        free(p), free(r);
    }
    return s;
}
GRADIENT(asked_for);

/* The caller's arrays, seen as vectors. */
static double views(double *x, int n) {
    v4 *v = (v4 *)x, s = {0};
    for (int k = 0; k < n; k++) s += *v * *v * (double)(k + 1), *v *= s;
    return s[0] + s[1] * s[2] + s[3];
}
GRADIENT(views);

typedef double primal(double *x, int n);
/* The shadow of an aligned array is given at each multiple of 8, and the machine's stack lies anew each time. */
static void compare(const char *name, primal *f, gradient *reverse, gradient *forward, int n, int shift) {
    _Alignas(64) double x[4] = {1.2, 0.75, 1.25, 0.5}, y[4], z[4], room[16];
    double *b = room + shift, h = 1e-6, g[4];
    memcpy(y, x, sizeof y), memcpy(z, x, sizeof z), memset(room, 0, sizeof room);
    want(name, reverse(y, b, n), f(z, n), 1e-12);
    memcpy(g, b, sizeof g);
    for (int i = 0; i < 4; i++) {
        memcpy(y, x, sizeof y), memcpy(z, x, sizeof z);
        y[i] += h, z[i] -= h;
        want(name, g[i], (f(y, n) - f(z, n)) / (2 * h), 1e-6);
        memcpy(y, x, sizeof y), memset(room, 0, sizeof room), b[i] = 1;
        want(name, forward(y, b, n), g[i], 1e-12);
    }
}
#define COMPARE(f, n) compare(#f, f, f##_r, f##_t, n, shift)

int main(void) {
    for (int shift = 0; shift < 8; shift++) {
        volatile char deeper[16 * (shift + 1)];
        deeper[0] = 0;
        COMPARE(copies, 3);
        COMPARE(keeps, 2);
        COMPARE(by_hand, 9);
        COMPARE(asked_for, 7);
        COMPARE(views, 3);
    }
    return wrong;
}
