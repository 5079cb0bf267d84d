/* Idioms: operations on the bits of numbers, as operations on numbers.
 *
 * In:     a function of the program, after LLVM's scalar passes
 * Out:    fneg, fabs, copysign, select, extractelement, shuffles in the place of integer operations
 * Needs:  little-endian memory
 * Keeps:  what is computed, to the bit; control flow, loops        Breaks: nothing
 *
 * Idea: an integer is read as numbers where it is made from numbers of one type, or becomes such, by bitcasts. A sign that
 * is set, a lane that a mask chooses, a lane that is moved have names as operations on numbers, which move the same bits
 * (LLVM says so of fneg, fabs, copysign and select). Users are rewritten before what they use, so that a pattern is seen as
 * the program wrote it.
 *
 * Two kinds of operations have no such names. Bits of the sign and exponent alone are constant between powers of two: they
 * are taken from a copy of the number that has no derivative. And where the bits of the mantissa stay and the exponent is
 * exchanged, the result is, between powers of two, the number times a power of two, plus a constant: that slope is given to
 * the result, whose value stays what the bits say. */
#include "ir/idioms.h"
#include "ir/idioms_body.h"
#include "llvm/cfx.h"

/* Bits of constants and of what has no derivative: there is nothing to read. */
static bool is_settled(LLVMValueRef v, int depth) {
    if (LLVMIsAConstant(v) || cf_is_cut(v)) return true;
    if (!is_op(v, LLVMBitCast) && !is_op(v, LLVMAnd) && !is_op(v, LLVMOr) && !is_op(v, LLVMXor) &&
        !is_op(v, LLVMAdd) && !is_op(v, LLVMSub) && !is_op(v, LLVMLShr) && !is_op(v, LLVMAShr) &&
        !is_op(v, LLVMShl))
        return false;
    for (int k = 0; k < LLVMGetNumOperands(v); k++)
        if (depth > CF_DEEP || !is_settled(operand(v, (unsigned)k), depth + 1)) return false;
    return true;
}

static LLVMValueRef back(cf_idioms *d, LLVMValueRef made, LLVMValueRef i) {
    return cf_as(d, made, LLVMTypeOf(i));
}

static LLVMValueRef read_numbers(cf_idioms *d, LLVMValueRef i) {
    cf_numbers f;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMCall && (!l_callee(i) || !l_is_intrinsic(l_callee(i)) || LLVMGetNumArgOperands(i) != 2))
        return NULL;
    if (op == LLVMCall || op == LLVMAdd || op == LLVMSub) {
        LLVMTypeRef t = cf_made_from_either(i);
        if (!cf_numbers_of_type(t ? t : cf_becomes(i, 0), &f) ||
            cf_bit_count(f.type) != cf_bit_count(LLVMTypeOf(i)))
            return NULL;
        return op == LLVMCall ? cf_read_extreme(d, &f, i) : cf_move_exponent(d, &f, i);
    }
    if (!cf_numbers_of(i, &f)) return NULL;
    switch (op) {
    case LLVMAnd: return cf_read_and(d, &f, i);
    case LLVMOr: return cf_read_or(d, &f, i);
    case LLVMXor: return cf_read_xor(d, &f, i);
    default: return cf_read_select(d, &f, i);
    }
}

static LLVMValueRef rewrite(cf_idioms *d, LLVMValueRef i) {
    if (is_op(i, LLVMBitCast))
        return is_op(operand(i, 0), LLVMBitCast) ? cf_as(d, operand(i, 0), LLVMTypeOf(i)) : NULL;
    if (is_settled(i, 0)) return NULL;
    LLVMValueRef made;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAnd:
    case LLVMAdd:
    case LLVMSub: made = read_numbers(d, i); return made ? made : cf_compute_with_rounded(d, i);
    case LLVMShl: return cf_compute_with_rounded(d, i);
    case LLVMOr:
    case LLVMXor:
    case LLVMSelect:
    case LLVMCall: return read_numbers(d, i);
    case LLVMTrunc: made = cf_read_trunc(d, i); return made ? made : cf_compute_with_rounded(d, i);
    case LLVMLShr:
    case LLVMAShr: return cf_read_shift(d, i);
    case LLVMExtractElement:
        made = is_integer(LLVMTypeOf(i)) ? cf_read_extract(d, i) : NULL;
        return made || !d->again ? made : cf_read_lane(d, i);
    case LLVMInsertElement: return cf_read_insert(d, i);
    case LLVMShuffleVector: return cf_read_shuffle(d, i);
    case LLVMPHI: return cf_read_phi(d, i);
    case LLVMLoad: return cf_read_load(d, i);
    case LLVMFAdd:
    case LLVMFSub: return cf_round_by_adding(d, i);
    default: return NULL;
    }
}

static bool read_block(cf_idioms *d, LLVMBasicBlockRef block) {
    bool any = false;
    for (LLVMValueRef i = LLVMGetLastInstruction(block), before; i; i = before) {
        before = LLVMGetPreviousInstruction(i);
        bool other =
            is_op(i, LLVMFAdd) || is_op(i, LLVMFSub) || is_op(i, LLVMBitCast) || is_op(i, LLVMExtractElement);
        if (!(is_integer(LLVMTypeOf(i)) || other) || !LLVMGetFirstUse(i) || !cf_bit_count(LLVMTypeOf(i)))
            continue;
        LLVMPositionBuilderBefore(d->b, i);
        LLVMValueRef made = rewrite(d, i);
        if (!made) continue;
        if (LLVMIsAPHINode(i)) l_at_start(d->b, block);
        LLVMReplaceAllUsesWith(i, back(d, made, i));
        LLVMInstructionEraseFromParent(i);
        any = true;
    }
    return any;
}

void cf_read_idioms(cf_job *job, LLVMValueRef f, void *clean) {
    enum { ROUNDS = 8 }; /* phis wait for what comes in by loops, lanes for whole vectors */
    cf_idioms d = {.job = job, .b = LLVMCreateBuilderInContext(job->context)};
    bool any = false, little = LLVMByteOrder(LLVMGetModuleDataLayout(job->module)) == LLVMLittleEndian;
    for (int round = 0; round < ROUNDS && little; round++) {
        bool more = false;
        for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(f); b; b = LLVMGetPreviousBasicBlock(b))
            more |= read_block(&d, b);
        any |= more;
        if (!more && d.again) break;
        d.again |= !more || round == ROUNDS - 2;
    }
    LLVMDisposeBuilder(d.b);
    if (any) cfx_run_on_function(f, clean);
}
