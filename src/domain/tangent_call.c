/* Forward mode: which way a call goes. A rule first, then the callee's clone, then what is known of the callee. */
#include "analysis/globals.h"
#include "known/known.h"
#include "known/rules.h"
#include "domain/tangent_body.h"
#include "ir/guards.h"

void cf_stand_after_call(cf_body *b, LLVMValueRef call) {
    LLVMValueRef now = cf_now(b, call);
    if (!LLVMIsAInvokeInst(now)) {
        cf_stand_behind(b, now);
        return;
    }
    l_at_start(b->builder, LLVMGetNormalDest(now));
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(now));
}

static LLVMValueRef varied_argument(cf_body *b, LLVMValueRef call) {
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        if (cf_varies(b, LLVMGetOperand(call, k))) return LLVMGetOperand(call, k);
    return NULL;
}

static LLVMValueRef first_beside(cf_body *b, LLVMValueRef call, unsigned k) {
    return cf_beside(b, LLVMGetOperand(call, 0), k);
}

/* Assembly that does nothing (it hides a value from the optimiser) may be told about addresses, and returns what it
 * got. */
static void assembly(cf_body *b, LLVMValueRef call) {
    bool empty = cf_is_empty_assembly(LLVMGetCalledValue(call));
    if (cf_varies(b, call)) {
        cf_stand_after_call(b, call);
        cf_set_each(b, call, first_beside);
        return;
    }
    bool harmless = empty && l_is_void_type(LLVMTypeOf(call));
    if (varied_argument(b, call) && !harmless)
        cf_body_error(
            b, call,
            "inline assembly (asm) on an active path cannot be differentiated; put it into a function "
            "and give that a rule (CF_RULE_FORWARD) or CF_INACTIVE");
}

static void without_body(cf_body *b, LLVMValueRef call, LLVMValueRef f) {
    LLVMValueRef active = varied_argument(b, call);
    if (!active) return;
    const char *what =
        l_is_pointer_type(LLVMTypeOf(active)) ? "a pointer to active memory" : "an active value";
    if (l_has_f(f, "naked"))
        cf_body_error(
            b, call,
            "%s is given to `%s`, which is assembly (`naked`) and cannot be differentiated; give it a "
            "rule (CF_RULE_FORWARD) or CF_INACTIVE",
            what, l_name(f));
    else if (l_is_intrinsic(f))
        cf_body_error(b, call,
                      "%s is given to the intrinsic `%s`, and there is no derivative rule for it; write what "
                      "it computes in C, or put it into a function with a rule (CF_RULE_FORWARD) or without "
                      "derivative (CF_INACTIVE)",
                      what, l_name(f));
    else if (cf_known_way_out(l_name(f)))
        cf_body_error(b, call, "a derivative goes through `%s`: %s", l_name(f), cf_known_way_out(l_name(f)));
    else
        cf_body_error(
            b, call,
            "%s is given to `%s`, which has neither a body here nor a derivative rule; give it a body "
            "(`--link other.bc`, or link-time optimisation), a rule (CF_RULE_FORWARD), or CF_INACTIVE; if it "
            "frees "
            "memory, CF_ALLOCATOR",
            what, l_name(f));
}

static cf_target to_clone(cf_body *b, LLVMValueRef call, LLVMValueRef f) {
    cf_target keep = {.kind = CF_CALL_KEEP};
    bool active = varied_argument(b, call) || cf_varies(b, call) || cf_touches_active_global(b->job, f);
    if (!active) return keep;
    if (l_function_type(f) != LLVMGetCalledFunctionType(call)) {
        cf_body_error(b, call, "`%s` is called with other types than it is defined with", l_name(f));
        return keep;
    }
    if (LLVMIsFunctionVarArg(l_function_type(f))) {
        cf_body_error(b, call, CF_VARIADIC_LEFT, l_name(f));
        return keep;
    }
    return (cf_target){.kind = CF_CALL_CLONE, .key = cf_varied_call(cf_state(b)->varied, call, f)};
}

