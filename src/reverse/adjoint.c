/* The reverse of one instruction: takes the adjoint of its result and adds to those of its operands.
 *
 * In:     the sweep, the reverse builder at the end of a block, s->point behind the instruction
 * Out:    code; needs for the values of the primal that it uses
 *
 * Adjoints of values live in slots that LLVM turns into SSA values; those of memory in the shadow. */
#include "reverse/marks.h"
#include "analysis/kept.h"
#include "ir/guards.h"
#include "known/known.h"
#include "contents/numbers.h"

static LLVMTypeRef element_type(LLVMTypeRef t) { return l_is_vector_type(t) ? LLVMGetElementType(t) : t; }

/* --- bits that are numbers --------------------------------------------------------------------------------------------- */

static bool is_mixed(const void *sweep, LLVMValueRef place) {
    const cf_sweep *s = sweep;
    cf_id v = cf_view_id(s->v, place);
    return v != CF_NONE && cf_is_mixed(s->act, v);
}

/* The sign of an adjoint of 0 means nothing: so x + 0 is x. */
static LLVMValueRef add_floats(cf_sweep *s, LLVMValueRef a, LLVMValueRef b) {
    if (l_is_zero(a)) return b;
    LLVMValueRef sum = LLVMBuildFAdd(s->b, a, b, "");
    if (LLVMIsAInstruction(sum)) LLVMSetFastMathFlags(sum, LLVMFastMathNoSignedZeros);
    return sum;
}

static LLVMValueRef add_any(cf_sweep *s, cf_id of, LLVMValueRef a, LLVMValueRef b);

/* Integers, or vectors of them, that carry numbers. */
static LLVMValueRef add_bits(cf_sweep *s, cf_id of, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef bits = s->v->value[of].value;
    LLVMTypeRef t = LLVMTypeOf(a);
    bool narrow = l_is_integer_type(t) && LLVMGetIntTypeWidth(t) < 32;
    LLVMTypeRef f = narrow ? NULL : cf_number_in(s->job, bits);
    if (!f && cf_carries_no_number(s->job, bits, is_mixed, s)) return a;
    if (!f) {
        cf_sweep_undecided(s, of,
                           "cannot tell which kind of floating number these bits hold; compile with -g, or "
                           "copy the number with its own type");
        return a;
    }
    LLVMValueRef x = LLVMBuildBitCast(s->b, a, f, ""), y = LLVMBuildBitCast(s->b, b, f, "");
    return LLVMBuildBitCast(s->b, LLVMBuildFAdd(s->b, x, y, ""), LLVMTypeOf(a), "");
}

static LLVMValueRef add_parts(cf_sweep *s, cf_id of, LLVMValueRef a, LLVMValueRef b, unsigned n) {
    LLVMValueRef sum = a;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef x = LLVMBuildExtractValue(s->b, a, i, ""), y = LLVMBuildExtractValue(s->b, b, i, "");
        sum = LLVMBuildInsertValue(s->b, sum, add_any(s, of, x, y), i, "");
    }
    return sum;
}

static LLVMValueRef add_any(cf_sweep *s, cf_id of, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef t = LLVMTypeOf(a);
    switch (LLVMGetTypeKind(t)) {
    case LLVMStructTypeKind: return add_parts(s, of, a, b, LLVMCountStructElementTypes(t));
    case LLVMArrayTypeKind: return add_parts(s, of, a, b, (unsigned)LLVMGetArrayLength2(t));
    case LLVMPointerTypeKind: return a;
    case LLVMVectorTypeKind:
        if (!l_is_integer_type(element_type(t))) return add_floats(s, a, b);
        return add_bits(s, of, a, b);
    case LLVMIntegerTypeKind: return add_bits(s, of, a, b);
    default: return add_floats(s, a, b);
    }
}

LLVMValueRef cf_add_numbers(cf_sweep *s, cf_id bits_of, LLVMValueRef a, LLVMValueRef b) {
    return add_any(s, bits_of, a, b);
}

/* --- slots ---------------------------------------------------------------------------------------------------------------- */

