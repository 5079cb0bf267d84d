/* Reverse mode where the compiler cannot tell what memory holds: adjoints of memory are kept in marks (runtime/marks.h).
 *
 * In:     the sweep of a key that is `marked`
 * Out:    the reverse of loads, stores, copies and integer operations; what the forward sweep does to marks of pointers
 * Needs:  the tape's bitcode
 *
 * An integer that is active may carry bits of numbers. Its adjoint has no bits of its own: it lies at a home, an address in
 * the table of marks, and moves from there as bytes do. Such values, and structs with integers in them, are *homed*. What
 * integer arithmetic makes of them is no number; whether that loses a derivative, the program tells when it runs. */
#include "reverse/marks.h"
#include "contents/moves.h"

static LLVMTypeRef ptr(const cf_sweep *s) { return LLVMPointerTypeInContext(s->job->context, 0); }
static LLVMValueRef i64(const cf_sweep *s, uint64_t n) { return l_i64(s->job->context, n); }
static uint64_t size(const cf_sweep *s, LLVMTypeRef t) { return l_size(s->job->module, t); }
static bool active(const cf_sweep *s, cf_id v) { return v != CF_NONE && cf_is_active(s->act, v); }

/* --- homes -------------------------------------------------------------------------------------------------------------- */

bool cf_is_homed_type(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind: return true;
    case LLVMVectorTypeKind:
    case LLVMArrayTypeKind: return cf_is_homed_type(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (cf_is_homed_type(LLVMStructGetTypeAtIndex(t, i))) return true;
        return false;
    default: return false;
    }
}

bool cf_is_homed(const cf_sweep *s, cf_id v) {
    return s->key->marked && v != CF_NONE && cf_is_homed_type(cf_type_of(s, v));
}

LLVMValueRef cf_home_in(cf_sweep *s, LLVMValueRef slot) {
    return l_offset(s->b, slot, i64(s, UINT64_C(1) << 63), "");
}

/* NULL where the value has no adjoint. */
LLVMValueRef cf_home(cf_sweep *s, cf_id v, unsigned k) {
    if (!active(s, v) || v >= s->v->first_other) return LLVMConstNull(ptr(s));
    if (cf_is_param(s->v, v) && !s->joined) return s->rev_shadow_param[v * s->width + k];
    LLVMValueRef *slot = &s->slot[v * s->width + k];
    if (!*slot) *slot = l_slot(s->b, cf_type_of(s, v), "cf.home");
    return cf_home_in(s, *slot);
}

static LLVMValueRef at(cf_sweep *s, LLVMValueRef p, uint64_t offset) {
    return offset && !l_is_zero(p) ? l_offset(s->b, p, i64(s, offset), "") : p;
}

/* --- calls of the runtime -------------------------------------------------------------------------------------------------- */

static LLVMValueRef site(cf_sweep *s, LLVMBuilderRef b, cf_id i) {
    cf_place place = l_place(s->v->value[i].value);
    const char *text = place.file ? cf_text(s->arena, "%s:%u:%u: ", place.file, place.line, place.column)
                                  : cf_text(s->arena, "in function %s: ", l_shown(s->v->function));
    const char *name = cf_text(s->arena, "site %s", text);
    LLVMValueRef known = cf_names_get(&s->job->made, name);
    if (known) return known;
    known = LLVMBuildGlobalStringPtr(b, text, "cf.site");
    cf_names_put(s->job->arena, &s->job->made, name, known);
    return known;
}

static void reverse_call(cf_sweep *s, const char *name, LLVMValueRef *a, unsigned n) {
    s->uses_tape = true;
    l_call(s->b, cf_tape_function(s, name), a, n, "");
}

void cf_marks_move(cf_sweep *s, LLVMValueRef to, LLVMValueRef from, LLVMValueRef bytes) {
    LLVMValueRef a[] = {s->tape_rev, to, from, bytes};
    if (!l_is_zero(from) && !l_is_zero(bytes)) reverse_call(s, "__cf_marks_move", a, 4);
}

static void move_bytes(cf_sweep *s, LLVMValueRef to, LLVMValueRef from, uint64_t bytes) {
    cf_marks_move(s, to, from, i64(s, bytes));
}

