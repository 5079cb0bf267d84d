/* What no mode can follow, found in the prepared private module before anything is made: so the engine meets only types
 * and calls that it knows how to handle.
 *
 * In:    the prepared private module
 * Out:   one message for each function that cannot be followed, at the instruction
 * Keeps: the module */
#include "known/known.h"
#include "known/rules.h"
#include "llvm/l.h"
#include "request/request.h"

typedef struct limits {
    cf_job *job;
    bool reverse;
} limits;

/* ---- types ---- */

static const char *type_limit(const limits *l, LLVMTypeRef t) {
    if (l_is_scalable_type(t))
        return "a vector whose length is not known before the program runs (scalable vector)";
    if (LLVMGetTypeKind(t) == LLVMX86_AMXTypeKind || LLVMGetTypeKind(t) == LLVMTargetExtTypeKind)
        return "a value of a type that only one kind of machine has";
    if (l->reverse && l_is_pointer_type(t) && LLVMGetPointerAddressSpace(t))
        return "a pointer into another address space, which reverse mode cannot follow";
    return NULL;
}

static const char *value_limit(const limits *l, LLVMValueRef i) {
    const char *why = type_limit(l, LLVMTypeOf(i));
    if (!why && LLVMIsAAllocaInst(i)) why = type_limit(l, LLVMGetAllocatedType(i));
    for (int k = 0; !why && k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef o = LLVMGetOperand(i, (unsigned)k);
        if (o) why = type_limit(l, LLVMTypeOf(o));
    }
    return why;
}

/* ---- arguments of calls ---- */

/* Whether a call has the argument that a row names, of the kind that the row needs. */
static bool has(LLVMValueRef call, int k, bool pointer) {
    if (k < 0) return true;
    if ((unsigned)k >= LLVMGetNumArgOperands(call)) return false;
    LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(call, (unsigned)k));
    return pointer ? l_is_pointer_type(t) : l_is_integer_type(t) && LLVMGetIntTypeWidth(t) <= 64;
}

static bool has_size(LLVMValueRef call, cf_size size) {
    switch ((cf_size_kind)size.kind) {
    case CF_SIZE_ARG:
    case CF_SIZE_TIMES: return has(call, size.a, false);
    case CF_SIZE_PRODUCT: return has(call, size.a, false) && has(call, size.b, false);
    case CF_SIZE_SCAN: return has(call, size.a, true);
    default: return true;
    }
}

static bool returns_block(const cf_known *k) {
    return k->kind == CF_KNOWN_ALLOC || k->kind == CF_KNOWN_ZALLOC || k->kind == CF_KNOWN_REALLOC ||
           k->kind == CF_KNOWN_STRDUP;
}

static bool fits_row(LLVMValueRef call, const cf_known *k) {
    if (returns_block(k) && !l_is_pointer_type(LLVMTypeOf(call))) return false;
    bool byte = k->kind == CF_KNOWN_SET;
    if (!has(call, k->pointer, true) || !has(call, k->source, !byte) || !has(call, k->align, false))
        return false;
    if (k->returns >= 0 && l_is_pointer_type(LLVMTypeOf(call)) && !has(call, k->returns, true)) return false;
    if (!has_size(call, k->size)) return false;
    for (int w = 0; w < CF_KNOWN_WRITES && k->write[w].pointer != CF_NO_ARG; w++) {
        bool rest = k->write[w].flags & CF_WRITES_REST;
        if (!rest && !has(call, k->write[w].pointer, true)) return false;
        if (!has_size(call, k->write[w].size)) return false;
    }
    return true;
}

/* ---- the floating-point environment of code that was compiled for one ---- */

static bool is_one_of(const char *name, const char *const *names) {
    while (*names && strcmp(*names, name) != 0) names++;
    return *names != NULL;
}

/* Whether a call restores what the same function saved in a variable that serves nothing else. */
static bool restores_saved(LLVMValueRef call) {
    static const char *const pair[] = {"feholdexcept", "fegetenv", "fesetenv", "feupdateenv", NULL};
    LLVMValueRef p = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
    if (!p || !LLVMIsAAllocaInst(p)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u), f = LLVMIsACallInst(user) ? l_callee(user) : NULL;
        if (!f || (!l_is_intrinsic(f) && !is_one_of(l_name(f), pair))) return false;
    }
    return true;
}

