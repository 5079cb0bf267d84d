/* Evidence of what memory holds. Used by types.c. */
#ifndef CF_EVIDENCE_H
#define CF_EVIDENCE_H
#include "analysis/types.h"
#include "support/vec.h"

/* There are `count` scalars of a type at offset, one behind the other, and again at offset + stride, offset - stride,
 * offset + 2 stride, … */
typedef struct cf_fact {
    int64_t offset;  /* from the pointer that was asked about */
    uint64_t stride; /* 0: no repetition; else at least count * size */
    uint64_t count;  /* at least 1 */
    uint64_t size;   /* of one, in bytes */
    cf_field_kind kind;
    LLVMTypeRef type;
    unsigned weak;     /* 0: told by a type; 1: guessed from integer code; 2: padding */
    unsigned distance; /* steps from the pointer to where it was seen */
} cf_fact;

typedef struct cf_facts {
    cf_arena *arena;
    LLVMTargetDataRef data;
    bool trust_unions; /* a union holds what its type in LLVM says */
    CF_VEC(cf_fact) facts;
} cf_facts;

/* Adds what a type tells about memory at offset. False when it does not tell everything (unions, arrays of bytes). */
bool cf_add_type(cf_facts *f, LLVMTypeRef type, cf_fact at);
/* Adds what metadata of an instruction (!tbaa, !tbaa.struct) tells about memory at `at.offset`. */
void cf_add_tbaa(cf_facts *f, LLVMValueRef instruction, cf_fact at);
/* Adds what can be found about the memory behind a pointer. */
void cf_find_facts(cf_job *job, LLVMValueRef pointer, cf_facts *f);

/* index = add + multiple * (some integer), as far as its definition shows. multiple 0: constant. */
void cf_affine(LLVMValueRef index, uint64_t *multiple, int64_t *add);
uint64_t cf_gcd(uint64_t a, uint64_t b);

#endif
