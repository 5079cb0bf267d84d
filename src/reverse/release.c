/* Blocks of allocators that are not malloc's: they are given back by their own function when the gradient ends.
 *
 * In:     the sweep, a call that frees a block
 * Out:    forward: its arguments are noted on the tape, with a function that makes the call from them
 * Breaks: the call, which is gone from the forward sweep */
#include "reverse/call.h"

static LLVMTypeRef arguments_type(cf_sweep *s, LLVMValueRef call) {
    unsigned n = LLVMGetNumArgOperands(call);
    LLVMTypeRef *t = CF_ARRAY(s->arena, LLVMTypeRef, n + 1);
    for (unsigned k = 0; k < n; k++) t[k] = LLVMTypeOf(LLVMGetOperand(call, k));
    return LLVMStructTypeInContext(s->job->context, t, n, false);
}

/* void end(ptr arguments) { release(arguments->…); } */
static LLVMValueRef ender(cf_sweep *s, LLVMValueRef call, LLVMTypeRef arguments) {
    LLVMValueRef f = l_callee(call);
    const char *name = cf_text(s->arena, "release by %s", l_name(f));
    LLVMValueRef made = cf_names_get(&s->job->made, name);
    if (made) return made;
    LLVMContextRef c = s->job->context;
    LLVMTypeRef ptr = LLVMPointerTypeInContext(c, 0);
    made = LLVMAddFunction(s->job->module, cf_text(s->arena, "cf.release.%s", l_name(f)),
                           LLVMFunctionType(LLVMVoidTypeInContext(c), &ptr, 1, false));
    LLVMSetLinkage(made, LLVMInternalLinkage);
    l_add_text(made, "cf-made", "");
    cf_names_put(s->job->arena, &s->job->made, name, made);
    cf_note_made(s->job, name);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c, made, ""));
    unsigned n = LLVMGetNumArgOperands(call);
    LLVMValueRef *a = CF_ARRAY(s->arena, LLVMValueRef, n + 1);
    for (unsigned k = 0; k < n; k++)
        a[k] = LLVMBuildLoad2(b, LLVMStructGetTypeAtIndex(arguments, k),
                              LLVMBuildStructGEP2(b, arguments, LLVMGetParam(made, 0), k, ""), "");
    cf_pass_as_declared(f, l_call(b, f, a, n, ""));
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return made;
}

/* Shadows are malloc's whatever their blocks are. */
static void defer_shadow(cf_sweep *s, LLVMValueRef block, LLVMValueRef shadow) {
    LLVMValueRef a[] = {s->tape_fwd, LLVMConstNull(LLVMTypeOf(block)), shadow};
    LLVMValueRef none = LLVMBuildICmp(s->f, LLVMIntEQ, shadow, block, "");
    a[2] = LLVMBuildSelect(s->f, none, a[1], shadow, "");
    l_call(s->f, cf_tape_function(s, "__cf_tape_defer"), a, 3, "");
}

void cf_forward_release(cf_sweep *s, cf_id i, const cf_known *known) {
    LLVMValueRef call = s->v->value[i].value, old = cf_forward_value(s, i);
    cf_id block = s->v->value[i].operand[(unsigned)known->pointer];
    LLVMValueRef own = LLVMGetOperand(old, (unsigned)known->pointer);
    LLVMTypeRef arguments = arguments_type(s, call), ptr = LLVMTypeOf(own);
    bool shadow = cf_has_shadow(s->act, block);
    for (unsigned k = 0; k < s->width && shadow; k++) cf_forward_shadow(s, block, k);
    LLVMPositionBuilderBefore(s->f, old);
    LLVMValueRef slot = l_slot(s->f, arguments, "cf.release");
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        LLVMBuildStore(s->f, LLVMGetOperand(old, k), LLVMBuildStructGEP2(s->f, arguments, slot, k, ""));
    LLVMValueRef a[] = {s->tape_fwd, ender(s, call, arguments),
                        slot,        l_i64(s->job->context, l_size(s->job->module, arguments)),
                        own,         shadow ? cf_forward_shadow(s, block, 0) : LLVMConstNull(ptr)};
    l_call(s->f, cf_tape_function(s, "__cf_tape_defer_call"), a, 6, "");
    for (unsigned k = 1; k < s->width && shadow; k++) defer_shadow(s, own, cf_forward_shadow(s, block, k));
    s->uses_tape = true;
    cf_map_put(s->job->arena, &s->clone.values, call, LLVMConstNull(ptr));
    LLVMInstructionEraseFromParent(old);
}