static const char *environment_limit(const limits *l, LLVMValueRef call, const char *name) {
    static const char *const modes[] = {
        "fesetround",           "fesetmode", "llvm.set.rounding", "llvm.reset.fpmode", "llvm.set.fpmode",
        "llvm.x86.sse.ldmxcsr", NULL};
    static const char *const environments[] = {"fesetenv", "feupdateenv", "llvm.set.fpenv",
                                               "llvm.reset.fpenv", NULL};
    static const char *const tests[] = {"fetestexcept", "fegetexceptflag", "fetestexceptflag", NULL};
    cf_arena *a = l->job->arena;
    if (l->job->strict_rounding &&
        (is_one_of(name, modes) || (is_one_of(name, environments) && !restores_saved(call))))
        return cf_text(a,
                       "a call of `%s`: a derivative keeps the rounding mode that it is called in; set the "
                       "mode around the derivative, or give the function around this call rules "
                       "(CF_RULE_FORWARD, CF_RULE_REVERSE)",
                       name);
    if (l->job->strict_exceptions && is_one_of(name, tests))
        return cf_text(a,
                       "a call of `%s`: a derivative raises floating-point exceptions of its own; ask for "
                       "them outside, or give the function around this call rules (CF_RULE_FORWARD, "
                       "CF_RULE_REVERSE)",
                       name);
    return NULL;
}

/* ---- calls ---- */

/* Rules of the user's stand for a function: what is in it is not followed. */
static bool has_rules(const limits *l, LLVMValueRef f) {
    const cf_rule *rule = cf_rule_of(l->job, f);
    return rule && rule->kind == CF_RULE_CUSTOM;
}

static const char *call_limit(const limits *l, LLVMValueRef call) {
    LLVMValueRef f = l_callee(call);
    cf_arena *a = l->job->arena;
    if (!f) return NULL;
    const char *name = l_name(f);
    if (l_begins(name, "llvm.coro.")) return "a coroutine, which cannot be differentiated";
    if (strstr(name, "__cf_marks_"))
        return "memory of which only the run tells what it holds, in a gradient that is differentiated once "
               "more: that needs "
               "to be known at compile time (COFACTOR_EXPLAIN=1 names the place; compile with -g, or copy "
               "the parts with their "
               "own types)";
    bool same = l_function_type(f) == LLVMGetCalledFunctionType(call);
    const cf_known *known = l_is_intrinsic(f) ? NULL : cf_known_of(f);
    const char *environment = environment_limit(l, call, name);
    if (environment && !has_rules(l, l_function_of(call))) return environment;
    if (known && !fits_row(call, known))
        return cf_text(
            a, "a call of `%s` with other arguments than the library's function of that name takes", name);
    if (!same && (!LLVMIsDeclaration(f) || cf_rule_of(l->job, f)))
        return cf_text(a, "a call of `%s` with other types than it is defined with", name);
    return NULL;
}

/* ---- functions ---- */

static bool report(limits *l, LLVMValueRef f, LLVMValueRef at, const char *why) {
    cf_place place = at ? l_place(at) : l_place(f);
    if (!place.file) place = l_place(f);
    cf_report(l->job->sink, CF_ERROR, place, l_name(f), "`%s` contains %s", l_shown(f), why);
    return false;
}

static bool check_function(limits *l, LLVMValueRef f) {
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        const char *why = type_limit(l, LLVMTypeOf(LLVMGetParam(f, i)));
        if (!why && l_has(f, i + 1, "swifterror"))
            why = "an error parameter of Swift (swifterror), which has no derivative";
        if (why) return report(l, f, NULL, why);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *why = value_limit(l, i);
            if (!why && (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))) why = call_limit(l, i);
            if (why) return report(l, f, i, why);
        }
    return true;
}

/* Rules and the runtime. */
static bool is_ours(const char *name) {
    return strstr(name, "__cf_marks_") || (l_begins(name, "__cf_") && !l_begins(name, L_LOCAL));
}

bool cf_check_program(cf_job *job, bool reverse) {
    limits l = {.job = job, .reverse = reverse};
    bool ok = true;
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !is_ours(l_name(f))) ok &= check_function(&l, f);
    return ok;
}
