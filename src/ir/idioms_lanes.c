/* Idioms: numbers that are moved, chosen and loaded as integers. */
#include "ir/idioms_body.h"
#include <limits.h>

/* ---- lanes that move ---- */

/* Bits at, at + 1, … of the numbers x: whole lanes of it. NULL: they are none. */
static LLVMValueRef lanes_at(cf_idioms *d, LLVMValueRef x, unsigned at, unsigned bits) {
    LLVMTypeRef t = LLVMTypeOf(x);
    unsigned n = cf_lane_count(t), width = cf_bit_count(t) / n;
    int lane[CF_MOST_LANES];
    if (n > CF_MOST_LANES || at % width || bits % width || at + bits > n * width) return NULL;
    if (bits == width) return cf_lane(d->b, x, at / width);
    for (unsigned i = 0; i < bits / width; i++) lane[i] = (int)(at / width + i);
    return cf_shuffle(d->b, x, LLVMGetPoison(t), lane, bits / width);
}

/* trunc (lshr x, k) */
LLVMValueRef cf_read_trunc(cf_idioms *d, LLVMValueRef i) {
    LLVMValueRef x = operand(i, 0);
    unsigned at = 0, bits = cf_bit_count(LLVMTypeOf(i));
    if (l_is_vector_type(LLVMTypeOf(i))) return NULL;
    if (is_op(x, LLVMLShr) && LLVMIsAConstantInt(operand(x, 1))) {
        at = (unsigned)LLVMConstIntGetZExtValue(operand(x, 1));
        x = operand(x, 0);
    }
    unsigned all = cf_bit_count(LLVMTypeOf(x));
    LLVMTypeRef from = cf_made_from(x, 0), to = from ? NULL : cf_becomes(i, 0);
    if (to && all % (cf_bit_count(to) / cf_lane_count(to)) == 0)
        from = LLVMVectorType(cf_lane_type(to), all / (cf_bit_count(to) / cf_lane_count(to)));
    if (!from || cf_bit_count(from) != all || bits == all) return NULL;
    return lanes_at(d, cf_as(d, x, from), at, bits);
}

LLVMValueRef cf_read_extract(cf_idioms *d, LLVMValueRef i) {
    LLVMValueRef v = operand(i, 0), at = operand(i, 1);
    LLVMTypeRef from = cf_made_from(v, 0);
    unsigned bits = cf_bit_count(LLVMTypeOf(i));
    if (!from) return NULL;
    if (cf_bit_count(from) / cf_lane_count(from) == bits && l_is_vector_type(from))
        return LLVMBuildExtractElement(d->b, cf_as(d, v, from), at, "");
    if (!LLVMIsAConstantInt(at)) return NULL;
    return lanes_at(d, cf_as(d, v, from), (unsigned)LLVMConstIntGetZExtValue(at) * bits, bits);
}

/* One lane of what cannot be read as a whole (scalar comparisons leave numbers in the other lanes), taken before the
 * operation: users of the other lanes, if there are any, meet what was there. */
LLVMValueRef cf_read_lane(cf_idioms *d, LLVMValueRef i) {
    LLVMValueRef v = operand(i, 0), at = operand(i, 1);
    LLVMTypeRef lane = LLVMTypeOf(i), t = LLVMTypeOf(v), bits = is_integer(t) ? t : cf_bits_type(t);
    while (is_op(v, LLVMBitCast)) v = operand(v, 0);
    bool known = is_op(v, LLVMAnd) || is_op(v, LLVMOr) || is_op(v, LLVMXor);
    if (!bits || !known || !LLVMIsAConstantInt(at) || cf_bit_count(LLVMTypeOf(v)) != cf_bit_count(t))
        return NULL;
    LLVMValueRef part[2];
    if (LLVMInstructionGetDebugLoc(v)) LLVMSetCurrentDebugLocation2(d->b, LLVMInstructionGetDebugLoc(v));
    for (unsigned k = 0; k < 2; k++)
        part[k] = LLVMBuildExtractElement(d->b, cf_as(d, operand(v, k), bits), at, "");
    return cf_as(d, LLVMBuildBinOp(d->b, LLVMGetInstructionOpcode(v), part[0], part[1], ""), lane);
}

