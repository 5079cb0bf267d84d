/* Singular points: which operations have an infinite slope where their value is finite, and which factors are finite.
 *
 * In:     values of the private module
 * Out:    yes, or "maybe", which asks for a test
 * Needs:  rules (cf_rules_link)                 Keeps: everything
 *
 * A function that no table names may be steep; a value of which nothing is known may be infinite. */
#include "analysis/singular.h"
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
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof gentle / sizeof *gentle; i++) {
        size_t m = strlen(gentle[i]);
        if (strncmp(name, gentle[i], m)) continue;
        if (n == m || (n == m + 1 && strchr("fl", name[m]))) return true;
    }
    return false;
}

/* Partial derivatives are called __cf_dK_NAME. */
static bool has_gentle_rule(const cf_rule *rule) {
    for (unsigned k = 0; k < rule->n; k++) {
        const char *name = rule->partial[k] ? strchr(l_name(rule->partial[k]) + strlen("__cf_d"), '_') : NULL;
        if (name) return is_gentle_name(name + 1);
    }
    return false;
}

static bool has_varying_number(LLVMValueRef call) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef x = LLVMGetOperand(call, i);
        if (!l_is_constant(x) && (l_is_number_type(LLVMTypeOf(x)) || l_is_pointer_type(LLVMTypeOf(x))))
            return true;
    }
    return false;
}

bool cf_is_steep_call(cf_job *job, LLVMValueRef call) {
    LLVMValueRef f = l_callee(call);
    const cf_rule *rule = f ? cf_rule_of(job, f) : NULL;
    if (!rule || !has_varying_number(call)) return false;
    if (rule->kind == CF_RULE_PARTIALS) return !has_gentle_rule(rule);
    return rule->kind == CF_RULE_CUSTOM;
}

static bool function_meets_steep(cf_job *job, LLVMValueRef f) {
    if (l_begins(l_name(f), "__cf_d")) return false; /* partial derivatives are not differentiated */
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && cf_is_steep_call(job, i)) return true;
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
