/* The tape's code in the private module: the bitcode of src/runtime.
 *
 * In:     job->module
 * Out:    its functions, local; those that nothing calls are removed at the end */
#include "llvm/embed.h"
#include "reverse/reverse.h"
#include "reverse/sweep.h"
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

typedef struct linked {
    CF_VEC(const char *) name;
} linked;

static const char key[] = "tape linked";

/* Promises of the tape's own compilation that do not hold where it is inlined. */
static void settle_attributes(LLVMValueRef f) {
    static const char *const text[] = {"target-cpu",
                                       "target-features",
                                       "tune-cpu",
                                       "frame-pointer",
                                       "min-legal-vector-width",
                                       "no-trapping-math",
                                       "stack-protector-buffer-size"};
    static const char *const kind[] = {"uwtable", "sspstrong", "ssp", "optnone"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) l_remove_text(f, text[i]);
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) l_remove_f(f, kind[i]);
    l_add_text(f, "cf-made", "");
    LLVMSetLinkage(f, LLVMInternalLinkage);
}

bool cf_tape_link(cf_job *job) {
    if (cf_names_get(&job->made, key)) return true;
    linked *all = CF_NEW(job->arena, linked);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)cf_runtime_bitcode,
                                                                           cf_runtime_bitcode_size, "tape");
    LLVMModuleRef tape;
    bool bad = LLVMParseBitcodeInContext2(job->context, buffer, &tape);
    LLVMDisposeMemoryBuffer(buffer);
    if (!bad) {
        LLVMSetTarget(tape, LLVMGetTarget(job->module));
        LLVMSetDataLayout(tape, LLVMGetDataLayoutStr(job->module));
        for (LLVMValueRef f = LLVMGetFirstFunction(tape); f; f = LLVMGetNextFunction(f))
            if (!LLVMIsDeclaration(f)) cf_push(job->arena, &all->name, cf_text(job->arena, "%s", l_name(f)));
        bad = LLVMLinkModules2(job->module, tape);
    }
    if (bad) {
        cf_report(job->sink, CF_ERROR, (cf_place){0}, NULL,
                  "the tape's bitcode does not fit this program's target");
        return false;
    }
    for (size_t i = 0; i < all->name.n; i++)
        settle_attributes(LLVMGetNamedFunction(job->module, all->name.at[i]));
    cf_names_put(job->arena, &job->made, key, all);
    return true;
}

void cf_tape_finish(cf_job *job) {
    linked *all = cf_names_get(&job->made, key);
    for (bool removed = all != NULL; removed;) {
        removed = false;
        for (size_t i = 0; i < all->name.n; i++) {
            LLVMValueRef f = all->name.at[i] ? LLVMGetNamedFunction(job->module, all->name.at[i]) : NULL;
            if (!f || LLVMGetFirstUse(f)) continue;
            LLVMDeleteFunction(f);
            all->name.at[i] = NULL;
            removed = true;
        }
    }
}
