/* Idioms: numbers that are rounded by a large number, which is added and taken away again and leaves no room for a
 * fraction. To the rules of arithmetic that is x, with derivative 1; it is a step function. */
#include "ir/idioms_body.h"
#include <math.h>

/* A number of which nothing but a copy without derivative is used. */
static bool is_only_cut(LLVMValueRef v) {
    LLVMUseRef u = LLVMGetFirstUse(v);
    LLVMValueRef user = u ? LLVMGetUser(u) : NULL;
    return user && !LLVMGetNextUse(u) && is_op(user, LLVMBitCast) && LLVMGetFirstUse(user) &&
           !LLVMGetNextUse(LLVMGetFirstUse(user)) && cf_is_cut(LLVMGetUser(LLVMGetFirstUse(user)));
}

/* From here on a number of this type is whole; and from where on a number of the form 1.5 * 2^k says that it is meant to
 * round (to parts as small as tables have). */
static double whole_from(LLVMTypeRef lane) { return (double)(UINT64_C(1) << cf_mantissa_bits(lane)); }
static double rounds_from(LLVMTypeRef lane) {
    return whole_from(lane) / (LLVMGetTypeKind(lane) == LLVMDoubleTypeKind ? 65536 : 256);
}

static bool is_one_and_a_half(double c) {
    int k;
    return frexp(c, &k) == 0.75;
}

static bool is_large(LLVMValueRef v, LLVMTypeRef lane, int depth) {
    if (LLVMIsAConstant(v)) {
        LLVMTypeRef t = LLVMTypeOf(v);
        for (unsigned i = 0; i < cf_lane_count(t); i++) {
            LLVMValueRef e = l_is_vector_type(t) ? LLVMGetAggregateElement(v, i) : v;
            LLVMBool inexact;
            double c = e && LLVMIsAConstantFP(e) ? fabs(LLVMConstRealGetDouble(e, &inexact)) : 0;
            if (!(c >= whole_from(lane) || (c >= rounds_from(lane) && is_one_and_a_half(c))) || isinf(c))
                return false;
        }
        return true;
    }
    if (!LLVMIsAInstruction(v) || depth > CF_DEEP) return false;
    if (is_op(v, LLVMFNeg) || is_op(v, LLVMFPTrunc) || is_op(v, LLVMFPExt))
        return is_large(operand(v, 0), lane, depth + 1);
    if (is_op(v, LLVMSelect))
        return is_large(operand(v, 1), lane, depth + 1) && is_large(operand(v, 2), lane, depth + 1);
    return LLVMIsACallInst(v) && l_callee(v) && l_is_intrinsic_of(l_callee(v), "llvm.copysign") &&
           is_large(operand(v, 0), lane, depth + 1);
}

static bool may_reassociate(LLVMValueRef i) { return LLVMGetFastMathFlags(i) & LLVMFastMathAllowReassoc; }

static LLVMValueRef without_fence(LLVMValueRef v) {
    while (LLVMIsACallInst(v) && l_callee(v) && l_is_intrinsic_of(l_callee(v), "llvm.arithmetic.fence"))
        v = operand(v, 0);
    return v;
}

static bool are_opposite(LLVMValueRef c, LLVMValueRef d) {
    if (!LLVMIsAConstant(c) || !LLVMIsAConstant(d)) return false;
    uint64_t x[CF_MOST_LANES], y[CF_MOST_LANES];
    unsigned n = cf_lane_count(LLVMTypeOf(c)), w = cf_bit_count(LLVMTypeOf(c)) / n;
    if (n > CF_MOST_LANES || !cf_constant_lanes(c, w, n, x) || !cf_constant_lanes(d, w, n, y)) return false;
    for (unsigned i = 0; i < n; i++)
        if ((x[i] ^ y[i]) != UINT64_C(1) << (w - 1)) return false;
    return true;
}

/* x + c or x * y + c before c is taken away; x - c before it is added. */
static bool is_sum_with(LLVMValueRef sum, LLVMValueRef c, bool plus) {
    if (LLVMIsACallInst(sum) && l_callee(sum) && l_is_multiply_add(l_callee(sum)))
        return plus ? are_opposite(operand(sum, 2), c) : operand(sum, 2) == c;
    if (is_op(sum, LLVMFSub)) return plus && operand(sum, 1) == c;
    if (!is_op(sum, LLVMFAdd)) return false;
    for (unsigned k = 0; k < 2; k++)
        if (plus ? are_opposite(operand(sum, k), c) : operand(sum, k) == c) return true;
    return false;
}

/* (x + c) - c, (x - c) + c with a large c: x rounded, as by rint, whose derivative is 0. */
LLVMValueRef cf_round_by_adding(cf_idioms *d, LLVMValueRef i) {
    LLVMTypeRef t = LLVMTypeOf(i), lane = cf_lane_type(t);
    if (!cf_bits_type(t) || cf_lane_count(t) > CF_MOST_LANES || may_reassociate(i) || is_only_cut(i))
        return NULL;
    bool plus = is_op(i, LLVMFAdd);
    for (unsigned k = 0; k < 1u + plus; k++) {
        LLVMValueRef c = operand(i, !k);
        if (!is_large(c, lane, 0) || !is_sum_with(without_fence(operand(i, k)), c, plus)) continue;
        LLVMValueRef same = LLVMInstructionClone(i);
        LLVMInsertIntoBuilder(d->b, same);
        return cf_as(d, cf_cut(d, cf_as(d, same, cf_bits_type(t))), t);
    }
    return NULL;
}

/* Bits of a number that a large one was added to are those of a whole number, which jumps: what is computed with them has
 * no derivative. */
static bool is_rounded(LLVMValueRef sum) {
    LLVMTypeRef t = LLVMTypeOf(sum), lane = cf_lane_type(t);
    if (!cf_bits_type(t) || cf_lane_count(t) > CF_MOST_LANES) return false;
    bool product = LLVMIsACallInst(sum) && l_callee(sum) && l_is_multiply_add(l_callee(sum));
    if (product) return is_large(operand(sum, 2), lane, 0);
    if (!is_op(sum, LLVMFAdd) && !is_op(sum, LLVMFSub)) return false;
    return is_large(operand(sum, 1), lane, 0) || (is_op(sum, LLVMFAdd) && is_large(operand(sum, 0), lane, 0));
}

LLVMValueRef cf_compute_with_rounded(cf_idioms *d, LLVMValueRef i) {
    bool any = false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef v = operand(i, k), x = v;
        while (is_op(x, LLVMBitCast)) x = operand(x, 0);
        if (x == v || !is_rounded(without_fence(x))) continue;
        LLVMSetOperand(i, k, cf_cut(d, v));
        any = true;
    }
    if (!any) return NULL;
    LLVMValueRef same = LLVMInstructionClone(i);
    LLVMInsertIntoBuilder(d->b, same);
    return same;
}
