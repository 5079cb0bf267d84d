/* Code that is not here.
 *
 * In:     the private module as it was differentiated, the program's module, what the modes told of globals (kept.h)
 * Out:    warnings
 * Needs:  rules and known functions
 * Keeps:  everything
 *
 * Idea: a function without a body that gets nothing active is called as it is. It cannot reach a static global whose address
 * stays in the functions that are here; any other global it may read and write. So it matters where it may run after a number
 * that depends on the inputs was put there. Inline assembly that names memory, and a call through a pointer for which there is
 * no function here, are such code, too. A body that the linker may replace (`weak`) is differentiated as it stands here. */
#include "analysis/unseen.h"
#include "analysis/kept.h"
#include "contents/moves.h"
#include "ir/meets.h"
#include "ir/reach.h"
#include "ir/view.h"
#include "known/known.h"
#include "known/rules.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "support/bits.h"
#include "support/vec.h"

typedef struct search {
    cf_job *job;
    LLVMModuleRef user;
    cf_map reached;    /* what requests reach */
    cf_map handed;     /* what functions and constant data reach that code elsewhere is handed */
    cf_map puts;       /* instruction → the global, known elsewhere, that it may put a number into */
    LLVMValueRef held; /* the first of these globals */
    cf_map answers;    /* of cf_meets */
    cf_map told;
    CF_VEC(LLVMValueRef) calls; /* of code that is not here */
} search;

/* ---- globals whose address is known elsewhere ---- */

typedef struct address {
    LLVMValueRef value;
    bool slot; /* a local variable that holds the address, not the address itself */
} address;

typedef struct addresses {
    cf_arena *arena;
    cf_map seen;
    CF_VEC(address) work;
} addresses;

static void follow(addresses *a, LLVMValueRef v, bool slot) {
    if (cf_map_get(&a->seen, v)) return;
    cf_map_put(a->arena, &a->seen, v, v);
    cf_push(a->arena, &a->work, ((address){v, slot}));
}

/* False: the function that is called may keep the address, or hand it on. */
static bool follow_into(addresses *a, LLVMValueRef call, LLVMValueRef p) {
    LLVMValueRef f = l_callee(call);
    if (!f) return false;
    if (LLVMIsDeclaration(f)) return l_is_intrinsic(f) || cf_known_of(f);
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        if (LLVMGetOperand(call, k) != p) continue;
        if (k >= LLVMCountParams(f)) return false;
        follow(a, LLVMGetParam(f, k), false);
    }
    return true;
}

/* False: an address gets where it is not followed. */
static bool follow_use(addresses *a, address at, LLVMValueRef user) {
    LLVMValueRef v = at.value;
    if (LLVMIsAConstantExpr(user)) return follow(a, user, at.slot), true;
    if (!LLVMIsAInstruction(user)) return false;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMICmp: return true;
    case LLVMLoad:
        if (at.slot) follow(a, user, false);
        return true;
    case LLVMStore: {
        if (LLVMGetOperand(user, 0) != v) return true;
        LLVMValueRef to = LLVMGetOperand(user, 1);
        if (at.slot || !LLVMIsAAllocaInst(to)) return false;
        follow(a, to, true);
        return true;
    }
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze: follow(a, user, at.slot); return true;
    case LLVMCall:
    case LLVMInvoke:
        if (l_callee(user) && l_is_intrinsic(l_callee(user))) return true;
        return !at.slot && follow_into(a, user, v);
    default: return false;
    }
}

static bool stays_here(cf_arena *arena, LLVMValueRef global) {
    addresses a = {.arena = arena};
    follow(&a, global, false);
    while (a.work.n) {
        address at = a.work.at[--a.work.n];
        for (LLVMUseRef u = LLVMGetFirstUse(at.value); u; u = LLVMGetNextUse(u))
            if (!follow_use(&a, at, LLVMGetUser(u))) return false;
    }
    return true;
}

