/* Forward mode: memory. What is beside a stored value is stored in the shadow, at the same place. */
#include "analysis/kept.h"
#include "contents/types.h"
#include "domain/tangent_body.h"

/* ---- pointers that may have no shadow ---- */

/* A slot for what would be stored into memory that has no shadow. */
static LLVMValueRef ditch(cf_body *b, LLVMTypeRef t) {
    LLVMValueRef slot = cf_map_get(&cf_state(b)->ditch, t);
    if (slot) return slot;
    slot = l_slot(b->builder, t, "ditch");
    cf_map_put(b->job->arena, &cf_state(b)->ditch, t, slot);
    return slot;
}

static bool is_number(LLVMTypeRef t) {
    return l_is_float_type(t) || (l_is_vector_type(t) && l_is_float_type(LLVMGetElementType(t)));
}

/* At run time: a varied value must not go to memory without a shadow. */
static void check_store(cf_body *b, LLVMValueRef i, LLVMValueRef v, LLVMValueRef p, LLVMValueRef dv,
                        LLVMValueRef lost) {
    LLVMTypeRef t = LLVMTypeOf(v);
    if (!cf_varies(b, v) || !(l_is_float_type(t) || l_is_pointer_type(t))) return;
    LLVMValueRef differs = l_is_pointer_type(t) ? LLVMBuildICmp(b->builder, LLVMIntNE, dv, cf_now(b, v), "")
                                                : LLVMBuildFCmp(b->builder, LLVMRealUNE, dv, l_zero(t), "");
    LLVMValueRef bad = LLVMBuildAnd(b->builder, lost, differs, "");
    const char *text =
        cf_text(b->job->arena, "%scofactor: an active value is stored through %s, which has no shadow\n",
                cf_site_text(b, i), cf_path_text(b, p));
    cf_refuse(b, bad, LLVMBuildGlobalStringPtr(b->builder, text, "cf.site"), strlen(text));
}

/* The address in the shadow to store at; where p has none, a slot that nobody reads. */
static LLVMValueRef address(cf_body *b, LLVMValueRef i, LLVMValueRef p, LLVMValueRef v, unsigned k,
                            LLVMValueRef dv) {
    LLVMValueRef shadow = cf_beside(b, p, k);
    if (!shadow || !(cf_flags(b, p) & CF_MIXED)) return shadow;
    LLVMValueRef lost = cf_is_none(b, cf_now(b, p), shadow);
    check_store(b, i, v, p, dv, lost);
    return LLVMBuildSelect(b->builder, lost, ditch(b, LLVMTypeOf(v)), shadow, "");
}

/* An active value goes to where no derivative can follow. */
static bool refuse_store(cf_body *b, LLVMValueRef i, LLVMValueRef v, LLVMValueRef p) {
    LLVMTypeRef t = LLVMTypeOf(v);
    if (!cf_varies(b, v) || cf_is_frozen(cf_state(b)->varied)) return false;
    if (is_number(t) || cf_flags(b, v) & CF_FLOAT_BITS)
        cf_body_error(b, i,
                      "an active value is stored through %s, which has no shadow; make an argument `dup`, "
                      "declare the size of a global",
                      cf_path_text(b, p));
    else if (l_is_pointer_type(t) || cf_flags(b, v) & CF_POINTER_BITS)
        cf_body_error(b, i,
                      "a pointer to active memory is stored through %s, which has no shadow; make an "
                      "argument `dup`, declare the size of a global",
                      cf_path_text(b, p));
    else
        return false;
    return true;
}

/* ---- loads and stores ---- */

static LLVMValueRef load(cf_body *b, LLVMValueRef i, unsigned k) {
    LLVMValueRef p = LLVMGetOperand(i, 0), shadow = cf_beside(b, p, k);
    if (!shadow || (cf_recording(b) && l_is_number_type(LLVMTypeOf(i)))) return NULL;
    LLVMValueRef made = cf_again(b, i), now = cf_now(b, i);
    LLVMSetOperand(made, 0, shadow);
    LLVMSetAlignment(made, cf_shadow_alignment(i));
    LLVMTypeRef t = LLVMTypeOf(i);
    if (cf_flags(b, p) & CF_MIXED) {
        LLVMValueRef none = l_is_pointer_type(t) ? now : l_zero(t);
        made = LLVMBuildSelect(b->builder, cf_is_none(b, cf_now(b, p), shadow), none, made, "");
    }
    return l_is_pointer_type(t) ? cf_from_memory(b, now, made) : made;
}

void cf_tangent_load(cf_body *b, LLVMValueRef i) {
    if (cf_varies(b, i)) {
        cf_kept_load(b->job, i);
        cf_set_each(b, i, load);
    }
    cf_record_load(b, i);
}