void cf_marks_forget(cf_sweep *s, LLVMValueRef p, LLVMValueRef bytes) {
    LLVMValueRef a[] = {s->tape_rev, p, bytes};
    if (!l_is_zero(p)) reverse_call(s, "__cf_marks_forget", a, 3);
}

void cf_marks_clear(cf_sweep *s, LLVMValueRef p, LLVMValueRef bytes) {
    LLVMValueRef a[] = {s->tape_rev, p, bytes};
    if (!l_is_zero(p)) reverse_call(s, "__cf_marks_clear", a, 3);
}

void cf_marks_flush(cf_sweep *s) { reverse_call(s, "__cf_marks_flush", &s->tape_rev, 1); }

/* --- typed places ------------------------------------------------------------------------------------------------------------ */

static const char *kind_of(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMFloatTypeKind: return "float";
    case LLVMDoubleTypeKind: return "double";
    case LLVMX86_FP80TypeKind: return "long_double";
    default: return NULL;
    }
}

static void unknown_number(cf_sweep *s, cf_id i) {
    cf_sweep_error(s, i,
                   "numbers of this type lie in memory of which only the run tells what it holds; there "
                   "float, double and "
                   "long double are followed: compile with -g, or copy the parts with their own types");
}

/* Number `index` of a vector or array. */
static LLVMValueRef part(cf_sweep *s, LLVMValueRef v, unsigned index) {
    return l_is_vector_type(LLVMTypeOf(v))
               ? LLVMBuildExtractElement(s->b, v, l_i32(s->job->context, index), "")
               : LLVMBuildExtractValue(s->b, v, index, "");
}

static LLVMValueRef with_part(cf_sweep *s, LLVMValueRef all, LLVMValueRef v, unsigned index) {
    return l_is_vector_type(LLVMTypeOf(all))
               ? LLVMBuildInsertElement(s->b, all, v, l_i32(s->job->context, index), "")
               : LLVMBuildInsertValue(s->b, all, v, index, "");
}

static unsigned parts_of(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMVectorTypeKind: return LLVMGetVectorSize(t);
    case LLVMArrayTypeKind: return (unsigned)LLVMGetArrayLength2(t);
    case LLVMStructTypeKind: return LLVMCountStructElementTypes(t);
    default: return 0;
    }
}

static LLVMTypeRef part_type(LLVMTypeRef t, unsigned k) {
    return LLVMGetTypeKind(t) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(t, k) : LLVMGetElementType(t);
}

static uint64_t part_offset(const cf_sweep *s, LLVMTypeRef t, unsigned k) {
    if (LLVMGetTypeKind(t) != LLVMStructTypeKind) return k * size(s, LLVMGetElementType(t));
    return LLVMOffsetOfElement(LLVMGetModuleDataLayout(s->job->module), t, k);
}

void cf_marks_add(cf_sweep *s, cf_id i, LLVMValueRef p, LLVMTypeRef t, LLVMValueRef bar) {
    if (l_is_pointer_type(t)) return;
    if (!l_is_float_type(t)) {
        for (unsigned k = 0; k < parts_of(t); k++)
            cf_marks_add(s, i, at(s, p, part_offset(s, t, k)), part_type(t, k), part(s, bar, k));
        return;
    }
    LLVMValueRef a[] = {s->tape_rev, p, bar};
    if (kind_of(t))
        reverse_call(s, cf_text(s->arena, "__cf_marks_add_%s", kind_of(t)), a, 3);
    else
        unknown_number(s, i);
}

LLVMValueRef cf_marks_take(cf_sweep *s, cf_id i, LLVMValueRef p, LLVMTypeRef t) {
    LLVMValueRef all = LLVMConstNull(t), a[] = {s->tape_rev, p, site(s, s->b, i)};
    if (l_is_pointer_type(t)) {
        cf_marks_forget(s, p, i64(s, size(s, t)));
        return all;
    }
    if (!l_is_float_type(t)) {
        for (unsigned k = 0; k < parts_of(t); k++)
            all = with_part(s, all, cf_marks_take(s, i, at(s, p, part_offset(s, t, k)), part_type(t, k)), k);
        return all;
    }
    if (!kind_of(t)) {
        unknown_number(s, i);
        return all;
    }
    s->uses_tape = true;
    return l_call(s->b, cf_tape_function(s, cf_text(s->arena, "__cf_marks_take_%s", kind_of(t))), a, 3, "");
}

/* --- memory, reverse ----------------------------------------------------------------------------------------------------------- */

