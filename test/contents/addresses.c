// RUN: for l in -O0 "-O0 -g" -O1 -O2 -O3; do %ad $l %s -lm -o %t && %t || exit 1; done
// Addresses in pieces: bytes and halves of them, lists whose links are the exclusive or of two addresses, addresses behind a key.
#include "agree.h"
#include <stdint.h>
#define APART __attribute__((noinline)) static

/* Written byte by byte, as a file format would have it. */
APART void put(unsigned char *to, const void *p) {
    for (int k = 0; k < 8; k++) to[k] = (unsigned char)((uintptr_t)p >> 8 * k & 255);
}
APART void *get(const unsigned char *from) {
    uintptr_t p = 0;
    for (int k = 0; k < 8; k++) p |= (uintptr_t)from[k] << 8 * k;
    return (void *)p;
}
static double by_bytes(const double *x, int n) {
    double b[MOST], s = 0;
    unsigned char wire[MOST][8];
    for (int i = 0; i < n; i++) {
        b[i] = x[i] * x[i];
        put(wire[(i + 1) % n], &b[i]);
    }
    for (int i = 0; i < n; i++) s += (i + 1) * *(double *)get(wire[i]);
    return s;
}
PROGRAM(by_bytes)

/* In two words of 32 bits. */
static double by_halves(const double *x, int n) {
    double b[MOST], s = 0;
    uint32_t lo[MOST], hi[MOST];
    for (int i = 0; i < n; i++) {
        b[i] = x[i] * x[0];
        lo[n - 1 - i] = (uint32_t)(uintptr_t)&b[i];
        hi[n - 1 - i] = (uint32_t)((uintptr_t)&b[i] >> 32);
    }
    for (int i = 0; i < n; i++) s += (i + 2) * *(double *)((uintptr_t)lo[i] | (uintptr_t)hi[i] << 32);
    return s;
}
PROGRAM(by_halves)

/* Moved as two words into a variable that is kept: one half is exchanged while the other stays. */
typedef uint32_t __attribute__((may_alias)) word;
static double word_by_word(const double *x, int n) {
    double b[MOST], c[MOST], s = 0;
    struct { int tag; double *at; } from[MOST];
    double *to = c;
    for (int i = 0; i < n; i++) {
        b[i] = x[i] * x[n - 1 - i];
        c[i] = 2 * x[i];
        from[i].tag = i;
        from[i].at = i % 2 ? &b[i] : &c[i];
    }
    for (int i = 0; i < n; i++) {
        s += *to;
        ((word *)&to)[0] = ((word *)&from[i].at)[0];
        ((word *)&to)[1] = ((word *)&from[i].at)[1];
        s += (from[i].tag + 1) * *to * x[0];
    }
    return s;
}
PROGRAM(word_by_word)

/* Walked both ways by the exclusive or of the neighbours. */
struct both { double v; uintptr_t link; };
static double both_ways(const double *x, int n) {
    struct both *prev = NULL, *first = NULL;
    for (int i = 0; i < n; i++) {
        struct both *p = malloc(sizeof *p);
        *p = (struct both){x[i] * x[0], (uintptr_t)prev};
        if (prev) prev->link ^= (uintptr_t)p;
        if (!first) first = p;
        prev = p;
    }
    double s = 0;
    int k = 1;
    struct both *last = NULL, *at = first;
    while (at) {
        s += k++ * at->v * at->v;
        struct both *next = (struct both *)(at->link ^ (uintptr_t)last);
        free(last);
        last = at;
        at = next;
    }
    free(last);
    return s;
}
PROGRAM(both_ways)

/* Behind a key, as a library hides its pointers. */
static volatile uintptr_t key = 0x5a5a00ff0ff0ull;
static uintptr_t hide(const double *p, uintptr_t k) { return (uintptr_t)p ^ k; }
static double *show(uintptr_t h, uintptr_t k) { return (double *)(h ^ k); }
static double hidden(const double *x, int n) {
    double b[MOST], s = 0;
    uintptr_t h[MOST], k = key;
    for (int i = 0; i < n; i++) {
        b[i] = sin(x[i]);
        h[i] = hide(&b[i], k);
    }
    for (int i = 0; i < n; i++) s += (i + 1) * *show(h[i], k) * *show(h[n - 1 - i], k);
    return s;
}
PROGRAM(hidden)

int main(void) { return AGREE(by_bytes, 6) + AGREE(by_halves, 5) + AGREE(both_ways, 6) + AGREE(hidden, 4) + AGREE(word_by_word, 5); }