void cf_tangent_store(cf_body *b, LLVMValueRef i) {
    LLVMValueRef v = LLVMGetOperand(i, 0), p = LLVMGetOperand(i, 1);
    cf_record_store(b, i);
    if (!cf_varies(b, p)) {
        refuse_store(b, i, v, p);
        return;
    }
    if (cf_varies(b, v)) cf_kept_store(b->job, i);
    if (!cf_carries(LLVMTypeOf(v)) || (!cf_varies(b, v) && cf_holds_integers(b->job, i))) return;
    for (unsigned k = 0; k < b->key.width; k++) {
        LLVMValueRef dv = cf_beside_or_none(b, v, k), at = address(b, i, p, v, k, dv);
        if (!at) return;
        LLVMValueRef made = cf_again(b, i);
        LLVMSetOperand(made, 0, dv);
        LLVMSetOperand(made, 1, at);
        LLVMSetAlignment(made, cf_shadow_alignment(i));
    }
}

/* ---- allocation on the stack ---- */

static LLVMValueRef allocate(cf_body *b, LLVMValueRef i, unsigned k) {
    (void)k;
    LLVMValueRef made = cf_again(b, i), count = cf_now(b, LLVMGetOperand(i, 0));
    LLVMTypeRef i64 = LLVMInt64TypeInContext(b->job->context);
    LLVMValueRef size = l_i64(b->job->context, l_size(b->job->module, LLVMGetAllocatedType(i)));
    size = LLVMBuildMul(b->builder, size, LLVMBuildZExtOrBitCast(b->builder, count, i64, ""), "");
    LLVMBuildMemSet(b->builder, made, l_i8(b->job->context, 0), size, LLVMGetAlignment(made));
    cf_record_fresh(b, made, size);
    return made;
}

void cf_tangent_alloca(cf_body *b, LLVMValueRef i) { cf_set_each(b, i, allocate); }

/* ---- many bytes ---- */

static LLVMValueRef size_unless(cf_body *b, LLVMValueRef condition, LLVMValueRef size) {
    return condition ? LLVMBuildSelect(b->builder, condition, l_zero(LLVMTypeOf(size)), size, "") : size;
}

static LLVMValueRef none_of(cf_body *b, LLVMValueRef p, unsigned k) {
    return cf_flags(b, p) & CF_MIXED ? cf_is_none(b, cf_now(b, p), cf_beside(b, p, k)) : NULL;
}

void cf_clear_shadow(cf_body *b, LLVMValueRef p, LLVMValueRef size) {
    if (!cf_varies(b, p)) return;
    cf_record_fill(b, p, size);
    for (unsigned k = 0; k < b->key.width; k++) {
        LLVMValueRef shadow = cf_beside(b, p, k);
        if (!shadow) return;
        LLVMBuildMemSet(b->builder, shadow, l_i8(b->job->context, 0), size_unless(b, none_of(b, p, k), size),
                        1);
    }
}

static bool holds_integers_only(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: return holds_integers_only(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (!holds_integers_only(LLVMStructGetTypeAtIndex(t, i))) return false;
        return true;
    default: return l_is_integer_type(t);
    }
}

/* Memory of a declared type that holds neither numbers nor pointers. */
static bool is_integer_memory(LLVMValueRef p) {
    while (LLVMIsAGetElementPtrInst(p)) p = LLVMGetOperand(p, 0);
    if (LLVMIsAAllocaInst(p)) return holds_integers_only(LLVMGetAllocatedType(p));
    return LLVMIsAGlobalVariable(p) && holds_integers_only(LLVMGlobalGetValueType(p));
}

static void copy_once(cf_body *b, LLVMValueRef call, unsigned to, unsigned from, LLVMValueRef size,
                      unsigned k) {
    LLVMValueRef p = LLVMGetOperand(call, to), q = LLVMGetOperand(call, from);
    LLVMValueRef dp = cf_beside(b, p, k), dq = cf_beside(b, q, k), zero = l_i8(b->job->context, 0);
    LLVMValueRef room = size_unless(b, none_of(b, p, k), size), lost = dq ? none_of(b, q, k) : NULL;
    if (dq) LLVMBuildMemMove(b->builder, dp, 1, dq, 1, size_unless(b, lost, room));
    if (dq && !lost) return;
    LLVMValueRef cleared =
        lost ? LLVMBuildSelect(b->builder, lost, room, l_zero(LLVMTypeOf(room)), "") : room;
    LLVMBuildMemSet(b->builder, dp, zero, cleared, 1);
}

