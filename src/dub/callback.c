#include "dub/callback.h"
#include "llvm/cfx.h"
#include "llvm/embed.h"
#include "llvm/l.h"
#include "support/vec.h"
#include <llvm-c/BitReader.h>

/* name: of the C library's function. types: of its callbacks: result, `:`, parameters; v void, i int, l long (size_t),
 * p pointer. How long a callback lives, and what tells which one is called: src/runtime/during.c, later.c, signal.c, thread.c. */
struct cf_callback {
    const char *name, *types[2];
};

static const cf_callback table[] = {
    {"qsort", {"i:pp"}},
    {"qsort_r", {"i:ppp"}},
    {"bsearch", {"i:pp"}},
    {"lfind", {"i:pp"}},
    {"lsearch", {"i:pp"}},
    {"tsearch", {"i:pp"}},
    {"tfind", {"i:pp"}},
    {"tdelete", {"i:pp"}},
    {"twalk", {"v:pii"}},
    {"twalk_r", {"v:pip"}},
    {"tdestroy", {"v:p"}},
    {"ftw", {"i:ppi"}},
    {"ftw64", {"i:ppi"}},
    {"nftw", {"i:ppip"}},
    {"nftw64", {"i:ppip"}},
    {"scandir", {"i:p", "i:pp"}},
    {"scandir64", {"i:p", "i:pp"}},
    {"glob", {"i:pi"}},
    {"glob64", {"i:pi"}},
    {"dl_iterate_phdr", {"i:plp"}},
    {"pthread_once", {"v:"}},
    {"call_once", {"v:"}},
    {"pthread_create", {"p:p"}},
    {"thrd_create", {"i:p"}},
    {"pthread_key_create", {"v:p"}},
    {"tss_create", {"v:p"}},
    {"pthread_atfork", {"v:"}},
    {"atexit", {"v:"}},
    {"at_quick_exit", {"v:"}},
    {"on_exit", {"v:ip"}},
    {"__cxa_atexit", {"v:p"}},
    {"__cxa_thread_atexit", {"v:p"}},
    {"__cxa_thread_atexit_impl", {"v:p"}},
    {"signal", {"v:i"}},
    {"__sysv_signal", {"v:i"}},
    {"sysv_signal", {"v:i"}},
    {"ssignal", {"v:i"}},
    {"sigaction", {"v:i", "v:ipp"}},
    {"__cxa_throw", {"v:p"}},
    {"_ZSt13set_terminatePFvvE", {"v:"}},
    {"_ZSt14set_unexpectedPFvvE", {"v:"}},
    {"_ZSt15set_new_handlerPFvvE", {"v:"}},
    {"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE", {"v:p"}},
};
enum { ROWS = sizeof table / sizeof *table };

static const char caller_mark[] = "cf-caller", library[] = "library";

const cf_callback *cf_callback_of(LLVMValueRef f) {
    if (!LLVMIsDeclaration(f) || LLVMIsFunctionVarArg(l_function_type(f)) || LLVMCountParams(f) > 12)
        return NULL;
    for (int i = 0; i < ROWS; i++)
        if (!strcmp(l_name(f), table[i].name)) return &table[i];
    return NULL;
}

unsigned cf_callback_count(const cf_callback *k) { return k->types[1] ? 2 : 1; }

bool cf_is_caller(LLVMValueRef f) { return l_has_text(f, caller_mark); }

bool cf_calls_back(LLVMValueRef call) {
    unsigned n;
    LLVMAttributeRef a = l_get_text(l_function_of(call), caller_mark);
    return a && !strcmp(LLVMGetStringAttributeValue(a, &n), library);
}

/* ---- callers ---- */

static LLVMTypeRef type_of(cf_job *job, char letter) {
    switch (letter) {
    case 'v': return LLVMVoidTypeInContext(job->context);
    case 'i': return LLVMInt32TypeInContext(job->context);
    case 'l': return LLVMIntPtrTypeInContext(job->context, LLVMGetModuleDataLayout(job->module));
    default: return LLVMPointerTypeInContext(job->context, 0);
    }
}

static LLVMTypeRef callback_type(cf_job *job, const char *text, unsigned *n, LLVMTypeRef *parameters) {
    *n = 0;
    for (const char *s = text + 2; *s; s++) parameters[(*n)++] = type_of(job, *s);
    return LLVMFunctionType(type_of(job, text[0]), parameters, *n, false);
}

/* A local function that calls `target` (NULL: its own first parameter, as a library does) with its parameters, or those
 * that are left. */
