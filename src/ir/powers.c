/* Powers: pow(x, 2) becomes x * x.
 *
 * In:     a function after promotion to SSA
 * Out:    the same with products in place of powers with small constant exponents
 * Needs:  exponents that are constants stand as constants
 * Keeps:  control flow      Breaks: numbering of values
 */
#include "ir/powers.h"
#include "llvm/l.h"

static bool is_pow(LLVMValueRef f) {
    if (!LLVMIsDeclaration(f) || l_has_text(f, "cf-keep")) return false;
    if (l_is_intrinsic(f)) return l_is_intrinsic_of(f, "llvm.pow");
    const char *name = l_name(f);
    if (strcmp(name, "pow") && strcmp(name, "powf") && strcmp(name, "powl")) return false;
    LLVMTypeRef t = l_return_type(f);
    return l_is_float_type(t) && LLVMCountParams(f) == 2 && LLVMTypeOf(LLVMGetParam(f, 0)) == t &&
           LLVMTypeOf(LLVMGetParam(f, 1)) == t;
}

/* The exponent of a call if it is one that we expand, else 0. */
static int exponent_of(LLVMValueRef call) {
    LLVMValueRef f = l_callee(call);
    if (!f) return 0;
    if (l_is_intrinsic(f) && l_is_intrinsic_of(f, "llvm.powi")) {
        LLVMValueRef n = LLVMGetOperand(call, 1);
        long long value = LLVMIsAConstantInt(n) ? LLVMConstIntGetSExtValue(n) : 0;
        return value >= 1 && value <= 4 ? (int)value : 0;
    }
    LLVMBool inexact;
    if (!is_pow(f) || !LLVMIsAConstantFP(LLVMGetOperand(call, 1)) || l_is_vector_type(LLVMTypeOf(call)))
        return 0;
    double value = LLVMConstRealGetDouble(LLVMGetOperand(call, 1), &inexact);
    return !inexact && (value == 1 || value == 2 || value == -1) ? (int)value : 0;
}

static LLVMValueRef flagged(LLVMValueRef made, LLVMValueRef call) {
    if (LLVMIsAInstruction(made)) LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(call));
    return made;
}

static LLVMValueRef power(LLVMBuilderRef b, LLVMValueRef call, int n) {
    LLVMValueRef x = LLVMGetOperand(call, 0);
    if (n == 1) return x;
    if (n < 0) return flagged(LLVMBuildFDiv(b, l_one(LLVMTypeOf(x)), x, ""), call);
    LLVMValueRef square = flagged(LLVMBuildFMul(b, x, x, ""), call);
    return n == 2 ? square : flagged(LLVMBuildFMul(b, n == 3 ? x : square, square, ""), call);
}

void cf_expand_powers(cf_job *job, LLVMValueRef f, void *unused) {
    (void)unused;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            int n = LLVMIsACallInst(i) ? exponent_of(i) : 0;
            if (!n) continue;
            l_before(b, i);
            LLVMReplaceAllUsesWith(i, power(b, i, n));
            LLVMInstructionEraseFromParent(i);
        }
    LLVMDisposeBuilder(b);
}
