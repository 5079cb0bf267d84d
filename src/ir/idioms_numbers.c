/* Idioms: as which numbers an integer is read, and the same bits under another type. */
#include "ir/idioms_body.h"

/* ---- as which numbers an integer is read ---- */

static bool passes_bits(LLVMValueRef v) {
    if (!LLVMIsAInstruction(v) || !is_integer(LLVMTypeOf(v))) return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMPHI: return true;
    default: return false;
    }
}

/* An integer that is put into a wider one. */
static LLVMTypeRef widened_from(LLVMValueRef v, int depth) {
    LLVMValueRef x = is_op(v, LLVMShl) ? operand(v, 0) : v;
    if (!is_op(x, LLVMZExt) || l_is_vector_type(LLVMTypeOf(v))) return NULL;
    LLVMTypeRef t = cf_made_from(operand(x, 0), depth + 1);
    unsigned all = LLVMGetIntTypeWidth(LLVMTypeOf(v)), part = t ? cf_bit_count(t) : 0;
    return part && !l_is_vector_type(t) && all % part == 0 ? LLVMVectorType(t, all / part) : NULL;
}

/* The type of numbers that v is made from, or NULL. */
LLVMTypeRef cf_made_from(LLVMValueRef v, int depth) {
    if (is_op(v, LLVMBitCast) && cf_bits_type(LLVMTypeOf(operand(v, 0)))) return LLVMTypeOf(operand(v, 0));
    if (depth > CF_DEEP) return NULL;
    if (is_op(v, LLVMBitCast)) return cf_made_from(operand(v, 0), depth + 1);
    if (is_op(v, LLVMShl) || is_op(v, LLVMZExt)) return widened_from(v, depth);
    if (!passes_bits(v)) return NULL;
    for (unsigned k = is_op(v, LLVMSelect); k < (unsigned)LLVMGetNumOperands(v); k++) {
        LLVMTypeRef t = cf_made_from(operand(v, k), depth + 1 + 2 * is_op(v, LLVMPHI));
        if (t) return t;
    }
    return NULL;
}

/* The type of numbers that v becomes, or NULL. */
LLVMTypeRef cf_becomes(LLVMValueRef v, int depth) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (is_op(user, LLVMBitCast) && cf_bits_type(LLVMTypeOf(user))) return LLVMTypeOf(user);
        bool chosen_by = is_op(user, LLVMSelect) && operand(user, 0) == v;
        bool passes = is_op(user, LLVMBitCast) || (passes_bits(user) && !chosen_by);
        LLVMTypeRef t = passes && depth < CF_DEEP ? cf_becomes(user, depth + 2) : NULL;
        if (t) return t;
    }
    return NULL;
}

LLVMTypeRef cf_made_from_either(LLVMValueRef i) {
    LLVMTypeRef t = cf_made_from(operand(i, 0), 0);
    return t ? t : cf_made_from(operand(i, 1), 0);
}

unsigned cf_mantissa_bits(LLVMTypeRef lane) {
    switch (LLVMGetTypeKind(lane)) {
    case LLVMDoubleTypeKind: return 52;
    case LLVMFloatTypeKind: return 23;
    case LLVMBFloatTypeKind: return 7;
    default: return 10;
    }
}

bool cf_numbers_of_type(LLVMTypeRef t, cf_numbers *f) {
    if (!t || cf_lane_count(t) > CF_MOST_LANES) return false;
    f->type = t;
    f->bits = cf_bits_type(t);
    f->n = cf_lane_count(t);
    f->width = cf_bit_count(t) / f->n;
    f->all = f->width == 64 ? UINT64_MAX : (UINT64_C(1) << f->width) - 1;
    f->sign = UINT64_C(1) << (f->width - 1);
    f->mantissa = (UINT64_C(1) << cf_mantissa_bits(cf_lane_type(t))) - 1;
    return true;
}

bool cf_numbers_of(LLVMValueRef v, cf_numbers *f) {
    LLVMTypeRef t = cf_made_from(v, 0);
    return cf_numbers_of_type(t ? t : cf_becomes(v, 0), f) &&
           cf_bit_count(f->type) == cf_bit_count(LLVMTypeOf(v));
}

/* ---- building ---- */

/* The same bits as another type. */
LLVMValueRef cf_as(cf_idioms *d, LLVMValueRef v, LLVMTypeRef t) {
    while (is_op(v, LLVMBitCast) && LLVMTypeOf(v) != t) v = operand(v, 0);
    return LLVMTypeOf(v) == t ? v : LLVMBuildBitCast(d->b, v, t, "");
}

/* Conditions per number: the highest bit of each lane of a mask or of signs. */
LLVMValueRef cf_condition(cf_idioms *d, LLVMValueRef m, const cf_numbers *f) {
    while (is_op(m, LLVMBitCast)) m = operand(m, 0);
    LLVMTypeRef from = is_op(m, LLVMSExt) ? LLVMTypeOf(operand(m, 0)) : NULL;
    if (from && cf_bit_count(from) == f->n && cf_lane_count(from) == f->n) return operand(m, 0);
    return cf_mask_of_signs(d->b, cf_as(d, m, f->bits));
}

/* A copy of bits that carries no derivative: both modes know that llvm.annotation gives none. */
LLVMValueRef cf_cut(cf_idioms *d, LLVMValueRef v) {
    LLVMTypeRef ptr = LLVMPointerTypeInContext(d->job->context, 0), t[] = {LLVMTypeOf(v), ptr};
    LLVMValueRef none = l_zero(ptr), f = l_intrinsic(d->job->module, "llvm.annotation", t, 2);
    return l_call(d->b, f, (LLVMValueRef[]){v, none, none, l_i32(d->job->context, 0)}, 4, "");
}

bool cf_is_cut(LLVMValueRef v) {
    return LLVMIsACallInst(v) && l_callee(v) && l_is_intrinsic_of(l_callee(v), "llvm.annotation");
}
