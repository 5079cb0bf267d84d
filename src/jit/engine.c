/* Running the program in this process, through LLVM's ORC.
 *
 * In:     c->module after the requests
 * Out:    addresses of its functions
 * Needs:  derivatives made                 Keeps: c->module (the JIT gets a clone)
 */
#include "jit/session.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include <llvm-c/Comdat.h>

/* Reports an LLVM error and takes it over; false when there was one. */
static bool fine(cofactor *c, LLVMErrorRef e, const char *doing) {
    if (!e) return true;
    char *text = LLVMGetErrorMessage(e);
    cf_fail(c, COFACTOR_BAD_OUTPUT, "%s: %s", doing, text);
    LLVMDisposeErrorMessage(text);
    return false;
}

static void from_orc(void *user, LLVMErrorRef e) {
    fine(user, e,
         "the program cannot be run here (functions that it lacks can be in a further file, or in this "
         "process)");
}

/* The machine that we run on, with the instruction set that each function was compiled for. */
static LLVMOrcLLJITRef make_jit(cofactor *c) {
    LLVMOrcJITTargetMachineBuilderRef machine;
    if (!fine(c, LLVMOrcJITTargetMachineBuilderDetectHost(&machine), "this machine is not known"))
        return NULL;
    LLVMOrcLLJITBuilderRef b = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(b, machine);
    LLVMOrcLLJITRef jit = NULL;
    if (!fine(c, LLVMOrcCreateLLJIT(&jit, b), "no code can be made in this process")) return NULL;
    LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit), from_orc, c);
    LLVMOrcDefinitionGeneratorRef process = NULL;
    LLVMErrorRef e = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
        &process, LLVMOrcLLJITGetGlobalPrefix(jit), NULL, NULL);
    if (fine(c, e, "symbols of this process cannot be found")) {
        LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), process);
        return jit;
    }
    LLVMConsumeError(LLVMOrcDisposeLLJIT(jit));
    return NULL;
}

/* True when the program is for the machine that we run on. */
static bool is_native(cofactor *c) {
    char *here = LLVMGetDefaultTargetTriple();
    const char *there = LLVMGetTarget(c->module);
    size_t n = strcspn(here, "-");
    bool native =
        !strncmp(here, there, n) && there[n] == '-' && strstr(there, "linux") && strstr(here, "linux");
    if (!native)
        cf_fail(c, COFACTOR_BAD_OUTPUT, "the program is for %s and cannot be run on this machine, %s", there,
                here);
    LLVMDisposeMessage(here);
    return native;
}

/* In one module nothing is there twice. JITLink loses the unwind tables when a local function of a group lies in a
 * section that is called like another. */
static void drop_groups(LLVMModuleRef m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) LLVMSetComdat(f, NULL);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) LLVMSetComdat(g, NULL);
}

static bool drop_jit(cofactor *c) {
    LLVMConsumeError(LLVMOrcDisposeLLJIT(c->jit));
    c->jit = NULL;
    return false;
}

static bool start(cofactor *c) {
    if (c->jit) return true;
    if (cf_session_differentiate(c) || !is_native(c) || cf_session_optimise(c)) return false;
    c->jit = make_jit(c);
    if (!c->jit) return false;
    LLVMOrcJITDylibRef main = LLVMOrcLLJITGetMainJITDylib(c->jit);
    if (!cf_run_libraries(c, main) || !cf_run_define(c, c->jit, main)) return drop_jit(c);
    LLVMModuleRef copy = cf_session_copy(c);
    drop_groups(copy);
    cf_run_share(copy);
    LLVMOrcThreadSafeModuleRef m = LLVMOrcCreateNewThreadSafeModule(copy, c->shared);
    if (!fine(c, LLVMOrcLLJITAddLLVMIRModule(c->jit, main, m), "the program cannot be compiled"))
        return false;
    c->stage = CF_STAGE_RUNNING;
    if (cfx_lljit_initialize(c->jit, main)) return true;
    cf_fail(c, COFACTOR_BAD_OUTPUT, "the program's static constructors cannot be run");
    return false;
}

cofactor_any_function cf_session_function(cofactor *c, const char *name) {
    if (!start(c)) return NULL;
    LLVMValueRef f = LLVMGetNamedFunction(c->module, name);
    const char *symbol = f ? name : NULL;
    if (!f && (f = cf_session_find(c, name))) symbol = l_name(f);
    if (!symbol) return NULL;
    LLVMOrcExecutorAddress address = 0;
    unsigned before = c->sink.errors;
    LLVMErrorRef e = LLVMOrcLLJITLookup(c->jit, &address, symbol);
    if (e && c->sink.errors > before) { /* from_orc has said why */
        LLVMConsumeError(e);
        return NULL;
    }
    if (!fine(c, e, "the program cannot be compiled")) return NULL;
    return (cofactor_any_function)(uintptr_t)address;
}
