/* Running a whole program in this process: its constructors, main, and what runs when it ends.
 *
 * In:     c->module with a main
 * Out:    what main returned; code that the program left for its end stays registered
 * Needs:  requests made, code not               Keeps: the JIT alive as long as the session
 *
 * Idea: the program gets one function `__cf_start` that does what a C library's startup code does, in the same order:
 * destructors registered, constructors by priority, main. Functions of the C library that no shared object exports
 * (atexit and the like are linked into each program) are handed to the JIT by address. */
#include "jit/session.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>

extern char **environ;
extern int __cxa_atexit(void (*)(void *), void *, void *);

/* ---- constructors and destructors ---- */

typedef struct entry {
    uint64_t priority;
    size_t order;
    LLVMValueRef function;
} entry;
typedef CF_VEC(entry) entries;

static int ascending(const void *x, const void *y) {
    const entry *a = x, *b = y;
    if (a->priority != b->priority) return a->priority < b->priority ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* Takes llvm.global_ctors or llvm.global_dtors out of the module; in the order in which constructors run. */
static entries take_list(cofactor *c, const char *name) {
    entries all = {0};
    LLVMValueRef list = LLVMGetNamedGlobal(c->module, name);
    LLVMValueRef init = list ? LLVMGetInitializer(list) : NULL;
    for (int i = 0, n = init ? LLVMGetNumOperands(init) : 0; i < n; i++) {
        LLVMValueRef one = LLVMGetOperand(init, (unsigned)i);
        LLVMValueRef f = l_without_aliases(LLVMGetOperand(one, 1));
        if (!LLVMIsAFunction(f)) continue;
        cf_push(c->arena, &all, (entry){LLVMConstIntGetZExtValue(LLVMGetOperand(one, 0)), all.n, f});
    }
    if (list) LLVMDeleteGlobal(list);
    if (all.n) qsort(all.at, all.n, sizeof *all.at, ascending);
    return all;
}

/* ---- the start ---- */

typedef struct starter {
    cofactor *c;
    LLVMContextRef context;
    LLVMBuilderRef b;
    LLVMTypeRef word, pointer, nothing;
} starter;

/* A call with as many of (argc, argv, envp) as the function takes. */
static LLVMValueRef call(const starter *s, LLVMValueRef f, LLVMValueRef *arguments, unsigned have) {
    LLVMTypeRef type[3];
    unsigned n = LLVMCountParams(f);
    if (n > have) return NULL;
    LLVMGetParamTypes(l_function_type(f), type);
    for (unsigned i = 0; i < n; i++)
        if (type[i] != LLVMTypeOf(arguments[i])) return NULL;
    return l_call(s->b, f, arguments, n, "");
}

/* `void name(ptr)` that runs the destructors, the last one first. */
static LLVMValueRef make_ending(const starter *s, const entries *destructors) {
    LLVMTypeRef pointer = s->pointer, type = LLVMFunctionType(s->nothing, &pointer, 1, 0);
    LLVMValueRef f = LLVMAddFunction(s->c->module, "__cf_end", type);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(s->b, LLVMAppendBasicBlockInContext(s->context, f, "entry"));
    for (size_t i = destructors->n; i-- > 0;) call(s, destructors->at[i].function, NULL, 0);
    LLVMBuildRetVoid(s->b);
    return f;
}

/* Destructors run after everything that the program registers for its end: so they are registered before it. */
static void register_ending(const starter *s, LLVMValueRef ending) {
    static const char name[] = "__cxa_atexit";
    LLVMTypeRef type[3] = {s->pointer, s->pointer, s->pointer};
    LLVMValueRef f = LLVMGetNamedFunction(s->c->module, name);
    if (!f) f = LLVMAddFunction(s->c->module, name, LLVMFunctionType(s->word, type, 3, 0));
    LLVMValueRef null = l_zero(s->pointer), arguments[3] = {ending, null, null};
    l_call(s->b, f, arguments, 3, "");
}

/* `int __cf_start(int argc, char **argv, char **envp)`. False after a message. */
static bool make_start(cofactor *c, LLVMValueRef main) {
    starter s = {c,
                 c->context,
                 LLVMCreateBuilderInContext(c->context),
                 LLVMInt32TypeInContext(c->context),
                 LLVMPointerTypeInContext(c->context, 0),
                 LLVMVoidTypeInContext(c->context)};
    entries constructors = take_list(c, "llvm.global_ctors"), destructors = take_list(c, "llvm.global_dtors");
    LLVMValueRef ending = destructors.n ? make_ending(&s, &destructors) : NULL;
    LLVMTypeRef type[3] = {s.word, s.pointer, s.pointer};
    LLVMValueRef f = LLVMAddFunction(c->module, "__cf_start", LLVMFunctionType(s.word, type, 3, 0)), given[3];
    LLVMGetParams(f, given);
    LLVMPositionBuilderAtEnd(s.b, LLVMAppendBasicBlockInContext(s.context, f, "entry"));
    if (ending) register_ending(&s, ending);
    for (size_t i = 0; i < constructors.n; i++) call(&s, constructors.at[i].function, given, 3);
    LLVMValueRef result = call(&s, main, given, 3);
    if (result) LLVMBuildRet(s.b, LLVMTypeOf(result) == s.word ? result : l_zero(s.word));
    LLVMDisposeBuilder(s.b);
    if (result) return true;
    cf_place place = l_place(main);
    cf_fail_at(c, COFACTOR_BAD_INPUT, place,
               "`main` must take nothing, or (int, char **), or these and an environment");
    return false;
}

/* ---- what the process does not export, or otherwise than a program sees it ---- */

typedef struct given {
    const char *name;
    void (*address)(void);
} given;

/* The address of a thread's own copy of a variable of the process. */
static void *thread_variable(const char *name) { return dlsym(RTLD_DEFAULT, name); }

static const given own[] = {
    {"thread_variable", (void (*)(void))thread_variable}, {"atexit", (void (*)(void))atexit},
    {"at_quick_exit", (void (*)(void))at_quick_exit},     {"pthread_atfork", (void (*)(void))pthread_atfork},
    {"__cxa_atexit", (void (*)(void))__cxa_atexit}, /* else that of the JIT, which keeps what is registered to itself */
};
enum { OWN = sizeof own / sizeof *own };

#define PREFIX "__cf_process_"

/* The program refers to them by names that only we define. */
static void redirect_own(cofactor *c) {
    for (int i = 0; i < OWN; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(c->module, own[i].name);
        if (f && LLVMIsDeclaration(f)) l_set_name(f, cf_text(c->arena, PREFIX "%s", own[i].name));
    }
}

/* The JIT gives each thread variables of its own kind; those that the process has are found through it. */
static void share_variable(LLVMModuleRef m, LLVMValueRef g) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c, 0),
                type = LLVMFunctionType(pointer, &pointer, 1, false);
    LLVMValueRef f = LLVMGetNamedFunction(m, PREFIX "thread_variable"), name = NULL;
    if (!f) f = LLVMAddFunction(m, PREFIX "thread_variable", type);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    for (LLVMUseRef u = LLVMGetFirstUse(g), next; u; u = next) {
        LLVMValueRef call = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (!LLVMIsACallInst(call) ||
            !l_is_intrinsic_of(LLVMGetCalledValue(call), "llvm.threadlocal.address"))
            continue;
        LLVMPositionBuilderBefore(b, call);
        LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
        if (!name) name = LLVMBuildGlobalStringPtr(b, l_name(g), "cf.name");
        LLVMReplaceAllUsesWith(call, l_call(b, f, &name, 1, ""));
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDisposeBuilder(b);
}

