/* Bit sets of fixed size in an arena. Sets that meet have the same size. */
#ifndef CF_BITS_H
#define CF_BITS_H
#include "support/arena.h"
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct cf_bits {
    uint64_t *words;
    size_t n; /* bits */
} cf_bits;

static inline cf_bits cf_bits_new(cf_arena *a, size_t n) {
    return (cf_bits){CF_ARRAY(a, uint64_t, n / 64 + 1), n};
}
static inline bool cf_bit(const cf_bits *b, size_t i) {
    assert(i < b->n);
    return b->words[i / 64] >> (i % 64) & 1;
}
/* Sets bit i; true when it was clear before. */
static inline bool cf_set_bit(cf_bits *b, size_t i) {
    assert(i < b->n);
    uint64_t mask = UINT64_C(1) << (i % 64), was = b->words[i / 64] & mask;
    b->words[i / 64] |= mask;
    return !was;
}
static inline void cf_clear_bit(cf_bits *b, size_t i) {
    assert(i < b->n);
    b->words[i / 64] &= ~(UINT64_C(1) << (i % 64));
}
/* to |= from; true when that changed to. */
static inline bool cf_bits_join(cf_bits *to, const cf_bits *from) {
    assert(to->n == from->n);
    uint64_t changed = 0;
    for (size_t i = 0; i <= to->n / 64; i++) {
        changed |= from->words[i] & ~to->words[i];
        to->words[i] |= from->words[i];
    }
    return changed != 0;
}
static inline void cf_bits_clear(cf_bits *b) { memset(b->words, 0, (b->n / 64 + 1) * sizeof *b->words); }

#endif