LLVMValueRef cf_read_insert(cf_idioms *d, LLVMValueRef i) {
    LLVMTypeRef t = LLVMTypeOf(i), lane = cf_made_from(operand(i, 1), 0);
    if (!lane || l_is_vector_type(lane)) {
        LLVMTypeRef whole = cf_made_from(operand(i, 0), 0);
        lane = whole ? cf_lane_type(whole) : NULL;
    }
    if (!lane || cf_bit_count(lane) * cf_lane_count(t) != cf_bit_count(t)) return NULL;
    LLVMTypeRef to = LLVMVectorType(lane, cf_lane_count(t));
    return LLVMBuildInsertElement(d->b, cf_as(d, operand(i, 0), to), cf_as(d, operand(i, 1), lane),
                                  operand(i, 2), "");
}

/* Lane j of the result, in lanes of `width` bits: from which lane of both operands, as a mask element. -1: any; -2: it is
 * made of pieces. From where operand 1 is 0 it does not matter (zero_from: its first mask element there). */
static int source_of(LLVMValueRef i, unsigned j, unsigned width, unsigned own, int zero_from) {
    int first = -1, pieces = (int)(width / own);
    for (int k = 0; k < pieces; k++) {
        int m = LLVMGetMaskValue(i, j * width / own + (unsigned)k);
        if (m == LLVMGetUndefMaskElem()) continue;
        int start = m >= zero_from ? zero_from : m - k;
        if (start < 0 || start % pieces || (first >= 0 && first != start)) return -2;
        first = start;
    }
    return first < 0 ? -1 : first / pieces;
}

static bool is_nothing(LLVMValueRef v) {
    uint64_t lane[CF_MOST_LANES];
    unsigned n = cf_lane_count(LLVMTypeOf(v));
    if (n > CF_MOST_LANES || !cf_constant_lanes(v, cf_bit_count(LLVMTypeOf(v)) / n, n, lane)) return false;
    for (unsigned k = 0; k < n; k++)
        if (lane[k]) return false;
    return true;
}

LLVMValueRef cf_read_shuffle(cf_idioms *d, LLVMValueRef i) {
    LLVMTypeRef from = cf_made_from_either(i), t = LLVMTypeOf(i), of = LLVMTypeOf(operand(i, 0));
    LLVMTypeRef to_be = from ? NULL : cf_becomes(i, 0), lane_type = to_be ? cf_lane_type(to_be) : NULL;
    if (to_be && cf_bit_count(of) % cf_bit_count(lane_type) == 0)
        from = LLVMVectorType(lane_type, cf_bit_count(of) / cf_bit_count(lane_type));
    if (!from || cf_bit_count(from) != cf_bit_count(of)) return NULL;
    unsigned own = cf_bit_count(of) / cf_lane_count(of), width = cf_bit_count(from) / cf_lane_count(from);
    unsigned n = cf_bit_count(t) / width;
    bool zero = is_nothing(operand(i, 1));
    int lane[CF_MOST_LANES], zero_from = zero ? (int)cf_lane_count(of) : INT_MAX;
    if (n > CF_MOST_LANES || cf_bit_count(t) % width || (width % own && own % width)) return NULL;
    for (unsigned j = 0; j < n; j++) {
        if (own <= width) {
            lane[j] = source_of(i, j, width, own, zero_from);
        } else {
            int m = LLVMGetMaskValue(i, j / (own / width));
            lane[j] = m == LLVMGetUndefMaskElem() ? -1 : m * (int)(own / width) + (int)(j % (own / width));
        }
        if (lane[j] == -2) return NULL;
    }
    LLVMTypeRef to = LLVMVectorType(cf_lane_type(from), cf_lane_count(from));
    LLVMValueRef second = zero ? l_zero(to) : cf_as(d, operand(i, 1), to);
    return cf_shuffle(d->b, cf_as(d, operand(i, 0), to), second, lane, n);
}

