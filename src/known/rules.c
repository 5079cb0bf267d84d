/* Rules: finds by name what src/rules says about a function, and links it.
 *
 * In:     job->module before preparation; the embedded bitcode of src/rules
 * Out:    job->rules; rule functions in job->module
 * Needs:  nothing
 * Keeps:  every function of the program      Breaks: nothing
 *
 * Idea: which names a function's rule may have is known (__cf_d0_f, __cf_d1_f, …, __cf_body_f); those that the bitcode
 * has are declared in the module, and the linker brings what is declared. Bodies call functions that need rules
 * themselves, so this is repeated until nothing new is declared. The bitcode is read lazily: only what is linked is
 * parsed.
 */
#include "known/rules.h"
#include "ir/guards.h"
#include "known/known.h"
#include "known/rules_made.h"
#include "llvm/cfx.h"
#include "llvm/embed.h"
#include "llvm/l.h"
#include <llvm-c/BitReader.h>
#include <stdio.h>

typedef struct cf_rules {
    cf_map custom; /* function -> cf_rule of the user's */
    cf_map found;  /* callee -> cf_rule, or `none` */
    cf_map ours;   /* functions that came from the bitcode or were made for an intrinsic */
    cf_map asked;  /* declarations whose rules were wanted */
} cf_rules;

static const cf_rule none;

static cf_rules *rules_of(cf_job *job) {
    if (!job->rules) job->rules = CF_NEW(job->arena, cf_rules);
    return job->rules;
}

/* ---- names ---- */

/* Intrinsics whose C function has another name, or that have none (llvm_). */
static const struct {
    const char *intrinsic, *function;
} renamed[] = {
    {"llvm.minnum", "fmin"},
    {"llvm.maxnum", "fmax"},
    {"llvm.minimum", "fminimum"},
    {"llvm.maximum", "fmaximum"},
    {"llvm.minimumnum", "fminimum_num"},
    {"llvm.maximumnum", "fmaximum_num"},
    {"llvm.fmuladd", "fma"},
    {"llvm.powi", "llvm_powi"},
    {"llvm.canonicalize", "llvm_canonicalize"},
    {"llvm.arithmetic.fence", "llvm_canonicalize"},
    {"llvm.x86.sse.rcp.ps", "llvm_x86_rcp"},
    {"llvm.x86.avx.rcp.ps.256", "llvm_x86_rcp"},
    {"llvm.x86.sse.rsqrt.ps", "llvm_x86_rsqrt"},
    {"llvm.x86.avx.rsqrt.ps.256", "llvm_x86_rsqrt"},
    {"llvm.x86.avx512.rcp14.ps.512", "llvm_x86_rcp14_wide"},
    {"llvm.x86.avx512.rcp14.ps", "llvm_x86_rcp14"},
    {"llvm.x86.avx512.rcp14.pd", "llvm_x86_rcp14"},
    {"llvm.x86.avx512.rsqrt14.ps.512", "llvm_x86_rsqrt14_wide"},
    {"llvm.x86.avx512.rsqrt14.ps", "llvm_x86_rsqrt14"},
    {"llvm.x86.avx512.rsqrt14.pd", "llvm_x86_rsqrt14"},
};

static LLVMTypeRef scalar_of(LLVMTypeRef t) { return l_is_vector_type(t) ? LLVMGetElementType(t) : t; }

/* The suffix of libm's functions for a type. */
static const char *suffix_of(LLVMTypeRef t) {
    LLVMTypeKind kind = LLVMGetTypeKind(scalar_of(t));
    return kind == LLVMDoubleTypeKind ? "" : kind == LLVMFloatTypeKind ? "f" : "l";
}

/* The name in C of a function: `sinf` for sinf and for llvm.sin.v4f32. */
static const char *c_name(cf_job *job, LLVMValueRef f) {
    const char *name = l_name(f);
    if (!l_begins(name, "llvm.")) return name;
    const char *suffix = suffix_of(l_return_type(f));
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (l_is_intrinsic_of(f, renamed[i].intrinsic))
            return cf_text(job->arena, "%s%s", renamed[i].function, suffix);
    size_t length = strcspn(name + 5, ".");
    return cf_text(job->arena, "%.*s%s", (int)length, name + 5, suffix);
}

