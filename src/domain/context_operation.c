/* Operations in a context: hooks around them, overrides in their place. */
#include "domain/context_body.h"

/* The marks of an object's lifetime are for the alloca alone. */
static bool keep_marks(LLVMValueRef alloca, LLVMValueRef by) {
    bool any = false;
    if (!LLVMIsAAllocaInst(alloca)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(by), next; u; u = next) {
        LLVMValueRef user = LLVMGetUser(u), f = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
        next = LLVMGetNextUse(u);
        if (!f || !LLVMIsAFunction(f) || !l_begins(l_name(f), "llvm.lifetime.")) continue;
        LLVMSetOperand(user, LLVMGetNumArgOperands(user) - 1, alloca);
        any = true;
    }
    return any;
}

/* Puts a value, made by hooks behind `now`, in the place of `now` everywhere but in these hooks. */
void cf_context_replace(cf_body *b, LLVMValueRef old, LLVMValueRef by) {
    LLVMValueRef now = cf_now(b, old);
    if (by == now || !by) return;
    LLVMReplaceAllUsesWith(now, by);
    keep_marks(now, by);
    LLVMValueRef i = LLVMIsAInvokeInst(now) ? LLVMGetFirstInstruction(LLVMGetInstructionParent(by))
                                            : LLVMGetNextInstruction(now);
    for (;; i = LLVMGetNextInstruction(i)) {
        for (int k = 0, n = LLVMGetNumOperands(i); k < n; k++)
            if (LLVMGetOperand(i, (unsigned)k) == by) LLVMSetOperand(i, (unsigned)k, now);
        if (i == by) break;
    }
    cf_map_put(b->job->arena, &b->clone.values, old, by);
}

static void operands_of(LLVMValueRef now, const cf_happening *e, LLVMValueRef *out) {
    for (unsigned i = 0; i < e->n; i++) out[i] = LLVMGetOperand(now, i);
    if (LLVMIsABranchInst(now)) out[0] = LLVMGetCondition(now);
}

/* The override's result in the place of a terminator's operand. */
static void override_terminator(LLVMValueRef now, LLVMValueRef by) {
    if (LLVMIsABranchInst(now))
        LLVMSetCondition(now, by);
    else
        LLVMSetOperand(now, 0, by);
}

static void override_operation(cf_body *b, LLVMValueRef i, cf_hook *h, const cf_happening *e,
                               LLVMValueRef *operands) {
    LLVMValueRef now = cf_now(b, i);
    LLVMValueRef by = cf_event_call(b, h, e, operands, NULL);
    if (LLVMIsATerminatorInst(now)) {
        override_terminator(now, by);
        return;
    }
    by = cf_event_post(b, e, operands, cf_value_or_null(by));
    if (by) {
        LLVMReplaceAllUsesWith(now, by);
        cf_map_put(b->job->arena, &b->clone.values, i, by);
        if (keep_marks(now, by)) return;
    }
    cf_push(b->job->arena, &cf_within_of(b)->gone, now);
}

void cf_context_operate(cf_body *b, LLVMValueRef i) {
    cf_within *w = cf_within_of(b);
    if (!w->works) return;
    cf_happening *e = &w->now;
    if (!cf_happening_of(b->job, w->context, i, e) || !cf_any_matches(b->job, w->context, e, w->hooks))
        return;
    LLVMValueRef now = cf_now(b, i), operands[64];
    operands_of(now, e, operands);
    cf_stand_before(b, now);
    cf_event_pre(b, e, operands);
    cf_hook *h = cf_override_for(b, e);
    if (h) {
        override_operation(b, i, h, e, operands);
        return;
    }
    if (LLVMIsATerminatorInst(now)) return;
    cf_stand_behind(b, now);
    cf_context_replace(b, i, cf_event_post(b, e, operands, cf_value_or_null(now)));
}

void cf_context_operation(cf_body *b, LLVMValueRef i) {
    cf_within_of(b)->works = cf_within_of(b)->body_works;
    cf_event_line(b, i);
    cf_context_operate(b, i);
}

/* ---- fused operations ---- */

/* One operation, rounded and watched as `fused` is where that is constrained. */
static LLVMValueRef build_like(cf_body *b, LLVMValueRef fused, LLVMOpcode op, LLVMValueRef x,
                               LLVMValueRef y) {
    LLVMValueRef now = cf_now(b, fused);
    if (LLVMGetNumArgOperands(now) == 3) return LLVMBuildBinOp(b->builder, op, x, y, "");
    LLVMTypeRef t = LLVMTypeOf(x);
    const char *name =
        cf_text(b->job->arena, "llvm.experimental.constrained.%s", op == LLVMFMul ? "fmul" : "fadd");
    LLVMValueRef args[4] = {x, y, LLVMGetOperand(now, 3), LLVMGetOperand(now, 4)};
    LLVMValueRef made = l_call(b->builder, l_intrinsic(b->job->module, name, &t, 1), args, 4, "");
    LLVMAddCallSiteAttribute(made, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             l_attribute(b->job->context, "strictfp", 0));
    return made;
}

