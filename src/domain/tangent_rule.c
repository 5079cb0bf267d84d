/* Forward mode: rules. The tangent is the sum over the arguments of partial derivative times tangent; where one of them is
 * 0 the product is 0, whatever the other: at a singular point the partial derivative may be infinite, and so may the tangent
 * that comes from one. */
#include "analysis/singular.h"
#include "ir/guards.h"
#include "known/rules.h"
#include "domain/tangent_body.h"

/* Argument or result for one lane; what is scalar all the same is shared. */
static LLVMValueRef lane_of(cf_body *b, LLVMValueRef v, unsigned lanes, unsigned lane) {
    if (!lanes || !l_is_vector_type(LLVMTypeOf(v))) return v;
    return LLVMBuildExtractElement(b->builder, v, l_i32(b->job->context, lane), "");
}

static LLVMValueRef partial_once(cf_body *b, LLVMValueRef i, const cf_rule *rule, unsigned of, unsigned n,
                                 unsigned lane) {
    LLVMValueRef f = rule->partial[of];
    LLVMValueRef *args = CF_ARRAY(b->job->arena, LLVMValueRef, n + 1);
    for (unsigned k = 0; k < n; k++) args[k] = lane_of(b, cf_now(b, LLVMGetOperand(i, k)), rule->lanes, lane);
    args[n] = lane_of(b, cf_now(b, i), rule->lanes, lane);
    return l_call(b->builder, f, args, n + 1, "");
}

/* The partial derivative by argument `of`; a vector when the rule is for lanes. */
static LLVMValueRef partial(cf_body *b, LLVMValueRef i, const cf_rule *rule, unsigned of, unsigned n) {
    if (!rule->lanes) return partial_once(b, i, rule, of, n, 0);
    LLVMValueRef all = LLVMGetPoison(LLVMTypeOf(i));
    for (unsigned lane = 0; lane < rule->lanes; lane++)
        all = LLVMBuildInsertElement(b->builder, all, partial_once(b, i, rule, of, n, lane),
                                     l_i32(b->job->context, lane), "");
    return all;
}

LLVMValueRef cf_tangent_unless_zero(cf_body *b, LLVMValueRef factor, LLVMValueRef product) {
    return cf_unless_zero(b->builder, factor, product);
}

LLVMValueRef cf_tangent_product(cf_body *b, LLVMValueRef i, LLVMValueRef dx, LLVMValueRef y) {
    LLVMValueRef product = cf_flagged(i, LLVMBuildFMul(b->builder, dx, y, ""));
    return cf_meets_steep(b->job) ? cf_tangent_unless_zero(b, y, product) : product;
}

static LLVMValueRef term(cf_body *b, LLVMValueRef i, LLVMValueRef p, LLVMValueRef dx) {
    LLVMValueRef product = cf_flagged(i, LLVMBuildFMul(b->builder, p, dx, ""));
    return cf_tangent_unless_zero(b, p, cf_tangent_unless_zero(b, dx, product));
}

/* A product with 0 is 0, but its tangent need not be: only where the factor stays 0, so does the product. */
void cf_tangent_guard(cf_body *b, LLVMValueRef call) {
    unsigned n = cf_guard_factors(call);
    LLVMValueRef *made = CF_ARRAY(b->job->arena, LLVMValueRef, b->key.width);
    LLVMValueRef *factor = CF_ARRAY(b->job->arena, LLVMValueRef, 2 * n);
    for (unsigned k = 0; k < b->key.width; k++) {
        unsigned all = n;
        for (unsigned i = 0; i < n; i++) {
            LLVMValueRef moves = cf_beside(b, LLVMGetOperand(call, i), k);
            factor[i] = cf_now(b, LLVMGetOperand(call, i));
            if (moves) factor[all++] = moves;
        }
        LLVMValueRef product = cf_beside_or_none(b, LLVMGetOperand(call, n), k);
        made[k] = cf_unless_all_zero(b->builder, factor, all, product);
    }
    cf_set_companions(b, call, made);
}