static const char *partial_name(cf_job *job, const char *name, unsigned k) {
    return cf_text(job->arena, "__cf_d%u_%s", k, name);
}

/* ---- linking ---- */

/* The embedded module, functions still unread. */
static LLVMModuleRef read_bitcode(LLVMContextRef c) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange((const char *)cf_rules_bitcode,
                                                                       cf_rules_bitcode_size, "rules", 0);
    LLVMModuleRef m = NULL;
    return LLVMGetBitcodeModuleInContext2(c, buffer, &m) ? NULL : m;
}

void cf_rules_names(cf_arena *a, LLVMContextRef c, cf_names *out) {
    LLVMModuleRef m = read_bitcode(c);
    if (!m) return;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        const char *name = l_name(f), *of = NULL;
        if (l_begins(name, "__cf_body_"))
            of = name + strlen("__cf_body_");
        else if (l_begins(name, "__cf_d"))
            of = strchr(name + strlen("__cf_d"), '_');
        if (of) cf_names_put(a, out, of + (*of == '_'), m);
    }
    LLVMDisposeModule(m);
}

/* It takes the target of the program, whatever that is called there. */
static LLVMModuleRef open_bitcode(cf_job *job) {
    LLVMModuleRef m = read_bitcode(job->context);
    if (!m) {
        cf_report(job->sink, CF_ERROR, (cf_place){0}, NULL,
                  "the rules inside this build of Cofactor cannot be read: build it again");
        return NULL;
    }
    LLVMSetTarget(m, LLVMGetTarget(job->module));
    LLVMSetDataLayout(m, LLVMGetDataLayoutStr(job->module));
    return m;
}

/* Declares in the program the rule `name`, if the bitcode has it. True when that is new. */
static bool want(cf_job *job, LLVMModuleRef bitcode, const char *name) {
    LLVMValueRef rule = LLVMGetNamedFunction(bitcode, name);
    if (!rule || LLVMGetNamedFunction(job->module, name)) return false;
    LLVMAddFunction(job->module, name, l_function_type(rule));
    return true;
}

/* Wants all that a function of this C name with n parameters may have. */
static bool want_all(cf_job *job, LLVMModuleRef bitcode, const char *name, unsigned n) {
    bool any = want(job, bitcode, cf_text(job->arena, "__cf_body_%s", name));
    for (unsigned k = 0; k < n; k++) any |= want(job, bitcode, partial_name(job, name, k));
    return any;
}

/* A rule function that is there only to be called by derivatives: what it calls itself is not differentiated. */
static bool is_partial(cf_job *job, LLVMValueRef f) {
    return cf_map_get(&job->rules->ours, f) && !l_begins(l_name(f), "__cf_body_");
}

/* Whether anything but partial derivatives uses f. */
static bool program_uses(cf_job *job, LLVMValueRef f) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user) || !is_partial(job, l_function_of(user))) return true;
    }
    return false;
}

static bool want_for_declarations(cf_job *job, LLVMModuleRef bitcode) {
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        bool asked = cf_map_get(&job->rules->asked, f);
        if (!LLVMIsDeclaration(f) || l_begins(l_name(f), "__cf_") || (!asked && !program_uses(job, f)))
            continue;
        cf_map_put(job->arena, &job->rules->asked, f, f);
        any |= want_all(job, bitcode, c_name(job, f), LLVMCountParams(f));
        for (const char *const *piece = cf_made_pieces(f); piece && *piece; piece++)
            any |= want(job, bitcode, cf_text(job->arena, "%s%s", *piece, suffix_of(cf_made_type(f))));
    }
    return any;
}

static bool want_for_operations(cf_job *job, LLVMModuleRef bitcode) {
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMGetInstructionOpcode(i) == LLVMFRem)
                    any |= want_all(job, bitcode, cf_text(job->arena, "fmod%s", suffix_of(LLVMTypeOf(i))), 2);
    return any;
}