LLVMValueRef cf_adjoint_slot(cf_sweep *s, cf_id v, unsigned k) {
    LLVMValueRef *slot = &s->slot[v * s->width + k];
    if (*slot) return *slot;
    LLVMTypeRef t = cf_type_of(s, v);
    *slot = l_slot(s->b, t, "cf.bar");
    /* 0 when the reverse sweep begins. */
    LLVMValueRef first = LLVMGetFirstInstruction(s->start);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(s->job->context);
    first ? LLVMPositionBuilderBefore(b, first) : LLVMPositionBuilderAtEnd(b, s->start);
    LLVMBuildStore(b, LLVMConstNull(t), *slot);
    LLVMDisposeBuilder(b);
    return *slot;
}

/* Defined and used in one block: its adjoint begins and ends within the reversal of that block, and needs no slot. Parts
 * of aggregates are added in place: they have one. */
bool cf_adjoint_is_sum(const cf_sweep *s, cf_id v) {
    const cf_value *x = &s->v->value[v];
    if (!cf_is_inst(s->v, v) || l_is_aggregate_type(x->type)) return false;
    for (uint32_t k = 0; k < x->n_users; k++) {
        const cf_value *u = &s->v->value[x->user[k]];
        if (u->block != x->block || u->op == LLVMPHI) return false;
    }
    return true;
}

LLVMValueRef cf_adjoint_take(cf_sweep *s, cf_id v, unsigned k) {
    LLVMTypeRef t = cf_type_of(s, v);
    if (cf_is_homed(s, v)) return cf_marks_take_home(s, v, k);
    if (cf_adjoint_is_sum(s, v)) {
        LLVMValueRef sum = s->sum[v * s->width + k];
        s->sum[v * s->width + k] = NULL;
        return cf_guard_taken(s, v, k, sum ? sum : LLVMConstNull(t));
    }
    cf_give_sum(s, v, k);
    LLVMValueRef slot = cf_adjoint_slot(s, v, k), bar = LLVMBuildLoad2(s->b, t, slot, "");
    LLVMBuildStore(s->b, LLVMConstNull(t), slot);
    return cf_guard_taken(s, v, k, bar);
}

void cf_adjoint_add(cf_sweep *s, cf_id v, unsigned k, LLVMValueRef adjoint) {
    if (v == CF_NONE || v >= s->v->first_other || !cf_is_active(s->act, v)) return;
    if (cf_is_homed(s, v)) {
        if (!l_is_zero(adjoint)) cf_marks_add_home(s, v, k, adjoint);
        return;
    }
    if (cf_adjoint_is_sum(s, v)) {
        LLVMValueRef *sum = &s->sum[v * s->width + k];
        *sum = *sum ? cf_add_numbers(s, v, *sum, adjoint) : adjoint;
        return;
    }
    cf_adjoint_add_now(s, v, k, adjoint);
}

void cf_adjoint_add_now(cf_sweep *s, cf_id v, unsigned k, LLVMValueRef adjoint) {
    LLVMValueRef slot = cf_adjoint_slot(s, v, k);
    LLVMValueRef old = LLVMBuildLoad2(s->b, cf_type_of(s, v), slot, "");
    LLVMBuildStore(s->b, cf_add_numbers(s, v, old, adjoint), slot);
}

/* --- arithmetic ------------------------------------------------------------------------------------------------------------- */

static bool active(const cf_sweep *s, cf_id v) { return v != CF_NONE && cf_is_active(s->act, v); }

/* Derivative arithmetic may be as free with rounding as the operation that it comes from. That the program meets no infinity
 * and no NaN says nothing of derivatives. */
static LLVMValueRef like(const cf_value *x, LLVMValueRef made) {
    if (LLVMIsAInstruction(made) && LLVMCanValueUseFastMathFlags(made) &&
        LLVMCanValueUseFastMathFlags(x->value))
        LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(x->value) &
                                       ~(unsigned)(LLVMFastMathNoNaNs | LLVMFastMathNoInfs));
    return made;
}

