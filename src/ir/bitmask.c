#include "ir/bitmask.h"
#include "ir/lanes.h"
#include "llvm/l.h"

enum { DEEP = 8, MOST_BYTES = 128 };

static unsigned width_of(LLVMValueRef v) {
    return cf_bit_count(LLVMTypeOf(v)) / cf_lane_count(LLVMTypeOf(v));
}
static LLVMValueRef operand(LLVMValueRef v, unsigned k) { return LLVMGetOperand(v, k); }
static bool is_op(LLVMValueRef v, LLVMOpcode op) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}

/* ---- constants ---- */

static bool scalar_bits(LLVMValueRef c, unsigned width, uint64_t *bits) {
    *bits = 0;
    if (LLVMIsUndef(c) || LLVMIsNull(c)) return true; /* undef: any bits will do */
    if (LLVMIsAConstantInt(c)) return *bits = LLVMConstIntGetZExtValue(c), width <= 64;
    LLVMBool inexact;
    if (!LLVMIsAConstantFP(c)) return false;
    double d = LLVMConstRealGetDouble(c, &inexact);
    float f = (float)d;
    uint32_t word;
    memcpy(bits, &d, sizeof d);
    memcpy(&word, &f, sizeof f);
    if (width == 32) *bits = word;
    return (width == 64 || width == 32) && !inexact && d == d;
}

bool cf_constant_lanes(LLVMValueRef v, unsigned width, unsigned n, uint64_t *lane) {
    LLVMTypeRef t = LLVMTypeOf(v);
    unsigned all = cf_bit_count(t), m = cf_lane_count(t), own = m ? all / m : 0;
    uint8_t byte[MOST_BYTES + 8] = {0};
    if (!LLVMIsAConstant(v) || LLVMIsAConstantExpr(v) || all != width * n || all > 8 * MOST_BYTES ||
        own % 8 || own > 64 || width % 8 || width > 64)
        return false;
    for (unsigned i = 0; i < m; i++) {
        LLVMValueRef e = l_is_vector_type(t) ? LLVMGetAggregateElement(v, i) : v;
        uint64_t bits;
        if (!e || !scalar_bits(e, own, &bits)) return false;
        for (unsigned k = 0; k < own / 8; k++) byte[i * own / 8 + k] = (uint8_t)(bits >> 8 * k);
    }
    for (unsigned i = 0; i < n; i++) {
        lane[i] = 0;
        for (unsigned k = 0; k < width / 8; k++) lane[i] |= (uint64_t)byte[i * width / 8 + k] << 8 * k;
    }
    return true;
}

static uint64_t ones(unsigned width) { return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1; }

static bool every_lane(LLVMValueRef v, unsigned width, bool (*is)(uint64_t lane, uint64_t with),
                       uint64_t with) {
    uint64_t lane[CF_MOST_LANES];
    unsigned all = cf_bit_count(LLVMTypeOf(v)), n = all / width;
    if (!n || all % width || n > CF_MOST_LANES || !cf_constant_lanes(v, width, n, lane)) return false;
    for (unsigned i = 0; i < n; i++)
        if (!is(lane[i], with)) return false;
    return true;
}
static bool is_equal(uint64_t lane, uint64_t with) { return lane == with; }
static bool is_full_or_empty(uint64_t lane, uint64_t full) { return lane == 0 || lane == full; }
static bool is_within(uint64_t lane, uint64_t bits) { return !(lane & ~bits); }

static bool is_all_ones(LLVMValueRef v) {
    unsigned w = width_of(v);
    return w && every_lane(v, w, is_equal, ones(w));
}

static LLVMValueRef without_casts(LLVMValueRef v) {
    while (is_op(v, LLVMBitCast)) v = operand(v, 0);
    return v;
}

/* ---- masks ---- */

static bool is_bool(LLVMTypeRef t) {
    LLVMTypeRef e = cf_lane_type(t);
    return l_is_integer_type(e) && LLVMGetIntTypeWidth(e) == 1;
}