/* ---- attributes of what was linked ---- */

/* The value of a text attribute that all functions of the program have, or NULL. */
static const char *common_attribute(cf_job *job, const char *name, unsigned *length) {
    const char *common = NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || cf_map_get(&job->rules->ours, f)) continue;
        LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, name,
                                                           (unsigned)strlen(name));
        if (!a) return NULL;
        unsigned n;
        const char *value = LLVMGetStringAttributeValue(a, &n);
        if (common && (n != *length || memcmp(common, value, n))) return NULL;
        common = value;
        *length = n;
    }
    return common;
}

/* Large rules are hidden in the bitcode: calls of them stay calls. */
static bool is_large(LLVMValueRef f) { return LLVMGetVisibility(f) == LLVMHiddenVisibility; }

/* Frees f from the options that it was compiled with, so that it fits into every caller. */
static void loosen(LLVMValueRef f) {
    static const char *const texts[] = {"target-cpu",
                                        "target-features",
                                        "tune-cpu",
                                        "min-legal-vector-width",
                                        "stack-protector-buffer-size",
                                        "frame-pointer"};
    static const char *const words[] = {"noinline",  "optnone", "uwtable", "ssp",
                                        "sspstrong", "sspreq",  "memory"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) l_remove_text(f, texts[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) l_remove_f(f, words[i]);
    if (is_large(f)) return;
    l_add_f(f, "alwaysinline");
    l_add_text(f, "denormal-fp-math", "dynamic,dynamic");
}

static void adopt(cf_job *job, LLVMValueRef f) {
    cf_map_put(job->arena, &job->rules->ours, f, f);
    loosen(f);
    if (LLVMGetLinkage(f) == LLVMInternalLinkage) l_set_name(f, cf_text(job->arena, "__%s", l_name(f)));
    LLVMSetLinkage(f, LLVMExternalLinkage);
    static const char *const target[] = {"target-cpu", "target-features", "tune-cpu"};
    for (size_t i = 0; is_large(f) && i < sizeof target / sizeof *target; i++) {
        unsigned n;
        const char *value = common_attribute(job, target[i], &n);
        if (value) l_add_text(f, target[i], cf_copy_text(job->arena, value, n));
    }
}

/* ---- a round: declare, link, adopt ---- */

static void functions_of(cf_job *job, cf_map *set) {
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) cf_map_put(job->arena, set, f, f);
}

/* Links what is newly wanted. *any: whether there was something. */
static bool link_round(cf_job *job, bool *any) {
    LLVMModuleRef bitcode = open_bitcode(job);
    if (!bitcode) return false;
    cf_map before = {0};
    functions_of(job, &before);
    *any = want_for_declarations(job, bitcode);
    *any |= want_for_operations(job, bitcode);
    if (!*any) return LLVMDisposeModule(bitcode), true;
    if (!cfx_link_needed(job->module, bitcode)) {
        cf_report(job->sink, CF_ERROR, (cf_place){0}, NULL,
                  "derivative rules cannot be linked into this module");
        return false;
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !cf_map_get(&before, f)) adopt(job, f);
    return true;
}

/* Bodies of the intrinsics that return several results at once. */
static void make_bodies(cf_job *job) {
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) || !cf_made_pieces(f)) continue;
        const char *name = cf_text(job->arena, "__cf_body_%s", l_name(f));
        if (LLVMGetNamedFunction(job->module, name)) continue;
        LLVMValueRef body = cf_made_body(job, f, name, suffix_of(cf_made_type(f)));
        if (body) adopt(job, body);
    }
}

bool cf_rules_link(cf_job *job) {
    rules_of(job);
    for (bool any = true; any;) {
        if (!link_round(job, &any)) return false;
        make_bodies(job);
    }
    return true;
}

/* ---- asking ---- */