static void reverse_mul(cf_sweep *s, cf_id i, unsigned k, LLVMValueRef bar) {
    const cf_value *x = &s->v->value[i];
    for (unsigned o = 0; o < 2; o++) {
        cf_id other = x->operand[1 - o];
        if (!active(s, x->operand[o])) continue;
        LLVMValueRef product = like(x, LLVMBuildFMul(s->b, bar, cf_need_value(s, other), ""));
        cf_pass_product(s, i, o, k, other, product);
    }
}

/* x * y + z, with the derivative of a product and a sum. */
static void reverse_multiply_add(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    for (unsigned k = 0; k < s->width && active(s, i); k++) {
        LLVMValueRef bar = cf_adjoint_take(s, i, k);
        reverse_mul(s, i, k, bar);
        cf_pass_on(s, i, x->operand[2], k, bar);
    }
}

/* A product with 0 is 0, but its derivative is not, unless the factors are 0 whatever the inputs are. */
static void reverse_guard(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    unsigned n = cf_guard_factors(x->value);
    LLVMValueRef *factor = CF_ARRAY(s->arena, LLVMValueRef, n);
    bool fixed = active(s, i);
    for (unsigned o = 0; o < n; o++) fixed &= !active(s, x->operand[o]);
    for (unsigned o = 0; o < n && fixed; o++) factor[o] = cf_need_value(s, x->operand[o]);
    for (unsigned k = 0; k < s->width && active(s, i); k++) {
        LLVMValueRef bar = cf_adjoint_take(s, i, k);
        if (fixed) bar = cf_unless_all_zero(s->b, factor, n, bar);
        cf_adjoint_add(s, x->operand[n], k, bar);
    }
}

/* x / y: the share of x is bar / y, that of y the share of x times -x / y. */
static void reverse_div(cf_sweep *s, cf_id i, const cf_value *x, unsigned k, LLVMValueRef bar) {
    LLVMValueRef share = like(x, LLVMBuildFDiv(s->b, bar, cf_need_value(s, x->operand[1]), ""));
    if (active(s, x->operand[0])) cf_pass_quotient(s, i, k, share);
    if (!active(s, x->operand[1])) return;
    LLVMValueRef product = like(x, LLVMBuildFMul(s->b, share, cf_need_value(s, i), ""));
    cf_pass_product(s, i, 1, k, i, LLVMBuildFNeg(s->b, product, ""));
}

static void reverse_select(cf_sweep *s, const cf_value *x, unsigned k, LLVMValueRef bar) {
    LLVMValueRef c = cf_need_value(s, x->operand[0]), zero = LLVMConstNull(LLVMTypeOf(bar));
    if (active(s, x->operand[1]))
        cf_adjoint_add(s, x->operand[1], k, LLVMBuildSelect(s->b, c, bar, zero, ""));
    if (active(s, x->operand[2]))
        cf_adjoint_add(s, x->operand[2], k, LLVMBuildSelect(s->b, c, zero, bar, ""));
}

/* --- aggregates and vectors ---------------------------------------------------------------------------------------------------- */

static LLVMValueRef part_of_slot(cf_sweep *s, LLVMValueRef slot, LLVMTypeRef t, LLVMValueRef inst) {
    unsigned n = LLVMGetNumIndices(inst);
    const unsigned *at = LLVMGetIndices(inst);
    LLVMValueRef index[17] = {l_i32(s->job->context, 0)};
    for (unsigned i = 0; i < n && i < 16; i++) index[i + 1] = l_i32(s->job->context, at[i]);
    return LLVMBuildGEP2(s->b, t, slot, index, n + 1, "");
}

static void reverse_extract_value(cf_sweep *s, cf_id i, const cf_value *x, unsigned k, LLVMValueRef bar) {
    cf_id from = x->operand[0];
    if (!active(s, from)) return;
    LLVMValueRef part = part_of_slot(s, cf_adjoint_slot(s, from, k), cf_type_of(s, from), x->value);
    LLVMValueRef old = LLVMBuildLoad2(s->b, x->type, part, "");
    LLVMBuildStore(s->b, cf_add_numbers(s, i, old, bar), part);
}

