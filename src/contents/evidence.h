/* Evidence of what memory holds: facts (facts.c), gathered along pointers (evidence.c). Used by types.c. */
#ifndef CF_EVIDENCE_H
#define CF_EVIDENCE_H
#include "contents/types.h"
#include "ir/ctype.h"
#include "support/vec.h"

/* Where something comes again: at offset + stride, offset + 2 stride, …; at offset - stride, …; or both ways. */
enum { CF_UP = 1, CF_DOWN = 2, CF_BOTH = 3 };

/* There are `count` scalars of a type at offset, one behind the other, and again every `stride` bytes. */
typedef struct cf_fact {
    int64_t offset;  /* from the pointer that was asked about */
    uint64_t stride; /* 0: no repetition; else at least count * size */
    unsigned ways;   /* of the repetition: CF_UP, CF_DOWN */
    uint64_t count;  /* at least 1 */
    uint64_t size;   /* of one, in bytes */
    cf_field_kind kind;
    LLVMTypeRef type;
    unsigned weak;     /* 0: told by a type; 1: guessed from integer code; 2: padding */
    unsigned distance; /* steps from the pointer to where it was seen */
    uint64_t
        period; /* more than the stride: that is what several have in common, of which this is the largest. The fact
                        holds at offset, offset + period, …; elsewhere it may */
    uint64_t
        step; /* where it may hold: at offset, offset + step, …; less than its size: anywhere in an array */
} cf_fact;

typedef struct cf_facts {
    cf_arena *arena;
    LLVMTargetDataRef data;
    bool trust_unions; /* a union holds what its type in LLVM says */
    CF_VEC(cf_fact) facts;
} cf_facts;

/* What was found out about the module, while its functions do not change. */
typedef struct cf_evidence {
    cf_map members;       /* pointer → where it lies in what hangs together (evidence.c) */
    cf_map near;          /* pointer → facts that were found around it (evidence.c) */
    cf_map roots;         /* pointer → facts that were gathered for its own sake */
    cf_map uses, origins; /* integer → moves (moves.c) */
    cf_map integers;      /* load or store → whether its memory holds integers alone (types.c) */
} cf_evidence;
cf_evidence *cf_memory_known(cf_job *job);

/* Adds a fact about one scalar, or about `count` of them. */
void cf_add_run(cf_facts *f, cf_fact x, uint64_t count);
void cf_add_fact(cf_facts *f, cf_fact x);
/* Adds facts about an element of `size` bytes to those about memory at `at`, where one or any number of them are. */
void cf_add_element(cf_facts *f, const cf_facts *element, cf_fact at, uint64_t size);
/* Adds what a type tells about a value. False when it does not tell everything (unions, arrays of bytes). */
bool cf_add_part(cf_facts *f, LLVMTypeRef type, cf_fact at, bool in_struct);
/* Adds what a type of debug information tells about memory at `at`, where one or any number of them are. */
void cf_add_debug_type(cf_facts *f, LLVMContextRef c, const cf_ctype *t, cf_fact at);
/* Adds what a type tells about memory at offset. False when it does not tell everything (unions, arrays of bytes). */
bool cf_add_type(cf_facts *f, LLVMTypeRef type, cf_fact at);
/* Adds what metadata of an instruction (!tbaa, !tbaa.struct) tells about memory at `at.offset`. */
void cf_add_tbaa(cf_facts *f, LLVMValueRef instruction, cf_fact at);
/* An integer of the tape's own records (runtime/tape.c), in a gradient that is differentiated once more. */
bool cf_is_of_tape(LLVMValueRef access);
/* Adds what can be found about the `bytes` bytes (0: any number) behind a pointer, and CF_AROUND bytes around them. */
enum { CF_AROUND = 16 };
void cf_find_facts(cf_job *job, LLVMValueRef pointer, uint64_t bytes, cf_facts *f);

/* index = add + multiple * (some integer), as far as its definition shows. multiple 0: constant. */
void cf_affine(LLVMValueRef index, uint64_t *multiple, int64_t *add);
uint64_t cf_gcd(uint64_t a, uint64_t b);

#endif
