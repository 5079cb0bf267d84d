/* The tape. See tape.h.
 *
 * In:     calls of generated code, in one thread
 * Out:    memory, until it is released
 * Needs:  malloc, free; the program's cofactor_out_of_memory and cofactor_tape_ended if it has them
 * Keeps:  start, top and end are multiples of 16 and start <= top <= end; a heap chunk that is current is not empty, so
 *         the record on top always lies in the current chunk
 *
 * Idea: the room left is a multiple of 16, so a record fits when its size before rounding does, and the hot path needs
 * no check for overflow. Sizes of chunks double up to a limit: beyond it doubling saves no calls worth saving and only
 * claims address space. One empty chunk is kept, so that a loop which pushes and releases across the border of a chunk
 * does not call malloc each time. */
#include "runtime/tape.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16, SMALLEST_CHUNK = 64 << 10, LARGEST_CHUNK = 64 << 20, BATCH = 42 };
#define HEADER ((sizeof(cf_chunk) + ALIGN - 1) / ALIGN * ALIGN)
#define COLD __attribute__((noinline, cold))

/* Blocks to be freed at the end, in batches: 1 KiB each. */
struct cf_deferred {
    cf_deferred *before;
    size_t n;
    struct {
        void *block, *shadow;
        void (*end)(void *); /* called with block, which is freed then; NULL: block is the program's */
    } at[BATCH];
};

/* Handlers of the program's: NULL where it has none. */
extern void cofactor_out_of_memory(size_t bytes) __attribute__((weak));
extern void cofactor_tape_ended(size_t peak_bytes) __attribute__((weak));

COLD static _Noreturn void out_of_memory(const cf_tape *t, size_t bytes) {
    if (cofactor_out_of_memory) cofactor_out_of_memory(bytes);
    fprintf(stderr, "cofactor: out of memory: the tape of a gradient holds %zu bytes and needs %zu more\n",
            t->bytes, bytes);
    abort();
}

static char *data(cf_chunk *c) { return (char *)c + HEADER; }

static void hold(cf_tape *t, size_t bytes) {
    t->bytes += bytes;
    if (t->bytes > t->peak) t->peak = t->bytes;
}

static void give_back(cf_tape *t, cf_chunk *c) {
    if (!c) return;
    t->bytes -= HEADER + c->size;
    free(c);
}

void __cf_tape_begin(cf_tape *t, char *first, size_t first_size) {
    size_t skip = -(uintptr_t)first % ALIGN;
    memset(t, 0, sizeof *t);
    if (first && first_size >= skip + 2 * ALIGN) {
        t->first = first + skip;
        t->first_size = (first_size - skip) / ALIGN * ALIGN;
    } else {
        /* No room: an empty chunk needs an address but no memory. The tape itself lends one. */
        t->first = (char *)t + -(uintptr_t)t % ALIGN;
        t->first_size = ALIGN;
    }
    t->start = t->first;
    t->top = t->start + ALIGN;
    t->end = t->start + t->first_size;
}

/* Address and number of the bytes in front of it. */
typedef struct redo_foot {
    void *p;
    size_t bytes;
} redo_foot;

static size_t redo_room(size_t bytes) { return (bytes + ALIGN - 1) / ALIGN * ALIGN + sizeof(redo_foot); }

COLD static void grow_redo(cf_tape *t, size_t room) {
    size_t size = t->redo_size ? 2 * t->redo_size : SMALLEST_CHUNK;
    while (size < t->redo_used + room) size *= 2;
    char *grown = realloc(t->redo, size);
    if (!grown) out_of_memory(t, size);
    hold(t, size - t->redo_size);
    t->redo = grown;
    t->redo_size = size;
}

void __cf_tape_redo(cf_tape *t, void *p, size_t bytes) {
    size_t room = redo_room(bytes);
    if (t->redo_size - t->redo_used < room) grow_redo(t, room);
    char *at = t->redo + t->redo_used;
    memcpy(at, p, bytes);
    t->redo_used += room;
    ((redo_foot *)(void *)(t->redo + t->redo_used))[-1] = (redo_foot){p, bytes};
}

/* What was undone first held the final contents: it comes last. */
static void redo_all(cf_tape *t) {
    while (t->redo_used) {
        redo_foot f = ((redo_foot *)(void *)(t->redo + t->redo_used))[-1];
        t->redo_used -= redo_room(f.bytes);
        memcpy(f.p, t->redo + t->redo_used, f.bytes);
    }
    free(t->redo);
    t->redo = NULL;
    t->redo_size = 0;
}

void __cf_tape_drop(cf_tape *t) {
    for (cf_chunk *c = t->chunk, *before; c; c = before) {
        before = c->before;
        free(c);
    }
    free(t->spare);
    for (cf_deferred *d = t->deferred, *before; d; d = before) {
        before = d->before;
        for (size_t i = 0; i < d->n; i++) {
            if (d->at[i].end) d->at[i].end(d->at[i].block);
            free(d->at[i].block);
            free(d->at[i].shadow);
        }
        free(d);
    }
    if (cofactor_tape_ended) cofactor_tape_ended(t->peak);
    __cf_tape_begin(t, NULL, 0);
}