static void reverse_insert_value(cf_sweep *s, cf_id i, const cf_value *x, unsigned k) {
    LLVMValueRef slot = cf_adjoint_slot(s, i, k);
    LLVMValueRef part = part_of_slot(s, slot, x->type, x->value);
    LLVMTypeRef t = cf_type_of(s, x->operand[1]);
    LLVMValueRef bar = LLVMBuildLoad2(s->b, t, part, "");
    LLVMBuildStore(s->b, LLVMConstNull(t), part);
    cf_adjoint_add(s, x->operand[1], k, bar);
    cf_adjoint_add(s, x->operand[0], k, cf_adjoint_take(s, i, k));
}

static void reverse_extract_element(cf_sweep *s, const cf_value *x, unsigned k, LLVMValueRef bar) {
    cf_id from = x->operand[0];
    LLVMValueRef zero = LLVMConstNull(cf_type_of(s, from));
    cf_adjoint_add(s, from, k, LLVMBuildInsertElement(s->b, zero, bar, cf_need_value(s, x->operand[1]), ""));
}

static void reverse_insert_element(cf_sweep *s, const cf_value *x, unsigned k, LLVMValueRef bar) {
    LLVMValueRef at = cf_need_value(s, x->operand[2]);
    if (active(s, x->operand[1]))
        cf_adjoint_add(s, x->operand[1], k, LLVMBuildExtractElement(s->b, bar, at, ""));
    LLVMValueRef zero = LLVMConstNull(element_type(x->type));
    cf_adjoint_add(s, x->operand[0], k, LLVMBuildInsertElement(s->b, bar, zero, at, ""));
}

/* False: the bits of one lane go to several, and whether they are numbers is not known. */
static bool reverse_shuffle(cf_sweep *s, const cf_value *x, unsigned k, LLVMValueRef bar) {
    LLVMTypeRef t = cf_type_of(s, x->operand[0]);
    int n = (int)LLVMGetVectorSize(t);
    LLVMValueRef sum[2] = {LLVMConstNull(t), LLVMConstNull(t)};
    bool *taken = CF_ARRAY(s->arena, bool, 2 * (unsigned)n), number = l_is_float_type(element_type(t));
    for (unsigned j = 0; j < LLVMGetNumMaskElements(x->value); j++) {
        int m = LLVMGetMaskValue(x->value, j);
        if (m < 0) continue;
        LLVMValueRef to = l_i32(s->job->context, (uint32_t)(m % n)), *at = &sum[m / n];
        LLVMValueRef part = LLVMBuildExtractElement(s->b, bar, l_i32(s->job->context, j), "");
        if (taken[m] && !number) return false;
        if (taken[m]) part = LLVMBuildFAdd(s->b, LLVMBuildExtractElement(s->b, *at, to, ""), part, "");
        taken[m] = true;
        *at = LLVMBuildInsertElement(s->b, *at, part, to, "");
    }
    for (unsigned o = 0; o < 2; o++) cf_adjoint_add(s, x->operand[o], k, sum[o]);
    return true;
}

/* --- memory -------------------------------------------------------------------------------------------------------------------- */

/* The shadow's place for the number at a pointer. A pointer that may lead to something without a shadow has itself for
 * a shadow there: then a place that nobody reads. *real (may be NULL) tells which at run time; NULL: always real. */
static LLVMValueRef shadow_place(cf_sweep *s, cf_id pointer, unsigned k, LLVMTypeRef t, LLVMValueRef *real) {
    LLVMValueRef shadow = cf_need_shadow(s, pointer, k);
    if (real) *real = NULL;
    if (!cf_is_mixed(s->act, pointer)) return shadow;
    LLVMValueRef own = cf_need_value(s, pointer);
    LLVMValueRef c = LLVMBuildICmp(s->b, LLVMIntNE, shadow, own, "");
    if (real) *real = c;
    return LLVMBuildSelect(s->b, c, shadow, l_slot(s->b, t, "cf.nowhere"), "");
}

