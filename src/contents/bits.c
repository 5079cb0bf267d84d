#include "contents/bits.h"
#include "llvm/l.h"

static LLVMTypeRef element(LLVMTypeRef t) { return l_is_vector_type(t) ? LLVMGetElementType(t) : t; }
static unsigned width(LLVMValueRef v) { return LLVMGetIntTypeWidth(element(LLVMTypeOf(v))); }
/* Bits of integers of up to 128: two numbers side by side. */
__extension__ typedef unsigned __int128 mask;

static mask all(unsigned bits) { return bits >= 128 ? ~(mask)0 : ((mask)1 << bits) - 1; }

/* The value of a constant integer, the same in all lanes of a vector. */
static bool constant(LLVMValueRef v, uint64_t *value) {
    if (LLVMIsAConstantInt(v)) return l_small_constant(v, value);
    if (!LLVMIsAConstant(v) || !l_is_vector_type(LLVMTypeOf(v)) || width(v) > 64) return false;
    if (LLVMIsNull(v)) return *value = 0, true;
    if (!LLVMIsAConstantDataVector(v) && !LLVMIsAConstantVector(v)) return false;
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(v)); i++) {
        LLVMValueRef e = LLVMGetAggregateElement(v, i);
        if (!e || !LLVMIsAConstantInt(e)) return false;
        if (i && LLVMConstIntGetZExtValue(e) != *value) return false;
        *value = LLVMConstIntGetZExtValue(e);
    }
    return true;
}

/* Bits that may be 1. */
static mask possible(LLVMValueRef v, int depth) {
    uint64_t k;
    mask every = all(width(v));
    if (constant(v, &k)) return k;
    if (!LLVMIsAInstruction(v) || depth > 6) return every;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt: return possible(LLVMGetOperand(v, 0), depth + 1);
    case LLVMTrunc: return possible(LLVMGetOperand(v, 0), depth + 1) & every;
    case LLVMShl:
        return constant(LLVMGetOperand(v, 1), &k) && k < 128
                   ? possible(LLVMGetOperand(v, 0), depth + 1) << k & every
                   : every;
    case LLVMLShr:
        return constant(LLVMGetOperand(v, 1), &k) && k < 128 ? possible(LLVMGetOperand(v, 0), depth + 1) >> k
                                                             : every;
    case LLVMAnd:
        return possible(LLVMGetOperand(v, 0), depth + 1) & possible(LLVMGetOperand(v, 1), depth + 1);
    case LLVMOr:
    case LLVMXor:
        return possible(LLVMGetOperand(v, 0), depth + 1) | possible(LLVMGetOperand(v, 1), depth + 1);
    default: return every;
    }
}

/* Signs of one number of this width, or of two floats in 64 bits. */
static bool only_signs(LLVMValueRef v, mask bits) {
    mask sign = (mask)1 << (width(v) - 1);
    if (width(v) == 64) sign |= UINT64_C(1) << 31;
    return (bits & ~sign) == 0;
}

/* All lanes are all ones or all zeros. */
static bool is_lane_mask(LLVMValueRef v) {
    if (!LLVMIsAInstruction(v)) return false;
    uint64_t k;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSExt: return LLVMGetIntTypeWidth(element(LLVMTypeOf(LLVMGetOperand(v, 0)))) == 1;
    case LLVMBitCast: return is_lane_mask(LLVMGetOperand(v, 0));
    case LLVMXor:
        return constant(LLVMGetOperand(v, 1), &k) && k == all(width(v)) && is_lane_mask(LLVMGetOperand(v, 0));
    default: return false;
    }
}

static bool is_masked(LLVMValueRef v) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMAnd &&
           (is_lane_mask(LLVMGetOperand(v, 0)) || is_lane_mask(LLVMGetOperand(v, 1)));
}

