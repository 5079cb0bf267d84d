/* What generated code does to blocks of memory, out of line. Compiled to bitcode and linked into the user's program. */
#include "runtime/tape.h"
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The reverse of a copy of `bytes` bytes in which one number of type T stands every `stride` bytes: adds the adjoints at
 * `from` (the copy's) to those at `to` (the original's) and sets them to 0. The blocks may be the same or overlap. */
#define MOVE(NAME, T)                                                                                        \
    void NAME(char *to, char *from, size_t bytes, size_t stride) {                                           \
        if (to == from) return;                                                                              \
        if (to + bytes <= from || from + bytes <= to) {                                                      \
            for (size_t at = 0; at + sizeof(T) <= bytes; at += stride) {                                     \
                *(T *)(to + at) += *(T *)(from + at);                                                        \
                *(T *)(from + at) = 0;                                                                       \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        char *held = malloc(bytes);                                                                          \
        if (!held) abort();                                                                                  \
        memcpy(held, from, bytes);                                                                           \
        for (size_t at = 0; at + sizeof(T) <= bytes; at += stride) *(T *)(from + at) = 0;                    \
        for (size_t at = 0; at + sizeof(T) <= bytes; at += stride) *(T *)(to + at) += *(T *)(held + at);     \
        free(held);                                                                                          \
    }

MOVE(__cf_move_float, float)
MOVE(__cf_move_double, double)
MOVE(__cf_move_long_double, long double)

/* Copies one field of `size` bytes in every `stride`. */
void __cf_copy_field(char *to, const char *from, size_t bytes, size_t stride, size_t size) {
    if (to == from) return;
    if (to < from)
        for (size_t at = 0; at + size <= bytes; at += stride) memmove(to + at, from + at, size);
    else
        for (size_t n = bytes < size ? 0 : (bytes - size) / stride + 1; n-- > 0;)
            memmove(to + n * stride, from + n * stride, size);
}

/* A block of zeros through which the fields of overlapping blocks are moved. */
void *__cf_hold(size_t bytes) {
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p) abort();
    return p;
}

void __cf_let_go(void *held) { free(held); }

/* Sets one field of `size` bytes in every `stride` to 0. */
void __cf_clear_field(char *p, size_t bytes, size_t stride, size_t size) {
    for (size_t at = 0; at + size <= bytes; at += stride) memset(p + at, 0, size);
}

/* realloc that keeps the old block until the tape ends. A block that has no shadow is its own: its pointers are copied. */
void *__cf_realloc(cf_tape *t, void *old, void *old_shadow, size_t bytes, void **new_shadow) {
    char *p = malloc(bytes ? bytes : 1), *shadow = new_shadow ? calloc(1, bytes ? bytes : 1) : NULL;
    if (!p || (new_shadow && !shadow)) {
        free(p);
        free(shadow);
        return NULL;
    }
    size_t keep = old ? malloc_usable_size(old) : 0;
    if (keep > bytes) keep = bytes;
    if (keep) memcpy(p, old, keep);
    if (shadow && old_shadow && keep) memcpy(shadow, old_shadow, keep);
    if (new_shadow) *new_shadow = shadow;
    if (old) __cf_tape_defer(t, old, old_shadow == old ? NULL : old_shadow);
    return p;
}

void __cf_tape_defer_mixed(cf_tape *t, void *p, void *shadow) {
    __cf_tape_defer(t, p, shadow == p ? NULL : shadow);
}

size_t __cf_tape_times(size_t a, size_t b) {
    size_t n;
    return __builtin_mul_overflow(a, b, &n) ? SIZE_MAX : n;
}

void *__cf_shadow_block(size_t bytes) {
    enum { ALIGN = 64 };
    if (bytes > SIZE_MAX - ALIGN) return NULL;
    size_t room = (bytes + ALIGN) & ~(size_t)(ALIGN - 1);
    void *p = aligned_alloc(ALIGN, room);
    return p ? memset(p, 0, room) : NULL;
}

size_t __cf_block_size(void *p) { return p ? malloc_usable_size(p) : 0; }

_Noreturn void __cf_refuse(const char *message) {
    fputs(message, stderr);
    abort();
}

static _Noreturn void unknown_target(const char *site) {
    fprintf(
        stderr,
        "%scofactor: a function pointer is called that has no derivative, with active memory or an active "
        "number: the function is not among those of this unit whose address is taken; take it there, link "
        "the other unit (--link, full LTO), or call it from a function that is inactive (CF_INACTIVE)\n",
        site);
    abort();
}

void __cf_check_foreign(int active, const char *site) {
    if (__builtin_expect(active, 0)) unknown_target(site);
}

static _Noreturn void lost(const char *site) {
    fprintf(
        stderr,
        "%scofactor: a number that carries a derivative is stored through an argument that the request calls "
        "`const`, so that the derivative would be lost; call it `dup` and give it a shadow (or it is stored "
        "in "
        "memory that a global variable has led to since before this gradient: allocate that within)\n",
        site);
    abort();
}

void __cf_check_shadow(int has_shadow, const char *site) {
    if (__builtin_expect(!has_shadow, 0)) lost(site);
}
