/* Portable: the intrinsics of x86 (SSE to AVX-512) that compute with floating numbers or move them.
 *
 * Adding a row changes nothing else. Names are LLVM's; `how` says which of the operations that one function builds. What
 * asks for a rounding mode of its own stays as it is: no operation of every processor says that. Intel's manual
 * (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2) says what each computes. */
#include "ir/lanes.h"
#include "ir/portable.h"
#include "llvm/l.h"

static LLVMValueRef argument(LLVMValueRef call, unsigned i) { return LLVMGetOperand(call, i); }
static unsigned arguments(LLVMValueRef call) { return LLVMGetNumArgOperands(call); }
static unsigned lanes(LLVMValueRef v) { return cf_lane_count(LLVMTypeOf(v)); }
static uint64_t immediate(LLVMValueRef call, unsigned i) {
    return LLVMIsAConstantInt(argument(call, i)) ? LLVMConstIntGetZExtValue(argument(call, i)) : 0;
}
static LLVMValueRef nothing(LLVMValueRef like) { return LLVMGetPoison(LLVMTypeOf(like)); }
static LLVMTypeRef lane_of(LLVMValueRef v) { return cf_lane_type(LLVMTypeOf(v)); }

/* Lanes in a piece of 128 bits: most instructions work on these pieces. */
static unsigned piece(LLVMValueRef v) { return 128 / (cf_bit_count(LLVMTypeOf(v)) / lanes(v)); }

/* Scalar instructions have the number in lane 0. */
static bool is_scalar(LLVMValueRef call) {
    const char *name = l_name(l_callee(call)), *end = name + strlen(name);
    if (l_ends(name, ".round")) end -= strlen(".round");
    return end - name > 3 && (!strncmp(end - 3, ".ss", 3) || !strncmp(end - 3, ".sd", 3));
}

/* Argument i, where there is one, asks for the rounding mode of the program. */
static bool rounds_as_usual(LLVMValueRef call, unsigned i) {
    enum { CURRENT = 4 };
    return i >= arguments(call) || immediate(call, i) == CURRENT;
}

static LLVMValueRef flagged(LLVMValueRef made, LLVMValueRef call) {
    if (LLVMIsAInstruction(made) && LLVMCanValueUseFastMathFlags(made) && LLVMCanValueUseFastMathFlags(call))
        LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(call));
    return made;
}

static LLVMValueRef intrinsic(LLVMBuilderRef b, LLVMValueRef call, const char *name, LLVMValueRef *a,
                              unsigned n) {
    LLVMTypeRef t = LLVMTypeOf(a[0]);
    return flagged(l_call(b, l_intrinsic(l_module_of(call), name, &t, 1), a, n, ""), call);
}

static LLVMValueRef binary(LLVMBuilderRef b, LLVMValueRef call, int op, LLVMValueRef x, LLVMValueRef y) {
    return flagged(LLVMBuildBinOp(b, (LLVMOpcode)op, x, y, ""), call);
}

/* ---- arithmetic ---- */

/* Neighbours added or subtracted: of the first argument, then of the second, in each piece. */
static LLVMValueRef horizontal(LLVMBuilderRef b, LLVMValueRef call, int op) {
    LLVMValueRef x = argument(call, 0), y = argument(call, 1);
    unsigned n = lanes(x), p = piece(x);
    int even[CF_MOST_LANES], odd[CF_MOST_LANES];
    for (unsigned i = 0; i < n; i++) {
        unsigned k = i % p, from = i - k + 2 * (k % (p / 2)) + (k < p / 2 ? 0 : n);
        even[i] = (int)from, odd[i] = (int)from + 1;
    }
    return binary(b, call, op, cf_shuffle(b, x, y, even, n), cf_shuffle(b, x, y, odd, n));
}

/* Even lanes of one vector, odd lanes of the other. */
static LLVMValueRef alternate(LLVMBuilderRef b, LLVMValueRef even, LLVMValueRef odd) {
    int from[CF_MOST_LANES];
    unsigned n = lanes(even);
    for (unsigned i = 0; i < n; i++) from[i] = (int)(i % 2 ? n + i : i);
    return cf_shuffle(b, even, odd, from, n);
}

static LLVMValueRef add_subtract(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef x = argument(call, 0), y = argument(call, 1);
    return alternate(b, binary(b, call, LLVMFSub, x, y), binary(b, call, LLVMFAdd, x, y));
}