void cf_tangent_partials(cf_body *b, LLVMValueRef i, const cf_rule *rule, unsigned n) {
    LLVMValueRef *sum = CF_ARRAY(b->job->arena, LLVMValueRef, b->key.width);
    for (unsigned of = 0; of < n && of < rule->n; of++) {
        LLVMValueRef x = LLVMGetOperand(i, of);
        if (!rule->partial[of] || !cf_beside(b, x, 0)) continue;
        LLVMValueRef p = partial(b, i, rule, of, n);
        for (unsigned k = 0; k < b->key.width; k++) {
            LLVMValueRef one = term(b, i, p, cf_beside(b, x, k));
            sum[k] = sum[k] ? cf_flagged(i, LLVMBuildFAdd(b->builder, sum[k], one, "")) : one;
        }
    }
    for (unsigned k = 0; k < b->key.width; k++)
        if (!sum[k]) sum[k] = l_zero(LLVMTypeOf(i));
    cf_set_companions(b, i, sum);
}

/* NULL for a pointer that has no shadow, also where that turns out at run time. */
static LLVMValueRef shadow_for_rule(cf_body *b, LLVMValueRef p, unsigned k) {
    LLVMValueRef shadow = cf_beside(b, p, k), null = l_zero(LLVMTypeOf(p));
    if (!shadow) return null;
    if (!(cf_flags(b, p) & CF_MIXED)) return shadow;
    return LLVMBuildSelect(b->builder, cf_is_none(b, cf_now(b, p), shadow), null, shadow, "");
}

static LLVMValueRef product(cf_body *b, LLVMValueRef i, unsigned of, unsigned other, unsigned k) {
    LLVMValueRef dx = cf_beside(b, LLVMGetOperand(i, of), k), y = cf_now(b, LLVMGetOperand(i, other));
    return dx ? cf_tangent_product(b, i, dx, y) : NULL;
}

static LLVMValueRef sum(cf_body *b, LLVMValueRef i, LLVMValueRef x, LLVMValueRef y) {
    if (!x || !y) return x ? x : y;
    return cf_flagged(i, LLVMBuildFAdd(b->builder, x, y, ""));
}

static LLVMValueRef multiply_add(cf_body *b, LLVMValueRef i, unsigned k) {
    LLVMValueRef xy = sum(b, i, product(b, i, 0, 1, k), product(b, i, 1, 0, k));
    return sum(b, i, xy, cf_beside(b, LLVMGetOperand(i, 2), k));
}

void cf_tangent_multiply_add(cf_body *b, LLVMValueRef i) { cf_set_each(b, i, multiply_add); }

/* The user's rule runs after the function itself: each parameter, followed by what is beside it. */
static LLVMValueRef call_custom(cf_body *b, LLVMValueRef call, LLVMValueRef forward, unsigned k) {
    cf_values args = {0};
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef x = LLVMGetOperand(call, i);
        LLVMTypeRef t = LLVMTypeOf(x);
        cf_push(b->job->arena, &args, cf_now(b, x));
        if (l_is_pointer_type(t)) cf_push(b->job->arena, &args, shadow_for_rule(b, x, k));
        if (l_is_number_type(t)) cf_push(b->job->arena, &args, cf_beside_or_none(b, x, k));
    }
    return l_call(b->builder, forward, args.at, (unsigned)args.n, "");
}

void cf_tangent_custom(cf_body *b, LLVMValueRef call, const cf_rule *rule) {
    cf_stand_after_call(b, call);
    LLVMValueRef *beside = CF_ARRAY(b->job->arena, LLVMValueRef, b->key.width);
    for (unsigned k = 0; k < b->key.width; k++) beside[k] = call_custom(b, call, rule->forward, k);
    if (cf_varies(b, call) && LLVMTypeOf(beside[0]) == LLVMTypeOf(call)) cf_set_companions(b, call, beside);
}