static LLVMValueRef make_caller(cf_job *job, LLVMTypeRef own, LLVMTypeRef type, LLVMValueRef target) {
    LLVMValueRef args[16], f = LLVMAddFunction(job->module, "cf.call", own);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    l_add_text(f, caller_mark, target ? "" : library);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(job->context, f, "entry"));
    LLVMGetParams(f, args);
    LLVMValueRef r = LLVMBuildCall2(b, type, target ? target : args[0], target ? args : args + 1,
                                    LLVMCountParamTypes(type), "");
    l_is_void_type(LLVMTypeOf(r)) ? LLVMBuildRetVoid(b) : LLVMBuildRet(b, r);
    LLVMDisposeBuilder(b);
    return f;
}

LLVMValueRef cf_callback_caller(cf_job *job, const cf_callback *k, unsigned i) {
    const char *key = cf_text(job->arena, "caller %s %s", k->name, k->types[i]);
    LLVMValueRef f = cf_names_get(&job->made, key);
    if (f) return f;
    LLVMTypeRef parameters[8];
    unsigned n;
    LLVMTypeRef type = callback_type(job, k->types[i], &n, parameters + 1);
    parameters[0] = type_of(job, 'p');
    f = make_caller(job, LLVMFunctionType(LLVMGetReturnType(type), parameters, n + 1, false), type, NULL);
    cf_names_put(job->arena, &job->made, key, f);
    return f;
}

/* What __once_proxy of libstdc++ does, to which std::call_once gives pthread_once a pointer: it calls what a variable of
 * the thread points to. NULL: that is not in this module. */
static LLVMValueRef make_proxy(cf_job *job, LLVMValueRef f) {
    LLVMValueRef variable = LLVMGetNamedGlobal(job->module, "_ZSt11__once_call"), made;
    LLVMTypeRef pointer = type_of(job, 'p'), type = LLVMFunctionType(type_of(job, 'v'), NULL, 0, false);
    if (!variable || l_function_type(f) != type) return NULL;
    made = LLVMAddFunction(job->module, "cf.call", type);
    LLVMSetLinkage(made, LLVMInternalLinkage);
    l_add_text(made, caller_mark, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(job->context, made, "entry"));
    LLVMValueRef address = l_intrinsic(job->module, "llvm.threadlocal.address", &pointer, 1);
    LLVMValueRef slot = l_call(b, address, &variable, 1, "");
    LLVMBuildCall2(b, type, LLVMBuildLoad2(b, pointer, slot, ""), NULL, 0, "");
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return made;
}

LLVMValueRef cf_callback_pointed_to(cf_job *job, LLVMValueRef f) {
    bool proxy = LLVMIsDeclaration(f) && !strcmp(l_name(f), "__once_proxy");
    if (!proxy && !cf_callback_of(f)) return f;
    const char *key = cf_text(job->arena, "pointed to %p", (void *)f);
    LLVMValueRef made = cf_names_get(&job->made, key);
    if (made) return made;
    made = proxy ? make_proxy(job, f) : make_caller(job, l_function_type(f), l_function_type(f), f);
    if (!made) return f;
    cf_names_put(job->arena, &job->made, key, made);
    return made;
}

/* ---- what stands in the place of the functions ---- */

typedef struct linked {
    CF_VEC(const char *) function, variable;
} linked;

static const char linked_key[] = "callbacks linked";

static const char *glue_name(cf_job *job, const cf_callback *k) {
    return cf_text(job->arena, "__cf_in_%s", k->name);
}

LLVMValueRef cf_callback_glue(cf_job *job, const cf_callback *k, LLVMTypeRef called) {
    LLVMValueRef f = LLVMGetNamedFunction(job->module, glue_name(job, k));
    if (!f || LLVMIsDeclaration(f)) return NULL;
    LLVMTypeRef is = l_function_type(f), own[16], theirs[16];
    unsigned n = LLVMCountParamTypes(called);
    if (LLVMIsFunctionVarArg(called) || n + 1 + cf_callback_count(k) != LLVMCountParamTypes(is)) return NULL;
    if (LLVMGetReturnType(is) != LLVMGetReturnType(called)) return NULL;
    LLVMGetParamTypes(is, own);
    LLVMGetParamTypes(called, theirs);
    for (unsigned i = 0; i < n; i++)
        if (own[i] != theirs[i]) return NULL;
    return f;
}

/* What is declared in the module and has something to stand in its place is declared by that name, too, so that the
 * linker brings it. */
