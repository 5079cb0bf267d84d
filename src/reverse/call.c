/* Calls: in the forward sweep the augmented callee, in the reverse sweep its reverse; rules; memory functions.
 *
 * In:     the sweep. Forward edits use s->f, reverse code s->b
 * Out:    code in both; s->calls: calls of pairs, whose callees are set when the plan is made
 *
 * What a call means is decided once, by classify. */
#include "contents/carriers.h"
#include "reverse/marks.h"
#include "reverse/reverse.h"

static bool writes(LLVMValueRef f) {
    LLVMAttributeRef m = l_get(f, (unsigned)LLVMAttributeFunctionIndex, "memory");
    return !m || (LLVMGetEnumAttributeValue(m) & 0xAAAAAAAA);
}

/* Memory with adjoints is handed to the call. */
static bool takes_shadow(const cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    for (unsigned k = 0; k < LLVMGetNumArgOperands(x->value); k++)
        if (x->operand[k] != CF_NONE && l_is_pointer_type(cf_type_of(s, x->operand[k])) &&
            cf_has_shadow(s->act, x->operand[k]) && cf_memory_active(s->act, x->operand[k]))
            return true;
    return false;
}

cf_meaning cf_meaning_of(cf_sweep *s, cf_id i, const cf_rule **rule, const cf_known **known) {
    const cf_value *x = &s->v->value[i];
    LLVMValueRef f = l_callee(x->value);
    *rule = NULL;
    *known = NULL;
    if (x->op == LLVMAlloca) return CF_MEANS_ALLOCA;
    if (x->op == LLVMFRem) {
        *rule = cf_rule_of_operation(s->job, x->value);
        return *rule ? CF_MEANS_PARTIALS : CF_MEANS_UNKNOWN;
    }
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(x->value)))
        return cf_call_active(s->act, i) ? CF_MEANS_ASM : CF_MEANS_NOTHING;
    if (!f) return cf_call_active(s->act, i) ? CF_MEANS_INDIRECT : CF_MEANS_NOTHING;
    if (l_is_marker(f)) return CF_MEANS_NOTHING;
    if (l_is_intrinsic_of(f, "llvm.lifetime.start") || l_is_intrinsic_of(f, "llvm.lifetime.end") ||
        l_is_intrinsic_of(f, "llvm.stacksave") || l_is_intrinsic_of(f, "llvm.stackrestore"))
        return CF_MEANS_STACK;
    *rule = cf_rule_of(s->job, f);
    if (*rule) switch ((*rule)->kind) {
        case CF_RULE_PARTIALS: return CF_MEANS_PARTIALS;
        case CF_RULE_CUSTOM: return cf_call_active(s->act, i) ? CF_MEANS_CUSTOM : CF_MEANS_NOTHING;
        case CF_RULE_INACTIVE:
            return LLVMGetFirstBasicBlock(f) && takes_shadow(s, i) ? CF_MEANS_PAIR : CF_MEANS_NOTHING;
        case CF_RULE_BODY: return CF_MEANS_UNKNOWN; /* replaced before */
        }
    *known = cf_known_of(f);
    if (*known && !((*known)->flags & CF_KNOWN_CALLBACK)) return CF_MEANS_KNOWN;
    bool body = LLVMGetFirstBasicBlock(f) != NULL;
    if (!cf_call_active(s->act, i))
        return s->key->undo && body && writes(f) ? CF_MEANS_PAIR : CF_MEANS_NOTHING;
    return body ? CF_MEANS_PAIR : CF_MEANS_UNKNOWN;
}

/* --- calls of pairs ---------------------------------------------------------------------------------------------------------- */

/* A number gets an adjoint back. */
static bool dup_number(const cf_key *key, LLVMTypeRef type, unsigned k) {
    return (key->arg[k] & CF_ARG_DUP) && !cf_takes_address(key, type);
}

/* A pointer takes its shadows along, what is homed the home of its adjoint. */
bool cf_takes_address(const cf_key *key, LLVMTypeRef type) {
    return l_is_pointer_type(type) || (key->marked && cf_is_homed_type(type));
}

static LLVMTypeRef result_struct(cf_job *job, LLVMTypeRef *t, unsigned n) {
    return n ? LLVMStructTypeInContext(job->context, t, n, 0) : LLVMVoidTypeInContext(job->context);
}