/* 0 or 1 in each lane. */
static bool is_zero_or_one(LLVMValueRef v) {
    unsigned w = width_of(v);
    if (is_op(v, LLVMZExt) && (is_bool(LLVMTypeOf(operand(v, 0))) || is_zero_or_one(operand(v, 0))))
        return true;
    if (is_op(v, LLVMSExt) && width_of(operand(v, 0)) > 1) return is_zero_or_one(operand(v, 0));
    if (is_op(v, LLVMLShr)) return every_lane(operand(v, 1), w, is_equal, w - 1);
    return is_op(v, LLVMAnd) && w && every_lane(operand(v, 1), w, is_equal, 1);
}

static bool is_mask(LLVMValueRef v, unsigned width, int depth);

static bool are_masks(LLVMValueRef v, unsigned first, unsigned n, unsigned width, int depth) {
    for (unsigned k = first; k < n; k++)
        if (!is_mask(operand(v, k), width, depth)) return false;
    return true;
}

/* Lane `at` of v. */
static bool is_mask_lane(LLVMValueRef v, LLVMValueRef at, unsigned width, int depth) {
    LLVMValueRef x = v;
    while (is_op(x, LLVMBitCast) && width_of(operand(x, 0)) == width_of(v)) x = operand(x, 0);
    for (; is_op(x, LLVMInsertElement) && width_of(x) == width; x = operand(x, 0)) {
        LLVMValueRef k = operand(x, 2);
        if (k == at) return is_mask(operand(x, 1), width, depth);
        if (!LLVMIsAConstantInt(k) || !LLVMIsAConstantInt(at)) break;
        if (LLVMConstIntGetZExtValue(k) == LLVMConstIntGetZExtValue(at))
            return is_mask(operand(x, 1), width, depth);
    }
    bool joins = is_op(x, LLVMAnd) || is_op(x, LLVMOr) || is_op(x, LLVMXor);
    if (joins && width_of(x) == width && depth < DEEP)
        return is_mask_lane(operand(x, 0), at, width, depth + 1) &&
               is_mask_lane(operand(x, 1), at, width, depth + 1);
    return is_mask(v, width, depth);
}

static bool is_mask(LLVMValueRef v, unsigned width, int depth) {
    unsigned w = width_of(v);
    if (LLVMIsAConstant(v)) return every_lane(v, width, is_full_or_empty, ones(width));
    if (!LLVMIsAInstruction(v) || depth > DEEP || !w) return false;
    bool finer = w % width == 0;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSExt:
        return finer && (is_bool(LLVMTypeOf(operand(v, 0))) ||
                         is_mask(operand(v, 0), width_of(operand(v, 0)), depth + 1));
    case LLVMTrunc: return finer && is_mask(operand(v, 0), width_of(operand(v, 0)), depth + 1);
    case LLVMAShr: return finer && every_lane(operand(v, 1), w, is_equal, w - 1);
    case LLVMSub:
        return finer && LLVMIsAConstant(operand(v, 0)) && l_is_zero(operand(v, 0)) &&
               is_zero_or_one(operand(v, 1));
    case LLVMBitCast:
    case LLVMFreeze: return is_mask(operand(v, 0), width, depth + 1);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: return are_masks(v, 0, 2, width, depth + 1);
    case LLVMSelect: return are_masks(v, 1, 3, width, depth + 1);
    case LLVMExtractElement: return finer && is_mask_lane(operand(v, 0), operand(v, 1), w, depth + 1);
    case LLVMInsertElement:
    case LLVMShuffleVector: return finer && are_masks(v, 0, 2, w, depth + 1);
    case LLVMPHI: return are_masks(v, 0, LLVMCountIncoming(v), width, depth + 3);
    default: return false;
    }
}

bool cf_is_lane_mask(LLVMValueRef v, unsigned width) { return is_mask(v, width, 0); }