static bool want(cf_job *job) {
    LLVMTypeRef any = LLVMFunctionType(LLVMVoidTypeInContext(job->context), NULL, 0, false);
    bool wanted = false;
    for (int i = 0; i < ROWS; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(job->module, table[i].name);
        const char *name = glue_name(job, &table[i]);
        if (!f || !LLVMIsDeclaration(f) || LLVMGetNamedFunction(job->module, name)) continue;
        LLVMAddFunction(job->module, name, any);
        wanted = true;
    }
    return wanted;
}

static void values_of(cf_job *job, cf_map *all) {
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) cf_map_put(job->arena, all, f, f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(job->module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g)) cf_map_put(job->arena, all, g, g);
}

/* Everything that came is local, and begins with __cf_: it is no part of the program until all is made. */
static void adopt(cf_job *job, linked *all, const cf_map *before) {
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || cf_map_get(before, f)) continue;
        if (!l_begins(l_name(f), "__cf_")) l_set_name(f, cf_text(job->arena, "__cf_back_%s", l_name(f)));
        LLVMSetLinkage(f, LLVMInternalLinkage);
        cf_push(job->arena, &all->function, cf_text(job->arena, "%s", l_name(f)));
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(job->module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMIsDeclaration(g) || cf_map_get(before, g)) continue;
        l_set_name(g, cf_text(job->arena, "__cf_back_%s", l_name(g)));
        LLVMSetLinkage(g, LLVMInternalLinkage);
        cf_push(job->arena, &all->variable, cf_text(job->arena, "%s", l_name(g)));
    }
}

/* The runtime's module. NULL: it cannot be read. */
static LLVMModuleRef open_bitcode(cf_job *job) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
        (const char *)cf_context_bitcode, cf_context_bitcode_size, "context");
    LLVMModuleRef m = NULL;
    bool bad = LLVMParseBitcodeInContext2(job->context, buffer, &m);
    LLVMDisposeMemoryBuffer(buffer);
    if (bad) return NULL;
    LLVMSetTarget(m, LLVMGetTarget(job->module));
    LLVMSetDataLayout(m, LLVMGetDataLayoutStr(job->module));
    return m;
}

bool cf_callback_link(cf_job *job) {
    if (cf_names_get(&job->made, linked_key)) return true;
    linked *all = CF_NEW(job->arena, linked);
    cf_names_put(job->arena, &job->made, linked_key, all);
    if (!want(job)) return true;
    cf_map before = {0};
    values_of(job, &before);
    LLVMModuleRef m = open_bitcode(job);
    if (!m || !cfx_link_needed(job->module, m)) {
        cf_report(job->sink, CF_ERROR, (cf_place){0}, NULL,
                  "what brings callbacks into a context does not fit this program's target");
        return false;
    }
    adopt(job, all, &before);
    return true;
}

static bool remove_unused(cf_job *job, linked *all) {
    bool removed = false;
    for (size_t i = 0; i < all->function.n; i++) {
        LLVMValueRef f = all->function.at[i] ? LLVMGetNamedFunction(job->module, all->function.at[i]) : NULL;
        if (!f || !cfx_is_unused(f)) continue;
        LLVMDeleteFunction(f);
        all->function.at[i] = NULL;
        removed = true;
    }
    for (size_t i = 0; i < all->variable.n; i++) {
        LLVMValueRef g = all->variable.at[i] ? LLVMGetNamedGlobal(job->module, all->variable.at[i]) : NULL;
        if (!g || !cfx_is_unused(g)) continue;
        LLVMDeleteGlobal(g);
        all->variable.at[i] = NULL;
        removed = true;
    }
    return removed;
}

/* From now on it is a part of the program, for a context around this one, which gets its own. */
static void release(cf_job *job, const linked *all) {
    for (size_t i = 0; i < all->function.n; i++) {
        const char *name = all->function.at[i];
        if (name) l_set_name(LLVMGetNamedFunction(job->module, name), cf_text(job->arena, "cf.%s", name + 5));
    }
    for (size_t i = 0; i < all->variable.n; i++) {
        const char *name = all->variable.at[i];
        if (name) l_set_name(LLVMGetNamedGlobal(job->module, name), cf_text(job->arena, "cf.%s", name + 5));
    }
}

void cf_callback_finish(cf_job *job) {
    linked *all = cf_names_get(&job->made, linked_key);
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); all && f; f = next) {
        next = LLVMGetNextFunction(f);
        if (cf_is_caller(f) && cfx_is_unused(f)) LLVMDeleteFunction(f);
    }
    while (all && remove_unused(job, all)) continue;
    if (all) release(job, all);
}
