/* Varied: which values of a function have a tangent or a shadow in forward mode.
 *
 * In:     a function, a key
 * Out:    flags per value
 * Needs:  rules (cf_rules_link)                 Keeps: the function
 *
 * Idea: flags go from operands to results, to a fixed point; a call of a function with a body gives what that function
 * returns under the key that the call's arguments make. Memory is not followed: whatever is loaded through a pointer
 * with a shadow may be varied.
 *
 * Integers may hold the bits of numbers and of pointers. Their companions are bits too. What real integers have beside
 * them means nothing and harms nothing: it is only ever moved. */
#ifndef CF_VARIED_H
#define CF_VARIED_H
#include "analysis/key.h"
#include "contents/bits.h"
#include "ir/job.h"

enum {
    CF_VARIED = 1,       /* number: may have a tangent. Pointer: has a shadow. Integer: has bits beside it */
    CF_MIXED = 2,        /* pointer: its shadow may be the pointer itself, which means that it has none */
    CF_FLOAT_BITS = 4,   /* integer: surely made from the bits of a floating number */
    CF_POINTER_BITS = 8, /* integer: surely made from a pointer */
    CF_TAINTED =
        16, /* integer: may be made by arithmetic from the bits of a varied number. Where it is, and one of these has a
                        tangent, it has CF_LOST beside it, which is no tangent */
};

/* With CF_ARG_DUP, of a pointer: the function is said to be inactive (CF_INACTIVE). Its numbers have no tangents, so
 * that what it writes gets tangent 0. */
enum { CF_ARG_FROZEN = 8 };

typedef struct cf_varied cf_varied;

/* `memo` outlives the answer: analyses made so far. */
cf_varied *cf_varied_new(cf_job *job, cf_names *memo, const cf_key *key);
/* Flags of a value of the function: instruction, parameter or constant. */
unsigned cf_varied_flags(const cf_varied *v, LLVMValueRef value);
/* The function's numbers have no tangents. */
bool cf_is_frozen(const cf_varied *v);
/* The key by which a call reaches function f (NULL: whatever a pointer points to). */
cf_key cf_varied_call(const cf_varied *v, LLVMValueRef call, LLVMValueRef f);
/* A call of the function computes its result linearly from the numbers among its arguments. */
bool cf_is_linear(LLVMValueRef f);
/* Values of the type may have something beside them. */
bool cf_carries(LLVMTypeRef t);
/* What the bits of an integer operation's operands become (contents/bits.h). */
cf_bit_move cf_varied_move(const cf_varied *v, LLVMValueRef i, unsigned *which);
/* Inline assembly that does nothing, whose result is its argument. */
bool cf_is_empty_assembly(LLVMValueRef callee);

#endif