static bool is_known_elsewhere(const search *s, LLVMValueRef global) {
    if (!l_is_local(global) || cf_map_get(&s->handed, global)) return true;
    LLVMValueRef original = LLVMGetNamedGlobal(s->user, l_name(global));
    return original && !stays_here(s->job->arena, original);
}

/* ---- where numbers are put there ---- */

static bool holds_numbers(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: return holds_numbers(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (holds_numbers(LLVMStructGetTypeAtIndex(t, i))) return true;
        return false;
    default: return l_is_float_type(t);
    }
}

static bool is_call(LLVMValueRef i) { return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i); }

static bool only_reads(LLVMValueRef call, LLVMValueRef p) {
    LLVMValueRef f = l_callee(call);
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        if (LLVMGetOperand(call, k) != p) continue;
        bool said =
            l_has_call(call, k + 1, "readonly") || l_has_call(call, k + 1, "readnone") ||
            (f && k < LLVMCountParams(f) && (l_has(f, k + 1, "readonly") || l_has(f, k + 1, "readnone")));
        if (!said) return false;
    }
    return true;
}

/* A use of a global's address by which a number that depends on the inputs may get there. Stores count where the modes have
 * told of one; what is handed a number by its address may store one. */
static bool puts_number(LLVMValueRef user, LLVMValueRef p, bool stored, bool numbers) {
    if (LLVMIsAStoreInst(user)) return LLVMGetOperand(user, 1) == p ? stored : numbers;
    if (LLVMIsAAtomicRMWInst(user)) return stored || numbers;
    if (!is_call(user)) return false;
    LLVMValueRef f = l_callee(user);
    if (f && l_is_marker(f)) return false;
    const cf_known *known = f ? cf_known_of(f) : NULL;
    if (known && known->kind != CF_KNOWN_COPY) return false;
    if (known) return numbers && LLVMGetOperand(user, (unsigned)known->pointer) == p;
    return numbers && !only_reads(user, p);
}

static void find_puts(search *s, LLVMValueRef global, bool stored) {
    cf_arena *a = s->job->arena;
    bool numbers = holds_numbers(LLVMGlobalGetValueType(global));
    if ((!stored && !numbers) || !is_known_elsewhere(s, global)) return;
    cf_map seen = {0};
    CF_VEC(LLVMValueRef) work = {0};
    cf_push(a, &work, global);
    while (work.n) {
        LLVMValueRef p = work.at[--work.n];
        if (cf_map_get(&seen, p)) continue;
        cf_map_put(a, &seen, p, p);
        for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            bool here = LLVMIsAInstruction(user) && cf_map_get(&s->reached, l_function_of(user));
            if (here && puts_number(user, p, stored, numbers)) {
                cf_map_put(a, &s->puts, user, global);
                if (!s->held) s->held = global;
            }
            bool moves = LLVMIsAGetElementPtrInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user) ||
                         LLVMIsABitCastInst(user) || LLVMIsAConstantExpr(user);
            if (moves) cf_push(a, &work, user);
        }
    }
}

/* ---- code that is not here ---- */

static bool is_unseen_assembly(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n = 0;
    const char *text = LLVMGetInlineAsmAsmString(callee, &n);
    bool empty = strspn(text, " \t\n") >= n;
    const char *constraints = LLVMGetInlineAsmConstraintString(callee, &n);
    return !empty && strstr(constraints, "~{memory}");
}

/* Whether a function of the program may be the one that a pointer leads to. */
static bool has_target(const search *s, LLVMValueRef call) {
    LLVMTypeRef t = LLVMGetCalledFunctionType(call);
    for (LLVMValueRef f = LLVMGetFirstFunction(s->job->module); f; f = LLVMGetNextFunction(f))
        if (l_function_type(f) == t && !LLVMIsDeclaration(f) && l_is_taken(f)) return true;
    return false;
}