static LLVMValueRef multiply_add(LLVMBuilderRef b, LLVMValueRef call, int how) {
    if (!rounds_as_usual(call, 3)) return NULL;
    LLVMValueRef a[] = {argument(call, 0), argument(call, 1), argument(call, 2)};
    LLVMValueRef sum = intrinsic(b, call, "llvm.fma", a, 3);
    if (!how) return sum;
    a[2] = flagged(LLVMBuildFNeg(b, a[2], ""), call);
    return alternate(b, intrinsic(b, call, "llvm.fma", a, 3), sum);
}

/* Products that the upper half of the immediate names are added, from neighbours on; the sum goes where the lower half
 * says, 0 elsewhere. */
static LLVMValueRef dot(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef x = argument(call, 0), zero = l_zero(LLVMTypeOf(x));
    unsigned n = lanes(x), p = piece(x), bits = (unsigned)immediate(call, 2);
    int from[CF_MOST_LANES];
    LLVMValueRef sum = binary(b, call, LLVMFMul, x, argument(call, 1));
    for (unsigned i = 0; i < n; i++) from[i] = (int)(bits >> (4 + i % p) & 1 ? i : n + i);
    sum = cf_shuffle(b, sum, zero, from, n);
    for (unsigned step = 1; step < p; step *= 2) {
        for (unsigned i = 0; i < n; i++) from[i] = (int)(i ^ step);
        sum = binary(b, call, LLVMFAdd, sum, cf_shuffle(b, sum, zero, from, n));
    }
    for (unsigned i = 0; i < n; i++) from[i] = (int)(bits >> (i % p) & 1 ? i : n + i);
    return cf_shuffle(b, sum, zero, from, n);
}

/* The larger or the smaller one: the second argument where they are equal or one is NaN. */
enum { LARGER = -1, SMALLER = -2, ROOT = -3 };

static LLVMValueRef operation(LLVMBuilderRef b, LLVMValueRef call, int how, LLVMValueRef x, LLVMValueRef y) {
    if (how == ROOT) return intrinsic(b, call, "llvm.sqrt", &y, 1);
    if (how != LARGER && how != SMALLER) return binary(b, call, how, x, y);
    LLVMValueRef c = LLVMBuildFCmp(b, how == LARGER ? LLVMRealOGT : LLVMRealOLT, x, y, "");
    return LLVMBuildSelect(b, c, x, y, "");
}

static LLVMValueRef elementwise(LLVMBuilderRef b, LLVMValueRef call, int how) {
    LLVMValueRef x = argument(call, 0), y = argument(call, 1);
    if (!rounds_as_usual(call, 2)) return NULL;
    if (!is_scalar(call)) return operation(b, call, how, x, y);
    return cf_with_lane(b, x, operation(b, call, how, cf_lane(b, x, 0), cf_lane(b, y, 0)), 0);
}

static LLVMValueRef root(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef x = argument(call, 0);
    return rounds_as_usual(call, 1) ? intrinsic(b, call, "llvm.sqrt", &x, 1) : NULL;
}

static LLVMValueRef first_bit(LLVMBuilderRef b, LLVMValueRef mask) {
    return LLVMBuildTrunc(b, mask, LLVMInt1TypeInContext(l_context(mask)), "");
}

/* (x, y, otherwise, mask, rounding): in lane 0 the result, or what is otherwise there; the other lanes of x. */
static LLVMValueRef masked_scalar(LLVMBuilderRef b, LLVMValueRef call, int how) {
    LLVMValueRef x = argument(call, 0);
    if (!rounds_as_usual(call, 4)) return NULL;
    LLVMValueRef done = operation(b, call, how, cf_lane(b, x, 0), cf_lane(b, argument(call, 1), 0));
    LLVMValueRef other = cf_lane(b, argument(call, 2), 0);
    return cf_with_lane(b, x, LLVMBuildSelect(b, first_bit(b, argument(call, 3)), done, other, ""), 0);
}

/* ---- rounding ---- */

static const char *rounding(uint64_t how) {
    static const char *const names[] = {"llvm.roundeven", "llvm.floor", "llvm.ceil", "llvm.trunc"};
    if (how & 4) return how & 8 ? "llvm.nearbyint" : "llvm.rint";
    return names[how & 3];
}

