/* Products in the reverse sweep: 0 times anything is 0.
 *
 * In:     the adjoint of an operation, its partial derivative
 * Out:    their product; 0 where the adjoint is 0, even if the partial derivative is not finite (what the program computed
 *         and did not use adds nothing), and where the partial derivative is 0, even if the adjoint is not finite (a vertical
 *         slope further on: forward mode says 0 there, too)
 *
 * A test is left out where it can decide nothing: of the adjoint, where the factor is finite whatever happens; of the
 * factor, where no adjoint is infinite that was not made so by an infinite value. For the latter, values are marked whose
 * adjoint may come from a vertical slope: of this function, or, through memory and calls, of any in the module. */
#include "analysis/singular.h"
#include "reverse/sweep.h"
#include <math.h>

/* Of functions of this many instructions LLVM's search for floating operations that can be made of integers (float2int)
 * takes time quadratic in the size of what hangs together before a comparison: it is cut off here. */
enum { LARGE = 1500 };

static LLVMValueRef unless(cf_sweep *s, LLVMValueRef tested, LLVMValueRef against, LLVMValueRef product,
                           unsigned turn) {
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(product));
    bool large = s->v->first_other - s->v->n_params > LARGE;
    if (large && !l_is_constant(tested)) tested = LLVMBuildFreeze(s->b, tested, "");
    if (turn % 2)
        return LLVMBuildSelect(s->b, LLVMBuildFCmp(s->b, LLVMRealUNE, tested, against, ""), product, zero,
                               "");
    return LLVMBuildSelect(s->b, LLVMBuildFCmp(s->b, LLVMRealOEQ, tested, against, ""), zero, product, "");
}

LLVMValueRef cf_guarded(cf_sweep *s, LLVMValueRef bar, LLVMValueRef product, unsigned turn) {
    return unless(s, bar, LLVMConstNull(LLVMTypeOf(bar)), product, turn);
}

/* --- vertical slopes ------------------------------------------------------------------------------------------------------------------ */

typedef CF_VEC(cf_id) worklist;

static void mark(cf_sweep *s, worklist *w, cf_id v) {
    if (v == CF_NONE || v >= s->v->first_other || cf_bit(s->steep, v) || !cf_is_active(s->act, v)) return;
    cf_set_bit(s->steep, v);
    cf_push(s->arena, w, v);
}

/* Of what the operation does with its operands' adjoints, this function shows everything: they come from its result's. */
static bool is_seen_through(const cf_sweep *s, cf_id i) {
    LLVMValueRef x = s->v->value[i].value;
    if (LLVMIsACallInst(x))
        return l_callee(x) && (l_is_intrinsic(l_callee(x)) || cf_rule_of(s->job, l_callee(x)));
    return !l_is_void_type(s->v->value[i].type) && !LLVMIsAInvokeInst(x) && !LLVMIsAAtomicRMWInst(x) &&
           !LLVMIsAAtomicCmpXchgInst(x);
}

/* The result of a requested function: its adjoint is the caller's. */
static bool is_last(const cf_sweep *s, cf_id i) { return s->joined && s->v->value[i].op == LLVMRet; }

static void find_steep(cf_sweep *s) {
    const cf_view *v = s->v;
    worklist w = {0};
    s->steep = CF_NEW(s->arena, cf_bits);
    *s->steep = cf_bits_new(s->arena, v->n_values);
    if (!cf_meets_steep(s->job)) return;
    for (cf_id i = v->n_params; i < v->first_other; i++) {
        bool here = LLVMIsACallInst(v->value[i].value) && cf_is_steep_call(s->job, v->value[i].value);
        if (is_last(s, i) || (!here && is_seen_through(s, i))) continue;
        for (uint32_t k = 0; k < v->value[i].n; k++) mark(s, &w, v->value[i].operand[k]);
    }
    while (w.n) {
        const cf_value *x = &v->value[w.at[--w.n]];
        for (uint32_t k = 0; k < x->n; k++) mark(s, &w, x->operand[k]);
    }
}

static bool is_steep(cf_sweep *s, cf_id v) {
    if (!s->steep) find_steep(s);
    return cf_bit(s->steep, v);
}

/* --- the interface ---------------------------------------------------------------------------------------------------------------------- */

LLVMValueRef cf_product_with(cf_sweep *s, cf_id i, cf_id factor, LLVMValueRef bar, LLVMValueRef product,
                             unsigned turn) {
    LLVMValueRef f = s->v->value[factor].value;
    if (!cf_is_said_finite(s->v->value[i].value) && !cf_is_finite(f))
        product = cf_guarded(s, bar, product, turn);
    return is_steep(s, i) ? cf_guarded(s, cf_need_value(s, factor), product, turn + 1) : product;
}

LLVMValueRef cf_product_by_rule(cf_sweep *s, cf_id i, LLVMValueRef partial, LLVMValueRef bar,
                                LLVMValueRef product, unsigned turn) {
    product = cf_guarded(s, bar, product, turn);
    return is_steep(s, i) ? cf_guarded(s, partial, product, turn + 1) : product;
}

LLVMValueRef cf_quotient_by(cf_sweep *s, cf_id i, cf_id divisor, LLVMValueRef bar, LLVMValueRef share,
                            unsigned turn) {
    share = cf_guarded(s, bar, share, turn);
    if (!is_steep(s, i)) return share;
    LLVMTypeRef t = LLVMTypeOf(share);
    LLVMValueRef size = l_call(s->b, l_intrinsic(s->job->module, "llvm.fabs", &t, 1),
                               (LLVMValueRef[]){cf_need_value(s, divisor)}, 1, "");
    return unless(s, size, l_all(t, INFINITY), share, turn + 1);
}