bool cf_gives_pointer(LLVMTypeRef t) {
    if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) return cf_gives_pointer(LLVMGetElementType(t));
    if (LLVMGetTypeKind(t) != LLVMStructTypeKind) return l_is_pointer_type(t);
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
        if (cf_gives_pointer(LLVMStructGetTypeAtIndex(t, i))) return true;
    return false;
}

void cf_pair_types(cf_job *job, const cf_key *key, LLVMTypeRef primal, LLVMTypeRef *aug, LLVMTypeRef *rev) {
    unsigned n = LLVMCountParamTypes(primal), w = key->width, na = 0, nr = 0, no = 0, ns = 0;
    LLVMTypeRef *param = CF_ARRAY(job->arena, LLVMTypeRef, n + 1), ret = LLVMGetReturnType(primal);
    LLVMTypeRef *a = CF_ARRAY(job->arena, LLVMTypeRef, n * (1 + w) + w + 2),
                *out = CF_ARRAY(job->arena, LLVMTypeRef, n * w + 1);
    LLVMTypeRef *result = CF_ARRAY(job->arena, LLVMTypeRef, w + 2);
    LLVMTypeRef ptr = LLVMPointerTypeInContext(job->context, 0);
    LLVMGetParamTypes(primal, param);
    a[na++] = ptr;
    for (unsigned k = 0; k < n; k++) {
        a[na++] = param[k];
        for (unsigned j = 0; j < w && (key->arg[k] & CF_ARG_DUP); j++) {
            if (dup_number(key, param[k], k))
                out[no++] = param[k];
            else
                a[na++] = ptr;
        }
    }
    if (!l_is_void_type(ret)) result[nr++] = ret;
    for (unsigned j = 0; j < w && key->result && cf_gives_pointer(ret); j++) result[nr++] = ret;
    *aug = LLVMFunctionType(result_struct(job, result, nr), a, na, 0);
    LLVMTypeRef seed = key->marked && !l_is_void_type(ret) && cf_is_homed_type(ret) ? ptr : ret;
    for (unsigned j = 0; j < w && key->result && !l_is_pointer_type(ret); j++, ns++) a[na++] = seed;
    *rev = LLVMFunctionType(result_struct(job, out, no), a, na, 0);
}

static cf_key key_of_call(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    unsigned n = LLVMGetNumArgOperands(x->value);
    if (!l_callee(x->value)) return cf_pointer_key(s, i);
    uint8_t *arg = CF_ARRAY(s->arena, uint8_t, n + 1);
    for (unsigned k = 0; k < n; k++) arg[k] = cf_call_flags(s->act, i, k);
    bool result = cf_is_active(s->act, i) || (cf_gives_pointer(x->type) && cf_has_shadow(s->act, i));
    const cf_rule *rule = cf_rule_of(s->job, l_callee(x->value));
    bool frozen = rule && rule->kind == CF_RULE_INACTIVE;
    for (unsigned k = 0; k < n && frozen; k++)
        if (!l_is_pointer_type(cf_type_of(s, x->operand[k]))) arg[k] = CF_ARG_CONST;
    return (cf_key){.function = cf_nothrow_of(s->job, l_callee(x->value)),
                    .width = s->width,
                    .n = n,
                    .arg = arg,
                    .result = result && !frozen,
                    .frozen = frozen || s->key->frozen,
                    .marked = s->key->marked,
                    .consume = s->key->consume};
}

static cf_pair_call *pair_call_of(cf_sweep *s, cf_id i) {
    for (size_t k = 0; k < s->calls.n; k++)
        if (s->calls.at[k].id == i) return &s->calls.at[k];
    cf_pair_call c = {.id = i, .key = key_of_call(s, i)};
    cf_push(s->arena, &s->calls, c);
    return &s->calls.at[s->calls.n - 1];
}

/* Puts the first result of a struct in the place of the old call's. */
static void replace_call(cf_sweep *s, cf_id i, LLVMValueRef made, bool with_shadow) {
    const cf_value *x = &s->v->value[i];
    LLVMValueRef old = cf_forward_value(s, i);
    if (!l_is_void_type(x->type)) {
        LLVMValueRef value = LLVMBuildExtractValue(s->f, made, 0, "");
        for (unsigned k = 0; k < s->width && with_shadow; k++)
            s->shadow[i * s->width + k] = LLVMBuildExtractValue(s->f, made, 1 + k, "");
        LLVMReplaceAllUsesWith(old, value);
        cf_map_put(s->job->arena, &s->clone.values, x->value, value);
    } else {
        cf_map_put(s->job->arena, &s->clone.values, x->value, made);
    }
    LLVMInstructionEraseFromParent(old);
}

