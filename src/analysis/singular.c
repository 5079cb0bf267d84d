/* Singular points: which operations have an infinite slope where their value is finite, and which factors are finite.
 *
 * In:     values of the private module
 * Out:    yes, or "maybe", which asks for a test
 * Needs:  rules (cf_rules_link)                 Keeps: everything
 *
 * A function that no table names may be steep; a value of which nothing is known may be infinite. */
#include "analysis/singular.h"
#include "ir/guards.h"
#include "known/known.h"
#include "known/rules.h"
#include "llvm/l.h"

/* Rules whose partial derivatives are finite where the function's value is. Poles are no exception: where 1/x is infinite, so is
 * log(x). By the names of src/rules. */
static const char *const gentle[] = {
    "asinh",        "atan",         "atan2",        "atan2pi",      "atanh",
    "atanpi",       "copysign",     "cos",          "cosh",         "cospi",
    "drem",         "erf",          "erfc",         "exp",          "exp10",
    "exp2",         "expm1",        "fabs",         "fdim",         "fma",
    "fmax",         "fmaximum",     "fmaximum_num", "fmin",         "fminimum",
    "fminimum_num", "fmod",         "gamma",        "hypot",        "j0",
    "j1",           "jn",           "ldexp",        "lgamma",       "llvm_canonicalize",
    "llvm_powi",    "llvm_x86_max", "llvm_x86_min", "llvm_x86_rcp", "llvm_x86_rsqrt",
    "log",          "log10",        "log1p",        "log2",         "nextafter",
    "nextdown",     "nexttoward",   "nextup",       "remainder",    "scalb",
    "scalbln",      "scalbn",       "significand",  "sin",          "sinh",
    "sinpi",        "tan",          "tanh",         "tanpi",        "tgamma",
    "y0",           "y1",           "yn",
};

/* `name` with or without the letter of its precision at the end. */
static bool is_gentle_name(const char *name) {
    size_t n = name ? strlen(name) : 0;
    for (size_t i = 0; i < sizeof gentle / sizeof *gentle; i++) {
        size_t m = strlen(gentle[i]);
        if (strncmp(name, gentle[i], m)) continue;
        if (n == m || (n == m + 1 && strchr("fl", name[m]))) return true;
    }
    return false;
}

/* Partial derivatives are called __cf_dK_NAME. NULL: the rule has none. */
static const char *name_in_rule(const cf_rule *rule) {
    for (unsigned k = 0; k < rule->n; k++) {
        const char *name = rule->partial[k] ? strchr(l_name(rule->partial[k]) + strlen("__cf_d"), '_') : NULL;
        if (name) return name + 1;
    }
    return NULL;
}

static bool has_varying_number(LLVMValueRef call) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef x = LLVMGetOperand(call, i);
        if (!l_is_constant(x) && (l_is_number_type(LLVMTypeOf(x)) || l_is_pointer_type(LLVMTypeOf(x))))
            return true;
    }
    return false;
}

/* --- slopes that are infinite at 0 alone ---------------------------------------------------------------------------------- */

/* Of a value that is not NaN. */
typedef enum sign { SIGN_UNKNOWN, SIGN_NOT_NEGATIVE, SIGN_POSITIVE } sign;

/* Deeper than this nothing is known, which costs a test and no more. */
enum { DEEPEST = 8 };

static sign sign_of(LLVMValueRef v, unsigned depth);

static sign sign_of_constant(LLVMValueRef c) {
    LLVMBool inexact;
    if (!LLVMIsAConstantFP(c)) return SIGN_UNKNOWN;
    double value = LLVMConstRealGetDouble(c, &inexact);
    return value > 0 ? SIGN_POSITIVE : value == 0 ? SIGN_NOT_NEGATIVE : SIGN_UNKNOWN;
}

/* A product underflows to 0; a sum of what is not negative does not. */
static sign sign_of_sum(sign a, sign b) {
    if (!a || !b) return SIGN_UNKNOWN;
    return a > b ? a : b;
}

static sign sign_of_product(LLVMValueRef x, LLVMValueRef y, unsigned depth) {
    if (x == y) return SIGN_NOT_NEGATIVE;
    return sign_of(x, depth) && sign_of(y, depth) ? SIGN_NOT_NEGATIVE : SIGN_UNKNOWN;
}

static sign sign_of_call(LLVMValueRef call, unsigned depth) {
    const char *name = l_callee(call) ? l_name(l_callee(call)) : "";
    if (l_begins(name, "llvm.fabs.")) return SIGN_NOT_NEGATIVE;
    if (l_begins(name, "llvm.sqrt.")) {
        sign of = sign_of(LLVMGetOperand(call, 0), depth);
        return of ? of : SIGN_NOT_NEGATIVE;
    }
    if (!l_callee(call) || !l_is_multiply_add(l_callee(call))) return SIGN_UNKNOWN;
    sign product = sign_of_product(LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), depth);
    return sign_of_sum(product, sign_of(LLVMGetOperand(call, 2), depth));
}

