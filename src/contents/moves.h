/* Where the bits of an integer come from, and where they go: through values, calls and results, not through memory. */
#ifndef CF_MOVES_H
#define CF_MOVES_H
#include "ir/job.h"
#include "support/vec.h"

typedef struct cf_moves {
    LLVMTypeRef number; /* a type with floating numbers that all of the bits are made from, or become */
    bool part;          /* bits of numbers, but not all of them, or of several types, or computed with */
    bool
        pointer; /* they are made from a pointer of which more is left than an alignment or a distance, or become one */
    bool unknown;                  /* they come or go a way that is not followed */
    CF_VEC(LLVMValueRef) access;   /* loads that they come from, or stores that they go to, as they are */
    CF_VEC(LLVMValueRef) computed; /* the same; in between they are computed with, or taken to pieces */
    CF_VEC(LLVMValueRef) pieces;   /* those of `computed` where an address would be in pieces */
    bool in_pieces;                /* of origins: they are made from a pointer by what takes it to pieces */
    bool lost;     /* of origins: they are made from a pointer by what no address can be followed through */
    bool followed; /* of origins: an address may come another way, too */
} cf_moves;

/* Kept until cf_forget_evidence (types.h). */
const cf_moves *cf_bits_come_from(cf_job *job, LLVMValueRef value);
const cf_moves *cf_bits_go_to(cf_job *job, LLVMValueRef value);

/* Of an address among the operands of an integer operation, nothing is left that could become an address again. */
bool cf_loses_address(LLVMValueRef instruction);

/* The result of integer arithmetic is used as a number at once, whatever way the program goes: floating arithmetic reads it, not
 * only a phi or a store, which may put integers and numbers in one place. */
bool cf_becomes_number(cf_job *job, LLVMValueRef integer);

#endif