static LLVMValueRef round_to_whole(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    bool scalar = is_scalar(call);
    LLVMValueRef x = argument(call, scalar), y = scalar ? cf_lane(b, x, 0) : x;
    y = intrinsic(b, call, rounding(immediate(call, scalar + 1u)), &y, 1);
    return scalar ? cf_with_lane(b, argument(call, 0), y, 0) : y;
}

/* ---- choosing ---- */

static LLVMValueRef blend(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef c = cf_mask_of_signs(b, argument(call, 2));
    return LLVMBuildSelect(b, c, argument(call, 1), argument(call, 0), "");
}

static LLVMValueRef compare(LLVMBuilderRef b, uint64_t predicate, LLVMValueRef x, LLVMValueRef y) {
    static const LLVMRealPredicate of[16] = {LLVMRealOEQ, LLVMRealOLT, LLVMRealOLE, LLVMRealUNO,
                                             LLVMRealUNE, LLVMRealUGE, LLVMRealUGT, LLVMRealORD,
                                             LLVMRealUEQ, LLVMRealULT, LLVMRealULE, LLVMRealPredicateFalse,
                                             LLVMRealONE, LLVMRealOGE, LLVMRealOGT, LLVMRealPredicateTrue};
    return LLVMBuildFCmp(b, of[predicate & 15], x, y, "");
}

/* All bits of a lane, in a number, where the comparison holds. */
static LLVMValueRef compare_to_lanes(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef x = argument(call, 0), y = argument(call, 1);
    bool scalar = is_scalar(call);
    if (scalar) x = cf_lane(b, x, 0), y = cf_lane(b, y, 0);
    LLVMValueRef c = compare(b, immediate(call, 2), x, y);
    LLVMValueRef all =
        LLVMBuildBitCast(b, LLVMBuildSExt(b, c, cf_bits_type(LLVMTypeOf(x)), ""), LLVMTypeOf(x), "");
    return scalar ? cf_with_lane(b, argument(call, 0), all, 0) : all;
}

/* (x, y, predicate, mask): conditions, or for scalars an integer. */
static LLVMValueRef compare_to_mask(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef x = argument(call, 0), y = argument(call, 1), mask = argument(call, 3);
    if (!cf_bits_type(LLVMTypeOf(x))) return NULL;
    if (!is_scalar(call)) return LLVMBuildAnd(b, compare(b, immediate(call, 2), x, y), mask, "");
    LLVMValueRef c = compare(b, immediate(call, 2), cf_lane(b, x, 0), cf_lane(b, y, 0));
    return LLVMBuildZExt(b, LLVMBuildAnd(b, c, first_bit(b, mask), ""), LLVMTypeOf(call), "");
}

/* An instruction under a mask (how: the arguments of what stands in the other lanes, and of the mask) that is known without
 * one: with all lanes, and a choice. */
enum { PASSED_1 = 1, PASSED_2 = 2 };

static LLVMValueRef choose_after(LLVMBuilderRef b, LLVMValueRef call, int passed) {
    unsigned k = (unsigned)passed, n = arguments(call);
    LLVMValueRef a[8], other = argument(call, k), mask = argument(call, k + 1);
    if (n > 8 || (LLVMIsConstant(other) && LLVMIsNull(other) && LLVMIsAConstantInt(mask))) return NULL;
    for (unsigned i = 0; i < n; i++) a[i] = argument(call, i);
    a[k] = l_zero(LLVMTypeOf(other));
    a[k + 1] = LLVMConstAllOnes(LLVMTypeOf(mask));
    LLVMValueRef all = flagged(l_call(b, l_callee(call), a, n, ""), call);
    return LLVMBuildSelect(b, cf_mask_of_bits(b, mask, lanes(other)), all, other, "");
}

/* ---- other precisions ---- */

/* Argument 0 as numbers of the result's kind; lanes of the result beyond it are 0. */
static LLVMValueRef convert(LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef x) {
    LLVMTypeRef to = LLVMTypeOf(call);
    unsigned n = lanes(x), m = cf_lane_count(to);
    int from[CF_MOST_LANES];
    x = flagged(LLVMBuildFPCast(b, x, cf_lanes_of(cf_lane_type(to), n), ""), call);
    if (m == n) return x;
    for (unsigned i = 0; i < m; i++) from[i] = (int)(i < n ? i : n);
    return cf_shuffle(b, x, l_zero(LLVMTypeOf(x)), from, m);
}

static LLVMValueRef to_precision(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    return convert(b, call, argument(call, 0));
}