static bool takes_address(const cf_sweep *s, const cf_pair_call *c, unsigned k) {
    return (c->key.arg[k] & CF_ARG_DUP) &&
           cf_takes_address(&c->key, cf_type_of(s, s->v->value[c->id].operand[k]));
}

static LLVMValueRef no_seed(const cf_sweep *s, cf_id i) {
    return LLVMConstNull(cf_is_homed(s, i) ? LLVMPointerTypeInContext(s->job->context, 0) : cf_type_of(s, i));
}

/* An integer argument that the callee makes a pointer of, or stores where pointers may be: it would have no shadow there. */
static void check_addresses(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    const cf_known *known = l_callee(x->value) ? cf_known_of(l_callee(x->value)) : NULL;
    if (known && known->kind == CF_KNOWN_INACTIVE)
        return; /* the handlers of UBSan, which tell of an address */
    for (unsigned k = 0; k < LLVMGetNumArgOperands(x->value); k++) {
        cf_id o = x->operand[k];
        if (o == CF_NONE || !l_is_integer_type(cf_type_of(s, o)) || !cf_has_shadow(s->act, o)) continue;
        if (cf_passes_address(s->job, s->v->value[o].value))
            cf_sweep_error(s, i,
                           "an address of active memory goes into this call as an integer, where it has no "
                           "shadow; pass it "
                           "as a pointer");
    }
}

static void forward_pair(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    cf_pair_call *c = pair_call_of(s, i);
    LLVMValueRef old = cf_forward_value(s, i);
    unsigned n = c->key.n, na = 0;
    LLVMValueRef *a = CF_ARRAY(s->arena, LLVMValueRef, n * (1 + s->width) + 1);
    a[na++] = s->tape_fwd;
    for (unsigned k = 0; k < n; k++) {
        a[na++] = LLVMGetOperand(old, k);
        bool pointer = l_is_pointer_type(cf_type_of(s, x->operand[k]));
        LLVMValueRef none = LLVMConstNull(LLVMPointerTypeInContext(s->job->context, 0));
        for (unsigned j = 0; j < s->width && takes_address(s, c, k); j++)
            a[na++] = pointer ? cf_forward_shadow(s, x->operand[k], j) : none;
    }
    LLVMTypeRef aug, rev;
    cf_pair_types(s->job, &c->key, LLVMGetCalledFunctionType(x->value), &aug, &rev);
    LLVMPositionBuilderBefore(s->f, old);
    LLVMSetCurrentDebugLocation2(s->f, LLVMInstructionGetDebugLoc(old));
    LLVMValueRef callee = LLVMGetPoison(LLVMPointerTypeInContext(s->job->context, 0));
    c->aug_call = c->key.function ? LLVMBuildCall2(s->f, aug, callee, a, na, "")
                                  : cf_call_through(s, c, true, aug, a, na, LLVMGetCalledValue(old));
    s->uses_tape = true;
    replace_call(s, i, c->aug_call, c->key.result && cf_gives_pointer(x->type) && cf_has_shadow(s->act, i));
}

