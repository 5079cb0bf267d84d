/* Identity: every function that f reaches is cloned, nothing is changed. It shows what the engine itself costs and
 * keeps.
 *
 * In:     a function with a body
 * Out:    its clone, which calls clones directly and through pointers
 * Needs:  a valid module       Keeps: the functions cloned       Breaks: nothing */
#include "domain/identity.h"
#include "dub/dub.h"
#include "llvm/l.h"

static cf_key key_of(cf_job *job, LLVMValueRef f, LLVMTypeRef type) {
    unsigned n = LLVMCountParamTypes(type);
    return (cf_key){.function = f, .width = 1, .n = n, .arg = CF_ARRAY(job->arena, uint8_t, n + 1)};
}

static cf_target resolve(cf_body *b, LLVMValueRef call) {
    LLVMValueRef f = l_callee(call);
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    cf_target keep = {.kind = CF_CALL_KEEP};
    if (!f || LLVMIsDeclaration(f) || l_function_type(f) != type) return keep;
    return (cf_target){.kind = CF_CALL_CLONE, .key = key_of(b->job, f, type)};
}

static const cf_domain identity = {.name = "identity", .suffix = ".same", .resolve = resolve};

LLVMValueRef cf_identity_of(cf_job *job, LLVMValueRef f) {
    cf_dub d;
    cf_dub_begin(&d, job, &identity, NULL);
    cf_key key = key_of(job, f, l_function_type(f));
    LLVMValueRef made = cf_dub_function(&d, &key);
    return cf_dub_run(&d) ? made : NULL;
}