/* The shadow of a place; NULL where it has none at run time. */
LLVMValueRef cf_marks_place(cf_sweep *s, cf_id pointer, unsigned k) {
    if (!cf_has_shadow(s->act, pointer)) return LLVMConstNull(ptr(s));
    LLVMValueRef shadow = cf_need_shadow(s, pointer, k);
    if (!cf_is_mixed(s->act, pointer)) return shadow;
    LLVMValueRef none = LLVMBuildICmp(s->b, LLVMIntEQ, shadow, cf_need_value(s, pointer), "");
    return LLVMBuildSelect(s->b, none, LLVMConstNull(ptr(s)), shadow, "");
}

/* v = *p */
void cf_marks_reverse_load(cf_sweep *s, cf_id i, unsigned k, LLVMValueRef bar) {
    const cf_value *x = &s->v->value[i];
    cf_marks_add(s, i, cf_marks_place(s, x->operand[0], k), x->type, bar);
}

/* *p = v */
void cf_marks_reverse_store(cf_sweep *s, cf_id i, unsigned k) {
    const cf_value *x = &s->v->value[i];
    cf_id v = x->operand[0];
    LLVMTypeRef t = cf_type_of(s, v);
    LLVMValueRef p = cf_marks_place(s, x->operand[1], k);
    if (!active(s, v) || l_is_pointer_type(t))
        cf_marks_forget(s, p, i64(s, size(s, t)));
    else if (cf_is_homed(s, v))
        move_bytes(s, cf_home(s, v, k), p, size(s, t));
    else
        cf_adjoint_add(s, v, k, cf_marks_take(s, i, p, t));
}

/* old = *p; *p = old + v, old - v, or v */
void cf_marks_reverse_rmw(cf_sweep *s, cf_id i, unsigned k) {
    const cf_value *x = &s->v->value[i];
    cf_id v = x->operand[1];
    LLVMTypeRef t = cf_type_of(s, v);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(x->value);
    LLVMValueRef p = cf_marks_place(s, x->operand[0], k);
    if (!l_is_float_type(t)) {
        if (active(s, v) || active(s, i))
            cf_sweep_error(s, i,
                           "an atomic exchange of bits that may be a number, in memory of which only the run "
                           "tells what it "
                           "holds, is not differentiated; compile with -g, or exchange numbers as such");
        cf_marks_forget(s, p, i64(s, size(s, t)));
        return;
    }
    LLVMValueRef bar = cf_marks_take(s, i, p, t), old = active(s, i) ? cf_adjoint_take(s, i, k) : NULL;
    cf_adjoint_add(s, v, k, op == LLVMAtomicRMWBinOpFSub ? LLVMBuildFNeg(s->b, bar, "") : bar);
    if (op != LLVMAtomicRMWBinOpXchg) cf_marks_add(s, i, p, t, bar);
    if (old) cf_marks_add(s, i, p, t, old);
}

/* --- integer operations, reverse -------------------------------------------------------------------------------------------------- */

static void lose(cf_sweep *s, cf_id i, unsigned k) {
    LLVMValueRef a[] = {s->tape_rev, cf_home(s, i, k), i64(s, size(s, cf_type_of(s, i))), site(s, s->b, i)};
    reverse_call(s, "__cf_marks_lose", a, 4);
}

static bool whole_bytes(LLVMTypeRef t) { return l_is_integer_type(t) && LLVMGetIntTypeWidth(t) % 8 == 0; }

/* Bytes of an integer that are 0 whatever happens, a bit each; as far as its definition shows. */
static uint64_t zero_bytes(const cf_sweep *s, LLVMValueRef v, int depth) {
    uint64_t c, n = size(s, LLVMTypeOf(v)), all = n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1, zero = 0;
    if (l_small_constant(v, &c)) {
        for (unsigned b = 0; b < n; b++) zero |= (uint64_t)(b >= 8 || !(c >> 8 * b & 0xFF)) << b;
        return zero;
    }
    if (!LLVMIsAInstruction(v) || depth > 6 || !l_is_integer_type(LLVMTypeOf(v))) return 0;
    LLVMValueRef x = LLVMGetNumOperands(v) ? LLVMGetOperand(v, 0) : NULL,
                 y = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt:
        return (all & ~((UINT64_C(1) << size(s, LLVMTypeOf(x))) - 1)) | zero_bytes(s, x, depth + 1);
    case LLVMShl:
        if (!l_small_constant(y, &c)) return 0;
        return all & (zero_bytes(s, x, depth + 1) << c / 8 | ((UINT64_C(1) << c / 8) - 1));
    case LLVMLShr:
        if (!l_small_constant(y, &c) || c / 8 > n) return 0;
        return zero_bytes(s, x, depth + 1) >> c / 8 | (all & ~(all >> c / 8));
    case LLVMAnd: return zero_bytes(s, x, depth + 1) | zero_bytes(s, y, depth + 1);
    case LLVMOr:
    case LLVMXor: return zero_bytes(s, x, depth + 1) & zero_bytes(s, y, depth + 1);
    default: return 0;
    }
}