static void reverse_pair(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    cf_pair_call *c = pair_call_of(s, i);
    unsigned n = c->key.n, na = 0, out = 0;
    LLVMValueRef *a = CF_ARRAY(s->arena, LLVMValueRef, n * (1 + s->width) + s->width + 1);
    a[na++] = s->tape_rev;
    for (unsigned k = 0; k < n; k++) {
        a[na++] = cf_need_value(s, x->operand[k]);
        bool pointer = l_is_pointer_type(cf_type_of(s, x->operand[k]));
        for (unsigned j = 0; j < s->width && takes_address(s, c, k); j++)
            a[na++] = pointer ? cf_need_shadow(s, x->operand[k], j) : cf_home(s, x->operand[k], j);
    }
    unsigned seeds = na;
    for (unsigned j = 0; j < s->width && c->key.result && !l_is_pointer_type(x->type); j++)
        a[na++] = cf_is_active(s->act, i) ? cf_adjoint_take(s, i, j) : no_seed(s, i);
    LLVMTypeRef aug, rev;
    cf_pair_types(s->job, &c->key, LLVMGetCalledFunctionType(x->value), &aug, &rev);
    LLVMValueRef callee = LLVMGetPoison(LLVMPointerTypeInContext(s->job->context, 0));
    c->rev_call = c->key.function
                      ? LLVMBuildCall2(s->b, rev, callee, a, na, "")
                      : cf_call_through(s, c, false, rev, a, na, cf_need_value(s, x->operand[x->n - 1]));
    s->uses_tape = true;
    for (unsigned j = seeds; j < na && cf_is_homed(s, i); j++)
        cf_marks_clear(s, a[j], l_i64(s->job->context, l_size(s->job->module, x->type)));
    for (unsigned k = 0; k < n; k++)
        for (unsigned j = 0; j < s->width && dup_number(&c->key, cf_type_of(s, x->operand[k]), k); j++)
            cf_adjoint_add(s, x->operand[k], j, LLVMBuildExtractValue(s->b, c->rev_call, out++, ""));
}

/* --- rules ---------------------------------------------------------------------------------------------------------------------- */

static LLVMValueRef argument(cf_sweep *s, cf_id i, unsigned k) {
    return cf_need_value(s, s->v->value[i].operand[k]);
}

static LLVMValueRef lane(cf_sweep *s, LLVMValueRef v, unsigned lanes, unsigned l) {
    if (!lanes || !l_is_vector_type(LLVMTypeOf(v))) return v;
    return LLVMBuildExtractElement(s->b, v, l_i32(s->job->context, l), "");
}

/* bar * d f / d argument k. Arguments that the rule does not read are not asked for. */
static LLVMValueRef partial_product(cf_sweep *s, cf_id i, const cf_rule *rule, unsigned k, LLVMValueRef bar) {
    unsigned n = rule->n, lanes = rule->lanes ? rule->lanes : 1;
    LLVMValueRef read[8] = {0}, a[9], product = rule->lanes ? LLVMConstNull(LLVMTypeOf(bar)) : NULL;
    for (unsigned j = 0; j <= n && j < 8; j++)
        if (cf_rule_reads(rule, k, j)) read[j] = j < n ? argument(s, i, j) : cf_need_value(s, i);
    LLVMTypeRef t = l_function_type(rule->partial[k]), types[9];
    LLVMGetParamTypes(t, types);
    for (unsigned l = 0; l < lanes; l++) {
        for (unsigned j = 0; j <= n; j++)
            a[j] = read[j] ? lane(s, read[j], rule->lanes, l) : LLVMGetUndef(types[j]);
        LLVMValueRef part = lane(s, bar, rule->lanes, l);
        LLVMValueRef d = l_call(s->b, rule->partial[k], a, n + 1, "");
        LLVMValueRef x = LLVMBuildFMul(s->b, part, d, "");
        x = cf_product_by_rule(s, i, d, part, x);
        product = rule->lanes ? LLVMBuildInsertElement(s->b, product, x, l_i32(s->job->context, l), "") : x;
    }
    return product;
}

static void reverse_partials(cf_sweep *s, cf_id i, const cf_rule *rule) {
    const cf_value *x = &s->v->value[i];
    if (!cf_is_active(s->act, i)) return;
    for (unsigned w = 0; w < s->width; w++) {
        LLVMValueRef bar = cf_adjoint_take(s, i, w);
        for (unsigned k = 0; k < rule->n; k++)
            if (rule->partial[k] && cf_is_active(s->act, x->operand[k]))
                cf_adjoint_add(s, x->operand[k], w, partial_product(s, i, rule, k, bar));
    }
}

/* The shadow for a rule of the user's: NULL where there is none, or none at run time, for the rule must not add to it. */
static LLVMValueRef shadow_for_rule(cf_sweep *s, cf_id p, unsigned w) {
    LLVMValueRef null = LLVMConstNull(cf_type_of(s, p));
    if (!cf_has_shadow(s->act, p)) return null;
    LLVMValueRef shadow = cf_need_shadow(s, p, w);
    if (!cf_is_mixed(s->act, p)) return shadow;
    LLVMValueRef none = LLVMBuildICmp(s->b, LLVMIntEQ, shadow, cf_need_value(s, p), "");
    return LLVMBuildSelect(s->b, none, null, shadow, "");
}

