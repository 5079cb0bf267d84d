// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -Wall -Wextra %s -lm -o %t && %t || exit 1; done
// RUN: for l in -O0 -O2; do env COFACTOR_NO_INLINE=1 %ad $l -g %s -lm -o %t && %t || exit 1; done
// RUN: env COFACTOR_NO_INLINE=1 %ad -O1 -DBYTES %s -lm -o %t && %t
// Blocks that grow before a number is in them, or that hold addresses alone: such a block may have no shadow when realloc takes it.
// -DBYTES: other functions move bytes, so that the run tells what memory holds.
#include "agree.h"
#include <stdint.h>
#define APART __attribute__((noinline)) static

APART void copy(void *to, const void *from, size_t n) {
#ifdef BYTES
    for (size_t i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
#else
    *(double *)to = *(const double *)from;
    (void)n;
#endif
}

/* Constants, then numbers. */
static double constants(const double *x, int n) {
    double *v = calloc(2, sizeof *v), w[2] = {0, 0};
    if (!v) return 0;
    for (int i = 0; i < 2; i++) w[i] = v[0] - x[i];
    v = realloc(v, (size_t)(n + 2) * sizeof *v);
    if (!v) return 0;
    copy(&w[1], &v[1], 8);
    for (int i = 0; i < n; i++) v[i + 2] = x[i] * x[i];
    double s = 2 * w[0] + w[1];
    for (int i = 0; i < n; i++) s += (i + 1) * v[i + 2];
    free(v);
    return s;
}
PROGRAM(constants)

/* Constants of the program's and numbers, in a block that one function grows for all. */
APART void *grow(void *p, size_t bytes) { return realloc(p, bytes); }
static double shared(const double *x, int n) {
    double *still = malloc(sizeof *still), *v = malloc(sizeof *v);
    if (!still || !v) return 0;
    *still = 3;
    *v = x[0];
    still = grow(still, 2 * sizeof *still);
    v = grow(v, (size_t)n * sizeof *v);
    if (!still || !v) return 0;
    for (int i = 1; i < n; i++) copy(&v[i], &v[i - 1], sizeof *v);
    still[1] = x[1] * still[0];
    double s = v[n - 1] * v[0] * still[0] + still[1];
    still = grow(still, 3 * sizeof *still);
    if (!still) return 0;
    s += still[1] * x[0];
    free(still);
    free(v);
    return s;
}
PROGRAM(shared)

/* Addresses of numbers, some of which have no shadow, and numbers beside them. */
struct entry { const double *at; double factor; };
static const double table[2] = {1.5, 2.5};
static double addresses(const double *x, int n) {
    struct entry *e = malloc(sizeof *e);
    if (!e) return 0;
    e[0].at = table, e[0].factor = 7;
    e = grow(e, (size_t)(n + 1) * sizeof *e);
    if (!e) return 0;
    for (int i = 0; i < n; i++) e[i + 1].at = i % 2 ? &table[1] : &x[i], e[i + 1].factor = x[n - 1 - i];
    double s = 0;
    for (int i = 0; i <= n; i++) s += *e[i].at * e[i].factor;
    free(e);
    return s;
}
PROGRAM(addresses)

/* A number that is returned as bits by a function of its own is no address, whatever lies beside it. */
struct word { uint64_t bits; double number; };
APART uint64_t bits_of(double d) {
    uint64_t v;
    memcpy(&v, &d, sizeof v);
    return v;
}
APART void swap(void *a, void *b, size_t n) {
    char *p = a, *q = b;
    while (n--) {
        char t = *p;
        *p++ = *q;
        *q++ = t;
    }
}
static double words(const double *x, int n) {
    struct word *v = malloc(2 * sizeof *v), *w = calloc(2, sizeof *w);
    double d, s = 0;
    if (!v || !w) return 0;
    for (int i = 0; i < 2; i++) v[i].bits = bits_of(x[i] * x[n - 1]), v[i].number = x[0];
    for (int i = 0; i < 2; i++) w[i].bits = bits_of(0.77);
    swap(&w[1], &v[1], sizeof *v);
    for (int i = 0; i < 2; i++) {
        memcpy(&d, &w[i].bits, sizeof d);
        s += d * (i + 2) + w[i].number;
        memcpy(&d, &v[i].bits, sizeof d);
        s += d * (i + 5) + v[i].number * (1 - i);
    }
    free(v);
    free(w);
    return s;
}
PROGRAM(words)

int main(void) {
    return AGREE(constants, 3) + AGREE(shared, 4) + AGREE(addresses, 4) + AGREE(words, 3);
}
