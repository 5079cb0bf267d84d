/* Calls by other types than the function's, in ways that C allows or that programs get away with.
 *
 * In:     the private module, before it is prepared
 * Out:    such a call has the function's type: what is called through a declaration with empty parentheses, whose result is
 *         declared otherwise and not used, or that gets more arguments than the function takes
 * Keeps:  calls that do not fit: limits.c refuses them
 *
 * Units declare a function each in its own way; where they are linked (--link, full LTO) one definition remains. */
#include "ir/clone.h"
#include "llvm/l.h"
#include "request/request.h"

/* How an argument is passed that its type does not show. */
static bool same_passing(LLVMValueRef call, LLVMValueRef f, unsigned k) {
    static const char *const names[] = {"byval", "sret", "inreg", "nest"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (l_has_call(call, k + 1, names[i]) != l_has(f, k + 1, names[i])) return false;
    return true;
}

static bool arguments_fit(LLVMValueRef call, LLVMValueRef f) {
    LLVMTypeRef type = l_function_type(f);
    unsigned n = LLVMCountParamTypes(type);
    if (LLVMGetNumArgOperands(call) < n) return false;
    for (unsigned k = 0; k < n; k++)
        if (LLVMTypeOf(LLVMGetOperand(call, k)) != LLVMTypeOf(LLVMGetParam(f, k)) ||
            !same_passing(call, f, k))
            return false;
    return true;
}

/* An unused result may be of any type, but one that is returned through memory. */
static bool result_fits(LLVMValueRef call, LLVMValueRef f) {
    return LLVMTypeOf(call) == l_return_type(f) || !LLVMGetFirstUse(call);
}

static bool fits(LLVMValueRef call, LLVMValueRef f) {
    return f && !l_is_intrinsic(f) && l_function_type(f) != LLVMGetCalledFunctionType(call) &&
           LLVMGetInstructionCallConv(call) == LLVMGetFunctionCallConv(f) && !cf_is_musttail(call) &&
           arguments_fit(call, f) && result_fits(call, f);
}

static void fit(cf_job *job, LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef f) {
    LLVMTypeRef type = l_function_type(f);
    unsigned n = LLVMIsFunctionVarArg(type) ? LLVMGetNumArgOperands(call) : LLVMCountParamTypes(type);
    LLVMValueRef *a = CF_ARRAY(job->arena, LLVMValueRef, n + 1);
    for (unsigned k = 0; k < n; k++) a[k] = LLVMGetOperand(call, k);
    LLVMValueRef made = cf_call_instead(b, call, type, f, a, n);
    bool same = LLVMTypeOf(made) == LLVMTypeOf(call);
    for (unsigned k = !same; k <= n; k++) cf_keep_call_attributes(call, k, made, k);
    if (same && !l_is_void_type(LLVMTypeOf(call))) LLVMReplaceAllUsesWith(call, made);
    LLVMInstructionEraseFromParent(call);
}

void cf_fit_calls(cf_job *job) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
            for (LLVMValueRef i = LLVMGetFirstInstruction(k), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                LLVMValueRef callee = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) ? l_callee(i) : NULL;
                if (fits(i, callee)) fit(job, b, i, callee);
            }
    LLVMDisposeBuilder(b);
}
