/* Products in the reverse sweep: 0 times anything is 0.
 *
 * In:     the adjoint of an operation, its partial derivative
 * Out:    their product; 0 where the adjoint is 0, even if the partial derivative is not finite (what the program computed
 *         and did not use adds nothing), and where the partial derivative is 0, even if the adjoint is not finite (a vertical
 *         slope further on: forward mode says 0 there, too)
 *
 * A test is left out where it can decide nothing: of the adjoint, where the factor is finite whatever happens; of the
 * factor, where no function with a vertical slope uses the result. */
#include "known/rules.h"
#include "reverse/sweep.h"

/* Of functions of this many instructions LLVM's search for floating operations that can be made of integers (float2int)
 * takes time quadratic in the size of what hangs together before a comparison: it is cut off here. */
enum { LARGE = 1500 };

static LLVMValueRef unless_zero(cf_sweep *s, LLVMValueRef tested, LLVMValueRef product, unsigned turn) {
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(product));
    if (l_is_constant(tested)) return l_is_zero(tested) ? zero : product;
    bool large = s->v->first_other - s->v->n_params > LARGE;
    if (large) tested = LLVMBuildFreeze(s->b, tested, "");
    if (turn % 2)
        return LLVMBuildSelect(s->b, LLVMBuildFCmp(s->b, LLVMRealUNE, tested, zero, ""), product, zero, "");
    return LLVMBuildSelect(s->b, LLVMBuildFCmp(s->b, LLVMRealOEQ, tested, zero, ""), zero, product, "");
}

LLVMValueRef cf_guarded(cf_sweep *s, LLVMValueRef bar, LLVMValueRef product, unsigned turn) {
    return unless_zero(s, bar, product, turn);
}

/* --- factors that are finite ---------------------------------------------------------------------------------------------------- */

static bool is_named(LLVMValueRef f, const char *const *names) {
    const char *name = f ? l_name(f) : "";
    if (l_begins(name, "llvm.")) name += strlen("llvm.");
    for (; *names; names++) {
        size_t n = strlen(*names);
        if (!strncmp(name, *names, n) &&
            (!name[n] || name[n] == '.' || (strchr("fl", name[n]) && !name[n + 1])))
            return true;
    }
    return false;
}

static bool is_finite_constant(LLVMValueRef c) {
    LLVMBool inexact;
    if (!LLVMIsAConstantFP(c)) return l_is_zero(c);
    double value = LLVMConstRealGetDouble(c, &inexact);
    return value - value == 0 && !inexact;
}

/* Whatever its operands are, unless they are NaN, which the program would show. */
static bool is_finite(const cf_sweep *s, cf_id v, int depth) {
    static const char *const bounded[] = {"sin",  "cos",   "tanh",     "erf", "erfc",
                                          "atan", "atan2", "copysign", NULL};
    const cf_value *x = &s->v->value[v];
    if (!cf_is_inst(s->v, v)) return LLVMIsAConstant(x->value) && is_finite_constant(x->value);
    if (depth > 4) return false;
    switch (x->op) {
    case LLVMSIToFP:
    case LLVMUIToFP: return true;
    case LLVMFPExt:
    case LLVMFNeg: return is_finite(s, x->operand[0], depth + 1);
    case LLVMSelect: return is_finite(s, x->operand[1], depth + 1) && is_finite(s, x->operand[2], depth + 1);
    case LLVMCall:
        return l_callee(x->value) && strncmp(l_name(l_callee(x->value)), "copysign", 8) &&
               is_named(l_callee(x->value), bounded);
    default: return false;
    }
}

/* The programmer has said that there is no infinity and no NaN. */
static bool is_said_finite(LLVMValueRef operation) {
    return LLVMCanValueUseFastMathFlags(operation) &&
           (LLVMGetFastMathFlags(operation) & (LLVMFastMathNoNaNs | LLVMFastMathNoInfs));
}

/* --- vertical slopes ------------------------------------------------------------------------------------------------------------------ */

static bool is_steep_call(LLVMValueRef call) {
    static const char *const steep[] = {"sqrt", "cbrt", "pow", "asin", "acos", "acosh", NULL};
    return is_named(l_callee(call), steep);
}

/* Whether the adjoint of a value may come from a function whose slope is infinite where its value is finite. */
static bool leads_to_steep(cf_sweep *s, cf_id v, cf_map *seen) {
    const cf_value *x = &s->v->value[v];
    if (cf_map_get(seen, x->value)) return false;
    cf_map_put(s->arena, seen, x->value, x->value);
    for (uint32_t k = 0; k < x->n_users; k++) {
        const cf_value *u = &s->v->value[x->user[k]];
        if (u->op == LLVMCall && is_steep_call(u->value)) return true;
        if (l_is_void_type(u->type) || !cf_is_active(s->act, x->user[k])) continue;
        if (leads_to_steep(s, x->user[k], seen)) return true;
    }
    return false;
}

static bool is_steep(cf_sweep *s, cf_id v) {
    if (!s->steep) s->steep = CF_ARRAY(s->arena, int8_t, s->v->n_values);
    if (!s->steep[v]) s->steep[v] = leads_to_steep(s, v, &(cf_map){0}) ? 1 : -1;
    return s->steep[v] > 0;
}

/* --- the interface ---------------------------------------------------------------------------------------------------------------------- */

LLVMValueRef cf_product_with(cf_sweep *s, cf_id i, cf_id factor, LLVMValueRef bar, LLVMValueRef product,
                             unsigned turn) {
    LLVMValueRef operation = s->v->value[i].value;
    if (is_said_finite(operation)) return product;
    if (!is_finite(s, factor, 0)) product = unless_zero(s, bar, product, turn);
    if (is_steep(s, i)) product = unless_zero(s, cf_need_value(s, factor), product, turn + 1);
    return product;
}

LLVMValueRef cf_product_by_rule(cf_sweep *s, cf_id i, LLVMValueRef partial, LLVMValueRef bar,
                                LLVMValueRef product, unsigned turn) {
    product = unless_zero(s, bar, product, turn);
    return is_steep(s, i) ? unless_zero(s, partial, product, turn + 1) : product;
}