static sign sign_of(LLVMValueRef v, unsigned depth) {
    if (!LLVMIsAInstruction(v)) return sign_of_constant(v);
    if (depth == DEEPEST) return SIGN_UNKNOWN;
    LLVMValueRef x = LLVMGetNumOperands(v) > 0 ? LLVMGetOperand(v, 0) : NULL;
    LLVMValueRef y = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMFAdd: return sign_of_sum(sign_of(x, depth + 1), sign_of(y, depth + 1));
    case LLVMFMul: return sign_of_product(x, y, depth + 1);
    case LLVMFPExt: return sign_of(x, depth + 1);
    case LLVMUIToFP: return SIGN_NOT_NEGATIVE;
    case LLVMCall: return sign_of_call(v, depth + 1);
    default: return SIGN_UNKNOWN;
    }
}

/* That `x predicate c` holds, or that x is NaN, says that x is not 0. */
static bool excludes_zero(LLVMRealPredicate predicate, double c) {
    switch ((unsigned)predicate & 7) { /* the fourth bit: or unordered */
    case LLVMRealOEQ: return c != 0;
    case LLVMRealOGT: return c >= 0;
    case LLVMRealOGE: return c > 0;
    case LLVMRealOLT: return c <= 0;
    case LLVMRealOLE: return c < 0;
    case LLVMRealONE: return c == 0;
    default: return false;
    }
}

static LLVMRealPredicate swapped(LLVMRealPredicate p) {
    unsigned greater = (unsigned)p & 2, less = (unsigned)p & 4;
    return (LLVMRealPredicate)(((unsigned)p & 9) | greater << 1 | less >> 1);
}

static bool is_magnitude_of(LLVMValueRef v, LLVMValueRef x) {
    return LLVMIsACallInst(v) && l_callee(v) && l_begins(l_name(l_callee(v)), "llvm.fabs.") &&
           LLVMGetOperand(v, 0) == x;
}

/* That the comparison is `outcome` says that x is not 0. */
static bool comparison_excludes_zero(LLVMValueRef compare, bool outcome, LLVMValueRef x) {
    LLVMRealPredicate predicate = LLVMGetFCmpPredicate(compare);
    LLVMValueRef left = LLVMGetOperand(compare, 0), right = LLVMGetOperand(compare, 1);
    if (LLVMIsAConstantFP(left)) {
        LLVMValueRef swap = left;
        left = right, right = swap, predicate = swapped(predicate);
    }
    LLVMBool inexact;
    if (!LLVMIsAConstantFP(right) || (left != x && !is_magnitude_of(left, x))) return false;
    if (!outcome) predicate = (LLVMRealPredicate)(LLVMRealPredicateTrue - predicate);
    return excludes_zero(predicate, LLVMConstRealGetDouble(right, &inexact));
}

/* `a && b` is true, or `a || b` false: then both are; as bits, or as a choice that leaves b out. */
static bool is_both(LLVMValueRef c, bool outcome, LLVMValueRef part[2]) {
    LLVMOpcode op = LLVMGetInstructionOpcode(c);
    part[0] = LLVMGetOperand(c, 0);
    part[1] = LLVMGetOperand(c, op == LLVMSelect && !outcome ? 2 : 1);
    if (op == (outcome ? LLVMAnd : LLVMOr)) return true;
    if (op != LLVMSelect) return false;
    LLVMValueRef other = LLVMGetOperand(c, outcome ? 2 : 1);
    return LLVMIsAConstantInt(other) && LLVMConstIntGetZExtValue(other) == !outcome;
}

static bool condition_excludes_zero(LLVMValueRef c, bool outcome, LLVMValueRef x, unsigned depth) {
    LLVMValueRef part[2];
    if (LLVMIsAFCmpInst(c)) return comparison_excludes_zero(c, outcome, x);
    if (!LLVMIsAInstruction(c) || depth == DEEPEST || LLVMGetNumOperands(c) < 2) return false;
    if (!is_both(c, outcome, part)) return false;
    return condition_excludes_zero(part[0], outcome, x, depth + 1) ||
           condition_excludes_zero(part[1], outcome, x, depth + 1);
}