/* What it does to memory that is neither its arguments' nor its own: 0, 1 reads, 2 writes, 3 both. */
static unsigned effects_elsewhere(LLVMValueRef f) {
    enum { OTHER = L_VERSION >= 21 ? 6 : 4 };
    LLVMAttributeRef m = l_get(f, (unsigned)LLVMAttributeFunctionIndex, "memory");
    return m ? (unsigned)(LLVMGetEnumAttributeValue(m) >> OTHER & 3) : 3;
}

static bool may_touch(search *s, LLVMValueRef call) {
    LLVMValueRef f = l_callee(call);
    if (!f && LLVMIsAInlineAsm(LLVMGetCalledValue(call))) return is_unseen_assembly(call);
    if (!f) return !has_target(s, call);
    if (!LLVMIsDeclaration(f) || l_is_intrinsic(f) || cf_known_of(f) || cf_rule_of(s->job, f)) return false;
    if ((l_begins(l_name(f), "__cf_") && !l_begins(l_name(f), L_LOCAL)) || l_has_f(f, "noreturn"))
        return false;
    unsigned e = effects_elsewhere(f);
    LLVMTypeRef t = LLVMTypeOf(call);
    bool number = !l_is_void_type(t) && !(l_is_integer_type(t) && LLVMGetIntTypeWidth(t) < 64);
    return (e & 2) || ((e & 1) && number);
}

static void find_calls(search *s) {
    for (LLVMValueRef f = LLVMGetFirstFunction(s->job->module); f; f = LLVMGetNextFunction(f)) {
        if (!cf_map_get(&s->reached, f)) continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (is_call(i) && may_touch(s, i)) cf_push(s->job->arena, &s->calls, i);
    }
}

/* Functions of the program that it may call back, given as arguments or in constant data. */
static void find_handed(search *s, LLVMValueRef call) {
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        LLVMValueRef c = l_without_aliases(LLVMGetOperand(call, k));
        bool gives = c && (LLVMIsAFunction(c) || (LLVMIsAGlobalVariable(c) && LLVMIsGlobalConstant(c)));
        if (gives) cf_reach(s->job->arena, c, &s->handed);
    }
}

/* ---- before it ---- */

static cf_met puts_or_calls(void *data, LLVMValueRef i) {
    const search *s = data;
    if (cf_map_get(&s->puts, i)) return CF_MET_IT;
    if (!is_call(i)) return CF_MET_NOTHING;
    LLVMValueRef f = l_callee(i);
    if (!f) return LLVMIsAInlineAsm(LLVMGetCalledValue(i)) ? CF_MET_NOTHING : CF_MET_IT;
    return LLVMIsDeclaration(f) ? CF_MET_NOTHING : CF_MET_CALL;
}

static bool may_put(search *s, LLVMValueRef i) {
    cf_met met = puts_or_calls(s, i);
    return met == CF_MET_IT ||
           (met == CF_MET_CALL && cf_meets(s->job, &s->answers, l_callee(i), puts_or_calls, s));
}

/* Whether a way leads from an instruction that may put a number to this one. */
static bool is_behind_put(search *s, LLVMValueRef at) {
    const cf_view *v = cf_view_import(s->job, l_function_of(at));
    cf_id here = cf_view_id(v, at);
    if (here == CF_NONE) return false;
    cf_bits seen = cf_bits_new(s->job->arena, v->n_blocks);
    CF_VEC(cf_id) work = {0};
    for (cf_id i = v->n_params; i < v->first_other; i++) {
        if (!is_call(v->value[i].value) && !cf_map_get(&s->puts, v->value[i].value)) continue;
        if (i == here || !may_put(s, v->value[i].value)) continue;
        if (v->value[i].block == v->value[here].block && i < here) return true;
        cf_push(s->job->arena, &work, v->value[i].block);
    }
    while (work.n) {
        cf_id b = work.at[--work.n];
        for (uint32_t k = 0; k < v->block[b].n_succs; k++)
            if (cf_set_bit(&seen, v->block[b].succ[k])) cf_push(s->job->arena, &work, v->block[b].succ[k]);
    }
    return cf_bit(&seen, v->value[here].block);
}