/* (x, otherwise, mask, rounding); lanes beyond those of x are 0 */
static LLVMValueRef to_precision_masked(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef x = argument(call, 0), mask = argument(call, 2);
    if (!rounds_as_usual(call, 3)) return NULL;
    LLVMValueRef all = convert(b, call, x), c = cf_mask_of_bits(b, mask, lanes(x));
    LLVMValueRef zero = l_zero(LLVMTypeOf(c)), other = argument(call, 1);
    int from[CF_MOST_LANES];
    if (lanes(x) == lanes(all)) return LLVMBuildSelect(b, c, all, other, "");
    for (unsigned i = 0; i < lanes(all); i++) from[i] = (int)(i < lanes(x) ? i : lanes(x));
    c = cf_shuffle(b, c, zero, from, lanes(all));
    for (unsigned i = 0; i < lanes(all); i++) from[i] = (int)(i < lanes(x) ? i : lanes(all));
    other = cf_shuffle(b, other, l_zero(LLVMTypeOf(other)), from, lanes(all));
    return LLVMBuildSelect(b, c, all, other, "");
}

/* Lane 0 of argument 1, into argument 0. */
static LLVMValueRef scalar_to_precision(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef x = argument(call, 0), y = cf_lane(b, argument(call, 1), 0);
    if (!rounds_as_usual(call, 4)) return NULL;
    y = flagged(LLVMBuildFPCast(b, y, lane_of(x), ""), call);
    if (arguments(call) > 2)
        y = LLVMBuildSelect(b, first_bit(b, argument(call, 3)), y, cf_lane(b, argument(call, 2), 0), "");
    return cf_with_lane(b, x, y, 0);
}

/* Lane 0 by the instruction for all lanes. */
static LLVMValueRef approximate_first(LLVMBuilderRef b, LLVMValueRef call, int root) {
    LLVMValueRef x = argument(call, 0);
    const char *name = root ? "llvm.x86.sse.rsqrt.ps" : "llvm.x86.sse.rcp.ps";
    LLVMValueRef all = l_call(b, l_intrinsic(l_module_of(call), name, NULL, 0), &x, 1, "");
    return cf_with_lane(b, x, cf_lane(b, all, 0), 0);
}

/* ---- lanes that move ---- */

/* Lane index[i] of x for each lane i, of those of its piece or (p = 0) of all. */
static LLVMValueRef by_index(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef index, unsigned shift,
                             unsigned p) {
    LLVMValueRef all = nothing(x);
    LLVMTypeRef it = lane_of(index);
    unsigned n = lanes(x), of = p ? p : n;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef k = cf_lane(b, index, i);
        k = LLVMBuildLShr(b, k, LLVMConstInt(it, shift, 0), "");
        k = LLVMBuildAnd(b, k, LLVMConstInt(it, of - 1, 0), "");
        if (p) k = LLVMBuildAdd(b, k, LLVMConstInt(it, i - i % p, 0), "");
        all = cf_with_lane(b, all, LLVMBuildExtractElement(b, x, k, ""), i);
    }
    return all;
}

static LLVMValueRef permute_in_pieces(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef x = argument(call, 0);
    return by_index(b, x, argument(call, 1), piece(x) == 2, piece(x));
}

static LLVMValueRef permute(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    return by_index(b, argument(call, 0), argument(call, 1), 0, 0);
}

/* Lanes of two vectors, by the index in argument 1. */
static LLVMValueRef permute_two(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef x = argument(call, 0), index = argument(call, 1);
    LLVMTypeRef it = LLVMTypeOf(index);
    unsigned n = lanes(x);
    LLVMValueRef second = LLVMBuildAnd(b, index, cf_all_lanes(LLVMConstInt(cf_lane_type(it), n, 0), n), "");
    LLVMValueRef c = LLVMBuildICmp(b, LLVMIntNE, second, l_zero(it), "");
    LLVMValueRef one = by_index(b, x, index, 0, 0), two = by_index(b, argument(call, 2), index, 0, 0);
    return LLVMBuildSelect(b, c, two, one, "");
}

static LLVMValueRef insert_single(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef x = argument(call, 0);
    unsigned bits = (unsigned)immediate(call, 2);
    LLVMValueRef all = cf_with_lane(b, x, cf_lane(b, argument(call, 1), bits >> 6 & 3), bits >> 4 & 3);
    for (unsigned i = 0; i < 4; i++)
        if (bits >> i & 1) all = cf_with_lane(b, all, l_zero(lane_of(x)), i);
    return all;
}

