/* A growable array in an arena: CF_VEC(int) v = {0}; cf_push(arena, &v, 3); v.at[0], v.n. Growing moves the elements; the
 * old ones stay readable until the arena is freed. The pushed expression may read the array, but not push to it. */
#ifndef CF_VEC_H
#define CF_VEC_H
#include "support/arena.h"

#define CF_VEC(T)                                                                                            \
    struct {                                                                                                 \
        T *at;                                                                                               \
        size_t n, capacity;                                                                                  \
    }

#define cf_push(arena, v, ...)                                                                               \
    ((v)->n == (v)->capacity                                                                                 \
         ? (void)((v)->at = cf_vec_grow((arena), (v)->at, &(v)->capacity, sizeof *(v)->at))                  \
         : (void)0,                                                                                          \
     (v)->at[(v)->n] = (__VA_ARGS__), (void)(v)->n++)

/* Twice the room (at least 8 elements), with the old contents. */
void *cf_vec_grow(cf_arena *a, const void *old, size_t *capacity, size_t element);

#endif