/* The user's rule: numbers with a place for their adjoint, pointers with their shadow, integers alone, the seed. */
static void reverse_custom(cf_sweep *s, cf_id i, const cf_rule *rule) {
    const cf_value *x = &s->v->value[i];
    LLVMValueRef f = l_callee(x->value);
    if (!rule->reverse) {
        cf_sweep_error(
            s, i,
            "function %s has a forward rule only; give it a reverse rule too: CF_RULE_REVERSE(%s, rule)",
            l_name(f), l_name(f));
        return;
    }
    unsigned n = LLVMGetNumArgOperands(x->value);
    cf_push(s->arena, &s->customs, i);
    for (unsigned w = 0; w < s->width; w++) {
        LLVMValueRef *a = CF_ARRAY(s->arena, LLVMValueRef, 2 * n + 1),
                     *bar = CF_ARRAY(s->arena, LLVMValueRef, n + 1);
        unsigned na = 0;
        for (unsigned k = 0; k < n; k++) {
            LLVMTypeRef t = cf_type_of(s, x->operand[k]);
            a[na++] = argument(s, i, k);
            if (l_is_pointer_type(t)) a[na++] = shadow_for_rule(s, x->operand[k], w);
            if (!l_is_number_type(t)) continue;
            bar[k] = a[na++] = l_slot(s->b, t, "cf.bar");
            LLVMBuildStore(s->b, LLVMConstNull(t), bar[k]);
        }
        if (l_is_number_type(x->type))
            a[na++] = cf_is_active(s->act, i) ? cf_adjoint_take(s, i, w) : LLVMConstNull(x->type);
        if (na != LLVMCountParams(rule->reverse)) {
            cf_sweep_error(
                s, i,
                "rule %s of %s takes %u parameters, not %u: each parameter of %s followed by the place of "
                "its adjoint (number) or its shadow (pointer), then the adjoint of the result",
                l_name(rule->reverse), l_name(f), LLVMCountParams(rule->reverse), na, l_name(f));
            return;
        }
        if (s->key->marked) cf_marks_flush(s);
        l_call(s->b, rule->reverse, a, na, "");
        for (unsigned k = 0; k < n; k++)
            if (bar[k])
                cf_adjoint_add(s, x->operand[k], w,
                               LLVMBuildLoad2(s->b, cf_type_of(s, x->operand[k]), bar[k], ""));
    }
}

static void unknown_callee(cf_sweep *s, cf_id i) {
    LLVMValueRef f = l_callee(s->v->value[i].value);
    if (l_has_f(f, "naked"))
        cf_sweep_error(
            s, i,
            "function %s has an active argument and is assembly (`naked`), which cannot be "
            "differentiated; give it a rule (CF_RULE_REVERSE) or declare it inactive (CF_INACTIVE)",
            l_name(f));
    else if (l_is_intrinsic(f))
        cf_sweep_error(
            s, i,
            "the intrinsic %s has an active argument, and there is no derivative rule for it; write what it "
            "computes in C, or put it into a function with a rule (CF_RULE_REVERSE) or without derivative "
            "(CF_INACTIVE)",
            l_name(f));
    else if (cf_known_way_out(l_name(f)))
        cf_sweep_error(s, i, "a derivative goes through `%s`: %s", l_name(f), cf_known_way_out(l_name(f)));
    else
        cf_sweep_error(
            s, i,
            "function %s has an active argument, but neither a body nor a rule here; link its bitcode "
            "(--link "
            "other.bc), give it a rule (CF_RULE_REVERSE) or declare it inactive (CF_INACTIVE); a function of "
            "C that is only `inline` has no body without optimisation: write `static inline`; one that frees "
            "memory is named by CF_ALLOCATOR",
            l_name(f));
}

/* An inactive function without a body: its writes would have to clear shadows. */
static void check_inactive(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    LLVMValueRef f = x->op == LLVMCall || x->op == LLVMInvoke ? l_callee(x->value) : NULL;
    const cf_rule *rule = f && LLVMIsDeclaration(f) ? cf_rule_of(s->job, f) : NULL;
    if (!rule || rule->kind != CF_RULE_INACTIVE) return;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(x->value); k++) {
        cf_id p = x->operand[k];
        if (p != CF_NONE && l_is_pointer_type(cf_type_of(s, p)) && cf_has_shadow(s->act, p) &&
            cf_memory_active(s->act, p) && cf_inactive_may_write(x->value, k))
            cf_sweep_error(s, i, CF_INACTIVE_WRITES, l_name(f), k + 1);
    }
}