/* Bytes in pieces by a constant index; 0 where its highest bit is set. */
static LLVMValueRef shuffle_bytes(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef x = argument(call, 0), index = argument(call, 1);
    unsigned n = lanes(x);
    int from[CF_MOST_LANES];
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef k = LLVMIsConstant(index) ? LLVMGetAggregateElement(index, i) : NULL;
        if (!k || !LLVMIsAConstantInt(k)) return NULL;
        unsigned at = (unsigned)LLVMConstIntGetZExtValue(k);
        from[i] = (int)(at & 0x80 ? n + i : i - i % 16 + at % 16);
    }
    return cf_shuffle(b, x, l_zero(LLVMTypeOf(x)), from, n);
}

/* ---- memory ---- */

static LLVMValueRef masked_load(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef mask = cf_mask_of_signs(b, argument(call, 1));
    return l_masked_load(b, argument(call, 0), mask, l_zero(LLVMTypeOf(call)));
}

static LLVMValueRef masked_store(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    return l_masked_store(b, argument(call, 2), argument(call, 0), cf_mask_of_signs(b, argument(call, 1)));
}

/* base + index * scale for each of n lanes. */
static LLVMValueRef addresses(LLVMBuilderRef b, LLVMValueRef base, LLVMValueRef index, LLVMValueRef scale,
                              unsigned n) {
    LLVMContextRef c = l_context(base);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c);
    LLVMValueRef all = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(base), n));
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef k = LLVMBuildSExt(b, cf_lane(b, index, i), i64, "");
        k = LLVMBuildMul(b, k, l_i64(c, LLVMConstIntGetZExtValue(scale)), "");
        all = cf_with_lane(b, all, l_offset(b, base, k, ""), i);
    }
    return all;
}

/* Conditions for n lanes: of signs, of bits, or as they are. */
static LLVMValueRef conditions(LLVMBuilderRef b, LLVMValueRef mask, unsigned n) {
    LLVMTypeRef t = LLVMTypeOf(mask), lane = cf_lane_type(t);
    int from[CF_MOST_LANES];
    if (!l_is_vector_type(t)) return cf_mask_of_bits(b, mask, n);
    bool is_condition = l_is_integer_type(lane) && LLVMGetIntTypeWidth(lane) == 1;
    LLVMValueRef c = is_condition ? mask : cf_mask_of_signs(b, mask);
    for (unsigned i = 0; i < n; i++) from[i] = (int)i;
    return n == cf_lane_count(t) ? c : cf_shuffle(b, c, nothing(c), from, n);
}

static unsigned fewer(unsigned a, unsigned b) { return a < b ? a : b; }

/* (otherwise, base, index, mask, scale): as many lanes as there are of indices and of numbers. */
static LLVMValueRef gather(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef other = argument(call, 0), index = argument(call, 2);
    unsigned n = fewer(lanes(other), lanes(index));
    int from[CF_MOST_LANES];
    LLVMValueRef p = addresses(b, argument(call, 1), index, argument(call, 4), n);
    for (unsigned i = 0; i < CF_MOST_LANES; i++) from[i] = (int)i;
    LLVMValueRef passed = lanes(other) == n ? other : cf_shuffle(b, other, nothing(other), from, n);
    LLVMValueRef all = l_masked_gather(b, p, conditions(b, argument(call, 3), n), passed);
    if (lanes(other) == n) return all;
    /* Lanes of 128 bits without an index are 0. */
    for (unsigned i = n; i < lanes(other); i++) from[i] = (int)n;
    return cf_shuffle(b, all, l_zero(LLVMTypeOf(all)), from, lanes(other));
}

/* (base, mask, index, numbers, scale) */
static LLVMValueRef scatter(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef index = argument(call, 2), v = argument(call, 3);
    unsigned n = fewer(lanes(v), lanes(index));
    int from[CF_MOST_LANES];
    for (unsigned i = 0; i < n; i++) from[i] = (int)i;
    LLVMValueRef p = addresses(b, argument(call, 0), index, argument(call, 4), n);
    if (n < lanes(v)) v = cf_shuffle(b, v, nothing(v), from, n);
    return l_masked_scatter(b, v, p, conditions(b, argument(call, 1), n));
}

