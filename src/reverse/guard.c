/* Products in the reverse sweep: 0 times anything is 0.
 *
 * In:     the adjoint of an operation, its partial derivative
 * Out:    what is added to the adjoint of an operand; 0 where the operation's adjoint is 0, even if the partial derivative is
 *         not finite (what the program computed and did not use adds nothing), and where the partial derivative is 0, even if
 *         the adjoint is not finite (a vertical slope further on: forward mode says 0 there, too)
 *
 * A test is left out where it can decide nothing. Of the factor, where no adjoint is infinite that was not made so by an
 * infinite value: values are marked whose adjoint may come from a vertical slope, of this function, or, through memory and
 * calls, of any in the module. Of the adjoint, where the factor is finite whatever happens, and inside a tree.
 *
 * Trees. Sums, products and numerators keep what is not finite: if an operand is infinite or NaN, so is the result. Operations
 * of one block whose results only such operations use form a tree; its root is what leaves it (is stored, compared and chosen,
 * given to a function). If a factor in the tree is not finite, the root is not, and either its adjoint is 0, and all that the
 * tree adds is to be 0, or the gradient is one of infinities and NaN anyway. So inside a tree products go untested (their
 * adjoints are called loose), and what is added to values outside is tested once, against the root's adjoint; what one tree adds
 * to a value that outlives the block is summed up before. Where all that takes more tests than there are products, the adjoint
 * of an operation further up is tested. */
#include "analysis/singular.h"
#include "ir/guards.h"
#include "reverse/sweep.h"
#include <math.h>

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
        bool here = LLVMIsACallInst(v->value[i].value) && cf_is_steep_call(s->job, v, v->value[i].value);
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

/* --- trees ------------------------------------------------------------------------------------------------------------------------------ */

/* What costs more than this many tests is tested earlier anyhow. */
enum { COSTLY = 1000 };

typedef struct costs {
    unsigned tight, loose; /* tests below a value whose adjoint is, or is not, 0 where the root's is */
} costs;

typedef struct sum {
    cf_id root;
    bool loose;
    LLVMValueRef value; /* NULL: none */
} sum;

struct cf_trees {
    cf_id *root;       /* by value; of what is in no tree, the value itself */
    bool *early;       /* by value: its adjoint is tested where it is taken, although it is inside a tree */
    bool *loose;       /* by value and direction: the adjoint may be NaN although the root's is 0 */
    LLVMValueRef *bar; /* by value and direction: the adjoint of a root */
    sum *sum; /* by value and direction: what a tree adds to a value outside, if it outlives the block */
    CF_VEC(size_t) summed; /* the sums that are not added yet */
};

static bool is_number(LLVMTypeRef t) {
    return l_is_float_type(l_is_vector_type(t) ? LLVMGetElementType(t) : t);
}

static bool is_multiply_add(const cf_value *u) {
    return u->op == LLVMCall && l_callee(u->value) && l_is_multiply_add(l_callee(u->value));
}

/* The operation is infinite or NaN if its operand v is. */
static bool keeps_infinity(const cf_value *u, cf_id v) {
    switch (u->op) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFNeg:
    case LLVMFPExt:
    case LLVMFPTrunc: return true;
    case LLVMFDiv: return u->operand[1] != v;
    default: return is_multiply_add(u);
    }
}

/* CF_NONE: v leaves the tree that its uses are in, or they are in several. */
static cf_id root_of_uses(const cf_sweep *s, const cf_id *root, cf_id v) {
    const cf_value *x = &s->v->value[v];
    cf_id common = CF_NONE;
    for (uint32_t k = 0; k < x->n_users; k++) {
        cf_id user = x->user[k];
        const cf_value *u = &s->v->value[user];
        if (u->op == LLVMFCmp) continue;
        if (u->block != x->block || !keeps_infinity(u, v)) return CF_NONE;
        if (!cf_is_active(s->act, user)) continue;
        if (common != CF_NONE && common != root[user]) return CF_NONE;
        common = root[user];
    }
    return common;
}