/* One half of a multiplication and addition: built as an operation of its own. */
static LLVMValueRef build_half(cf_body *b, LLVMValueRef fused, LLVMOpcode op, LLVMValueRef x,
                               LLVMValueRef y) {
    cf_happening e;
    LLVMValueRef operands[2] = {x, y}, made;
    cf_happening_half(&e, fused, op);
    cf_event_pre(b, &e, operands);
    cf_hook *h = cf_override_for(b, &e);
    if (h) {
        made = cf_event_call(b, h, &e, operands, NULL);
    } else {
        made = build_like(b, fused, op, x, y);
        if (LLVMIsAInstruction(made)) cf_copy_fast_math(cf_now(b, fused), made);
    }
    return cf_event_post(b, &e, operands, made);
}

static bool half_matches(cf_body *b, LLVMValueRef fused, LLVMOpcode op) {
    cf_happening e;
    cf_happening_half(&e, fused, op);
    return cf_any_matches(b->job, cf_within_of(b)->context, &e, cf_within_of(b)->hooks);
}

bool cf_context_split(cf_body *b, LLVMValueRef call) {
    if (!cf_is_fused(call) || (!half_matches(b, call, LLVMFMul) && !half_matches(b, call, LLVMFAdd)))
        return false;
    LLVMValueRef now = cf_now(b, call);
    cf_stand_before(b, now);
    LLVMValueRef product = build_half(b, call, LLVMFMul, LLVMGetOperand(now, 0), LLVMGetOperand(now, 1));
    LLVMValueRef sum = build_half(b, call, LLVMFAdd, product, LLVMGetOperand(now, 2));
    LLVMReplaceAllUsesWith(now, sum);
    cf_map_put(b->job->arena, &b->clone.values, call, sum);
    LLVMInstructionEraseFromParent(now);
    return true;
}

/* ---- results at addresses ---- */

/* Puts what the intrinsic returns where C's function would: the last parts of it, at addresses. What is left is the
 * result. */
static LLVMValueRef spread_result(cf_body *b, LLVMValueRef now, LLVMValueRef *slots, unsigned parts,
                                  unsigned first) {
    cf_stand_behind(b, now);
    for (unsigned i = first; i < parts; i++)
        LLVMBuildStore(b->builder, LLVMBuildExtractValue(b->builder, now, i, ""), slots[i - first]);
    return first ? LLVMBuildExtractValue(b->builder, now, 0, "") : NULL;
}

bool cf_context_respell(cf_body *b, LLVMValueRef call) {
    cf_within *w = cf_within_of(b);
    cf_happening *e = &w->now;
    LLVMValueRef operands[64];
    bool with_result = e->spelling == CF_SPELLED_RESULT_AND_ADDRESS;
    if ((!with_result && e->spelling != CF_SPELLED_ADDRESSES) ||
        !cf_any_matches(b->job, w->context, e, w->hooks))
        return false;
    LLVMValueRef now = cf_now(b, call);
    LLVMTypeRef type = LLVMTypeOf(now);
    unsigned parts = LLVMCountStructElementTypes(type);
    operands[0] = LLVMGetOperand(now, 0);
    cf_stand_before(b, now);
    for (unsigned i = with_result; i < parts; i++)
        operands[1 + i - with_result] = l_slot(b->builder, LLVMStructGetTypeAtIndex(type, i), "");
    cf_event_pre(b, e, operands);
    cf_hook *h = cf_override_for(b, e);
    LLVMValueRef r = h ? cf_value_or_null(cf_event_call(b, h, e, operands, NULL))
                       : spread_result(b, now, operands + 1, parts, with_result);
    r = cf_event_post(b, e, operands, r);
    LLVMValueRef made = LLVMGetPoison(type);
    if (with_result) made = LLVMBuildInsertValue(b->builder, made, r, 0, "");
    for (unsigned i = with_result; i < parts; i++) {
        LLVMValueRef v =
            LLVMBuildLoad2(b->builder, LLVMStructGetTypeAtIndex(type, i), operands[1 + i - with_result], "");
        made = LLVMBuildInsertValue(b->builder, made, v, i, "");
    }
    if (!h) {
        cf_context_replace(b, call, made);
        return true;
    }
    LLVMReplaceAllUsesWith(now, made);
    cf_map_put(b->job->arena, &b->clone.values, call, made);
    LLVMInstructionEraseFromParent(now);
    return true;
}