/* Whether partial derivative p fits f: the same arguments and then the result, all scalar. */
static bool fits(LLVMValueRef p, LLVMTypeRef *arg, unsigned n, LLVMTypeRef result) {
    LLVMTypeRef type = l_function_type(p), have[16];
    if (LLVMCountParamTypes(type) != n + 1 || n + 1 > 16) return false;
    LLVMGetParamTypes(type, have);
    for (unsigned i = 0; i < n; i++)
        if (have[i] != scalar_of(arg[i])) return false;
    return have[n] == scalar_of(result) && LLVMGetReturnType(type) == have[n];
}

static const cf_rule *partials(cf_job *job, const char *name, LLVMTypeRef *arg, unsigned n,
                               LLVMTypeRef result) {
    if (!l_is_float_type(scalar_of(result)) || n >= 16) return &none;
    cf_rule *rule = CF_NEW(job->arena, cf_rule);
    rule->kind = CF_RULE_PARTIALS;
    rule->n = n;
    rule->lanes = l_is_vector_type(result) ? LLVMGetVectorSize(result) : 0;
    rule->partial = CF_ARRAY(job->arena, LLVMValueRef, n);
    bool any = false;
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef p = LLVMGetNamedFunction(job->module, partial_name(job, name, k));
        if (!p || !cf_map_get(&job->rules->ours, p) || !fits(p, arg, n, result)) continue;
        rule->partial[k] = p;
        any = true;
    }
    return any ? rule : &none;
}

static const cf_rule *body_rule(cf_job *job, LLVMValueRef f, const char *name) {
    LLVMValueRef body = LLVMGetNamedFunction(job->module, cf_text(job->arena, "__cf_body_%s", name));
    if (!body || !cf_map_get(&job->rules->ours, body) || l_function_type(body) != l_function_type(f))
        return &none;
    cf_rule *rule = CF_NEW(job->arena, cf_rule);
    rule->kind = CF_RULE_BODY;
    rule->body = body;
    return rule;
}

/* For those who ask what carries a derivative: both modes know the guards themselves. */
static const cf_rule *guard_rule(cf_job *job, LLVMValueRef f) {
    cf_rule *rule = CF_NEW(job->arena, cf_rule);
    unsigned n = LLVMCountParams(f);
    *rule = (cf_rule){.kind = CF_RULE_PARTIALS, .n = n, .partial = CF_ARRAY(job->arena, LLVMValueRef, n)};
    rule->partial[n - 1] = f;
    return rule;
}

static const cf_rule *find(cf_job *job, LLVMValueRef f) {
    LLVMTypeRef type = l_function_type(f), arg[16], result = LLVMGetReturnType(type);
    unsigned n = LLVMCountParamTypes(type);
    if (cf_is_guard(f)) return guard_rule(job, f);
    if (!LLVMIsDeclaration(f) || n > 16 || l_begins(l_name(f), "__cf_")) return &none;
    if (l_is_vector_type(result) && LLVMGetTypeKind(result) == LLVMScalableVectorTypeKind) return &none;
    LLVMGetParamTypes(type, arg);
    const char *name = cf_made_pieces(f) ? l_name(f) : c_name(job, f);
    const cf_rule *rule = partials(job, name, arg, n, result);
    return rule != &none ? rule : body_rule(job, f, name);
}

/* Links the rules of a declaration that came after cf_rules_link, or that only rules call. */
static void link_late(cf_job *job, LLVMValueRef f) {
    if (cf_map_get(&job->rules->asked, f) || l_begins(l_name(f), "__cf_")) return;
    cf_map_put(job->arena, &job->rules->asked, f, f);
    cf_rules_link(job);
}

const cf_rule *cf_rule_of(cf_job *job, LLVMValueRef callee) {
    cf_rules *rules = rules_of(job);
    const cf_rule *rule = cf_map_get(&rules->custom, callee);
    if (rule) return rule;
    rule = cf_map_get(&rules->found, callee);
    if (!rule) {
        if (LLVMIsDeclaration(callee)) link_late(job, callee);
        rule = find(job, callee);
        cf_map_put(job->arena, &rules->found, callee, (void *)(uintptr_t)rule);
    }
    return rule == &none ? NULL : rule;
}

