/* Clone: the body of one function, copied into another one of any signature.
 *
 * In:     a function with a body, a function without
 * Out:    the second has the first's body; a map from old values and blocks to new ones
 * Needs:  l_records_begin (llvm/records.h) over the module
 * Keeps:  the first function                        Breaks: views of the second
 *
 * Idea: all blocks, then all instructions with old operands, then operands are exchanged; phis are built anew,
 * because llvm-c cannot change their blocks. Source locations stay those of the first function, said to be inlined
 * into the second, so that a debugger shows the user's lines and variables.
 *
 * Use: cf_clone_declare, cf_clone_begin, cf_map_put(arena, &c.values, parameter, new value) for each parameter,
 * cf_clone_body, edits, cf_clone_end. */
#ifndef CF_CLONE_H
#define CF_CLONE_H
#include "ir/job.h"
#include <llvm-c/DebugInfo.h>

typedef struct cf_clone {
    cf_job *job;
    LLVMValueRef from, to;
    cf_map values;         /* old value, or block as a value → new one */
    cf_map locations;      /* old debug location → new one */
    cf_map expressions;    /* debug expression → whether it takes several values */
    LLVMMetadataRef outer; /* line of `to` itself; NULL without debug information */
    LLVMDIBuilderRef debug;
} cf_clone;

/* A new local function with what a function of this module must have in common with `from`: calling convention,
 * personality, garbage collector, section, and the attributes that are no promise about what the body does. Where
 * the type is that of `from`, parameters keep names and attributes; else see cf_keep_attributes. */
LLVMValueRef cf_clone_declare(cf_job *job, LLVMValueRef from, const char *name, LLVMTypeRef type);

/* What cf_clone_declare gives a function, apart from its parameters' attributes. */
void cf_clone_dress(LLVMValueRef from, LLVMValueRef to);

void cf_clone_begin(cf_clone *c, cf_job *job, LLVMValueRef from, LLVMValueRef to);
void cf_clone_body(cf_clone *c);
void cf_clone_end(cf_clone *c);

/* What stands for an old value in the new function: constants stand for themselves, unless they name blocks of the
 * old one. */
LLVMValueRef cf_clone_value(cf_clone *c, LLVMValueRef old);
LLVMBasicBlockRef cf_clone_block(cf_clone *c, LLVMBasicBlockRef old);
LLVMMetadataRef cf_clone_location(cf_clone *c, LLVMMetadataRef old);

/* Adds those attributes of `from` at place i that say how a value is passed or laid out (and nothing about what a
 * body does) to function `to` at place j. Places: 0 result, 1… parameters. */
void cf_keep_attributes(LLVMValueRef from, unsigned i, LLVMValueRef to, unsigned j);
/* The same for call sites. */
void cf_keep_call_attributes(LLVMValueRef from, unsigned i, LLVMValueRef to, unsigned j);

/* The alignment that an access to a shadow may count on where the primal's access is `access` (a load or store): at most
 * that of the elements of its type. A shadow is laid out like the primal's memory, but may lie at an address that is a
 * multiple of less. */
unsigned cf_shadow_alignment(LLVMValueRef access);
/* For a copy of an instruction that works on shadows: what metadata promise (not null, aligned, no alias) holds of the
 * primal alone. tbaa is kept. */
void cf_forget_promises(LLVMValueRef copy);

/* From function `from`, its result and all parameters, to a call of it or of what has the same parameters. */
void cf_pass_as_declared(LLVMValueRef from, LLVMValueRef call);

/* Builds, right behind `call` (call or invoke), a call of `callee` in its stead, with its location, convention and
 * flags; of its attributes none. Operand bundles are kept. `call` stays, the builder stands behind the new call (an
 * invoke: at the end of the block). */
LLVMValueRef cf_call_instead(LLVMBuilderRef b, LLVMValueRef call, LLVMTypeRef type, LLVMValueRef callee,
                             LLVMValueRef *args, unsigned n);

/* Gives a new instruction the flags that both kinds have: fast-math. */
void cf_copy_fast_math(LLVMValueRef from, LLVMValueRef to);

/* The call has the form that must be a tail call. */
bool cf_is_musttail(LLVMValueRef call);

#endif