/* In its function, or before a call of that. */
static bool runs_after_put(search *s, LLVMValueRef at, cf_map *seen) {
    LLVMValueRef f = l_function_of(at);
    if (is_behind_put(s, at)) return true;
    if (cf_map_get(seen, f)) return false; /* whoever asked first goes on */
    cf_map_put(s->job->arena, seen, f, f);
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        bool here = LLVMIsAInstruction(call) && cf_map_get(&s->reached, l_function_of(call));
        if (!here) continue;
        bool calls = is_call(call) && l_callee(call) == f;
        if (!calls || runs_after_put(s, call, seen)) return true; /* taken: called from anywhere */
    }
    return false;
}

/* ---- messages ---- */

static void warn_of_call(search *s, LLVMValueRef call) {
    LLVMValueRef f = l_callee(call);
    cf_arena *a = s->job->arena;
    const char *what = f ? cf_text(a, "`%s`, which has no body here,", l_shown(f))
                       : LLVMIsAInlineAsm(LLVMGetCalledValue(call))
                           ? "this assembly"
                           : "the function that is called through this pointer, which has no body here,";
    const char *name = l_shown(s->held),
               *way = f ? cf_text(a, ", or say that it does neither: CF_INACTIVE(%s)", l_shown(f))
                        : ", or put the call into a function that is inactive (CF_INACTIVE)";
    cf_report(s->job->sink, CF_WARNING, l_place(call), l_shown(l_function_of(call)),
              "%s may read or write `%s`, which may hold numbers here that depend on the inputs: the "
              "derivative is right "
              "only if it does neither. Give it a body (--link, full LTO) or a rule, make `%s` static%s",
              what, name, name, way);
}

static void warn_of_calls(search *s) {
    for (size_t k = 0; k < s->calls.n; k++) {
        LLVMValueRef i = s->calls.at[k], called = LLVMGetCalledValue(i);
        if (cf_map_get(&s->told, called) || !runs_after_put(s, i, &(cf_map){0})) continue;
        cf_map_put(s->job->arena, &s->told, called, called);
        warn_of_call(s, i);
    }
}

/* ---- bodies that the linker may replace ---- */

static void warn_of_weak(const search *s, LLVMValueRef f, LLVMValueRef name) {
    bool ours = l_begins(l_name(f), "__cf_") && !l_begins(l_name(f), L_LOCAL);
    const cf_rule *rule = cf_rule_of(s->job, f);
    if (!l_is_replaceable(name) || ours || LLVMIsDeclaration(f) || (rule && rule->kind != CF_RULE_BODY))
        return;
    cf_report(s->job->sink, CF_WARNING, l_place(f), l_shown(f),
              "`%s` is weak: what is differentiated is its body here. Where the linker takes another, the "
              "derivative is "
              "not of what the program runs; define it `static` or `inline`, or link by full LTO",
              l_shown(name));
}

static void warn_of_replaceable(const search *s) {
    if (s->job->options.whole_program) return;
    LLVMModuleRef m = s->job->module;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (cf_map_get(&s->reached, f)) warn_of_weak(s, f, f);
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(m); a; a = LLVMGetNextGlobalAlias(a)) {
        LLVMValueRef f = l_without_aliases(a);
        if (cf_map_get(&s->reached, a) && f && LLVMIsAFunction(f)) warn_of_weak(s, f, a);
    }
}

void cf_unseen_warn(cf_job *job, LLVMModuleRef user) {
    search s = {.job = job, .user = user};
    cf_kept_reach(job, &s.reached);
    find_calls(&s);
    for (size_t k = 0; k < s.calls.n; k++) find_handed(&s, s.calls.at[k]);
    for (LLVMValueRef g = s.calls.n ? LLVMGetFirstGlobal(job->module) : NULL; g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsGlobalConstant(g) && cf_map_get(&s.reached, g)) find_puts(&s, g, cf_kept_stores(job, g));
    if (s.puts.n) warn_of_calls(&s);
    warn_of_replaceable(&s);
}