/* Where the source has no shadow, the shadow of the copy says so: zeros. */
void cf_tangent_copy(cf_body *b, LLVMValueRef call, unsigned to, unsigned from, LLVMValueRef size) {
    LLVMValueRef p = LLVMGetOperand(call, to), q = LLVMGetOperand(call, from);
    if (!cf_beside(b, p, 0)) {
        if (cf_varies(b, q) && !is_integer_memory(q))
            cf_body_error(b, call,
                          "active memory is copied to %s, which has no shadow; make an argument `dup`, "
                          "declare the size of a global",
                          cf_path_text(b, p));
        return;
    }
    if (cf_is_frozen(cf_state(b)->varied)) {
        cf_clear_shadow(b, p, size);
        return;
    }
    cf_record_copy(b, p, q, size);
    for (unsigned k = 0; k < b->key.width; k++) copy_once(b, call, to, from, size, k);
}

/* ---- atomic operations ---- */

static LLVMValueRef shadow_old(cf_body *b, LLVMValueRef i, LLVMTypeRef t, LLVMValueRef at) {
    LLVMValueRef old = LLVMBuildLoad2(b->builder, t, at, "");
    LLVMSetAlignment(old, LLVMGetAlignment(i));
    LLVMSetOrdering(old, LLVMAtomicOrderingMonotonic);
    return old;
}

static void shadow_new(cf_body *b, LLVMValueRef i, LLVMValueRef v, LLVMValueRef at) {
    LLVMValueRef made = LLVMBuildStore(b->builder, v, at);
    LLVMSetAlignment(made, LLVMGetAlignment(i));
    LLVMSetOrdering(made, LLVMAtomicOrderingMonotonic);
}

/* Whether a maximum or minimum takes the new value. */
static LLVMValueRef takes_new(cf_body *b, LLVMValueRef i, LLVMAtomicRMWBinOp op) {
    bool max = op == LLVMAtomicRMWBinOpFMax;
    if (!max && op != LLVMAtomicRMWBinOpFMin) return NULL;
    LLVMValueRef v = cf_now(b, LLVMGetOperand(i, 1)), old = cf_now(b, i);
    return LLVMBuildFCmp(b->builder, max ? LLVMRealOGT : LLVMRealOLT, v, old, "");
}

static LLVMValueRef exchange(cf_body *b, LLVMValueRef i, unsigned k) {
    LLVMValueRef p = LLVMGetOperand(i, 0), v = LLVMGetOperand(i, 1), dv = cf_beside_or_none(b, v, k);
    LLVMValueRef at = address(b, i, p, v, k, dv);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(i);
    if (!at) return NULL;
    if (op == LLVMAtomicRMWBinOpXchg || op == LLVMAtomicRMWBinOpFAdd || op == LLVMAtomicRMWBinOpFSub) {
        LLVMValueRef made = cf_again(b, i);
        LLVMSetOperand(made, 0, at);
        LLVMSetOperand(made, 1, dv);
        return l_is_pointer_type(LLVMTypeOf(i)) ? cf_from_memory(b, cf_now(b, i), made) : made;
    }
    LLVMValueRef taken = takes_new(b, i, op);
    if (!taken) {
        cf_body_error(b, i, "this atomic operation on an active number cannot be differentiated");
        return NULL;
    }
    LLVMValueRef old = shadow_old(b, i, LLVMTypeOf(i), at);
    shadow_new(b, i, LLVMBuildSelect(b->builder, taken, dv, old, ""), at);
    return old;
}

static LLVMValueRef compare_exchange(cf_body *b, LLVMValueRef i, unsigned k) {
    LLVMValueRef p = LLVMGetOperand(i, 0), v = LLVMGetOperand(i, 2), dv = cf_beside_or_none(b, v, k);
    LLVMValueRef at = address(b, i, p, v, k, dv), now = cf_now(b, i);
    if (!at) return NULL;
    LLVMValueRef old = shadow_old(b, i, LLVMTypeOf(v), at);
    LLVMValueRef done = LLVMBuildExtractValue(b->builder, now, 1, "");
    shadow_new(b, i, LLVMBuildSelect(b->builder, done, dv, old, ""), at);
    return LLVMBuildInsertValue(b->builder, l_zero(LLVMTypeOf(i)), old, 0, "");
}

void cf_tangent_atomic(cf_body *b, LLVMValueRef i) {
    bool rmw = LLVMIsAAtomicRMWInst(i);
    LLVMValueRef p = LLVMGetOperand(i, 0), v = LLVMGetOperand(i, rmw ? 1 : 2);
    if (!cf_varies(b, p)) {
        refuse_store(b, i, v, p);
        return;
    }
    cf_record_atomic(b, i);
    if (rmw && l_is_integer_type(LLVMTypeOf(i)) && LLVMGetAtomicRMWBinOp(i) != LLVMAtomicRMWBinOpXchg) return;
    cf_set_each(b, i, rmw ? exchange : compare_exchange);
}
