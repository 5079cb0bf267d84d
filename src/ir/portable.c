/* Portable: intrinsics and instructions of one processor, reductions, and operations under masks, as operations that every
 * processor has and both modes know.
 *
 * In:     a function of the program, inlined, with constants where they can be
 * Out:    the same without what the tables know
 * Needs:  nothing
 * Keeps:  what is computed, to the bit        Breaks: loops (operations under masks become branches)
 *
 * Idea: an instruction that adds, moves and chooses lanes is nothing new to differentiate, only spelled in an odd way.
 * LLVM takes masked loads and stores apart itself. */
#include "ir/portable.h"
#include "ir/lanes.h"
#include "llvm/cfx.h"
#include "llvm/l.h"

static LLVMValueRef argument(LLVMValueRef call, unsigned i) { return LLVMGetOperand(call, i); }

/* ---- reductions ---- */

static bool may_reassociate(LLVMValueRef call) {
    if (l_is_integer_type(LLVMTypeOf(call))) return true;
    return LLVMCanValueUseFastMathFlags(call) && LLVMGetFastMathFlags(call) & LLVMFastMathAllowReassoc;
}

static LLVMValueRef both(LLVMBuilderRef b, LLVMValueRef call, int how, LLVMValueRef x, LLVMValueRef y) {
    static const char *const names[] = {"llvm.maxnum", "llvm.minnum", "llvm.maximum", "llvm.minimum",
                                        "llvm.umax",   "llvm.umin",   "llvm.smax",    "llvm.smin"};
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMValueRef made;
    if (how == LLVMFAdd || how == LLVMFMul)
        made = LLVMBuildBinOp(b, (LLVMOpcode)how, x, y, "");
    else
        made =
            l_call(b, l_intrinsic(l_module_of(call), names[-how - 1], &t, 1), (LLVMValueRef[]){x, y}, 2, "");
    if (LLVMIsAInstruction(made) && LLVMCanValueUseFastMathFlags(made))
        LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(call));
    return made;
}

/* Halves of the vector with each other, until one lane is left. */
static LLVMValueRef by_halves(LLVMBuilderRef b, LLVMValueRef call, int how, LLVMValueRef v) {
    int low[CF_MOST_LANES], high[CF_MOST_LANES];
    for (unsigned n = cf_lane_count(LLVMTypeOf(v)) / 2; n; n /= 2) {
        for (unsigned i = 0; i < n; i++) low[i] = (int)i, high[i] = (int)(i + n);
        LLVMValueRef none = LLVMGetPoison(LLVMTypeOf(v));
        v = both(b, call, how, cf_shuffle(b, v, none, low, n), cf_shuffle(b, v, none, high, n));
    }
    return cf_lane(b, v, 0);
}

/* llvm.vector.reduce.fadd, .fmul have a first value; the order of lanes counts unless the call says otherwise. */
static LLVMValueRef reduce(LLVMBuilderRef b, LLVMValueRef call, int how) {
    bool has_first = how > 0;
    LLVMValueRef v = argument(call, has_first), all = has_first ? argument(call, 0) : NULL;
    unsigned n = cf_lane_count(LLVMTypeOf(v));
    if (n > CF_MOST_LANES) return NULL;
    if (!(n & (n - 1)) && may_reassociate(call)) {
        LLVMValueRef lanes = by_halves(b, call, how, v);
        return all ? both(b, call, how, all, lanes) : lanes;
    }
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef x = cf_lane(b, v, i);
        all = all ? both(b, call, how, all, x) : x;
    }
    return all;
}

/* ---- lanes that move ---- */

static bool is_long(LLVMTypeRef t) { return cf_lane_count(t) > CF_MOST_LANES || !l_is_vector_type(t); }

/* Part of the lanes, from the one that argument 1 names. */
static LLVMValueRef extract(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef v = argument(call, 0);
    unsigned n = cf_lane_count(LLVMTypeOf(call)), at = (unsigned)LLVMConstIntGetZExtValue(argument(call, 1));
    int from[CF_MOST_LANES];
    if (is_long(LLVMTypeOf(v)) || is_long(LLVMTypeOf(call))) return NULL;
    for (unsigned i = 0; i < n; i++) from[i] = (int)(at + i);
    return cf_shuffle(b, v, LLVMGetPoison(LLVMTypeOf(v)), from, n);
}

static LLVMValueRef insert(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef v = argument(call, 0), part = argument(call, 1);
    if (is_long(LLVMTypeOf(v)) || is_long(LLVMTypeOf(part))) return NULL;
    unsigned n = cf_lane_count(LLVMTypeOf(v)), m = cf_lane_count(LLVMTypeOf(part)),
             at = (unsigned)LLVMConstIntGetZExtValue(argument(call, 2));
    int from[CF_MOST_LANES];
    for (unsigned i = 0; i < n; i++) from[i] = i < m ? (int)i : -1;
    LLVMValueRef wide = cf_shuffle(b, part, LLVMGetPoison(LLVMTypeOf(part)), from, n);
    for (unsigned i = 0; i < n; i++) from[i] = (int)(i >= at && i < at + m ? n + i - at : i);
    return cf_shuffle(b, v, wide, from, n);
}

static LLVMValueRef backwards(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef v = argument(call, 0);
    unsigned n = cf_lane_count(LLVMTypeOf(v));
    int from[CF_MOST_LANES];
    if (is_long(LLVMTypeOf(v))) return NULL;
    for (unsigned i = 0; i < n; i++) from[i] = (int)(n - 1 - i);
    return cf_shuffle(b, v, LLVMGetPoison(LLVMTypeOf(v)), from, n);
}

