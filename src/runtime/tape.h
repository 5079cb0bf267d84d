/* The tape: a stack of memory for one gradient, used by generated code. This file and tape.c are compiled to bitcode
 * and linked into the user's program; they use libc alone.
 *
 * Memory comes in chunks that never move. Everything pushed lies in one chunk. Generated code pushes inline while the
 * current chunk has room (cf_tape_push), and calls cf_tape_grow when it has not.
 *
 * Order: what was pushed last is released first. cf_tape_peek finds a record of known size on top;
 * cf_tape_release(t, p) releases p and all that was pushed after it. */
#ifndef CF_TAPE_H
#define CF_TAPE_H
#include <stddef.h>

typedef struct cf_chunk {
    struct cf_chunk *before; /* older chunk */
    char *top;               /* its top when the next chunk was begun */
    size_t size;             /* bytes of data */
} cf_chunk;

typedef struct cf_deferred cf_deferred;

typedef struct cf_tape {
    char *top, *end;                /* of the current chunk */
    char *start;                    /* first byte of the current chunk's data */
    cf_chunk *chunk;                /* current chunk; NULL while it is the first one, on the machine stack */
    cf_chunk *spare;                /* one empty chunk kept for reuse */
    char *first;                    /* data of the first chunk */
    size_t first_size, bytes, peak; /* heap bytes in use and their largest value */
    cf_deferred *deferred;          /* blocks that the primal freed, released at the end */
} cf_tape;

void __cf_tape_begin(cf_tape *t, char *first, size_t first_size);
void __cf_tape_end(cf_tape *t);
/* bytes of memory, aligned to 16. */
void *__cf_tape_push(cf_tape *t, size_t bytes);
/* count * bytes, checked for overflow. */
void *__cf_tape_push_array(cf_tape *t, size_t count, size_t bytes);
/* The record of this size on top, which stays. */
void *__cf_tape_peek(cf_tape *t, size_t bytes);
void __cf_tape_release(cf_tape *t, void *p);
/* Frees p (and its shadow) when the tape ends. */
void __cf_tape_defer(cf_tape *t, void *p, void *shadow);

#endif