static cf_bit_move move_of_and(LLVMValueRef i, unsigned other) {
    LLVMValueRef m = LLVMGetOperand(i, other);
    if (is_lane_mask(m)) return CF_BITS_MOVED;
    uint64_t k;
    mask every = all(width(m)), sign = (mask)1 << (width(m) - 1);
    if (only_signs(m, possible(m, 0))) return CF_BITS_NONE;
    if (!constant(m, &k)) return CF_BITS_LOST;
    if (k == (every & ~sign)) return CF_BITS_ABS;
    if (k == every || (width(m) == 64 && (k == 0xFFFFFFFF || k == 0xFFFFFFFF00000000))) return CF_BITS_MOVED;
    return CF_BITS_LOST;
}

static cf_bit_move move_of_or(LLVMValueRef i, unsigned which, bool both) {
    LLVMValueRef x = LLVMGetOperand(i, which), m = LLVMGetOperand(i, !which);
    mask bits = possible(m, 0), mine = possible(x, 0);
    if ((is_masked(x) && is_masked(m)) || (bits & mine) == 0 || both) {
        if (!both && only_signs(m, bits) && bits && (bits & mine) == 0) return CF_BITS_SIGN;
        if ((bits & mine) && !(is_masked(x) && is_masked(m))) return CF_BITS_LOST;
        return CF_BITS_MOVED;
    }
    uint64_t k;
    return constant(m, &k) && k == (mask)1 << (width(m) - 1) ? CF_BITS_NEG_ABS : CF_BITS_LOST;
}

static cf_bit_move move_of_shift(LLVMValueRef i) {
    uint64_t k;
    if (!constant(LLVMGetOperand(i, 1), &k)) return CF_BITS_LOST;
    return k % 16 == 0 ? CF_BITS_MOVED : CF_BITS_LOST;
}

bool cf_is_bit_operation(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub:
    case LLVMShl:
    case LLVMLShr:
    case LLVMTrunc:
    case LLVMZExt: return true;
    default: return false;
    }
}

/* Masks: of a tag; of an alignment, which clears fewer bits than half an address has. Every other takes addresses to pieces. */
enum { MOST_TAG = 127 };

static bool is_alignment(LLVMValueRef mask) {
    uint64_t k;
    return !constant(mask, &k) || (k | INT32_MAX) == UINT64_MAX;
}

cf_bit_move cf_address_move_of(LLVMValueRef i, bool first, bool second) {
    bool both = first && second;
    uint64_t k;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMTrunc:
    case LLVMZExt: return CF_BITS_MOVED;
    case LLVMAdd:
    case LLVMOr:
    case LLVMXor: return both ? CF_BITS_MOVED : CF_BITS_OFFSET;
    case LLVMSub: return both ? CF_BITS_NONE : first ? CF_BITS_OFFSET : CF_BITS_LOST;
    case LLVMAnd: {
        LLVMValueRef mask = LLVMGetOperand(i, first);
        if (!both && constant(mask, &k) && k <= MOST_TAG) return CF_BITS_NONE;
        return !both && is_alignment(mask) ? CF_BITS_OFFSET : CF_BITS_MOVED;
    }
    case LLVMShl:
    case LLVMLShr: return second ? CF_BITS_LOST : CF_BITS_MOVED;
    default: return CF_BITS_LOST;
    }
}

cf_bit_move cf_bit_move_of(LLVMValueRef i, bool first, bool second, bool pointer, unsigned *which) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    *which = first ? 0 : 1;
    bool both = first && second;
    if (pointer) return cf_address_move_of(i, first, second);
    if (op == LLVMTrunc || op == LLVMZExt) return CF_BITS_MOVED;
    if (width(i) > 128) return CF_BITS_LOST;
    switch (op) {
    case LLVMAnd: return both ? CF_BITS_LOST : move_of_and(i, !*which);
    case LLVMOr:
        if (both && !(possible(LLVMGetOperand(i, 0), 0) & possible(LLVMGetOperand(i, 1), 0)))
            return CF_BITS_MOVED;
        return move_of_or(i, *which, both);
    case LLVMXor:
        if (both) return CF_BITS_LOST;
        return only_signs(i, possible(LLVMGetOperand(i, !*which), 0)) ? CF_BITS_SIGN : CF_BITS_LOST;
    case LLVMShl:
    case LLVMLShr: return second ? CF_BITS_LOST : move_of_shift(i);
    default: return CF_BITS_LOST;
    }
}