/* ---- choices ---- */

/* Conditions for the lanes of numbers, from those for other lanes of the same bits. */
static LLVMValueRef for_lanes(cf_idioms *d, const cf_numbers *f, LLVMValueRef c, unsigned n) {
    LLVMTypeRef t = LLVMTypeOf(c);
    unsigned m = cf_lane_count(t);
    int from[CF_MOST_LANES];
    if (!l_is_vector_type(t) || m == f->n) return c;
    if (m == n && f->n % m == 0) {
        for (unsigned i = 0; i < f->n; i++) from[i] = (int)(i / (f->n / m));
        return cf_shuffle(d->b, c, LLVMGetPoison(t), from, f->n);
    }
    bool of_signs = is_op(c, LLVMICmp) && LLVMGetICmpPredicate(c) == LLVMIntSLT && l_is_zero(operand(c, 1));
    return of_signs && cf_is_lane_mask(operand(c, 0), f->width) ? cf_condition(d, operand(c, 0), f) : NULL;
}

LLVMValueRef cf_read_select(cf_idioms *d, const cf_numbers *f, LLVMValueRef i) {
    LLVMValueRef c = for_lanes(d, f, operand(i, 0), cf_lane_count(LLVMTypeOf(i)));
    if (!c) return NULL;
    return LLVMBuildSelect(d->b, c, cf_as(d, operand(i, 1), f->type), cf_as(d, operand(i, 2), f->type), "");
}

/* All that comes in is made from numbers of one type, or constant. */
LLVMValueRef cf_read_phi(cf_idioms *d, LLVMValueRef i) {
    LLVMTypeRef t = NULL;
    unsigned n = LLVMCountIncoming(i);
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef v = LLVMGetIncomingValue(i, k);
        if (LLVMIsAConstant(v) || v == i) continue;
        LLVMTypeRef own = is_op(v, LLVMBitCast) ? cf_made_from(v, 0) : NULL;
        if (!own || (t && own != t)) return NULL;
        t = own;
    }
    if (!t) return NULL;
    LLVMValueRef phi = LLVMBuildPhi(d->b, t, "");
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef v = LLVMGetIncomingValue(i, k), x = v == i ? phi : cf_as(d, v, t);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(i, k);
        LLVMAddIncoming(phi, &x, &from, 1);
    }
    return phi;
}

/* The larger or smaller one of two numbers' bits is one of the numbers. */
LLVMValueRef cf_read_extreme(cf_idioms *d, const cf_numbers *f, LLVMValueRef i) {
    static const struct {
        const char *name;
        LLVMIntPredicate first;
    } rows[] = {{"llvm.umax", LLVMIntUGT},
                {"llvm.umin", LLVMIntULT},
                {"llvm.smax", LLVMIntSGT},
                {"llvm.smin", LLVMIntSLT}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (!l_is_intrinsic_of(l_callee(i), rows[k].name) || cf_lane_count(LLVMTypeOf(i)) != f->n) continue;
        LLVMValueRef x = operand(i, 0), y = operand(i, 1);
        LLVMValueRef c = LLVMBuildICmp(d->b, rows[k].first, x, y, "");
        return LLVMBuildSelect(d->b, c, cf_as(d, x, f->type), cf_as(d, y, f->type), "");
    }
    return NULL;
}

/* ---- memory ---- */

/* An integer that is loaded to be a number, and nothing else, is a number that is loaded. */
LLVMValueRef cf_read_load(cf_idioms *d, LLVMValueRef i) {
    LLVMTypeRef t = NULL;
    if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) return NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!is_op(user, LLVMBitCast) || !cf_bits_type(LLVMTypeOf(user)) || (t && t != LLVMTypeOf(user)))
            return NULL;
        t = LLVMTypeOf(user);
    }
    LLVMValueRef load = LLVMBuildLoad2(d->b, t, operand(i, 0), "");
    LLVMSetAlignment(load, LLVMGetAlignment(i));
    l_set_metadata(load, "tbaa", l_metadata(i, "tbaa"));
    return load;
}