/* Ways to leave or to come back that the sweeps cannot follow. */
static bool refused(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    LLVMValueRef f = x->op == LLVMAlloca ? NULL : l_callee(x->value);
    const char *name = f ? l_name(f) : "";
    if (strstr(name, "longjmp") || strstr(name, "setjmp")) {
        cf_sweep_error(
            s, i,
            "%s in a differentiated function: the reverse sweep cannot follow a jump out of it; return a "
            "status instead",
            name);
        return true;
    }
    if (x->op == LLVMInvoke && cf_call_active(s->act, i)) {
        cf_sweep_error(
            s, i,
            "a call that may throw is differentiated here, and the exception is caught or passes "
            "destructors: "
            "reverse mode does not follow exceptions; compile with -fno-exceptions or mark it noexcept");
        return true;
    }
    return false;
}

static bool is_variadic(const cf_sweep *s, cf_id i) {
    return LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(s->v->value[i].value));
}

/* What a pointer to a function with variable arguments leads to that has no pair (request/variadic.c). */
static void forward_foreign(cf_sweep *s, cf_id i) {
    cf_check_foreign(s, i);
    for (unsigned k = 0; k < s->width && cf_has_shadow(s->act, i); k++)
        s->shadow[i * s->width + k] = cf_forward_value(s, i);
}

static void forward_called(cf_sweep *s, cf_id i) {
    LLVMValueRef f = l_callee(s->v->value[i].value);
    if (!is_variadic(s, i))
        forward_pair(s, i);
    else if (!f)
        forward_foreign(s, i);
    else
        cf_sweep_error(s, i, CF_VARIADIC_LEFT, l_name(f));
}

static void reverse_called(cf_sweep *s, cf_id i) {
    if (!is_variadic(s, i))
        reverse_pair(s, i);
    else
        for (unsigned k = 0; k < s->width && cf_is_active(s->act, i); k++) cf_adjoint_take(s, i, k);
}

/* --- by meaning ---------------------------------------------------------------------------------------------------------------- */

void cf_forward_call(cf_sweep *s, cf_id i) {
    const cf_rule *rule;
    const cf_known *known;
    if (refused(s, i)) return;
    check_inactive(s, i);
    if (s->v->value[i].op != LLVMAlloca) check_addresses(s, i);
    switch (cf_meaning_of(s, i, &rule, &known)) {
    case CF_MEANS_ALLOCA: cf_forward_alloca(s, i); break;
    case CF_MEANS_STACK:
        LLVMSetTailCallKind(cf_forward_value(s, i), LLVMTailCallKindNone);
        cf_drop_stack_call(s, i);
        break;
    case CF_MEANS_KNOWN: cf_forward_known(s, i, known); break;
    case CF_MEANS_PAIR:
    case CF_MEANS_INDIRECT: forward_called(s, i); break;
    default: break;
    }
}

void cf_reverse_call(cf_sweep *s, cf_id i) {
    const cf_rule *rule;
    const cf_known *known;
    switch (cf_meaning_of(s, i, &rule, &known)) {
    case CF_MEANS_ALLOCA: cf_reverse_alloca(s, i); break;
    case CF_MEANS_KNOWN: cf_reverse_known(s, i, known); break;
    case CF_MEANS_PARTIALS: reverse_partials(s, i, rule); break;
    case CF_MEANS_CUSTOM: reverse_custom(s, i, rule); break;
    case CF_MEANS_PAIR:
    case CF_MEANS_INDIRECT: reverse_called(s, i); break;
    case CF_MEANS_UNKNOWN:
        if (cf_call_active(s->act, i)) unknown_callee(s, i);
        break;
    case CF_MEANS_ASM:
        cf_sweep_error(s, i,
                       "inline assembly takes or gives an active value; put it into a function with a rule "
                       "(CF_RULE_REVERSE) or without derivative (CF_INACTIVE)");
        break;
    default: break;
    }
}