bool cf_gives_foreign(cf_job *job, LLVMValueRef call) {
    LLVMValueRef f = LLVMIsACallInst(call) || LLVMIsAInvokeInst(call) ? l_callee(call) : NULL;
    if (!f || !l_is_pointer_type(LLVMTypeOf(call)) || l_is_intrinsic(f)) return false;
    const cf_rule *rule = cf_rule_of(job, f);
    const cf_known *known = cf_known_of(f);
    if (rule) return rule->kind == CF_RULE_INACTIVE;
    if (!LLVMIsDeclaration(f)) return false;
    return !known || (known->kind == CF_KNOWN_INACTIVE && known->returns == CF_NO_ARG);
}

const cf_rule *cf_rule_of_operation(cf_job *job, LLVMValueRef instruction) {
    if (LLVMGetInstructionOpcode(instruction) != LLVMFRem) return NULL;
    LLVMTypeRef t = LLVMTypeOf(instruction);
    const cf_rule *rule = cf_map_get(&rules_of(job)->found, t);
    if (!rule) {
        rule = partials(job, cf_text(job->arena, "fmod%s", suffix_of(t)), (LLVMTypeRef[]){t, t}, 2, t);
        cf_map_put(job->arena, &job->rules->found, t, (void *)(uintptr_t)rule);
    }
    return rule == &none ? NULL : rule;
}

bool cf_rule_reads(const cf_rule *rule, unsigned partial, unsigned parameter) {
    return LLVMGetFirstUse(LLVMGetParam(rule->partial[partial], parameter)) != NULL;
}

/* ---- the user's rules, and the end ---- */

void cf_rules_add_custom(cf_job *job, LLVMValueRef f, cf_rule_kind kind, LLVMValueRef forward,
                         LLVMValueRef reverse) {
    cf_rules *rules = rules_of(job);
    cf_rule *rule = cf_map_get(&rules->custom, f);
    if (!rule) {
        rule = CF_NEW(job->arena, cf_rule);
        cf_map_put(job->arena, &rules->custom, f, rule);
    }
    rule->kind = kind;
    l_add_text(f, "cf-keep", "");
    if (forward) rule->forward = forward;
    if (reverse) rule->reverse = reverse;
}

bool cf_inactive_may_write(LLVMValueRef call, unsigned k) {
    LLVMValueRef f = l_callee(call);
    if (!f || !LLVMIsDeclaration(f)) return false;
    if (l_has(f, k + 1, "readonly") || l_has(f, k + 1, "readnone")) return false;
    LLVMAttributeRef memory = l_get(f, (unsigned)LLVMAttributeFunctionIndex, "memory"),
                     reads = l_get_text(f, CF_READS);
    if (memory && !(LLVMGetEnumAttributeValue(memory) & 2)) return false; /* bit 1: writes behind arguments */
    unsigned n = 0;
    const char *text = reads ? LLVMGetStringAttributeValue(reads, &n) : "";
    return k >= n || text[k] != 'c';
}

/* A large rule is one function in the whole program. A small one goes into its callers; it takes a name of its own, so
 * that no later job finds it in the program, where passes may have fitted it to its callers. */
static void settle(cf_job *job, LLVMValueRef f) {
    if (is_large(f)) {
        LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
        return;
    }
    LLVMSetLinkage(f, LLVMInternalLinkage);
    l_set_name(f, cf_text(job->arena, "%s.inline", l_name(f)));
}

static bool remove_unused(cf_job *job) {
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        bool ours =
            cf_map_get(&job->rules->ours, f) || (LLVMIsDeclaration(f) && l_begins(l_name(f), "__cf_"));
        if (!ours || LLVMGetFirstUse(f)) continue;
        LLVMDeleteFunction(f);
        any = true;
    }
    return any;
}

void cf_rules_finish(cf_job *job) {
    cf_rules *rules = rules_of(job);
    while (remove_unused(job)) {
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        if (cf_map_get(&rules->ours, f)) settle(job, f);
    rules->ours = rules->found = rules->asked = (cf_map){0};
}