static LLVMValueRef load_like(cf_sweep *s, LLVMTypeRef t, LLVMValueRef p, LLVMValueRef access) {
    LLVMValueRef x = LLVMBuildLoad2(s->b, t, p, "");
    LLVMSetAlignment(x, cf_shadow_alignment(access));
    return x;
}

static void store_like(cf_sweep *s, LLVMValueRef value, LLVMValueRef p, LLVMValueRef access) {
    LLVMSetAlignment(LLVMBuildStore(s->b, value, p), cf_shadow_alignment(access));
}

/* v = *p:  *p' += v' */
static void reverse_load(cf_sweep *s, cf_id i, const cf_value *x, unsigned k, LLVMValueRef bar) {
    if (!cf_has_shadow(s->act, x->operand[0])) return;
    if (s->key->marked) {
        cf_marks_reverse_load(s, i, k, bar);
        return;
    }
    LLVMValueRef p = shadow_place(s, x->operand[0], k, x->type, NULL);
    if (LLVMGetOrdering(x->value) != LLVMAtomicOrderingNotAtomic && l_is_float_type(x->type)) {
        LLVMBuildAtomicRMW(s->b, LLVMAtomicRMWBinOpFAdd, p, bar, LLVMAtomicOrderingMonotonic, 0);
        return;
    }
    store_like(s, cf_add_numbers(s, i, load_like(s, x->type, p, x->value), bar), p, x->value);
}

void cf_check_shadow(cf_sweep *s, cf_id i, LLVMValueRef has_shadow) {
    cf_place place = l_place(s->v->value[i].value);
    const char *site = place.file ? cf_text(s->arena, "%s:%u: ", place.file, place.line) : "";
    LLVMValueRef a[] = {LLVMBuildZExt(s->b, has_shadow, LLVMInt32TypeInContext(s->job->context), ""),
                        LLVMBuildGlobalStringPtr(s->b, site, "cf.site")};
    l_call(s->b, cf_tape_function(s, "__cf_check_shadow"), a, 2, "");
}

/* *p = v:  v' += *p', *p' = 0 */
static void reverse_store(cf_sweep *s, cf_id i, const cf_value *x, unsigned k) {
    if (active(s, x->operand[0])) cf_kept_store(s->job, x->value);
    LLVMTypeRef t = cf_type_of(s, x->operand[0]);
    LLVMValueRef real, p = shadow_place(s, x->operand[1], k, t, &real);
    if (active(s, x->operand[0])) {
        if (real && !k && cf_is_const_argument(s->act, x->operand[1])) cf_check_shadow(s, i, real);
        LLVMValueRef bar = load_like(s, t, p, x->value);
        if (real) bar = LLVMBuildSelect(s->b, real, bar, LLVMConstNull(t), "");
        cf_adjoint_add(s, x->operand[0], k, bar);
    }
    store_like(s, LLVMConstNull(t), p, x->value);
}

static bool stores_pointer(LLVMTypeRef t) {
    return l_is_pointer_type(t) || (l_is_vector_type(t) && l_is_pointer_type(element_type(t)));
}

static void check_store(cf_sweep *s, cf_id i, const cf_value *x) {
    bool lost = cf_is_varied(s->act, x->operand[0]) && cf_is_const_argument(s->act, x->operand[1]) &&
                !cf_has_shadow(s->act, x->operand[1]);
    if (lost)
        cf_sweep_error(s, i,
                       "an active value is stored through an argument that is called `const`, into a global "
                       "of unknown size, "
                       "or into memory that a function without a body gave; call the argument `dup` and give "
                       "it a shadow, "
                       "declare the size of the global, say that the function allocates (CF_ALLOCATOR)");
}

/* An integer that lies where no number does. */
static bool stores_integer(cf_sweep *s, const cf_value *x, cf_id stored, cf_id place) {
    LLVMTypeRef t = cf_type_of(s, stored);
    if (!l_is_integer_type(t) || active(s, stored)) return false;
    cf_layout l;
    return cf_layout_of(s->job, s->v->function, x->value, s->v->value[place].value, l_size(s->job->module, t),
                        &l) &&
           l.n == 1 && l.field[0].kind == CF_FIELD_OTHER;
}

