/* Splits weak functions in body and name.
 *
 * In:     a module
 * Out:    the same program: `weak f` became local `f.here` and a weak alias f of it
 * Keeps:  what the names mean                        Breaks: nothing */
#include "ir/weak.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "support/vec.h"

static bool is_weak(LLVMValueRef f) {
    LLVMLinkage l = LLVMGetLinkage(f);
    return !LLVMIsDeclaration(f) && (l == LLVMWeakAnyLinkage || l == LLVMLinkOnceAnyLinkage);
}

static void split(cf_job *job, LLVMValueRef f) {
    LLVMModuleRef m = job->module;
    const char *name = cf_text(job->arena, "%s", l_name(f));
    l_set_name(f, cf_text(job->arena, "%s.here", name));
    LLVMValueRef alias = LLVMAddAlias2(m, l_function_type(f), 0, f, name);
    LLVMSetLinkage(alias, LLVMGetLinkage(f));
    LLVMSetVisibility(alias, LLVMGetVisibility(f));
    CF_VEC(LLVMValueRef) of_body = {0}; /* other aliases mean the body, whatever becomes of the name */
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(m); a; a = LLVMGetNextGlobalAlias(a))
        if (LLVMAliasGetAliasee(a) == f) cf_push(job->arena, &of_body, a);
    LLVMReplaceAllUsesWith(f, alias);
    for (size_t i = 0; i < of_body.n; i++) LLVMAliasSetAliasee(of_body.at[i], f);
    LLVMSetVisibility(f, LLVMDefaultVisibility);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    l_add_text(f, "cf-name", name);
}

void cf_split_weak(cf_job *job) {
    CF_VEC(LLVMValueRef) weak = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        if (is_weak(f) && !l_begins(l_name(f), "__cf_")) cf_push(job->arena, &weak, f);
    for (size_t i = 0; i < weak.n; i++) split(job, weak.at[i]);
}