static unsigned at_least(unsigned a, unsigned b) { return a < b ? a : b; }

static bool is_inside(const struct cf_trees *t, cf_id v, cf_id root) {
    return t->root[v] == root && v != root;
}

/* The partial derivative of operation i by operand o may be infinite or NaN. */
static bool may_be_infinite(const cf_sweep *s, const cf_value *x, uint32_t o) {
    if (x->op == LLVMFDiv) return true;
    if ((x->op != LLVMFMul && !is_multiply_add(x)) || o > 1 || cf_is_said_finite(x->value)) return false;
    return !cf_is_finite(s->v->value[x->operand[1 - o]].value);
}

static costs costs_of(const cf_sweep *s, const struct cf_trees *t, const costs *known, cf_id v) {
    const cf_value *x = &s->v->value[v];
    costs c = {0, 0};
    if (!keeps_infinity(x, CF_NONE)) return (costs){0, 1};
    for (uint32_t o = 0; o < x->n; o++) {
        cf_id w = x->operand[o];
        if (w == CF_NONE || w >= s->v->first_other || !cf_is_active(s->act, w)) continue;
        bool inside = is_inside(t, w, t->root[v]), infinite = may_be_infinite(s, x, o);
        unsigned loose = inside ? at_least(known[w].loose, known[w].tight + 1) : 1;
        c.tight += infinite ? loose : inside ? known[w].tight : 0;
        c.loose += loose;
    }
    return (costs){at_least(c.tight, COSTLY), at_least(c.loose, COSTLY)};
}

static void find_trees(cf_sweep *s) {
    const cf_view *v = s->v;
    size_t n = v->first_other;
    struct cf_trees *t = s->trees = CF_NEW(s->arena, struct cf_trees);
    costs *known = CF_ARRAY(s->arena, costs, n);
    *t = (struct cf_trees){.root = CF_ARRAY(s->arena, cf_id, n),
                           .early = CF_ARRAY(s->arena, bool, n),
                           .loose = CF_ARRAY(s->arena, bool, n * s->width),
                           .bar = CF_ARRAY(s->arena, LLVMValueRef, n * s->width),
                           .sum = CF_ARRAY(s->arena, sum, n * s->width)};
    for (cf_id i = (cf_id)n; i-- > 0;) {
        t->root[i] = i;
        if (!cf_is_inst(v, i) || !is_number(v->value[i].type) || !cf_is_active(s->act, i)) continue;
        cf_id root = root_of_uses(s, t->root, i);
        if (root != CF_NONE) t->root[i] = root;
    }
    for (cf_id i = v->n_params; i < n; i++) {
        if (!cf_is_active(s->act, i)) continue;
        known[i] = costs_of(s, t, known, i);
        t->early[i] = known[i].tight + 1 < known[i].loose || !keeps_infinity(&v->value[i], CF_NONE);
    }
}

static struct cf_trees *trees(cf_sweep *s) {
    if (!s->trees) find_trees(s);
    return s->trees;
}

/* --- tests against the root ------------------------------------------------------------------------------------------------- */

static LLVMValueRef unless_root_is_zero(cf_sweep *s, cf_id root, unsigned k, LLVMValueRef product) {
    return cf_unless_zero(s->b, s->trees->bar[root * s->width + k], product);
}

LLVMValueRef cf_guard_taken(cf_sweep *s, cf_id v, unsigned k, LLVMValueRef bar) {
    struct cf_trees *t = trees(s);
    size_t at = v * s->width + k;
    if (t->root[v] == v) t->bar[at] = bar;
    if (!t->loose[at] || !t->early[v]) return bar;
    t->loose[at] = false;
    return unless_root_is_zero(s, t->root[v], k, bar);
}

/* --- sums for values that outlive the block ------------------------------------------------------------------------------ */

