/* memoize: remembers results of pure functions of numbers. An override has the type of its function, so that a context
 * names the functions it is for; this header has what is the same for all of them. A whole context, fib-memo.c:
 *
 *     #include "memoize.h"
 *     long fib(int n);
 *     MEMOIZE1(long, fib, int)
 *
 *     cofactor run --context fib-memo.c fib.c                    MEMOIZE_REPORT=1: how often results were found, per function
 *
 * In a program: `struct memoize m = {0};`, CF_IN(fib_fast, fib, memoize), `memoize_free(&m)`.
 *
 * MEMOIZE1 … MEMOIZE4 take the result's type, the function, and the types of its parameters: integers, float, double, of
 * at most 64 bits each. The first call of the program itself is not an event and runs as it is; all calls inside are
 * looked up. Threads share one table: a lock is held while it is read or written, not while a function runs. */
#ifndef COFACTOR_MEMOIZE_H
#define COFACTOR_MEMOIZE_H
#include <cofactor/context.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MEMOIZE_WORDS
#define MEMOIZE_WORDS ""
#endif
CF_CONTEXT(memoize, "optional " MEMOIZE_WORDS);

#define MEMOIZE_MAX 4

struct memoize_entry {
    const char *function; /* NULL: free */
    uint64_t key[MEMOIZE_MAX], value;
};

struct memoize_function {
    const char *name;
    unsigned long long found, computed;
    struct memoize_function *next;
};

struct memoize {
    struct memoize_entry *entry;
    size_t entries, room; /* room is a power of two */
    struct memoize_function *functions;
    int lock;
};

static inline void memoize_take(struct memoize *m) {
    while (__atomic_exchange_n(&m->lock, 1, __ATOMIC_ACQUIRE)) {
    }
}
static inline void memoize_give(struct memoize *m) { __atomic_store_n(&m->lock, 0, __ATOMIC_RELEASE); }

static inline void *memoize_memory(size_t n, size_t bytes) {
    void *p = calloc(n, bytes);
    if (!p) abort();
    return p;
}

static inline uint64_t memoize_bits(const void *p, size_t bytes) {
    uint64_t bits = 0;
    memcpy(&bits, p, bytes);
    return bits;
}

/* Where an entry is, or would go. */
static inline struct memoize_entry *memoize_slot(const struct memoize *m, const char *f,
                                                 const uint64_t *key) {
    uint64_t h = (uintptr_t)f;
    for (int i = 0; i < MEMOIZE_MAX; i++) {
        h = (h ^ key[i]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    for (;; h++) {
        struct memoize_entry *e = &m->entry[h & (m->room - 1)];
        if (!e->function || (e->function == f && !memcmp(e->key, key, sizeof e->key))) return e;
    }
}

static inline struct memoize_function *memoize_function(struct memoize *m, const char *name) {
    struct memoize_function *f = m->functions;
    while (f && f->name != name) f = f->next;
    if (f) return f;
    f = (struct memoize_function *)memoize_memory(1, sizeof *f);
    f->name = name;
    f->next = m->functions;
    return m->functions = f;
}

/* Whether the result is known; *value: it. */
static inline int memoize_find(struct memoize *m, const char *f, const uint64_t *key, uint64_t *value) {
    memoize_take(m);
    struct memoize_entry *e = m->room ? memoize_slot(m, f, key) : NULL;
    int known = e && e->function;
    struct memoize_function *row = memoize_function(m, f);
    row->found += (unsigned)known;
    row->computed += !known;
    if (known) *value = e->value;
    memoize_give(m);
    return known;
}

static inline void memoize_grow(struct memoize *m) {
    struct memoize_entry *old = m->entry;
    size_t n = m->room;
    m->room = n ? 2 * n : 256;
    m->entry = (struct memoize_entry *)memoize_memory(m->room, sizeof *m->entry);
    for (size_t i = 0; i < n; i++)
        if (old[i].function) *memoize_slot(m, old[i].function, old[i].key) = old[i];
    free(old);
}

static inline void memoize_put(struct memoize *m, const char *f, const uint64_t *key, uint64_t value) {
    memoize_take(m);
    if (2 * m->entries >= m->room) memoize_grow(m);
    struct memoize_entry *e = memoize_slot(m, f, key);
    m->entries += !e->function;
    e->function = f;
    memcpy(e->key, key, sizeof e->key);
    e->value = value;
    memoize_give(m);
}

static inline void memoize_print(const struct memoize *m, FILE *out) {
    for (const struct memoize_function *f = m->functions; f; f = f->next)
        fprintf(out, "%s: %llu computed, %llu found\n", f->name, f->computed, f->found);
}

static inline void memoize_free(struct memoize *m) {
    while (m->functions) {
        struct memoize_function *f = m->functions;
        m->functions = f->next;
        free(f);
    }
    free(m->entry);
    memset(m, 0, sizeof *m);
}

/* 64 bits of parameter x, and an error of the compiler where it has more. */
#define MEMOIZE_BITS(x) memoize_bits(&x, sizeof(char[sizeof x <= 8 ? 1 : -1]) * sizeof x)

#define MEMOIZE_(R, f, parameters, arguments, ...)                                                           \
    CF_OVERDUB(memoize, f) static R memoize_##f parameters {                                                 \
        static const char name[] = #f;                                                                       \
        const uint64_t key[MEMOIZE_MAX] = {__VA_ARGS__};                                                     \
        uint64_t bits = 0;                                                                                   \
        R result;                                                                                            \
        if (!memoize_find(m, name, key, &bits)) {                                                            \
            result = cf_recurse(f) arguments;                                                                \
            bits = MEMOIZE_BITS(result);                                                                     \
            memoize_put(m, name, key, bits);                                                                 \
        }                                                                                                    \
        memcpy(&result, &bits, sizeof result);                                                               \
        return result;                                                                                       \
    }

#define MEMOIZE1(R, f, A) MEMOIZE_(R, f, (struct memoize * m, A a), (a), MEMOIZE_BITS(a))
#define MEMOIZE2(R, f, A, B)                                                                                 \
    MEMOIZE_(R, f, (struct memoize * m, A a, B b), (a, b), MEMOIZE_BITS(a), MEMOIZE_BITS(b))
#define MEMOIZE3(R, f, A, B, C)                                                                              \
    MEMOIZE_(R, f, (struct memoize * m, A a, B b, C c), (a, b, c), MEMOIZE_BITS(a), MEMOIZE_BITS(b),         \
             MEMOIZE_BITS(c))
#define MEMOIZE4(R, f, A, B, C, D)                                                                           \
    MEMOIZE_(R, f, (struct memoize * m, A a, B b, C c, D d), (a, b, c, d), MEMOIZE_BITS(a), MEMOIZE_BITS(b), \
             MEMOIZE_BITS(c), MEMOIZE_BITS(d))

CF_BEGIN(memoize) static struct memoize *memoize_begin(void) {
    return (struct memoize *)memoize_memory(1, sizeof(struct memoize));
}
CF_END(memoize) static void memoize_end(struct memoize *m) {
    if (getenv("MEMOIZE_REPORT")) memoize_print(m, stderr);
    memoize_free(m);
    free(m);
}

#endif
