/* Forward mode: integer arithmetic on the bits of numbers.
 *
 * In:     an integer operation in whose result no number is left
 * Out:    beside the result 0, or, where an operand has a tangent, CF_LOST: bits that are no tangent
 *
 * A program may compute with integers that lie where at other times numbers do (a tagged union): that loses nothing. Where
 * the result is used as a number at once it is an error; where a number is made of it on some way through the program, the
 * run tells; what went through memory becomes NaN. */
#include "known/known.h"
#include "contents/moves.h"
#include "domain/tangent_body.h"

/* What lies beside the result of integer arithmetic on the bits of numbers that have a tangent: a NaN, so that it cannot be
 * taken for a tangent. */
static LLVMValueRef lost_bits(LLVMTypeRef t) {
    if (l_is_vector_type(t)) {
        LLVMValueRef one = lost_bits(LLVMGetElementType(t)), all = LLVMGetUndef(t);
        for (unsigned i = 0; i < LLVMGetVectorSize(t); i++)
            all = LLVMConstInsertElement(all, one, l_i32(LLVMGetTypeContext(t), i));
        return all;
    }
    switch (LLVMGetIntTypeWidth(t)) {
    case 64: return LLVMConstInt(t, UINT64_C(0x7FF4CF00CF00CF00), 0);
    case 32: return LLVMConstInt(t, 0x7FA0CF00, 0);
    default: return LLVMConstAllOnes(t);
    }
}

static LLVMValueRef lost(cf_body *b, LLVMValueRef i, unsigned k) {
    LLVMTypeRef t = LLVMTypeOf(i);
    unsigned n = LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i) : (unsigned)LLVMGetNumOperands(i);
    LLVMValueRef any = NULL;
    for (unsigned o = 0; o < n; o++) {
        LLVMValueRef beside = cf_beside(b, LLVMGetOperand(i, o), k);
        if (!beside || l_is_pointer_type(LLVMTypeOf(beside))) continue;
        LLVMValueRef other = LLVMBuildICmp(b->builder, LLVMIntNE, beside, l_zero(LLVMTypeOf(beside)), "");
        if (l_is_vector_type(LLVMTypeOf(beside)) != l_is_vector_type(t) ||
            (any && LLVMTypeOf(any) != LLVMTypeOf(other)))
            continue;
        any = any ? LLVMBuildOr(b->builder, any, other, "") : other;
    }
    return any ? LLVMBuildSelect(b->builder, any, lost_bits(t), l_zero(t), "") : l_zero(t);
}

static const char *arithmetic_on_bits(cf_body *b, LLVMValueRef i) {
    char name[64];
    return cf_text(b->job->arena,
                   "an active number is computed by integer arithmetic on its bits (`%s`), which cannot be "
                   "differentiated; give the function a rule (CF_RULE_FORWARD)",
                   l_operation_name(i, name, sizeof name));
}

static bool is_tainted_number(cf_body *b, LLVMValueRef i) {
    LLVMTypeRef t = LLVMTypeOf(i);
    bool number = l_is_float_type(t) || (l_is_vector_type(t) && l_is_float_type(LLVMGetElementType(t)));
    return number && LLVMIsABitCastInst(i) && cf_flags(b, LLVMGetOperand(i, 0)) & CF_TAINTED;
}

/* A number from such bits, on some way through the program: the run tells. */
void cf_check_number(cf_body *b, LLVMValueRef i) {
    if (!is_tainted_number(b, i)) return;
    LLVMValueRef x = LLVMGetOperand(i, 0);
    LLVMTypeRef t = LLVMTypeOf(x);
    if (!l_is_integer_type(t) || !l_is_float_type(LLVMTypeOf(i))) return;
    for (unsigned k = 0; k < b->key.width; k++) {
        LLVMValueRef bad = LLVMBuildICmp(b->builder, LLVMIntEQ, cf_beside(b, x, k), lost_bits(t), "");
        const char *text =
            cf_text(b->job->arena, "%scofactor: %s\n", cf_site_text(b, i), arithmetic_on_bits(b, x));
        cf_refuse(b, bad, LLVMBuildGlobalStringPtr(b->builder, text, "cf.site"), strlen(text));
    }
}

/* Integer arithmetic, in whose result no number is left. */
static bool is_lost(cf_body *b, LLVMValueRef i) {
    unsigned which;
    LLVMTypeRef t = LLVMTypeOf(i);
    if (l_is_vector_type(t)) t = LLVMGetElementType(t);
    if (!l_is_integer_type(t) || !(cf_flags(b, i) & CF_TAINTED)) return false;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMSExt:
    case LLVMAShr: return true;
    default: return cf_is_bit_operation(i) && cf_varied_move(cf_state(b)->varied, i, &which) == CF_BITS_LOST;
    }
}

/* What was said of an operand need not be said again. */
static bool follows_lost(cf_body *b, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef x = LLVMGetOperand(i, (unsigned)k);
        if (LLVMIsAInstruction(x) && is_lost(b, x)) return true;
    }
    return false;
}

bool cf_tangent_lost(cf_body *b, LLVMValueRef i) {
    if (!is_lost(b, i)) return false;
    if (cf_becomes_number(b->job, i) && !follows_lost(b, i))
        cf_body_error(b, i, "%s", arithmetic_on_bits(b, i));
    cf_set_each(b, i, lost);
    return true;
}