static void give_sum(cf_sweep *s, size_t at) {
    sum *x = &s->trees->sum[at];
    if (!x->value) return;
    cf_id v = (cf_id)(at / s->width);
    unsigned k = (unsigned)(at % s->width);
    LLVMValueRef value = x->loose ? unless_root_is_zero(s, x->root, k, x->value) : x->value;
    x->value = NULL;
    cf_adjoint_add_now(s, v, k, value);
}

void cf_give_sum(cf_sweep *s, cf_id v, unsigned k) {
    if (s->trees) give_sum(s, v * s->width + k);
}

void cf_give_sums(cf_sweep *s) {
    if (!s->trees) return;
    while (s->trees->summed.n) give_sum(s, s->trees->summed.at[--s->trees->summed.n]);
}

static void add_to_sum(cf_sweep *s, cf_id root, cf_id v, unsigned k, LLVMValueRef share, bool loose) {
    size_t at = v * s->width + k;
    sum *x = &s->trees->sum[at];
    if (x->value && x->root != root) give_sum(s, at);
    if (!x->value) {
        *x = (sum){root, loose, share};
        cf_push(s->arena, &s->trees->summed, at);
        return;
    }
    x->value = cf_add_numbers(s, v, x->value, share);
    x->loose |= loose;
}

/* --- from an operation to its operands -------------------------------------------------------------------------------------- */

static void pass(cf_sweep *s, cf_id i, cf_id x, unsigned k, LLVMValueRef share, bool infinite) {
    struct cf_trees *t = trees(s);
    if (x >= s->v->first_other || !cf_is_active(s->act, x)) return;
    cf_id root = t->root[i];
    bool loose = infinite || t->loose[i * s->width + k];
    if (is_inside(t, x, root)) {
        if (loose) t->loose[x * s->width + k] = true;
        cf_adjoint_add(s, x, k, share);
    } else if (!cf_adjoint_is_sum(s, x)) {
        add_to_sum(s, root, x, k, share, loose);
    } else {
        cf_adjoint_add(s, x, k, loose ? unless_root_is_zero(s, root, k, share) : share);
    }
}

/* --- the interface ---------------------------------------------------------------------------------------------------------------------- */

void cf_pass_on(cf_sweep *s, cf_id i, cf_id x, unsigned k, LLVMValueRef share) {
    pass(s, i, x, k, share, false);
}

void cf_pass_product(cf_sweep *s, cf_id i, uint32_t o, unsigned k, cf_id factor, LLVMValueRef product) {
    const cf_value *x = &s->v->value[i];
    if (is_steep(s, i)) product = cf_unless_zero(s->b, cf_need_value(s, factor), product);
    pass(s, i, x->operand[o], k, product, may_be_infinite(s, x, o));
}

static LLVMValueRef unless_infinite(cf_sweep *s, LLVMValueRef divisor, LLVMValueRef share) {
    LLVMTypeRef t = LLVMTypeOf(share);
    LLVMValueRef size = l_call(s->b, l_intrinsic(s->job->module, "llvm.fabs", &t, 1), &divisor, 1, "");
    LLVMValueRef is = LLVMBuildFCmp(s->b, LLVMRealOEQ, size, l_all(t, INFINITY), "");
    return LLVMBuildSelect(s->b, is, LLVMConstNull(t), share, "");
}

void cf_pass_quotient(cf_sweep *s, cf_id i, unsigned k, LLVMValueRef share) {
    const cf_value *x = &s->v->value[i];
    if (is_steep(s, i)) share = unless_infinite(s, cf_need_value(s, x->operand[1]), share);
    pass(s, i, x->operand[0], k, share, true);
}

LLVMValueRef cf_product_by_rule(cf_sweep *s, cf_id i, LLVMValueRef partial, LLVMValueRef bar,
                                LLVMValueRef product) {
    product = cf_unless_zero(s->b, bar, product);
    return is_steep(s, i) ? cf_unless_zero(s->b, partial, product) : product;
}