/* A branch on the way to the block is taken only where x is not 0. */
static bool branch_excludes_zero(const cf_view *v, cf_id block, LLVMValueRef x) {
    for (cf_id b = block, above; (above = v->block[b].idom) != CF_NONE; b = above) {
        const cf_block *from = &v->block[above];
        LLVMValueRef branch = v->value[from->end - 1].value;
        if (v->block[b].n_preds != 1 || !LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) continue;
        LLVMBasicBlockRef yes = LLVMGetSuccessor(branch, 0), no = LLVMGetSuccessor(branch, 1);
        if (yes == no) continue;
        if (condition_excludes_zero(LLVMGetCondition(branch), v->block[b].block == yes, x, 0)) return true;
    }
    return false;
}

/* --- steep calls ------------------------------------------------------------------------------------------------------------ */

static bool is_steep_at_zero_alone(const char *name) {
    return l_begins(name, "sqrt") || l_begins(name, "cbrt") || l_begins(name, "llvm_sqrt");
}

/* pow with a constant exponent of 1 or more. */
static bool is_gentle_power(const char *name, LLVMValueRef call) {
    LLVMBool inexact;
    LLVMValueRef exponent = l_begins(name, "pow") ? LLVMGetOperand(call, 1) : NULL;
    return exponent && LLVMIsAConstantFP(exponent) && LLVMConstRealGetDouble(exponent, &inexact) >= 1;
}

static bool has_gentle_argument(const char *name, const cf_view *view, LLVMValueRef call) {
    if (!name) return false;
    if (is_gentle_power(name, call)) return true;
    if (!is_steep_at_zero_alone(name)) return false;
    LLVMValueRef x = LLVMGetOperand(call, 0);
    cf_id i = cf_view_id(view, call);
    return sign_of(x, 0) == SIGN_POSITIVE ||
           (i != CF_NONE && branch_excludes_zero(view, view->value[i].block, x));
}

/* By its rule alone, wherever it is called. */
static bool may_be_steep(cf_job *job, LLVMValueRef call) {
    LLVMValueRef f = l_callee(call);
    const cf_rule *rule = f ? cf_rule_of(job, f) : NULL;
    if (!rule || cf_is_guard(f) || !has_varying_number(call)) return false;
    return rule->kind == CF_RULE_CUSTOM ||
           (rule->kind == CF_RULE_PARTIALS && !is_gentle_name(name_in_rule(rule)));
}

bool cf_is_steep_call(cf_job *job, const cf_view *view, LLVMValueRef call) {
    if (!may_be_steep(job, call)) return false;
    const cf_rule *rule = cf_rule_of(job, l_callee(call));
    return rule->kind == CF_RULE_CUSTOM || !has_gentle_argument(name_in_rule(rule), view, call);
}

static bool function_meets_steep(cf_job *job, LLVMValueRef f) {
    if (l_begins(l_name(f), "__cf_d")) return false; /* partial derivatives are not differentiated */
    const cf_view *view = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!(LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) || !may_be_steep(job, i)) continue;
            if (!view) view = cf_view_import(job, f);
            if (cf_is_steep_call(job, view, i)) return true;
        }
    return false;
}

bool cf_meets_steep(cf_job *job) {
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f && !job->steep; f = LLVMGetNextFunction(f))
        if (function_meets_steep(job, f)) job->steep = 1;
    if (!job->steep) job->steep = -1;
    return job->steep > 0;
}

bool cf_is_said_finite(LLVMValueRef operation) {
    LLVMFastMathFlags both = LLVMFastMathNoNaNs | LLVMFastMathNoInfs;
    return LLVMCanValueUseFastMathFlags(operation) && (LLVMGetFastMathFlags(operation) & both) == both;
}

static bool is_finite_constant(LLVMValueRef c) {
    LLVMBool inexact;
    if (!LLVMIsAConstantFP(c)) return l_is_zero(c);
    double value = LLVMConstRealGetDouble(c, &inexact);
    return value - value == 0 && !inexact;
}

/* Wide integers are more than float and half can hold. */
static bool is_finite_conversion(LLVMValueRef i) {
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(i, 0)), to = LLVMTypeOf(i);
    if (l_is_vector_type(to)) from = LLVMGetElementType(from), to = LLVMGetElementType(to);
    LLVMTypeKind kind = LLVMGetTypeKind(to);
    return LLVMGetIntTypeWidth(from) <= 64 && kind != LLVMHalfTypeKind && kind != LLVMBFloatTypeKind;
}

bool cf_is_finite(LLVMValueRef v) {
    for (;;) {
        if (l_is_constant(v)) return is_finite_constant(v);
        if (LLVMIsASIToFPInst(v) || LLVMIsAUIToFPInst(v)) return is_finite_conversion(v);
        if (!LLVMIsAFPExtInst(v) && !(LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMFNeg))
            return false;
        v = LLVMGetOperand(v, 0);
    }
}
