/* The tape: a stack of memory for one gradient, used by generated code. This file and tape.c are compiled to bitcode
 * and linked into the user's program; they use libc alone.
 *
 * Memory comes in chunks that never move. Everything pushed lies in one chunk. Push, peek and release are small, so that
 * they inline; what is rare (the next chunk, the chunk before) is in functions of its own.
 *
 * Order: what was pushed last is released first. __cf_tape_peek finds a record of known size on top;
 * __cf_tape_release(t, p) releases p and all that was pushed after it. */
#ifndef CF_TAPE_H
#define CF_TAPE_H
#include <stddef.h>

typedef struct cf_chunk {
    struct cf_chunk *before; /* older chunk */
    char *top;               /* top of the older chunk when this one was begun */
    size_t size;             /* bytes of data, a multiple of 16 */
} cf_chunk;

typedef struct cf_deferred cf_deferred;

typedef struct cf_tape {
    char *top, *end; /* of the current chunk */
    char *start;     /* first byte of the current chunk's data */
    cf_chunk *chunk; /* current chunk; NULL while it is the first one, on the machine stack */
    cf_chunk *spare; /* one empty chunk kept for reuse */
    char *first;     /* data of the first chunk, aligned to 16; its first 16 bytes are not used */
    size_t first_size, bytes, peak; /* heap bytes held and their largest value */
    cf_deferred *deferred;          /* blocks that the primal freed, released at the end */
    char *redo; /* bytes to put back: each group of them, padded to 16, behind it its address and number */
    size_t redo_used, redo_size;
    struct cf_marks *marks; /* marks.h; NULL: none yet */
} cf_tape;

/* first: memory of any alignment for the first chunk, until __cf_tape_end. first_size may be 0. */
void __cf_tape_begin(cf_tape *t, char *first, size_t first_size);
/* Puts back what was noted, and frees all that the tape holds. */
void __cf_tape_end(cf_tape *t);
/* The same where nothing can have been noted. */
void __cf_tape_drop(cf_tape *t);
/* bytes of memory, aligned to 16, with undefined contents. Never NULL, also for 0 bytes; where there is no memory the
 * program ends (include/cofactor/tape.h). */
void *__cf_tape_push(cf_tape *t, size_t bytes);
/* count * bytes, checked for overflow. */
void *__cf_tape_push_array(cf_tape *t, size_t count, size_t bytes);
/* The record on top, which was pushed with this size and stays. */
void *__cf_tape_peek(cf_tape *t, size_t bytes);
void __cf_tape_release(cf_tape *t, void *p);
/* free(p) and free(shadow) when the tape ends. Either may be NULL. */
void __cf_tape_defer(cf_tape *t, void *p, void *shadow);
/* The same; a shadow that is p itself stands for none. */
void __cf_tape_defer_mixed(cf_tape *t, void *p, void *shadow);
/* end(a copy of n bytes at arguments) and free(shadow) when the tape ends; a shadow that is `block` itself stands for none. */
void __cf_tape_defer_call(cf_tape *t, void (*end)(void *), const void *arguments, size_t n, const void *block,
                          void *shadow);
/* Notes the bytes at p, which are about to be undone; __cf_tape_end puts them back, those noted first last. */
void __cf_tape_redo(cf_tape *t, void *p, size_t bytes);
/* bulk.c: realloc that keeps the old block and its shadow until the tape ends. */
void *__cf_realloc(cf_tape *t, void *old, void *old_shadow, size_t bytes, void **new_shadow);
/* bulk.c: zeroed memory for the shadow of a block that is not malloc's, aligned to 64, for free(). */
void *__cf_shadow_block(size_t bytes);
/* a * b, or the largest number where that does not fit. */
size_t __cf_tape_times(size_t a, size_t b);

#endif