/* Each byte of a | b comes from one of the two. */
static bool reverse_or(cf_sweep *s, cf_id i, const cf_value *x, unsigned k) {
    uint64_t n = size(s, x->type), zero[2], from = 0;
    for (unsigned o = 0; o < 2; o++) zero[o] = zero_bytes(s, s->v->value[x->operand[o]].value, 0);
    if (n > 64) return false;
    for (uint64_t b = 0; b < n; b++) {
        if (!((zero[0] | zero[1]) >> b & 1)) return false;
        from |= (uint64_t)(zero[0] >> b & 1) << b;
    }
    for (uint64_t b = 0, end; b < n; b = end) {
        unsigned o = from >> b & 1;
        for (end = b; end < n && (from >> end & 1) == o;) end++;
        LLVMValueRef to = cf_home(s, x->operand[o], k);
        move_bytes(s, at(s, to, b), at(s, cf_home(s, i, k), b), end - b);
    }
    return true;
}

static bool reverse_and(cf_sweep *s, cf_id i, const cf_value *x, unsigned k) {
    uint64_t mask, n = size(s, x->type);
    if (!l_small_constant(s->v->value[x->operand[1]].value, &mask)) return false;
    for (uint64_t b = 0; b < n; b++)
        if ((mask >> 8 * b & 0xFF) % 0xFF) return false;
    for (uint64_t b = 0; b < n; b++) {
        LLVMValueRef to = mask >> 8 * b & 0xFF ? cf_home(s, x->operand[0], k) : LLVMConstNull(ptr(s));
        move_bytes(s, at(s, to, b), at(s, cf_home(s, i, k), b), 1);
    }
    return true;
}

static bool reverse_shift(cf_sweep *s, cf_id i, const cf_value *x, unsigned k) {
    uint64_t by, n = size(s, x->type);
    if (!l_small_constant(s->v->value[x->operand[1]].value, &by) || by % 8 || by / 8 >= n) return false;
    LLVMValueRef home = cf_home(s, i, k), to = cf_home(s, x->operand[0], k);
    by /= 8;
    if (x->op == LLVMShl) {
        move_bytes(s, to, at(s, home, by), n - by);
        move_bytes(s, LLVMConstNull(ptr(s)), home, by);
    } else {
        move_bytes(s, at(s, to, by), home, n - by);
        move_bytes(s, LLVMConstNull(ptr(s)), at(s, home, n - by), by);
    }
    return true;
}

static bool reverse_resize(cf_sweep *s, cf_id i, const cf_value *x, unsigned k) {
    LLVMTypeRef from = cf_type_of(s, x->operand[0]);
    if (!whole_bytes(from) || !whole_bytes(x->type)) return false;
    uint64_t small = size(s, x->op == LLVMTrunc ? x->type : from), n = size(s, x->type);
    move_bytes(s, cf_home(s, x->operand[0], k), cf_home(s, i, k), small);
    if (n > small) move_bytes(s, LLVMConstNull(ptr(s)), at(s, cf_home(s, i, k), small), n - small);
    return true;
}

static bool reverse_bitcast(cf_sweep *s, cf_id i, const cf_value *x, unsigned k) {
    cf_id from = x->operand[0];
    if (!cf_is_homed(s, i)) {
        cf_marks_add(s, i, cf_home(s, from, k), x->type, cf_adjoint_take(s, i, k));
        return true;
    }
    if (cf_is_homed(s, from))
        move_bytes(s, cf_home(s, from, k), cf_home(s, i, k), size(s, x->type));
    else
        cf_adjoint_add(s, from, k, cf_marks_take(s, i, cf_home(s, i, k), cf_type_of(s, from)));
    return true;
}