void cf_run_share(LLVMModuleRef m) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(m), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (LLVMIsThreadLocal(g) && LLVMIsDeclaration(g) && thread_variable(l_name(g))) share_variable(m, g);
    }
}

bool cf_run_define(cofactor *c, LLVMOrcLLJITRef jit, LLVMOrcJITDylibRef main) {
    LLVMOrcCSymbolMapPair pair[OWN];
    for (int i = 0; i < OWN; i++) {
        pair[i].Name = LLVMOrcLLJITMangleAndIntern(jit, cf_text(c->arena, PREFIX "%s", own[i].name));
        pair[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)own[i].address;
        pair[i].Sym.Flags =
            (LLVMJITSymbolFlags){LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
    }
    LLVMErrorRef e = LLVMOrcJITDylibDefine(main, LLVMOrcAbsoluteSymbols(pair, OWN));
    if (e) LLVMConsumeError(e);
    return !e;
}

/* ---- libraries ---- */

/* Loads the first of the files that match and can be loaded. */
static bool load_match(const char *pattern) {
    glob_t found;
    bool loaded = false;
    if (glob(pattern, 0, NULL, &found)) return false;
    for (size_t i = 0; i < found.gl_pathc && !loaded; i++)
        loaded = dlopen(found.gl_pathv[i], RTLD_NOW | RTLD_GLOBAL) != NULL;
    globfree(&found);
    return loaded;
}

static bool add_library(cofactor *c, LLVMOrcJITDylibRef to, const char *name) {
    static const char *const places[] = {"/usr/local/lib", "/lib/*-linux-gnu", "/usr/lib/*-linux-gnu",
                                         "/lib64",         "/usr/lib64",       "/lib",
                                         "/usr/lib"};
    for (size_t i = 0; i < c->folders.n; i++)
        if (load_match(cf_text(c->arena, "%s/lib%s.so", c->folders.at[i], name)) ||
            cfx_lljit_add_archive(c->jit, to, cf_text(c->arena, "%s/lib%s.a", c->folders.at[i], name)))
            return true;
    if (dlopen(cf_text(c->arena, "lib%s.so", name), RTLD_NOW | RTLD_GLOBAL)) return true;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (load_match(cf_text(c->arena, "%s/lib%s.so*", places[i], name))) return true;
    cf_fail(c, COFACTOR_BAD_INPUT, "there is no library `%s` that can be loaded (-l%s; -L names folders)",
            name, name);
    return false;
}

bool cf_run_libraries(cofactor *c, LLVMOrcJITDylibRef main) {
    bool good = true;
    for (size_t i = 0; i < c->libraries.n; i++) good &= add_library(c, main, c->libraries.at[i]);
    return good;
}

/* ---- running ---- */

typedef int start_function(int argc, char **argv, char **envp);

static cofactor_status prepare(cofactor *c, start_function **start) {
    if (c->jit)
        return cf_fail(c, COFACTOR_BAD_CALL,
                       "the program already runs: it runs once for each cofactor object");
    if (!cf_session_main(c)) return COFACTOR_BAD_REQUEST;
    cofactor_status status = cf_session_differentiate(c);
    if (status) return status;
    c->whole = true;
    if (!make_start(c, cf_session_main(c))) return COFACTOR_BAD_INPUT;
    redirect_own(c);
    *start = (start_function *)cf_session_function(c, "__cf_start");
    return *start ? COFACTOR_OK : COFACTOR_BAD_OUTPUT;
}

cofactor_status cofactor_run(cofactor *c, int argc, char **argv, int *result) {
    start_function *start = NULL;
    pthread_mutex_lock(&c->lock);
    cofactor_status status = prepare(c, &start);
    pthread_mutex_unlock(&c->lock);
    if (!status) *result = start(argc, argv, environ);
    return status;
}
