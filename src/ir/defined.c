/* Numbers that may be anything (poison, undef) become 1.
 *
 * In:     a function
 * Out:    the same; no operand is an undefined number, no lane of a shuffle comes from nowhere
 * Keeps:  control flow, memory; what the program computes          Breaks: views of the function
 *
 * Idea: an optimiser leaves lanes and values undefined that nothing uses. A reverse sweep multiplies them with an adjoint
 * of 0, which must give 0: so they must be numbers, and such that quotients, roots and logarithms of them are finite. */
#include "ir/defined.h"
#include "llvm/l.h"

static bool is_number(LLVMTypeRef t) {
    return l_is_float_type(t) || (l_is_vector_type(t) && l_is_float_type(LLVMGetElementType(t)));
}

static bool is_undefined(LLVMValueRef v) { return LLVMIsUndef(v) || LLVMIsPoison(v); }

/* The constant with 1 where it is undefined; itself where it is defined. */
static LLVMValueRef defined(cf_job *job, LLVMValueRef v) {
    LLVMTypeRef t = LLVMTypeOf(v);
    if (is_undefined(v)) return l_one(t);
    if (!LLVMIsAConstantVector(v)) return v;
    unsigned n = LLVMGetVectorSize(t);
    LLVMValueRef *part = CF_ARRAY(job->arena, LLVMValueRef, n);
    for (unsigned i = 0; i < n; i++) part[i] = defined(job, LLVMGetOperand(v, i));
    return LLVMConstVector(part, n);
}

static void define_incoming(cf_job *job, LLVMBuilderRef b, LLVMValueRef phi) {
    unsigned n = LLVMCountIncoming(phi);
    bool any = false;
    for (unsigned i = 0; i < n; i++) any |= is_undefined(LLVMGetIncomingValue(phi, i));
    if (!any) return;
    LLVMPositionBuilderBefore(b, phi);
    LLVMValueRef made = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef in = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        if (is_undefined(in)) in = defined(job, in);
        LLVMAddIncoming(made, &in, &from, 1);
    }
    LLVMReplaceAllUsesWith(phi, made);
    LLVMInstructionEraseFromParent(phi);
}

static void define_operands(cf_job *job, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef o = LLVMGetOperand(i, (unsigned)k);
        if (!o || !LLVMIsAConstant(o) || !is_number(LLVMTypeOf(o))) continue;
        LLVMValueRef d = defined(job, o);
        if (d != o) LLVMSetOperand(i, (unsigned)k, d);
    }
}

/* Lanes that come from nowhere come from a vector of ones, in a shuffle of their own. */
static void define_lanes(cf_job *job, LLVMBuilderRef b, LLVMValueRef shuffle) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(job->context);
    unsigned n = LLVMGetNumMaskElements(shuffle);
    bool any = false;
    LLVMValueRef *first = CF_ARRAY(job->arena, LLVMValueRef, n),
                 *then = CF_ARRAY(job->arena, LLVMValueRef, n);
    for (unsigned j = 0; j < n; j++) {
        int m = LLVMGetMaskValue(shuffle, j);
        any |= m < 0;
        first[j] = LLVMConstInt(i32, m < 0 ? 0 : (unsigned)m, 0);
        then[j] = LLVMConstInt(i32, m < 0 ? n + j : j, 0);
    }
    if (!any) return;
    l_before(b, shuffle);
    LLVMValueRef all = LLVMBuildShuffleVector(b, LLVMGetOperand(shuffle, 0), LLVMGetOperand(shuffle, 1),
                                              LLVMConstVector(first, n), "");
    LLVMValueRef made =
        LLVMBuildShuffleVector(b, all, l_one(LLVMTypeOf(shuffle)), LLVMConstVector(then, n), "");
    LLVMReplaceAllUsesWith(shuffle, made);
    LLVMInstructionEraseFromParent(shuffle);
}

void cf_define_numbers(cf_job *job, LLVMValueRef function, void *unused) {
    (void)unused;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    LLVMValueRef next;
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsAPHINode(i)) {
                if (is_number(LLVMTypeOf(i))) define_incoming(job, b, i);
                continue;
            }
            define_operands(job, i);
            if (LLVMIsAShuffleVectorInst(i) && is_number(LLVMTypeOf(i))) define_lanes(job, b, i);
        }
    LLVMDisposeBuilder(b);
}
