/* Functions of the C library that call the program back, as bodies: they move numbers in memory, and so derivatives.
 * The order of what compares equal is the C library's (the GNU one sorts by merging, which keeps it). */
#include <stdlib.h>
#include <string.h>

typedef int (*compare)(const void *, const void *);
typedef int (*compare_with)(const void *, const void *, void *);

/* A function that is only called: it does not become part of what the numbers' memory may point to. */
#ifdef __clang__
#define ONLY_CALLED __attribute__((noescape))
#else
#define ONLY_CALLED
#endif

struct order {
    compare plain; /* or */
    compare_with with;
    void *context;
};

static inline int in_order(const struct order *o, const char *a, const char *b) {
    return (o->plain ? o->plain(a, b) : o->with(a, b, o->context)) <= 0;
}

/* Merges the runs [at, middle) and [middle, end) of `from` into the same places of `to`. */
static inline void merge(const struct order *o, const char *from, char *to, size_t at, size_t middle,
                         size_t end, size_t size) {
    size_t left = at, right = middle;
    for (size_t i = at; i < end; i++) {
        int take_left =
            left < middle && (right >= end || in_order(o, from + left * size, from + right * size));
        memcpy(to + i * size, from + (take_left ? left : right) * size, size);
        take_left ? left++ : right++;
    }
}

static inline void sort(const struct order *o, char *base, size_t n, size_t size) {
    if (n < 2 || size == 0) return;
    char *other = malloc(n * size);
    if (!other) abort();
    char *from = base, *to = other;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t at = 0; at < n; at += 2 * run) {
            size_t middle = at + run < n ? at + run : n, end = at + 2 * run < n ? at + 2 * run : n;
            merge(o, from, to, at, middle, end, size);
        }
        char *swap = from;
        from = to;
        to = swap;
    }
    if (from != base) memcpy(base, from, n * size);
    free(other);
}

void __cf_body_qsort(void *base, size_t n, size_t size, ONLY_CALLED compare f) {
    struct order o = {f, NULL, NULL};
    sort(&o, base, n, size);
}
void __cf_body_qsort_r(void *base, size_t n, size_t size, ONLY_CALLED compare_with f, void *context) {
    struct order o = {NULL, f, context};
    sort(&o, base, n, size);
}

void *__cf_body_bsearch(const void *key, const void *base, size_t n, size_t size, ONLY_CALLED compare f) {
    const char *at = base;
    while (n > 0) {
        const char *middle = at + n / 2 * size;
        int order = f(key, middle);
        if (order == 0) return (void *)middle;
        if (order > 0) {
            at = middle + size;
            n--;
        }
        n /= 2;
    }
    return NULL;
}