static bool reverse_choice(cf_sweep *s, cf_id i, const cf_value *x, unsigned k) {
    if (l_is_vector_type(cf_type_of(s, x->operand[0]))) return false;
    LLVMValueRef yes = cf_home(s, x->operand[1], k), no = cf_home(s, x->operand[2], k);
    LLVMValueRef to = LLVMBuildSelect(s->b, cf_need_value(s, x->operand[0]), yes, no, "");
    move_bytes(s, to, cf_home(s, i, k), size(s, x->type));
    return true;
}

/* Where the part lies that an extractvalue or insertvalue names. */
static uint64_t offset_of_part(const cf_sweep *s, LLVMValueRef x, LLVMTypeRef t) {
    uint64_t offset = 0;
    for (unsigned k = 0; k < LLVMGetNumIndices(x); k++) {
        unsigned index = LLVMGetIndices(x)[k];
        offset += part_offset(s, t, index);
        t = part_type(t, index);
    }
    return offset;
}

/* The adjoint at a home goes to value v. */
static void give(cf_sweep *s, cf_id i, cf_id v, unsigned k, LLVMValueRef home) {
    LLVMTypeRef t = cf_type_of(s, v);
    if (!active(s, v))
        move_bytes(s, LLVMConstNull(ptr(s)), home, size(s, t));
    else if (cf_is_homed(s, v))
        move_bytes(s, cf_home(s, v, k), home, size(s, t));
    else
        cf_adjoint_add(s, v, k, cf_marks_take(s, i, home, t));
}

/* The adjoint of value i goes to a home. */
static void receive(cf_sweep *s, cf_id i, unsigned k, LLVMValueRef home) {
    if (cf_is_homed(s, i))
        move_bytes(s, home, cf_home(s, i, k), size(s, cf_type_of(s, i)));
    else
        cf_marks_add(s, i, home, cf_type_of(s, i), cf_adjoint_take(s, i, k));
}

/* The place of element `index` (a value) of a vector at a home. */
static LLVMValueRef element_at(cf_sweep *s, LLVMValueRef home, LLVMTypeRef t, cf_id index) {
    LLVMValueRef n =
        LLVMBuildZExtOrBitCast(s->b, cf_need_value(s, index), LLVMInt64TypeInContext(s->job->context), "");
    return l_offset(s->b, home, LLVMBuildMul(s->b, n, i64(s, size(s, LLVMGetElementType(t))), ""), "");
}

static bool reverse_shuffle(cf_sweep *s, cf_id i, const cf_value *x, unsigned k) {
    LLVMTypeRef t = cf_type_of(s, x->operand[0]);
    uint64_t each = size(s, LLVMGetElementType(t));
    int n = (int)LLVMGetVectorSize(t);
    for (unsigned j = 0; j < LLVMGetNumMaskElements(x->value); j++) {
        int m = LLVMGetMaskValue(x->value, j);
        LLVMValueRef to = m < 0 ? LLVMConstNull(ptr(s)) : cf_home(s, x->operand[m / n], k);
        move_bytes(s, m < 0 ? to : at(s, to, (uint64_t)(m % n) * each), at(s, cf_home(s, i, k), j * each),
                   each);
    }
    return true;
}

static bool reverse_moved(cf_sweep *s, cf_id i, const cf_value *x, unsigned k) {
    LLVMTypeRef t = x->n ? cf_type_of(s, x->operand[0]) : x->type;
    LLVMValueRef home = cf_home(s, i, k);
    switch (x->op) {
    case LLVMLoad: move_bytes(s, cf_marks_place(s, x->operand[0], k), home, size(s, x->type)); return true;
    case LLVMFreeze: give(s, i, x->operand[0], k, home); return true;
    case LLVMBitCast: return reverse_bitcast(s, i, x, k);
    case LLVMSelect: return reverse_choice(s, i, x, k);
    case LLVMTrunc:
    case LLVMZExt: return reverse_resize(s, i, x, k);
    case LLVMShl:
    case LLVMLShr: return whole_bytes(x->type) && reverse_shift(s, i, x, k);
    case LLVMAnd: return whole_bytes(x->type) && reverse_and(s, i, x, k);
    case LLVMOr:
    case LLVMXor: return whole_bytes(x->type) && reverse_or(s, i, x, k);
    case LLVMExtractValue:
        receive(s, i, k, at(s, cf_home(s, x->operand[0], k), offset_of_part(s, x->value, t)));
        return true;
    case LLVMInsertValue:
        give(s, i, x->operand[1], k, at(s, home, offset_of_part(s, x->value, x->type)));
        give(s, i, x->operand[0], k, home);
        return true;
    case LLVMExtractElement:
        receive(s, i, k, element_at(s, cf_home(s, x->operand[0], k), t, x->operand[1]));
        return true;
    case LLVMInsertElement:
        give(s, i, x->operand[1], k, element_at(s, home, x->type, x->operand[2]));
        give(s, i, x->operand[0], k, home);
        return true;
    case LLVMShuffleVector: return reverse_shuffle(s, i, x, k);
    default: return false;
    }
}