void __cf_tape_end(cf_tape *t) {
    redo_all(t);
    __cf_tape_drop(t);
}

/* A chunk with room for `bytes` (a multiple of ALIGN), twice as large as the one before if that can be had. */
static cf_chunk *new_chunk(cf_tape *t, size_t bytes) {
    size_t size = t->chunk ? t->chunk->size * 2 : SMALLEST_CHUNK;
    if (size > LARGEST_CHUNK) size = LARGEST_CHUNK;
    if (size < bytes) size = bytes;
    cf_chunk *c = malloc(HEADER + size);
    if (!c && size > bytes) c = malloc(HEADER + (size = bytes));
    if (!c) out_of_memory(t, bytes);
    c->size = size;
    hold(t, HEADER + size);
    return c;
}

/* Pushes in the next chunk. */
COLD static void *grow(cf_tape *t, size_t bytes) {
    if (bytes > PTRDIFF_MAX - HEADER - ALIGN) out_of_memory(t, bytes);
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    cf_chunk *c = t->spare;
    t->spare = NULL;
    if (c && c->size < bytes) {
        give_back(t, c);
        c = NULL;
    }
    if (!c) c = new_chunk(t, bytes);
    c->before = t->chunk;
    c->top = t->top;
    t->chunk = c;
    t->start = data(c);
    t->end = t->start + c->size;
    t->top = t->start + bytes;
    return t->start;
}

void *__cf_tape_push(cf_tape *t, size_t bytes) {
    char *p = t->top;
    if (__builtin_expect((size_t)(t->end - p) < bytes, 0)) return grow(t, bytes);
    t->top = p + (bytes + ALIGN - 1) / ALIGN * ALIGN;
    return p;
}

void *__cf_tape_push_array(cf_tape *t, size_t count, size_t bytes) {
    size_t all;
    if (__builtin_expect(__builtin_mul_overflow(count, bytes, &all), 0)) all = SIZE_MAX;
    return __cf_tape_push(t, all);
}

void *__cf_tape_peek(cf_tape *t, size_t bytes) { return t->top - (bytes + ALIGN - 1) / ALIGN * ALIGN; }

/* Makes the chunk before the current one current again; keeps the larger of the empty ones. */
static void leave_chunk(cf_tape *t) {
    cf_chunk *c = t->chunk, *before = c->before;
    t->chunk = before;
    t->top = c->top;
    t->start = before ? data(before) : t->first;
    t->end = t->start + (before ? before->size : t->first_size);
    if (t->spare && t->spare->size > c->size) {
        give_back(t, c);
    } else {
        give_back(t, t->spare);
        t->spare = c;
    }
}

/* True where p lies in the current chunk, behind its first record. A chunk's header keeps chunks apart, so that the
 * end of one is never the start of another. */
static int behind_start(const cf_tape *t, const void *p) {
    return (uintptr_t)p > (uintptr_t)t->start && (uintptr_t)p <= (uintptr_t)t->top;
}

COLD static void release_chunks(cf_tape *t, char *p) {
    while (!behind_start(t, p)) {
        if (!t->chunk) {
            fputs("cofactor: internal error: the tape was released out of order\n", stderr);
            abort();
        }
        int last = p == t->start;
        leave_chunk(t);
        if (last) return;
    }
    t->top = p;
}

void __cf_tape_release(cf_tape *t, void *p) {
    if (__builtin_expect(behind_start(t, p), 1)) {
        t->top = p;
    } else {
        release_chunks(t, p);
    }
}

COLD static void new_batch(cf_tape *t) {
    cf_deferred *d = malloc(sizeof *d);
    if (!d) out_of_memory(t, sizeof *d);
    d->before = t->deferred;
    d->n = 0;
    t->deferred = d;
    hold(t, sizeof *d);
}

static void defer(cf_tape *t, void *p, void *shadow, void (*end)(void *)) {
    if (!t->deferred || t->deferred->n == BATCH) new_batch(t);
    cf_deferred *d = t->deferred;
    d->at[d->n].block = p;
    d->at[d->n].shadow = shadow;
    d->at[d->n].end = end;
    d->n++;
}

void __cf_tape_defer(cf_tape *t, void *p, void *shadow) { defer(t, p, shadow, NULL); }

void __cf_tape_defer_call(cf_tape *t, void (*end)(void *), const void *arguments, size_t n, const void *block,
                          void *shadow) {
    void *copy = malloc(n);
    if (!copy) out_of_memory(t, n);
    memcpy(copy, arguments, n);
    defer(t, copy, shadow == block ? NULL : shadow, end);
}
