/* Runs the engine over a file of IR, for tests of its domains.
 *
 * usage: dub identity IN OUT   clones every function, and makes the originals call their clones
 *
 * IN is .bc or .ll, OUT is written as bitcode. */
#include "domain/identity.h"
#include "support/vec.h"
#include "llvm/l.h"
#include <llvm-c/BitWriter.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>

static void copy_attributes(cf_job *job, LLVMValueRef from, LLVMValueRef call) {
    for (unsigned at = 0; at <= LLVMCountParams(from); at++) {
        unsigned n = LLVMGetAttributeCountAtIndex(from, at);
        LLVMAttributeRef *all = CF_ARRAY(job->arena, LLVMAttributeRef, n + 1);
        LLVMGetAttributesAtIndex(from, at, all);
        for (unsigned i = 0; i < n; i++) LLVMAddCallSiteAttribute(call, at, all[i]);
    }
}

/* Indirect branches make it impossible to empty a function. */
static bool has_block_addresses(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u; u = LLVMGetNextUse(u))
            if (LLVMIsABlockAddress(LLVMGetUser(u))) return true;
    return false;
}

static void empty(cf_job *job, LLVMValueRef f) {
    LLVMBasicBlockRef fresh = LLVMAppendBasicBlockInContext(job->context, f, "entry");
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != fresh; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetFirstUse(i)) LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) LLVMSetSuccessor(end, k, fresh);
    }
    while (LLVMGetFirstBasicBlock(f) != fresh) LLVMDeleteBasicBlock(LLVMGetFirstBasicBlock(f));
}

static void call_instead(cf_job *job, LLVMValueRef f, LLVMValueRef g) {
    if (LLVMIsFunctionVarArg(l_function_type(f)) || has_block_addresses(f)) return;
    empty(job, f);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    LLVMPositionBuilderAtEnd(b, LLVMGetFirstBasicBlock(f));
    unsigned n = LLVMCountParams(f);
    LLVMValueRef *args = CF_ARRAY(job->arena, LLVMValueRef, n + 1);
    LLVMGetParams(f, args);
    LLVMMetadataRef own = LLVMGetSubprogram(f);
    if (own)
        LLVMSetCurrentDebugLocation2(
            b, LLVMDIBuilderCreateDebugLocation(job->context, LLVMDISubprogramGetLine(own), 0, own, NULL));
    LLVMValueRef call = l_call(b, g, args, n, "");
    copy_attributes(job, f, call);
    l_is_void_type(LLVMTypeOf(call)) ? LLVMBuildRetVoid(b) : LLVMBuildRet(b, call);
    LLVMDisposeBuilder(b);
}

static bool run_identity(cf_job *job) {
    CF_VEC(LLVMValueRef) all = {0}, clones = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) cf_push(job->arena, &all, f);
    for (size_t i = 0; i < all.n; i++) {
        LLVMValueRef g = cf_identity_of(job, all.at[i]);
        if (!g) return false;
        cf_push(job->arena, &clones, g);
    }
    for (size_t i = 0; i < all.n; i++) call_instead(job, all.at[i], clones.at[i]);
    return true;
}

static int fail(const char *text) {
    fprintf(stderr, "dub: %s\n", text);
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 4) return fail("usage: dub identity IN OUT");
    cf_sink sink = {cf_print_message, NULL, 0};
    cf_job job = {.arena = cf_arena_new(), .sink = &sink, .context = LLVMContextCreate()};
    LLVMMemoryBufferRef text;
    char *error = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(argv[2], &text, &error)) return fail(error);
    if (LLVMParseIRInContext(job.context, text, &job.module, &error)) return fail(error);
    bool good = false;
    if (!strcmp(argv[1], "identity")) good = run_identity(&job);
    if (!good) return 1;
    if ((error = l_verify(job.module))) {
        LLVMPrintModuleToFile(job.module, "broken.ll", &(char *){NULL});
        return fail(error);
    }
    if (LLVMWriteBitcodeToFile(job.module, argv[3])) return fail("cannot write");
    LLVMDisposeModule(job.module);
    LLVMContextDispose(job.context);
    cf_arena_free(job.arena);
    return 0;
}