bool cf_marks_reverse_operation(cf_sweep *s, cf_id i, unsigned k, bool *followed) {
    const cf_value *x = &s->v->value[i];
    bool homed = cf_is_homed(s, i);
    for (uint32_t o = 0; o < x->n && !homed && x->op != LLVMLoad; o++)
        homed = active(s, x->operand[o]) && cf_is_homed(s, x->operand[o]);
    if (!homed) return false;
    *followed = reverse_moved(s, i, x, k);
    if (*followed) return true;
    if (!cf_is_homed(s, i) || cf_becomes_number(s->job, x->value)) return true;
    lose(s, i, k);
    *followed = true;
    return true;
}

/* --- between calls --------------------------------------------------------------------------------------------------------------- */

LLVMValueRef cf_marks_take_home(cf_sweep *s, cf_id v, unsigned k) {
    LLVMValueRef held = cf_home_in(s, l_slot(s->b, cf_type_of(s, v), "cf.held"));
    move_bytes(s, held, cf_home(s, v, k), size(s, cf_type_of(s, v)));
    return held;
}

void cf_marks_add_home(cf_sweep *s, cf_id v, unsigned k, LLVMValueRef from) {
    move_bytes(s, cf_home(s, v, k), from, size(s, cf_type_of(s, v)));
}

/* The adjoint of a parameter as bits. */
LLVMValueRef cf_marks_leave(cf_sweep *s, cf_id v, unsigned k) {
    LLVMTypeRef t = cf_type_of(s, v);
    LLVMValueRef slot = l_slot(s->b, t, "cf.bits"),
                 a[] = {s->tape_rev, slot, cf_home(s, v, k), i64(s, size(s, t))};
    reverse_call(s, "__cf_marks_leave", a, 4);
    return LLVMBuildLoad2(s->b, t, slot, "");
}

/* An adjoint of the result as bits. */
void cf_marks_enter(cf_sweep *s, cf_id v, unsigned k, LLVMValueRef seed) {
    LLVMTypeRef t = cf_type_of(s, v);
    LLVMValueRef slot = l_slot(s->b, t, "cf.bits"),
                 a[] = {s->tape_rev, cf_home(s, v, k), slot, i64(s, size(s, t))};
    LLVMBuildStore(s->b, seed, slot);
    if (!l_is_zero(a[1])) reverse_call(s, "__cf_marks_enter", a, 4);
}

/* --- forward ------------------------------------------------------------------------------------------------------------------------ */

/* Whether the program loads pointers from memory at all: if it does not, nobody asks where in shadows pointers are. */
static bool loads_pointer(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAIntToPtrInst(i) || (LLVMIsALoadInst(i) && cf_gives_pointer(LLVMTypeOf(i))))
                return true;
    return false;
}

bool cf_marks_follow_pointers(cf_job *job) {
    static char yes, no;
    char *known = cf_names_get(&job->made, "pointers are loaded");
    if (known) return known == &yes;
    known = &no;
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f && known == &no; f = LLVMGetNextFunction(f))
        if (!l_has_text(f, "cf-made") && loads_pointer(f)) known = &yes;
    cf_names_put(job->arena, &job->made, "pointers are loaded", known);
    return known == &yes;
}

static bool follows(const cf_sweep *s) { return s->key->marked && cf_marks_follow_pointers(s->job); }

static void forward_call(cf_sweep *s, const char *name, LLVMValueRef *a, unsigned n) {
    s->uses_tape = true;
    l_call(s->f, cf_tape_function(s, name), a, n, "");
}

