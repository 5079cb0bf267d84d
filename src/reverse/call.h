/* Calls in reverse mode: shared between call.c, memory.c and indirect.c. */
#ifndef CF_REVERSE_CALL_H
#define CF_REVERSE_CALL_H
#include "known/known.h"
#include "reverse/sweep.h"

typedef enum cf_meaning {
    CF_MEANS_NOTHING, /* stays as it is in the forward sweep, has no reverse */
    CF_MEANS_ALLOCA,
    CF_MEANS_STACK, /* lifetimes, stack pointers: what the reverse sweep needs lives on */
    CF_MEANS_KNOWN, /* a function of the C library that matters to memory */
    CF_MEANS_PARTIALS,
    CF_MEANS_CUSTOM,
    CF_MEANS_PAIR,
    CF_MEANS_INDIRECT,
    CF_MEANS_UNKNOWN, /* no body, no rule */
    CF_MEANS_ASM,
} cf_meaning;

cf_meaning cf_meaning_of(cf_sweep *s, cf_id i, const cf_rule **rule, const cf_known **known);

/* A result with a shadow: a pointer, or a struct with a pointer in it. */
bool cf_gives_pointer(LLVMTypeRef result);

/* A parameter of this type, if it is `dup`, is followed by an address: a shadow, or the home of its adjoint. */
bool cf_takes_address(const cf_key *key, LLVMTypeRef type);

/* Types of the two functions of a pair, for a primal of function type `primal` (docs/architecture.md). */
void cf_pair_types(cf_job *job, const cf_key *key, LLVMTypeRef primal, LLVMTypeRef *aug, LLVMTypeRef *rev);

/* memory.c: allocation, copies, functions that write. */
void cf_forward_alloca(cf_sweep *s, cf_id i);
void cf_reverse_alloca(cf_sweep *s, cf_id i);
void cf_drop_stack_call(cf_sweep *s, cf_id i);
/* release.c: a block that is not malloc's is freed. */
void cf_forward_release(cf_sweep *s, cf_id i, const cf_known *known);
void cf_forward_known(cf_sweep *s, cf_id i, const cf_known *known);
void cf_reverse_known(cf_sweep *s, cf_id i, const cf_known *known);

/* indirect.c: the pair of whatever function a pointer is at run time. All arguments and the result
 * count as differentiated, but integers only where the call passes numbers in them: the key that every function of this
 * type is asked for. */
cf_key cf_pointer_key(cf_sweep *s, cf_id call);
/* Calls aug (in the forward sweep) or rev, whose type is `pair`, of the function at `pointer` with n arguments. */
LLVMValueRef cf_call_through(cf_sweep *s, const cf_pair_call *c, bool forward, LLVMTypeRef pair,
                             LLVMValueRef *a, unsigned n, LLVMValueRef pointer);
/* The forward sweep ends the program with a message when something active goes into a call of a function that has no
 * pair. */
void cf_check_foreign(cf_sweep *s, cf_id call);

#endif
