/* What the files of the context domain share of a body in work: how the function is inside, and what is in its place. */
#ifndef CF_CONTEXT_BODY_H
#define CF_CONTEXT_BODY_H
#include "domain/context.h"
#include "llvm/l.h"

/* What is asked of a clone, in its key. AT: where the context is among the parameters. NEXT: of an override, 1 + the place
 * in context->next of the function that it stands in front of, in digits; 0: none, or it does not matter. */
enum {
    K_HOOKS,
    K_ACTIVE,
    K_DEPTH,
    K_GUEST,
    K_AT,
    K_NEXT,
    K_DIGITS = 3,
    K_DIGIT = 128,
    K_COUNT = K_NEXT + K_DIGITS
};

cf_key cf_context_key(cf_job *job, LLVMValueRef f, bool hooks, bool active, unsigned depth, bool guest,
                      unsigned at);
/* Of a function called from a body. */
cf_key cf_context_callee_key(cf_body *b, LLVMValueRef f, unsigned at);

static inline cf_within *cf_within_of(cf_body *b) { return b->state; }

/* A value that hooks can be given; NULL: there is none. */
static inline LLVMValueRef cf_value_or_null(LLVMValueRef v) {
    return l_is_void_type(LLVMTypeOf(v)) ? NULL : v;
}

/* context_operation.c */
void cf_context_operation(cf_body *b, LLVMValueRef i);
/* The same, but for its line. */
void cf_context_operate(cf_body *b, LLVMValueRef i);
/* Puts a value, made by hooks behind an instruction, in its place everywhere but in these hooks. */
void cf_context_replace(cf_body *b, LLVMValueRef old, LLVMValueRef by);
/* A multiplication and addition that may be fused, built as two operations when something is for one of them. */
bool cf_context_split(cf_body *b, LLVMValueRef call);
/* The call in work, when that is an intrinsic which returns what C's function leaves at an address, and something is for
 * it: built with an address. */
bool cf_context_respell(cf_body *b, LLVMValueRef call);

/* context_call.c: the callbacks of the domain. */
cf_target cf_context_resolve(cf_body *b, LLVMValueRef call);
void cf_context_marshal(cf_body *b, LLVMValueRef call, const cf_key *key, cf_values *args);
LLVMValueRef cf_context_unmarshal(cf_body *b, LLVMValueRef call, const cf_key *key, LLVMValueRef made);
void cf_context_arguments(cf_body *b, LLVMValueRef call, const cf_key *key, LLVMValueRef made);

#endif