static bool is_not_of(LLVMValueRef n, LLVMValueRef m) {
    if (!is_op(n, LLVMXor)) return false;
    return (is_all_ones(operand(n, 1)) && without_casts(operand(n, 0)) == m) ||
           (is_all_ones(operand(n, 0)) && without_casts(operand(n, 1)) == m);
}

static LLVMRealPredicate inverse(LLVMRealPredicate p) { return LLVMRealPredicateTrue - p; }

static bool are_opposite(LLVMValueRef c, LLVMValueRef d) {
    LLVMValueRef x = is_op(c, LLVMXor) ? c : d, other = x == c ? d : c;
    if (is_op(x, LLVMXor))
        for (unsigned k = 0; k < 2; k++)
            if (LLVMIsAConstant(operand(x, k)) && LLVMIsConstant(operand(x, k)) && operand(x, !k) == other) {
                LLVMTypeRef t = LLVMTypeOf(x);
                return operand(x, k) == LLVMConstAllOnes(t);
            }
    return is_op(c, LLVMFCmp) && is_op(d, LLVMFCmp) && operand(c, 0) == operand(d, 0) &&
           operand(c, 1) == operand(d, 1) && LLVMGetFCmpPredicate(c) == inverse(LLVMGetFCmpPredicate(d));
}

bool cf_are_complements(LLVMValueRef m, LLVMValueRef n) {
    m = without_casts(m), n = without_casts(n);
    if (is_not_of(m, n) || is_not_of(n, m)) return true;
    if (!is_op(m, LLVMSExt) || !is_op(n, LLVMSExt) || LLVMTypeOf(m) != LLVMTypeOf(n)) return false;
    return are_opposite(operand(m, 0), operand(n, 0));
}

/* ---- bits that may be set ---- */

static bool only(LLVMValueRef v, unsigned width, uint64_t bits, int depth) {
    unsigned w = width_of(v);
    if (LLVMIsAConstant(v)) return every_lane(v, width, is_within, bits);
    if (!LLVMIsAInstruction(v) || depth > DEEP || !w) return false;
    uint64_t by[CF_MOST_LANES];
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:
        return only(operand(v, 0), width, bits, depth + 1) || only(operand(v, 1), width, bits, depth + 1);
    case LLVMOr:
    case LLVMXor:
        return only(operand(v, 0), width, bits, depth + 1) && only(operand(v, 1), width, bits, depth + 1);
    case LLVMShl:
        return w == width && cf_lane_count(LLVMTypeOf(v)) <= CF_MOST_LANES &&
               cf_constant_lanes(operand(v, 1), w, cf_lane_count(LLVMTypeOf(v)), by) &&
               every_lane(operand(v, 1), w, is_equal, by[0]) && by[0] < w &&
               !(ones(w) << by[0] & ones(w) & ~bits);
    case LLVMAdd:
    case LLVMSub: {
        /* Sums of multiples of a power of two. */
        uint64_t low = ones(width) & ~bits;
        return w == width && !(low & (low + 1)) && only(operand(v, 0), width, bits, depth + 1) &&
               only(operand(v, 1), width, bits, depth + 1);
    }
    case LLVMZExt: return (bits & 1) && w == width && is_bool(LLVMTypeOf(operand(v, 0)));
    case LLVMBitCast:
    case LLVMFreeze: return only(operand(v, 0), width, bits, depth + 1);
    case LLVMSelect:
        return only(operand(v, 1), width, bits, depth + 1) && only(operand(v, 2), width, bits, depth + 1);
    case LLVMPHI:
        for (unsigned k = 0; k < LLVMCountIncoming(v); k++)
            if (!only(LLVMGetIncomingValue(v, k), width, bits, depth + 3)) return false;
        return true;
    default: return false;
    }
}

bool cf_has_only_bits(LLVMValueRef v, unsigned width, uint64_t bits) { return only(v, width, bits, 0); }