/* (numbers, otherwise, mask): those under the mask side by side, or the first ones spread out. Through memory, as the
 * instruction does it. */
static LLVMValueRef compress(LLVMBuilderRef b, LLVMValueRef call, int spread) {
    LLVMValueRef v = argument(call, 0), other = argument(call, 1), mask = argument(call, 2);
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMModuleRef m = l_module_of(call);
    LLVMValueRef slot = l_slot(b, t, "");
    LLVMBuildStore(b, spread ? v : other, slot);
    if (spread)
        return l_call(b, l_intrinsic(m, "llvm.masked.expandload", &t, 1), (LLVMValueRef[]){slot, mask, other},
                      3, "");
    l_call(b, l_intrinsic(m, "llvm.masked.compressstore", &t, 1), (LLVMValueRef[]){v, slot, mask}, 3, "");
    return LLVMBuildLoad2(b, t, slot, "");
}

/* ---- rows ---- */

const cf_portable *cf_portable_x86(LLVMValueRef callee) {
    static const cf_portable rows[] = {
        {"llvm.x86.sse3.hadd", horizontal, LLVMFAdd},
        {"llvm.x86.sse3.hsub", horizontal, LLVMFSub},
        {"llvm.x86.avx.hadd", horizontal, LLVMFAdd},
        {"llvm.x86.avx.hsub", horizontal, LLVMFSub},
        {"llvm.x86.sse3.addsub", add_subtract, 0},
        {"llvm.x86.avx.addsub", add_subtract, 0},
        {"llvm.x86.fma.vfmaddsub", multiply_add, 1},
        {"llvm.x86.avx512.vfmaddsub", multiply_add, 1},
        {"llvm.x86.avx512.vfmadd", multiply_add, 0},
        {"llvm.x86.sse41.dppd", dot, 0},
        {"llvm.x86.sse41.dpps", dot, 0},
        {"llvm.x86.avx.dp", dot, 0},
        {"llvm.x86.sse.max", elementwise, LARGER},
        {"llvm.x86.sse2.max", elementwise, LARGER},
        {"llvm.x86.avx.max", elementwise, LARGER},
        {"llvm.x86.avx512.max", elementwise, LARGER},
        {"llvm.x86.sse.min", elementwise, SMALLER},
        {"llvm.x86.sse2.min", elementwise, SMALLER},
        {"llvm.x86.avx.min", elementwise, SMALLER},
        {"llvm.x86.avx512.min", elementwise, SMALLER},
        {"llvm.x86.avx512.add", elementwise, LLVMFAdd},
        {"llvm.x86.avx512.sub", elementwise, LLVMFSub},
        {"llvm.x86.avx512.mul", elementwise, LLVMFMul},
        {"llvm.x86.avx512.div", elementwise, LLVMFDiv},
        {"llvm.x86.avx512.sqrt", root, 0},
        {"llvm.x86.avx512.mask.add", masked_scalar, LLVMFAdd},
        {"llvm.x86.avx512.mask.sub", masked_scalar, LLVMFSub},
        {"llvm.x86.avx512.mask.mul", masked_scalar, LLVMFMul},
        {"llvm.x86.avx512.mask.div", masked_scalar, LLVMFDiv},
        {"llvm.x86.avx512.mask.max", masked_scalar, LARGER},
        {"llvm.x86.avx512.mask.min", masked_scalar, SMALLER},
        {"llvm.x86.avx512.mask.sqrt", masked_scalar, ROOT},
        {"llvm.x86.sse41.round", round_to_whole, 0},
        {"llvm.x86.avx.round", round_to_whole, 0},
        {"llvm.x86.sse41.blendvpd", blend, 0},
        {"llvm.x86.sse41.blendvps", blend, 0},
        {"llvm.x86.sse41.pblendvb", blend, 0},
        {"llvm.x86.avx.blendv", blend, 0},
        {"llvm.x86.avx2.pblendvb", blend, 0},
        {"llvm.x86.sse.cmp", compare_to_lanes, 0},
        {"llvm.x86.sse2.cmp", compare_to_lanes, 0},
        {"llvm.x86.avx.cmp", compare_to_lanes, 0},
        {"llvm.x86.avx512.mask.cmp", compare_to_mask, 0},
        {"llvm.x86.avx512.mask.rndscale.ps", choose_after, PASSED_2},
        {"llvm.x86.avx512.mask.rndscale.pd", choose_after, PASSED_2},
        {"llvm.x86.avx512.mask.getexp.ps", choose_after, PASSED_1},
        {"llvm.x86.avx512.mask.getexp.pd", choose_after, PASSED_1},
        {"llvm.x86.avx512.rcp14.ps", choose_after, PASSED_1},
        {"llvm.x86.avx512.rcp14.pd", choose_after, PASSED_1},
        {"llvm.x86.avx512.rsqrt14.ps", choose_after, PASSED_1},
        {"llvm.x86.avx512.rsqrt14.pd", choose_after, PASSED_1},
        {"llvm.x86.sse2.cvtpd2ps", to_precision, 0},
        {"llvm.x86.avx.cvt.pd2.ps", to_precision, 0},
        {"llvm.x86.avx512.mask.cvtpd2ps", to_precision_masked, 0},
        {"llvm.x86.avx512.mask.cvtps2pd", to_precision_masked, 0},
        {"llvm.x86.sse2.cvtsd2ss", scalar_to_precision, 0},
        {"llvm.x86.avx512.mask.cvtsd2ss.round", scalar_to_precision, 0},
        {"llvm.x86.avx512.mask.cvtss2sd.round", scalar_to_precision, 0},
        {"llvm.x86.sse.rcp.ss", approximate_first, 0},
        {"llvm.x86.sse.rsqrt.ss", approximate_first, 1},
        {"llvm.x86.avx.vpermilvar", permute_in_pieces, 0},
        {"llvm.x86.avx512.vpermilvar", permute_in_pieces, 0},
        {"llvm.x86.avx2.permps", permute, 0},
        {"llvm.x86.avx512.permvar.df", permute, 0},
        {"llvm.x86.avx512.permvar.sf", permute, 0},
        {"llvm.x86.avx512.vpermi2var.pd", permute_two, 0},
        {"llvm.x86.avx512.vpermi2var.ps", permute_two, 0},
        {"llvm.x86.sse41.insertps", insert_single, 0},
        {"llvm.x86.ssse3.pshuf.b", shuffle_bytes, 0},
        {"llvm.x86.avx2.pshuf.b", shuffle_bytes, 0},
        {"llvm.x86.avx512.pshuf.b", shuffle_bytes, 0},
        {"llvm.x86.avx.maskload", masked_load, 0},
        {"llvm.x86.avx2.maskload", masked_load, 0},
        {"llvm.x86.avx.maskstore", masked_store, 0},
        {"llvm.x86.avx2.maskstore", masked_store, 0},
        {"llvm.x86.avx2.gather", gather, 0},
        {"llvm.x86.avx512.mask.gather", gather, 0},
        {"llvm.x86.avx512.mask.gather3div2.df", gather, 0},
        {"llvm.x86.avx512.mask.gather3div4.df", gather, 0},
        {"llvm.x86.avx512.mask.gather3div4.sf", gather, 0},
        {"llvm.x86.avx512.mask.gather3div8.sf", gather, 0},
        {"llvm.x86.avx512.mask.gather3siv2.df", gather, 0},
        {"llvm.x86.avx512.mask.gather3siv4.df", gather, 0},
        {"llvm.x86.avx512.mask.gather3siv4.sf", gather, 0},
        {"llvm.x86.avx512.mask.gather3siv8.sf", gather, 0},
        {"llvm.x86.avx512.mask.scatter", scatter, 0},
        {"llvm.x86.avx512.mask.scatterdiv2.df", scatter, 0},
        {"llvm.x86.avx512.mask.scatterdiv4.df", scatter, 0},
        {"llvm.x86.avx512.mask.scatterdiv4.sf", scatter, 0},
        {"llvm.x86.avx512.mask.scatterdiv8.sf", scatter, 0},
        {"llvm.x86.avx512.mask.scattersiv2.df", scatter, 0},
        {"llvm.x86.avx512.mask.scattersiv4.df", scatter, 0},
        {"llvm.x86.avx512.mask.scattersiv4.sf", scatter, 0},
        {"llvm.x86.avx512.mask.scattersiv8.sf", scatter, 0},
        {"llvm.x86.avx512.mask.compress", compress, 0},
        {"llvm.x86.avx512.mask.expand", compress, 1},
    };
    if (!l_begins(l_name(callee), "llvm.x86.")) return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (l_is_intrinsic_of(callee, rows[i].name)) return &rows[i];
    return NULL;
}