static void reverse_store_all(cf_sweep *s, cf_id i, const cf_value *x) {
    check_store(s, i, x);
    s->undo[i] = true;
    cf_wait_here(s, CF_UNDO, i, CF_NONE);
    bool number =
        !stores_pointer(cf_type_of(s, x->operand[0])) && !stores_integer(s, x, x->operand[0], x->operand[1]);
    if (!number && !s->key->marked) return;
    if (!cf_has_shadow(s->act, x->operand[1]) || !cf_memory_active(s->act, x->operand[1])) return;
    for (unsigned k = 0; k < s->width; k++) {
        if (s->key->marked)
            cf_marks_reverse_store(s, i, k);
        else
            reverse_store(s, i, x, k);
    }
}

/* Whether the exchange happened, the reverse sweep cannot tell. */
static void refuse_exchange(cf_sweep *s, cf_id i, const cf_value *x) {
    if (!cf_has_shadow(s->act, x->operand[0]) || !cf_memory_active(s->act, x->operand[0])) return;
    if (l_is_pointer_type(cf_type_of(s, x->operand[2])) || stores_integer(s, x, x->operand[2], x->operand[0]))
        return;
    cf_sweep_error(
        s, i,
        "an atomic compare and exchange of an active number is not differentiated in reverse mode; "
        "add to the number atomically instead (atomicrmw: `#pragma omp atomic`, fetch_add), or put "
        "it into a function with a rule (CF_RULE_REVERSE)");
}

/* old = *p; *p = old op x */
static void reverse_rmw(cf_sweep *s, cf_id i, const cf_value *x) {
    if (!cf_has_shadow(s->act, x->operand[0]) || !cf_memory_active(s->act, x->operand[0])) return;
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(x->value);
    LLVMTypeRef t = cf_type_of(s, x->operand[1]);
    if (op != LLVMAtomicRMWBinOpFAdd && op != LLVMAtomicRMWBinOpFSub && op != LLVMAtomicRMWBinOpXchg) {
        if (active(s, x->operand[1]) || l_is_float_type(t))
            cf_sweep_error(s, i,
                           "an atomic operation of this kind on an active number is not differentiated");
        return;
    }
    for (unsigned k = 0; k < s->width && s->key->marked; k++) cf_marks_reverse_rmw(s, i, k);
    for (unsigned k = 0; k < s->width && !s->key->marked; k++) {
        LLVMValueRef p = shadow_place(s, x->operand[0], k, t, NULL);
        LLVMValueRef bar = LLVMBuildLoad2(s->b, t, p, ""),
                     old = active(s, i) ? cf_adjoint_take(s, i, k) : NULL;
        bool exchange = op == LLVMAtomicRMWBinOpXchg;
        LLVMValueRef own = op == LLVMAtomicRMWBinOpFSub ? LLVMBuildFNeg(s->b, bar, "") : bar;
        cf_adjoint_add(s, x->operand[1], k, own);
        LLVMValueRef now = exchange ? LLVMConstNull(t) : bar;
        if (old) now = cf_add_numbers(s, i, now, old);
        if (exchange || old) LLVMBuildStore(s->b, now, p);
    }
}

/* --- bits ------------------------------------------------------------------------------------------------------------------- */

static bool constant_bits(const cf_sweep *s, cf_id v, uint64_t *bits) {
    return l_small_constant(s->v->value[v].value, bits);
}

static bool whole_words(uint64_t mask) {
    uint32_t low = (uint32_t)mask, high = (uint32_t)(mask >> 32);
    return (low == 0 || low == UINT32_MAX) && (high == 0 || high == UINT32_MAX);
}

