// RUN: for l in -O0 -O2; do %ad $l %s -I%S -lm -o %t && %t || exit 1; done
// Heap, stack and bulk moves, in one direction and in three at once.
#include "check.h"

__attribute__((noinline)) static double heap(const double *x, int n) {
    double *p = malloc((size_t)n * sizeof *p), *q = calloc((size_t)n, sizeof *q), *r = NULL, s = 0;
    for (int i = 0; i < n; i++) {
        p[i] = x[i] * x[i];
        r = realloc(r, (size_t)(i + 1) * sizeof *r);
        r[i] = p[i] + q[i];
    }
    void *a = NULL;
    if (posix_memalign(&a, 64, 64 * sizeof(double))) return -1;
    double *v = a, *w = aligned_alloc(32, 256);
    memcpy(v, r, (size_t)n * sizeof *r);
    memmove(v + 1, v, (size_t)n * sizeof *v);
    memset(v, 0, sizeof *v);
    memcpy(w, v, (size_t)(n + 1) * sizeof *v);
    for (int i = 0; i <= n; i++) s += w[i] * (i + 1);
    free(p), free(q), free(r), free(a), free(w);
    return s;
}
double heap_tan(const double *x, const double *xd, int n);
CF_FORWARD(heap_tan, heap, "dup const");
double heap_tan3(const double *x, const double *const xd[3], int n, double tangent[3]);
CF_FORWARD(heap_tan3, heap, "dup const width=3");

typedef struct item {
    float f;
    int i;
    union {
        double d;
        long l;
    } u;
    char name[5];
    double v[3];
} item;
__attribute__((noinline)) static double items(const item *in, item *out, int n) {
    item local[n], *again = alloca(sizeof *again);
    double s = 0;
    for (int i = 0; i < n; i++) local[i] = in[i];
    for (int i = 0; i < n; i++) {
        *again = local[n - 1 - i];
        again->u.d *= again->f;
        again->v[again->i] += again->u.d;
        out[i] = *again;
        s += out[i].v[1];
    }
    return s;
}
double items_tan(const item *in, const item *ind, item *out, item *outd, int n);
CF_FORWARD(items_tan, items, "dup dup const");

/* Byte by byte. */
__attribute__((noinline)) static double bytes(double x) {
    double a[2] = {x * x, 3 * x}, b[2];
    const unsigned char *from = (const unsigned char *)a;
    volatile unsigned char *to = (volatile unsigned char *)b;
    for (size_t i = 0; i < sizeof a; i++) to[i] = from[i];
    return b[0] * b[1];
}
double bytes_tan(double x, double xd);
CF_FORWARD(bytes_tan, bytes, "dup");

int main(void) {
    double x[3] = {1, 2, 3}, e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, t[3] = {0};
    const double *d[3] = {e[0], e[1], e[2]};
    WANT(heap_tan(x, e[1], 3), 3 * 4);
    heap_tan3(x, d, 3, t);
    WANT(t[0], 2 * 2), WANT(t[1], 3 * 4), WANT(t[2], 4 * 6);
    item in[2] = {{2, 1, {5}, "ab", {1, 2, 3}}, {3, 2, {7}, "cd", {4, 5, 6}}}, out[2];
    item ind[2], outd[2];
    memcpy(ind, in, sizeof in); /* integers in shadows mean nothing */
    for (int i = 0; i < 2; i++) ind[i].f = 0, ind[i].u.d = 1, ind[i].v[0] = ind[i].v[1] = ind[i].v[2] = 0;
    ind[1].v[1] = 10;
    memset(outd, 0x7f, sizeof outd);
    WANT(items_tan(in, ind, out, outd, 2), 10 + 2);
    WANT(outd[0].v[2], 3), WANT(outd[1].v[1], 2), WANT(outd[1].u.d, 2), WANT(outd[1].v[2], 0);
    WANT(bytes_tan(2, 1), 3 * 3 * 4);
    return wrong;
}
