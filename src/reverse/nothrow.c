/* Copies of functions that catch exceptions, without their handlers, for reverse mode.
 *
 * In:     job->module, before cf_prepare
 * Out:    for each function with an invoke, and each that calls one, a local copy in which calls do not come back by
 *         unwinding; calls between such functions go to the copies. So no invoke is inlined into what is differentiated
 * Keeps:  the functions themselves, which forward mode uses
 *
 * An exception that is thrown in the forward sweep leaves the request: it is not caught inside, so that no reverse sweep
 * runs after it. */
#include "ir/clone.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "llvm/records.h"
#include "reverse/reverse.h"
#include "support/vec.h"

static bool has_invoke(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        if (LLVMGetBasicBlockTerminator(b) && LLVMIsAInvokeInst(LLVMGetBasicBlockTerminator(b))) return true;
    return false;
}

/* ---- which ---- */

typedef struct functions {
    CF_VEC(LLVMValueRef) all;
    cf_map seen;
} functions;

static void add(cf_job *job, functions *to, LLVMValueRef f) {
    if (l_has_text(f, "cf-keep") || cf_map_get(&to->seen, f)) return;
    cf_map_put(job->arena, &to->seen, f, f);
    cf_push(job->arena, &to->all, f);
}

static void add_callers(cf_job *job, functions *to, LLVMValueRef f) {
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == f) add(job, to, l_function_of(user));
    }
}

/* ---- the copies ---- */

static const char *name_of(cf_job *job, LLVMValueRef f) {
    return cf_text(job->arena, "nothrow %p", (void *)f);
}

LLVMValueRef cf_nothrow_of(cf_job *job, LLVMValueRef f) {
    LLVMValueRef copy = cf_names_get(&job->made, name_of(job, f));
    return copy ? copy : f;
}

static LLVMValueRef copy_function(cf_job *job, LLVMValueRef f) {
    const char *name = cf_text(job->arena, "%s.nothrow", l_name(f));
    LLVMValueRef copy = cf_clone_declare(job, f, name, l_function_type(f));
    cf_clone c;
    cf_clone_begin(&c, job, f, copy);
    for (unsigned k = 0; k < LLVMCountParams(f); k++)
        cf_map_put(job->arena, &c.values, LLVMGetParam(f, k), LLVMGetParam(copy, k));
    cf_clone_body(&c);
    cf_clone_end(&c);
    l_remove_text(copy, "cf-made"); /* it is to be prepared like any function of the program */
    return copy;
}

static void redirect_calls(cf_job *job, LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? l_callee(i) : NULL,
                         copy = callee ? cf_nothrow_of(job, callee) : NULL;
            if (copy && copy != callee) LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1, copy);
        }
}

static bool copy_all(cf_job *job, LLVMValueRef *f, size_t n) {
    bool records = l_records_begin(job->module);
    for (size_t i = 0; i < n; i++)
        cf_names_put(job->arena, &job->made, name_of(job, f[i]), copy_function(job, f[i]));
    l_records_end(job->module, records);
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        LLVMValueRef copy = cf_nothrow_of(job, f[i]);
        ok = cfx_run_on_function(copy, "lower-invoke");
        redirect_calls(job, copy);
    }
    return ok;
}

bool cf_copy_nothrow(cf_job *job) {
    functions found = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        if (has_invoke(f)) add(job, &found, f);
    for (size_t i = 0; i < found.all.n; i++) add_callers(job, &found, found.all.at[i]);
    return !found.all.n || copy_all(job, found.all.at, found.all.n);
}