/* The adjoint of a number whose sign alone was changed: by xor (negation) or by and (fabs). */
static bool reverse_sign(cf_sweep *s, const cf_value *x, unsigned k, LLVMValueRef bar, uint64_t mask) {
    unsigned width = LLVMGetIntTypeWidth(x->type);
    uint64_t sign = UINT64_C(1) << (width - 1), all = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    LLVMValueRef flip;
    if (x->op == LLVMXor && mask == sign)
        flip = LLVMConstInt(x->type, sign, 0);
    else if (x->op == LLVMAnd && mask == (all & ~sign))
        flip = LLVMBuildAnd(s->b, cf_need_value(s, x->operand[0]), LLVMConstInt(x->type, sign, 0), "");
    else
        return false;
    cf_adjoint_add(s, x->operand[0], k, LLVMBuildXor(s->b, bar, flip, ""));
    return true;
}

/* An integer that is put beside a number: v is 0 in the half where c has its bits. */
static bool fills_other_half(const cf_sweep *s, cf_id v, uint64_t c) {
    const cf_value *x = &s->v->value[v];
    uint64_t by = 0;
    if (x->op == LLVMShl) return constant_bits(s, x->operand[1], &by) && by == 32 && !(c >> 32);
    return x->op == LLVMZExt && LLVMGetIntTypeWidth(cf_type_of(s, x->operand[0])) == 32 && !(uint32_t)c;
}

/* Pieces of bits that are taken out, put together or moved by whole numbers; their adjoints go the other way. */
static bool reverse_bits(cf_sweep *s, const cf_value *x, unsigned k, LLVMValueRef bar) {
    cf_id from = x->operand[0];
    LLVMTypeRef t = cf_type_of(s, from);
    uint64_t c = 0;
    bool constant = x->n > 1 && constant_bits(s, x->operand[1], &c);
    switch (x->op) {
    case LLVMTrunc:
        cf_adjoint_add(s, from, k, LLVMBuildZExt(s->b, bar, t, ""));
        return LLVMGetIntTypeWidth(x->type) >= 32;
    case LLVMZExt:
        cf_adjoint_add(s, from, k, LLVMBuildTrunc(s->b, bar, t, ""));
        return LLVMGetIntTypeWidth(t) >= 32;
    case LLVMOr:
        for (unsigned i = 0; i < 2; i++) cf_adjoint_add(s, x->operand[i], k, bar);
        return !constant || !c || fills_other_half(s, from, c);
    case LLVMShl:
        if (!constant || c % 32) return false;
        cf_adjoint_add(s, from, k, LLVMBuildLShr(s->b, bar, LLVMConstInt(x->type, c, 0), ""));
        return true;
    case LLVMLShr:
        if (!constant || c % 32) return false;
        cf_adjoint_add(s, from, k, LLVMBuildShl(s->b, bar, LLVMConstInt(x->type, c, 0), ""));
        return true;
    case LLVMAnd:
    case LLVMXor:
        if (!constant) return false;
        if (x->op == LLVMXor || !whole_words(c)) return reverse_sign(s, x, k, bar, c);
        cf_adjoint_add(s, from, k, LLVMBuildAnd(s->b, bar, LLVMConstInt(x->type, c, 0), ""));
        return true;
    default: return false;
    }
}

/* --- one instruction ------------------------------------------------------------------------------------------------------- */