static LLVMValueRef interleave(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef v = argument(call, 0);
    unsigned n = cf_lane_count(LLVMTypeOf(v));
    int from[CF_MOST_LANES];
    if (is_long(LLVMTypeOf(call))) return NULL;
    for (unsigned i = 0; i < 2 * n; i++) from[i] = (int)(i / 2 + i % 2 * n);
    return cf_shuffle(b, v, argument(call, 1), from, 2 * n);
}

static LLVMValueRef deinterleave(LLVMBuilderRef b, LLVMValueRef call, int how) {
    (void)how;
    LLVMValueRef v = argument(call, 0), all = LLVMGetPoison(LLVMTypeOf(call));
    unsigned n = cf_lane_count(LLVMTypeOf(v)) / 2;
    int from[CF_MOST_LANES];
    if (is_long(LLVMTypeOf(v))) return NULL;
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned i = 0; i < n; i++) from[i] = (int)(2 * i + k);
        all = LLVMBuildInsertValue(b, all, cf_shuffle(b, v, LLVMGetPoison(LLVMTypeOf(v)), from, n), k, "");
    }
    return all;
}

/* ---- masks ---- */

/* The address of one lane, in scalar arithmetic. */
static LLVMValueRef address_of_lane(LLVMBuilderRef b, LLVMValueRef v, unsigned lane) {
    if (!LLVMIsAGetElementPtrInst(v)) return cf_lane(b, v, lane);
    LLVMValueRef index[8];
    unsigned n = LLVMGetNumIndices(v);
    if (n > 8) return cf_lane(b, v, lane);
    for (unsigned k = 0; k < n; k++) index[k] = cf_lane(b, LLVMGetOperand(v, k + 1), lane);
    return LLVMBuildGEP2(b, LLVMGetGEPSourceElementType(v), cf_lane(b, LLVMGetOperand(v, 0), lane), index, n,
                         "");
}

/* Vectors of addresses become scalars where memory is accessed through them. */
static void scalar_addresses(LLVMBuilderRef b, LLVMValueRef call, unsigned k) {
    LLVMValueRef v = LLVMGetOperand(call, k);
    if (!LLVMIsAGetElementPtrInst(v) || is_long(LLVMTypeOf(v))) return;
    LLVMValueRef all = LLVMGetPoison(LLVMTypeOf(v));
    for (unsigned i = 0; i < cf_lane_count(LLVMTypeOf(v)); i++)
        all = cf_with_lane(b, all, address_of_lane(b, v, i), i);
    LLVMSetOperand(call, k, all);
}

static bool is_masked(LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef f) {
    static const char *const names[] = {"llvm.masked.load",       "llvm.masked.store",
                                        "llvm.masked.expandload", "llvm.masked.compressstore",
                                        "llvm.masked.gather",     "llvm.masked.scatter"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (!l_is_intrinsic_of(f, names[i])) continue;
        if (i >= 4) scalar_addresses(b, call, i - 4);
        return true;
    }
    return false;
}

/* ---- all ---- */

static const cf_portable *row_of(LLVMValueRef f) {
    static const cf_portable rows[] = {
        {"llvm.vector.reduce.fadd", reduce, LLVMFAdd},
        {"llvm.vector.reduce.fmul", reduce, LLVMFMul},
        {"llvm.vector.reduce.fmax", reduce, -1},
        {"llvm.vector.reduce.fmin", reduce, -2},
        {"llvm.vector.reduce.fmaximum", reduce, -3},
        {"llvm.vector.reduce.fminimum", reduce, -4},
        {"llvm.vector.reduce.umax", reduce, -5},
        {"llvm.vector.reduce.umin", reduce, -6},
        {"llvm.vector.reduce.smax", reduce, -7},
        {"llvm.vector.reduce.smin", reduce, -8},
        {"llvm.vector.extract", extract, 0},
        {"llvm.vector.insert", insert, 0},
        {"llvm.vector.reverse", backwards, 0},
        {"llvm.vector.interleave2", interleave, 0},
        {"llvm.vector.deinterleave2", deinterleave, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (l_is_intrinsic_of(f, rows[i].name)) return &rows[i];
    return cf_portable_x86(f);
}

static LLVMValueRef portable(LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef f) {
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call))) return cf_portable_assembly(b, call);
    const cf_portable *row = f && l_is_intrinsic(f) ? row_of(f) : NULL;
    return row ? row->make(b, call, row->how) : NULL;
}

static bool rewrite_block(LLVMBuilderRef b, LLVMBasicBlockRef block, bool *masked) {
    bool any = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsACallInst(i)) continue;
        LLVMPositionBuilderBefore(b, i);
        LLVMValueRef made = portable(b, i, l_callee(i));
        if (!made) continue;
        if (!l_is_void_type(LLVMTypeOf(i))) LLVMReplaceAllUsesWith(i, made);
        LLVMInstructionEraseFromParent(i);
        any = true;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsACallInst(i) || !l_callee(i)) continue;
        LLVMPositionBuilderBefore(b, i);
        *masked |= is_masked(b, i, l_callee(i));
    }
    return any;
}

void cf_make_portable(cf_job *job, LLVMValueRef f, void *clean) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    bool any = false, masked = false;
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
        any |= rewrite_block(b, k, &masked);
    LLVMDisposeBuilder(b);
    if (masked) cfx_run_on_function(f, "scalarize-masked-mem-intrin");
    if (any || masked) cfx_run_on_function(f, clean);
}