static LLVMValueRef forward_place(cf_sweep *s, cf_id pointer, unsigned k) {
    if (!cf_has_shadow(s->act, pointer)) return LLVMConstNull(ptr(s));
    LLVMValueRef shadow = cf_forward_shadow(s, pointer, k);
    if (!cf_is_mixed(s->act, pointer)) return shadow;
    LLVMValueRef none = LLVMBuildICmp(s->f, LLVMIntEQ, shadow, cf_forward_value(s, pointer), "");
    return LLVMBuildSelect(s->f, none, LLVMConstNull(ptr(s)), shadow, "");
}

/* The shadow of a place, with the forward builder behind instruction i. */
static LLVMValueRef place_behind(cf_sweep *s, cf_id i, cf_id pointer, unsigned k) {
    cf_forward_shadow(s, pointer, k);
    l_after(s->f, cf_forward_value(s, i));
    return forward_place(s, pointer, k);
}

void cf_marks_forward_copy(cf_sweep *s, cf_id i, cf_id to, cf_id from, const cf_layout *l,
                           LLVMValueRef bytes) {
    for (unsigned k = 0; k < s->width && follows(s) && cf_has_shadow(s->act, to); k++) {
        if (cf_has_shadow(s->act, from)) cf_forward_shadow(s, from, k);
        LLVMValueRef d = place_behind(s, i, to, k), o = forward_place(s, from, k);
        for (size_t f = 0; l->known && f < l->n; f++) {
            if (l->field[f].kind != CF_FIELD_POINTER || l_is_zero(o)) continue;
            LLVMValueRef a[] = {s->tape_fwd, o, i64(s, l->field[f].offset), bytes, i64(s, l->stride)};
            forward_call(s, "__cf_marks_see", a, 5);
        }
        LLVMValueRef a[] = {s->tape_fwd, d, o, bytes, site(s, s->f, i)};
        forward_call(s, "__cf_marks_copy", a, 5);
    }
}

void cf_marks_forward_write(cf_sweep *s, cf_id i, cf_id to, LLVMValueRef bytes) {
    for (unsigned k = 0; k < s->width && follows(s) && cf_has_shadow(s->act, to); k++) {
        LLVMValueRef a[] = {s->tape_fwd, place_behind(s, i, to, k), bytes};
        forward_call(s, "__cf_marks_other", a, 3);
    }
}

/* A pointer was loaded from p: it is one. */
void cf_marks_forward_load(cf_sweep *s, cf_id i, unsigned k) {
    if (!follows(s)) return;
    LLVMValueRef a[] = {s->tape_fwd, forward_place(s, s->v->value[i].operand[0], k), i64(s, 0), i64(s, 8),
                        i64(s, 0)};
    forward_call(s, "__cf_marks_see", a, 5);
}

/* --- masks: which bytes of an integer are of a pointer ------------------------------------------------------------------------ */

static LLVMValueRef make_mask(cf_sweep *s, cf_id v, unsigned k);

static LLVMValueRef mask_of(cf_sweep *s, cf_id v, unsigned k) {
    LLVMTypeRef t = cf_type_of(s, v);
    if (v >= s->v->first_other)
        return LLVMIsAConstantExpr(s->v->value[v].value) ? LLVMConstAllOnes(t) : LLVMConstNull(t);
    if (!cf_has_shadow(s->act, v) || cf_is_param(s->v, v)) return LLVMConstNull(t);
    if (!s->mask) s->mask = CF_ARRAY(s->arena, LLVMValueRef, s->v->n_values * s->width);
    LLVMValueRef *made = &s->mask[v * s->width + k];
    if (!*made) {
        LLVMValueRef mask = make_mask(s, v, k); /* a loop comes back to a phi, which is there by then */
        if (!*made) *made = mask;
    }
    return *made;
}

static LLVMValueRef mask_phi(cf_sweep *s, cf_id v, unsigned k) {
    LLVMValueRef old = cf_forward_value(s, v);
    l_at_top(s->f, LLVMGetInstructionParent(old));
    LLVMValueRef phi = s->mask[v * s->width + k] = LLVMBuildPhi(s->f, cf_type_of(s, v), "");
    for (uint32_t n = 0; n < s->v->value[v].n; n++) {
        LLVMValueRef in = mask_of(s, s->v->value[v].operand[n], k);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(old, n);
        LLVMAddIncoming(phi, &in, &from, 1);
    }
    return phi;
}

