// RUN: %clang -O1 -I%include -DOTHER -c %s -o %t.other.o
// RUN: %S/run.sh "%ad" %s %t %t.other.o
// Allocators that are not libc's: of another unit and of this one, for bytes and for elements, aligned, from a pool.
#include "hazard.h"
#include <stddef.h>
#include <stdint.h>

struct pool {
    long live, largest;
};
void *other_alloc(size_t bytes) __attribute__((malloc, alloc_size(1)));
void other_free(void *p);
void *other_calloc(size_t n, size_t size) __attribute__((alloc_size(1, 2)));
void *other_aligned(size_t align, size_t bytes) __attribute__((alloc_size(2)));
void *pool_alloc(struct pool *from, unsigned bytes);
void pool_free(struct pool *to, void *p);
extern long other_live;

#ifdef OTHER
/* Blocks are not malloc's, and are spoilt when they are freed. */
enum { HEAD = 256 };
long other_live;
static void *get(size_t bytes, int fill) {
    char *p = aligned_alloc(HEAD, HEAD + (bytes + HEAD) / HEAD * HEAD);
    if (!p) abort();
    memcpy(p, &bytes, sizeof bytes);
    memset(p + HEAD, fill, bytes);
    other_live++;
    return p + HEAD;
}
void *other_alloc(size_t bytes) { return get(bytes, 0xff); }
void *other_calloc(size_t n, size_t size) { return get(n * size, 0); }
void *other_aligned(size_t align, size_t bytes) { return align <= HEAD ? get(bytes, 0xff) : NULL; }
void other_free(void *p) {
    if (!p) abort();
    size_t bytes;
    memcpy(&bytes, (char *)p - HEAD, sizeof bytes);
    memset(p, 0xff, bytes);
    other_live--;
    free((char *)p - HEAD);
}
void *pool_alloc(struct pool *from, unsigned bytes) {
    if (++from->live > from->largest) from->largest = from->live;
    return get(bytes, 0xff);
}
void pool_free(struct pool *to, void *p) {
    to->live--;
    other_free(p);
}
#else
CF_ALLOCATOR(other_alloc, other_free);
CF_ALLOCATOR(other_calloc, other_free);
CF_ALLOCATOR(other_aligned, other_free);
CF_ALLOCATOR(pool_alloc, pool_free);

static double bytes(double *x, int n) {
    double *t = other_alloc((size_t)n * sizeof *t), s = 0;
    for (int i = 0; i < n; i++) t[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) s += t[i] * x[i];
    other_free(t);
    return s;
}
GRADIENT(bytes);

/* Elements that are zero, one block after the other in a loop, and a list of pointers. */
static double elements(double *x, int n) {
    double **rows = other_calloc((size_t)n, sizeof *rows), s = 0;
    for (int i = 0; i < n; i++) {
        rows[i] = other_calloc((size_t)i + 1, sizeof **rows);
        rows[i][i] = x[i] * x[0];
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) s += rows[i][k] * x[k];
    for (int i = 0; i < n; i++) other_free(rows[i]);
    other_free(rows);
    return s;
}
GRADIENT(elements);

static double aligned(double *x, int n) {
    double s = 0;
    for (int k = 0; k < 3; k++) {
        double *t = __builtin_assume_aligned(other_aligned(64, 8 * sizeof *t), 64);
        if ((uintptr_t)t % 64) return 0;
        for (int i = 0; i < 8; i++) t[i] = x[i % n] * k;
        for (int i = 0; i < 8; i++) s += t[i] * t[i];
        other_free(t);
    }
    return s;
}
GRADIENT(aligned);

static struct pool pool;
static double pooled(double *x, int n) {
    struct pool *p = &pool;
    double *a = pool_alloc(p, (unsigned)n * sizeof *a), *b = pool_alloc(p, (unsigned)n * sizeof *b), s = 0;
    for (int i = 0; i < n; i++) a[i] = sin(x[i]), b[i] = a[i] * x[0];
    pool_free(p, a);
    for (int i = 0; i < n; i++) s += b[i] * b[i];
    pool_free(p, b);
    return s;
}
GRADIENT(pooled);

/* With bodies here: a chain of blocks that are used again, behind what clang always inlines. */
struct block {
    struct block *next;
    double room[7];
};
static struct block *ready, blocks[64];
static unsigned used;
static inline __attribute__((always_inline)) void *chain_get(size_t size) {
    struct block *b = ready;
    if (size > sizeof b->room) abort();
    if (b)
        ready = b->next;
    else
        b = &blocks[used++];
    return b->room;
}
static void chain_put(void *p) {
    struct block *b = (struct block *)((char *)p - offsetof(struct block, room));
    b->next = ready;
    ready = b;
}
CF_ALLOCATOR(chain_get, chain_put);
static double chained(double *x, int n) {
    double s = 0;
    for (int k = 0; k < 3; k++) {
        double *t = chain_get((size_t)n * sizeof *t);
        for (int i = 0; i < n; i++) t[i] = x[i] * x[i] * k;
        for (int i = 0; i < n; i++) s += t[i] * t[i];
        chain_put(t);
    }
    return s;
}
GRADIENT(chained);

int main(void) {
    double x = 3, y = 5;
    CHECK_SAME(bytes, 2, LIST(3, 5), 152, LIST(27, 75));
    CHECK_SAME(elements, 2, LIST(3, 5), x * x * x + x * y * y, LIST(3 * x * x + y * y, 2 * x * y));
    CHECK_SAME(aligned, 2, LIST(3, 5), 20 * (x * x + y * y), LIST(40 * x, 40 * y));
    double p = sin(x), q = sin(y);
    CHECK_SAME(pooled, 2, LIST(3, 5), x * x * (p * p + q * q),
               LIST(2 * x * (p * p + q * q) + 2 * x * x * p * cos(x), 2 * x * x * q * cos(y)));
    CHECK_SAME(chained, 2, LIST(3, 5), 5 * (81 + 625), LIST(20 * 27, 20 * 125));
    if (other_live || pool.live || pool.largest < 2) wrong = printf("%ld, %ld blocks live\n", other_live, pool.live);
    if (used > 12) wrong = printf("%u blocks used\n", used); /* given back after each gradient */
    return wrong;
}
#endif