/* The user says that the function is inactive. Its pointers have shadows all the same: what it writes has tangent 0. */
static cf_target inactive(cf_body *b, LLVMValueRef call, LLVMValueRef f) {
    cf_target keep = {.kind = CF_CALL_KEEP};
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        LLVMValueRef p = LLVMGetOperand(call, k);
        if (l_is_pointer_type(LLVMTypeOf(p)) && cf_varies(b, p) && cf_inactive_may_write(call, k))
            cf_body_error(b, call, CF_INACTIVE_WRITES, l_name(f), k + 1);
    }
    if (LLVMIsDeclaration(f) || l_function_type(f) != LLVMGetCalledFunctionType(call)) return keep;
    cf_key key = cf_varied_call(cf_state(b)->varied, call, f);
    uint8_t *arg = CF_ARRAY(b->job->arena, uint8_t, key.n + 1);
    bool any = false;
    for (unsigned k = 0; k < key.n; k++) {
        if (!(key.arg[k] & CF_ARG_DUP) || !l_is_pointer_type(LLVMTypeOf(LLVMGetOperand(call, k)))) continue;
        arg[k] = key.arg[k] | CF_ARG_FROZEN;
        any = true;
    }
    key.arg = arg;
    key.result = false;
    return any ? (cf_target){.kind = CF_CALL_CLONE, .key = key} : keep;
}

static cf_target by_rule(cf_body *b, LLVMValueRef call, const cf_rule *rule) {
    cf_target keep = {.kind = CF_CALL_KEEP};
    switch (rule->kind) {
    case CF_RULE_BODY: return to_clone(b, call, rule->body);
    case CF_RULE_PARTIALS:
        if (!cf_varies(b, call)) return keep;
        cf_stand_after_call(b, call);
        if (l_callee(call) && l_is_multiply_add(l_callee(call)))
            cf_tangent_multiply_add(b, call);
        else
            cf_tangent_partials(b, call, rule, LLVMGetNumArgOperands(call));
        return keep;
    case CF_RULE_CUSTOM:
        if (!rule->forward)
            cf_body_error(b, call, "`%s` has a rule for reverse mode alone, and no body",
                          l_name(l_callee(call)));
        else if (varied_argument(b, call))
            cf_tangent_custom(b, call, rule);
        return keep;
    default: return inactive(b, call, l_callee(call));
    }
}

cf_target cf_tangent_resolve(cf_body *b, LLVMValueRef call) {
    LLVMValueRef f = l_callee(call);
    cf_target keep = {.kind = CF_CALL_KEEP};
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call))) {
        assembly(b, call);
        return keep;
    }
    if (!f) {
        cf_key key = cf_varied_call(cf_state(b)->varied, call, NULL);
        return cf_tangent_through(b, call, &key) ? keep : (cf_target){.kind = CF_CALL_INDIRECT, .key = key};
    }
    if (l_is_marker(f)) return keep;
    if (l_is_multiply_add(f) && cf_varies(b, call)) { /* of any type of number */
        cf_stand_after_call(b, call);
        cf_tangent_multiply_add(b, call);
        return keep;
    }
    if (cf_is_guard(f)) {
        cf_stand_after_call(b, call);
        if (cf_varies(b, call)) cf_tangent_guard(b, call);
        return keep;
    }
    const cf_rule *rule = cf_rule_of(b->job, f);
    bool body = !LLVMIsDeclaration(f);
    if (rule && !(rule->kind == CF_RULE_CUSTOM && !rule->forward && body)) return by_rule(b, call, rule);
    if (body) return to_clone(b, call, f);
    if (cf_mixes_bits(f)) {
        cf_stand_after_call(b, call);
        if (cf_varies(b, call)) cf_tangent_lost(b, call);
        return keep;
    }
    if (!cf_tangent_known(b, call, f) && !cf_is_frozen(cf_state(b)->varied)) without_body(b, call, f);
    return keep;
}