static LLVMValueRef mask_of_load(cf_sweep *s, cf_id v, unsigned k) {
    LLVMTypeRef t = cf_type_of(s, v), word = LLVMInt64TypeInContext(s->job->context);
    LLVMValueRef a[] = {s->tape_fwd, place_behind(s, v, s->v->value[v].operand[0], k), i64(s, size(s, t))};
    s->uses_tape = true;
    LLVMValueRef mask = l_call(s->f, cf_tape_function(s, "__cf_marks_mask"), a, 3, "");
    return t == word ? mask : LLVMBuildTrunc(s->f, mask, t, "");
}

/* The same operation on masks. Bits that an operation adds are nobody's. */
static LLVMValueRef mask_of_operation(cf_sweep *s, cf_id v, unsigned k) {
    const cf_value *x = &s->v->value[v];
    LLVMValueRef made = cf_forward_value(s, v), o[3] = {0};
    bool keeps = x->op == LLVMShl || x->op == LLVMLShr || x->op == LLVMAnd;
    for (uint32_t i = 0; i < x->n && i < 3; i++) {
        bool own = (x->op == LLVMSelect && !i) || (keeps && LLVMIsAConstant(LLVMGetOperand(made, i)));
        o[i] = own ? LLVMGetOperand(made, i) : mask_of(s, x->operand[i], k);
    }
    l_after(s->f, made);
    if (x->op == LLVMAdd || x->op == LLVMSub || x->op == LLVMXor) return LLVMBuildOr(s->f, o[0], o[1], "");
    LLVMValueRef copy = LLVMInstructionClone(made);
    for (uint32_t i = 0; i < x->n && i < 3; i++) LLVMSetOperand(copy, i, o[i]);
    LLVMInsertIntoBuilder(s->f, copy);
    return copy;
}

static LLVMValueRef make_mask(cf_sweep *s, cf_id v, unsigned k) {
    LLVMTypeRef t = cf_type_of(s, v);
    if (!l_is_integer_type(t) || LLVMGetIntTypeWidth(t) > 64) return LLVMConstNull(t);
    switch (s->v->value[v].op) {
    case LLVMPHI: return mask_phi(s, v, k);
    case LLVMLoad: return mask_of_load(s, v, k);
    case LLVMPtrToInt: return LLVMConstAllOnes(t);
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub: return mask_of_operation(s, v, k);
    default: return LLVMConstNull(t);
    }
}

static LLVMValueRef as_word(cf_sweep *s, LLVMValueRef v) {
    LLVMTypeRef word = LLVMInt64TypeInContext(s->job->context);
    return LLVMTypeOf(v) == word ? v : LLVMBuildZExt(s->f, v, word, "");
}

/* The shadow of a store, of anything but a pointer. */
static void store_bits(cf_sweep *s, cf_id i, unsigned k) {
    const cf_value *x = &s->v->value[i];
    cf_id v = x->operand[0];
    LLVMValueRef bits = cf_forward_shadow(s, v, k), mask = mask_of(s, v, k),
                 p = place_behind(s, i, x->operand[1], k);
    LLVMValueRef a[] = {
        s->tape_fwd,     p, as_word(s, bits), as_word(s, mask), i64(s, size(s, cf_type_of(s, v))),
        site(s, s->f, i)};
    forward_call(s, "__cf_marks_put", a, 6);
}

void cf_marks_forward_store(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    LLVMTypeRef t = cf_type_of(s, x->operand[0]);
    if (!follows(s) || !cf_has_shadow(s->act, x->operand[1])) return;
    bool bits = l_is_integer_type(t) && LLVMGetIntTypeWidth(t) <= 64 && cf_has_shadow(s->act, x->operand[0]);
    for (unsigned k = 0; k < s->width; k++) {
        if (l_is_pointer_type(t)) {
            LLVMValueRef a[] = {s->tape_fwd, place_behind(s, i, x->operand[1], k)};
            forward_call(s, "__cf_marks_pointer", a, 2);
        } else if (bits)
            store_bits(s, i, k);
    }
    if (!l_is_pointer_type(t) && !bits) cf_marks_forward_write(s, i, x->operand[1], i64(s, size(s, t)));
}
