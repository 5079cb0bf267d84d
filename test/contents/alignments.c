// RUN: for l in -O0 "-O0 -g" -O1 -O2 -O3; do %ad $l %s -lm -o %t && %t || exit 1; done
// RUN: env COFACTOR_NO_INLINE=1 %ad -O2 %s -lm -o %t && %t
// Counts that are computed from addresses are counts: how far it is to an aligned element, how many elements lie between two
// pointers, which part of an address is a tag. They are handed to functions, and kept in structs beside pointers to numbers.
#include "agree.h"
#include <stdint.h>
#define APART __attribute__((noinline)) static

struct slice { const double *at; intptr_t from, n; };

APART intptr_t first_aligned(const double *p, intptr_t n) {
    intptr_t head = (intptr_t)((32 - ((uintptr_t)p & 31)) / 8 & 3);
    return head < n ? head : n;
}
APART void set(struct slice *s, const double *p, intptr_t from, intptr_t n) { s->at = p; s->from = from; s->n = n; }
APART double sum(const struct slice *s) {
    double r = 0;
    for (intptr_t i = s->from; i < s->n; i++) r += s->at[i] * s->at[i] * (double)(i + 1);
    return r;
}

/* A head up to the alignment, and the rest. */
static double heads(const double *x, int n) {
    double b[MOST + 1], s = 0;
    for (int i = 0; i < n; i++) b[i] = sin(x[i]);
    for (int k = 0; k < 3; k++) {
        struct slice head, rest;
        intptr_t cut = first_aligned(b + k, n - k);
        set(&head, b + k, 0, cut);
        set(&rest, b + k, cut, n - k);
        s += sum(&head) + 2 * sum(&rest) - sum(&rest);
    }
    return s;
}
PROGRAM(heads)

/* The distance of two pointers is a length. */
APART double between(const double *first, const double *last) {
    struct slice *s = malloc(sizeof *s);
    set(s, first, 0, last - first);
    double r = sum(s);
    free(s);
    return r;
}
static double lengths(const double *x, int n) {
    double b[MOST], s = 0;
    for (int i = 0; i < n; i++) b[i] = x[i] * x[n - 1 - i];
    for (int i = 0; i < n; i++) s += between(b + i, b + n);
    return s;
}
PROGRAM(lengths)

/* An arena that rounds up: the size that goes in becomes part of an address. */
struct arena { char *at; };
APART void *take(struct arena *a, size_t size, size_t align) {
    uintptr_t p = ((uintptr_t)a->at + align - 1) & ~(uintptr_t)(align - 1);
    a->at = (char *)(p + size);
    return (void *)p;
}
static double rounded(const double *x, int n) {
    char *block = malloc(4096);
    struct arena a = {block};
    double s = 0;
    for (int i = 0; i < n; i++) {
        double *p = take(&a, (size_t)(i % 3 + 1) * sizeof *p, i % 2 ? 32 : 8);
        for (int k = 0; k <= i % 3; k++) p[k] = x[i] * (k + 1);
        s += p[i % 3] * p[0];
    }
    free(block);
    return s;
}
PROGRAM(rounded)

/* Addresses with a tag in their low bits; the tag goes from one to another. */
struct node { double v; struct node *tagged; };
APART struct node *with(struct node *p, uintptr_t tag) { return (struct node *)((uintptr_t)p | tag); }
APART uintptr_t tag_of(const struct node *p) { return (uintptr_t)p & 7; }
APART struct node *without(struct node *p) { return (struct node *)((uintptr_t)p & ~(uintptr_t)7); }
static double tags(const double *x, int n) {
    struct node *first = NULL;
    for (int i = 0; i < n; i++) {
        struct node *p = malloc(sizeof *p);
        *p = (struct node){x[i] * x[0], first};
        first = with(p, (uintptr_t)(i % 5));
    }
    double s = 0;
    for (struct node *p = first; without(p);) {
        struct node *at = without(p), *next = at->tagged, *other = with(at, tag_of(next));
        s += at->v * at->v * (double)tag_of(p) + without(other)->v * (double)(1 + tag_of(other));
        p = next;
        free(at);
    }
    return s;
}
PROGRAM(tags)

/* Blocks that the shadow's need not be aligned like: the rest of the block is just large enough. */
static double tight(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        char *block = malloc(8 * 4 + 48);
        double *p = (double *)__builtin_align_up(block, 64);
        size_t room = (size_t)(block + 8 * 4 + 48 - (char *)p) / 8, m = room < 4 ? room : 4;
        for (size_t k = 0; k < m; k++) p[k] = x[i] * x[k % (size_t)n];
        for (size_t k = 0; k < m; k++) s += ((double *)(void *)(block + ((char *)p - block)))[k] * (double)(k + 1) / (double)m;
        free(block);
    }
    return s;
}
PROGRAM(tight)

int main(void) {
    return AGREE(heads, 10) + AGREE(heads, 3) + AGREE(lengths, 6) + AGREE(rounded, 7) + AGREE(tags, 8) + AGREE(tight, 5);
}
