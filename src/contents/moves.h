/* Where the bits of an integer come from, and where they go: through values, calls and results, not through memory. */
#ifndef CF_MOVES_H
#define CF_MOVES_H
#include "ir/job.h"
#include "support/vec.h"

typedef struct cf_moves {
    LLVMTypeRef number; /* a type with floating numbers that all of the bits are made from, or become */
    bool part;          /* bits of numbers, but not all of them, or of several types, or computed with */
    bool pointer;       /* they are made from a pointer, or become one */
    bool unknown;       /* they come or go a way that is not followed */
    CF_VEC(LLVMValueRef) access;   /* loads that they come from, or stores that they go to, as they are */
    CF_VEC(LLVMValueRef) computed; /* the same; in between they are computed with, or taken to pieces */
} cf_moves;

/* Kept until cf_forget_evidence (types.h). */
const cf_moves *cf_bits_come_from(cf_job *job, LLVMValueRef value);
const cf_moves *cf_bits_go_to(cf_job *job, LLVMValueRef value);

/* The result of integer arithmetic is used as a number at once, whatever way the program goes: floating arithmetic reads it, not
 * only a phi or a store, which may put integers and numbers in one place. */
bool cf_becomes_number(cf_job *job, LLVMValueRef integer);

#endif
