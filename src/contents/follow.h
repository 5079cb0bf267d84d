/* Following pointers: what is a pointer plus an offset, in the whole module. Used by evidence.c. */
#ifndef CF_FOLLOW_H
#define CF_FOLLOW_H
#include "contents/evidence.h"

typedef struct cf_reached {
    LLVMValueRef pointer;          /* = the pointer asked about + offset + stride * (some integer) */
    const struct cf_reached *from; /* by which it was reached at first */
    int64_t offset;
    uint64_t stride; /* 0: exactly offset */
    unsigned ways;   /* the integer is >= 0 (CF_UP), <= 0 (CF_DOWN), any */
    unsigned distance;
    uint64_t period; /* the largest of the strides that `stride` is common to; 0: stride itself */
    bool waiting;
    int64_t from_byte,
        to_byte; /* what is reached through integers: only these bytes, as offsets from what was asked about */
    uint64_t window; /* and those in this distance from them; 0: no others */
} cf_reached;

typedef struct cf_follow {
    cf_job *job;
    cf_facts *f;
    cf_map places;
    cf_arena *arena; /* of places */
    CF_VEC(cf_reached *) queue;
    size_t next, n, most;  /* places, and uses of them that were looked at */
    cf_map slots;          /* by root: those whose content was reached */
    LLVMValueRef function; /* that was asked about last: whether it is a made one */
    bool made;
    const cf_reached
        *window; /* what the next place that is reached tells about; NULL: the same as the one before */
} cf_follow;

/* Reaches all pointers that hang together with one, until `most` of them and their uses were looked at. */
void cf_follow_all(cf_follow *s, LLVMValueRef pointer);
bool cf_is_full(const cf_follow *s);

/* Where an address lies in the object that it is computed from. */
typedef struct cf_slot {
    LLVMValueRef root;
    int64_t offset;
    uint64_t stride;
} cf_slot;
cf_slot cf_slot_of(cf_follow *s, LLVMValueRef address);

/* The C type of what is behind a pointer, by debug information about variables on the way to it; NULL: not told. */
const cf_ctype *cf_debug_type(cf_follow *s, LLVMValueRef pointer);
/* The type behind a parameter that its attributes tell (byval, sret, …), or NULL. */
LLVMTypeRef cf_type_of_parameter(LLVMValueRef parameter);

bool cf_is_gep(LLVMValueRef v);
/* Which way the indices of a getelementptr go: behind its base, as those of arrays do, unless something is subtracted. */
unsigned cf_ways_of(LLVMValueRef gep);
/* Whether an instruction stands in a function that was made here, which tells nothing. */
bool cf_in_made(cf_follow *s, LLVMValueRef instruction);

#endif
