#include "support/arena.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blocks double from 16 KiB: a job over a small function touches one, a large one few. */
enum { FIRST_BLOCK = 16 << 10, LARGEST_BLOCK = 4 << 20 };

typedef struct block {
    struct block *next;
    size_t used, size;
    max_align_t data[];
} block;

struct cf_arena {
    block *blocks;
};

static _Noreturn void out_of_memory(void) {
    fputs("cofactor: out of memory\n", stderr);
    exit(1);
}

static void *take(size_t bytes) {
    void *p = calloc(1, bytes);
    if (!p) out_of_memory();
    return p;
}

cf_arena *cf_arena_new(void) { return take(sizeof(cf_arena)); }

void cf_arena_free(cf_arena *a) {
    if (!a) return;
    for (block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(a);
}

static block *add_block(cf_arena *a, size_t bytes) {
    size_t size = a->blocks ? a->blocks->size * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
    if (size < bytes) size = bytes;
    block *b = take(sizeof(block) + size);
    b->size = size;
    b->next = a->blocks;
    return a->blocks = b;
}

void *cf_alloc(cf_arena *a, size_t bytes) {
    const size_t align = _Alignof(max_align_t);
    if (bytes > PTRDIFF_MAX - sizeof(block) - align) out_of_memory();
    bytes = (bytes + align - 1) / align * align;
    block *b = a->blocks;
    if (!b || b->size - b->used < bytes) b = add_block(a, bytes);
    void *p = (char *)b->data + b->used;
    b->used += bytes;
    return p;
}

void *cf_alloc_array(cf_arena *a, size_t n, size_t element) {
    size_t bytes;
    if (__builtin_mul_overflow(n, element, &bytes)) out_of_memory();
    return cf_alloc(a, bytes);
}

char *cf_vtext(cf_arena *a, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0) return cf_copy_text(a, format, strlen(format)); /* not printable in this locale */
    char *s = cf_alloc(a, (size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, format, args);
    return s;
}

char *cf_text(cf_arena *a, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *s = cf_vtext(a, format, args);
    va_end(args);
    return s;
}

char *cf_copy_text(cf_arena *a, const char *s, size_t length) {
    char *copy = cf_alloc(a, length + 1);
    if (length) memcpy(copy, s, length);
    return copy;
}