static bool one_direction(cf_sweep *s, cf_id i, const cf_value *x, unsigned k) {
    bool followed = false;
    if (s->key->marked && cf_marks_reverse_operation(s, i, k, &followed)) return followed;
    if (x->op == LLVMInsertValue) {
        reverse_insert_value(s, i, x, k);
        return true;
    }
    LLVMValueRef bar = cf_adjoint_take(s, i, k);
    switch (x->op) {
    case LLVMFAdd:
        cf_pass_on(s, i, x->operand[0], k, bar);
        cf_pass_on(s, i, x->operand[1], k, bar);
        return true;
    case LLVMFSub:
        cf_pass_on(s, i, x->operand[0], k, bar);
        if (active(s, x->operand[1])) cf_pass_on(s, i, x->operand[1], k, LLVMBuildFNeg(s->b, bar, ""));
        return true;
    case LLVMFNeg: cf_pass_on(s, i, x->operand[0], k, LLVMBuildFNeg(s->b, bar, "")); return true;
    case LLVMFMul: reverse_mul(s, i, k, bar); return true;
    case LLVMFDiv: reverse_div(s, i, x, k, bar); return true;
    case LLVMFPExt:
        cf_pass_on(s, i, x->operand[0], k, LLVMBuildFPTrunc(s->b, bar, cf_type_of(s, x->operand[0]), ""));
        return true;
    case LLVMFPTrunc:
        cf_pass_on(s, i, x->operand[0], k, LLVMBuildFPExt(s->b, bar, cf_type_of(s, x->operand[0]), ""));
        return true;
    case LLVMBitCast:
        cf_adjoint_add(s, x->operand[0], k, LLVMBuildBitCast(s->b, bar, cf_type_of(s, x->operand[0]), ""));
        return true;
    case LLVMFreeze: cf_adjoint_add(s, x->operand[0], k, bar); return true;
    case LLVMSelect: reverse_select(s, x, k, bar); return true;
    case LLVMExtractValue: reverse_extract_value(s, i, x, k, bar); return true;
    case LLVMExtractElement: reverse_extract_element(s, x, k, bar); return true;
    case LLVMInsertElement: reverse_insert_element(s, x, k, bar); return true;
    case LLVMShuffleVector: return reverse_shuffle(s, x, k, bar);
    case LLVMLoad:
        cf_kept_load(s->job, x->value);
        reverse_load(s, i, x, k, bar);
        return true;
    default: return l_is_integer_type(x->type) && reverse_bits(s, x, k, bar);
    }
}

static void unsupported(cf_sweep *s, cf_id i, const cf_value *x) {
    char name[64];
    l_operation_name(x->value, name, sizeof name);
    if (l_is_integer_type(x->type))
        cf_sweep_undecided(
            s, i,
            cf_text(s->arena,
                    "the bits of an active number go through integer arithmetic (`%s`); its derivative would "
                    "be lost. Use fabs, copysign, frexp, ldexp or a rule (CF_RULE_REVERSE) instead",
                    name));
    else if (l_is_integer_type(element_type(x->type)))
        cf_sweep_error(
            s, i,
            "the bits of active numbers go through integer arithmetic on vectors (`%s`); their derivatives "
            "would be lost. Use fabs, copysign, a choice by comparison or a rule (CF_RULE_REVERSE) instead",
            name);
    else
        cf_sweep_error(s, i, "this operation on an active value (`%s`) cannot be differentiated", name);
}

void cf_reverse_instruction(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    switch (x->op) {
    case LLVMStore: reverse_store_all(s, i, x); return;
    case LLVMCall:
        if (cf_mixes_bits(l_callee(x->value)) && active(s, i)) break;
        if (l_callee(x->value) && l_is_multiply_add(l_callee(x->value)))
            reverse_multiply_add(s, i);
        else if (l_callee(x->value) && cf_is_guard(l_callee(x->value)))
            reverse_guard(s, i);
        else
            cf_reverse_call(s, i);
        return;
    case LLVMInvoke: cf_reverse_call(s, i); return;
    case LLVMAtomicRMW: reverse_rmw(s, i, x); return;
    case LLVMAtomicCmpXchg: refuse_exchange(s, i, x); return;
    case LLVMRet:
        for (unsigned k = 0; x->n && s->seed && k < s->width; k++) {
            if (s->joined && cf_is_homed(s, x->operand[0]))
                cf_marks_enter(s, x->operand[0], k, s->seed[k]);
            else
                cf_adjoint_add(s, x->operand[0], k, s->seed[k]);
        }
        return;
    case LLVMAlloca: cf_reverse_call(s, i); return;
    default: break;
    }
    if (!active(s, i)) return;
    if (x->op == LLVMFRem) {
        cf_reverse_call(s, i);
        return;
    }
    for (unsigned k = 0; k < s->width; k++)
        if (!one_direction(s, i, x, k)) {
            unsupported(s, i, x);
            return;
        }
}
