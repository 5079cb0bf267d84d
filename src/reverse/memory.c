/* Memory in reverse mode: allocations and their shadows, copies, and library functions that write.
 *
 * In:     the sweep
 * Out:    forward: shadows of new objects, zeroed; pointers in the shadow as in the primal; frees put off to the end.
 *         reverse: adjoints of what was copied or overwritten
 *
 * An object's shadow is an object like it. Its bytes are of two kinds: pointers, which the forward sweep keeps as the
 * primal's, and adjoints, which only the reverse sweep changes. */
#include "contents/carriers.h"
#include "contents/moves.h"
#include "contents/types.h"
#include "llvm/cfx.h"
#include "reverse/marks.h"
#include "reverse/writers.h"

static LLVMTypeRef ptr(const cf_sweep *s) { return LLVMPointerTypeInContext(s->job->context, 0); }
static LLVMValueRef i64(const cf_sweep *s, uint64_t n) { return l_i64(s->job->context, n); }

static LLVMValueRef to_i64(LLVMBuilderRef b, LLVMValueRef n) {
    LLVMTypeRef t = LLVMInt64TypeInContext(l_context(n));
    return LLVMTypeOf(n) == t ? n : LLVMBuildZExt(b, n, t, "");
}

static void set_to_zero(LLVMBuilderRef b, LLVMValueRef p, LLVMValueRef bytes) {
    LLVMBuildMemSet(b, p, l_i8(l_context(p), 0), bytes, 1);
}

/* Puts a value in the place of a forward instruction. */
static void replace_forward(cf_sweep *s, cf_id i, LLVMValueRef made) {
    LLVMValueRef old = cf_forward_value(s, i);
    LLVMReplaceAllUsesWith(old, made);
    cf_map_put(s->job->arena, &s->clone.values, s->v->value[i].value, made);
    LLVMInstructionEraseFromParent(old);
}

/* --- alloca ---------------------------------------------------------------------------------------------------------------- */

static bool on_tape(const cf_sweep *s, cf_id i) { return !s->joined || s->v->value[i].block != 0; }

static LLVMValueRef alloca_bytes(cf_sweep *s, LLVMValueRef old) {
    LLVMTypeRef t = LLVMGetAllocatedType(old);
    LLVMValueRef n = to_i64(s->f, LLVMGetOperand(old, 0));
    return LLVMBuildMul(s->f, n, i64(s, l_size(s->job->module, t)), "");
}

enum { TAPE_ALIGN = 16 };

/* Memory on the tape. Where it is to be aligned to more than the tape is, the address that was pushed stands in front of
 * it, for pushed_block. */
static LLVMValueRef tape_block(cf_sweep *s, LLVMValueRef bytes, unsigned align) {
    bool more = align > TAPE_ALIGN;
    if (more) bytes = LLVMBuildAdd(s->f, bytes, i64(s, align + TAPE_ALIGN), "");
    LLVMValueRef a[] = {s->tape_fwd, bytes},
                 p = l_call(s->f, cf_tape_function(s, "__cf_tape_push"), a, 2, "");
    s->uses_tape = true;
    if (!more) return p;
    LLVMTypeRef t = LLVMInt64TypeInContext(s->job->context);
    LLVMValueRef at = LLVMBuildPtrToInt(s->f, p, t, ""),
                 end = LLVMBuildAdd(s->f, at, i64(s, align - 1 + TAPE_ALIGN), "");
    LLVMValueRef up = LLVMBuildAnd(s->f, end, i64(s, ~(uint64_t)(align - 1)), ""),
                 block = l_offset(s->f, p, LLVMBuildSub(s->f, up, at, ""), "");
    LLVMBuildStore(s->f, p, l_offset(s->f, block, i64(s, (uint64_t)-TAPE_ALIGN), ""));
    return block;
}

/* What was pushed for a block that tape_block made; where the reverse builder is. */
static LLVMValueRef pushed_block(cf_sweep *s, LLVMValueRef block, unsigned align) {
    if (align <= TAPE_ALIGN) return block;
    return LLVMBuildLoad2(s->b, ptr(s), l_offset(s->b, block, i64(s, (uint64_t)-TAPE_ALIGN), ""), "");
}

void cf_forward_alloca(cf_sweep *s, cf_id i) {
    LLVMValueRef old = cf_forward_value(s, i);
    bool tape = on_tape(s, i), shadow = cf_has_shadow(s->act, i);
    unsigned align = LLVMGetAlignment(old);
    LLVMTypeRef t = LLVMGetAllocatedType(old);
    LLVMValueRef size = LLVMGetOperand(old, 0);
    l_after(s->f, old);
    LLVMValueRef bytes = alloca_bytes(s, old);
    if (tape) replace_forward(s, i, tape_block(s, bytes, align));
    for (unsigned k = 0; shadow && k < s->width; k++) {
        LLVMValueRef p;
        if (tape)
            p = tape_block(s, bytes, align);
        else {
            p = LLVMBuildArrayAlloca(s->f, t, size, "cf.shadow");
            LLVMSetAlignment(p, align);
        }
        set_to_zero(s->f, p, bytes);
        s->shadow[i * s->width + k] = p;
    }
}

/* Adjoints that are left in a shadow belong to no number of the program's. */
static void clear_marks(cf_sweep *s, cf_id i) {
    LLVMValueRef x = s->v->value[i].value, n = to_i64(s->b, cf_need_value(s, s->v->value[i].operand[0]));
    LLVMValueRef each = i64(s, l_size(s->job->module, LLVMGetAllocatedType(x)));
    for (unsigned k = 0; k < s->width && cf_has_shadow(s->act, i); k++)
        cf_marks_clear(s, cf_need_shadow(s, i, k), LLVMBuildMul(s->b, n, each, ""));
}

void cf_reverse_alloca(cf_sweep *s, cf_id i) {
    if (s->key->marked) clear_marks(s, i);
    if (!on_tape(s, i)) return;
    unsigned align = LLVMGetAlignment(s->v->value[i].value);
    LLVMValueRef a[] = {s->tape_rev, pushed_block(s, cf_need_value(s, i), align)};
    l_call(s->b, cf_tape_function(s, "__cf_tape_release"), a, 2, "");
}

/* Slots live until the reverse sweep is done. */
void cf_drop_stack_call(cf_sweep *s, cf_id i) {
    LLVMValueRef old = cf_forward_value(s, i);
    if (LLVMGetFirstUse(old)) LLVMReplaceAllUsesWith(old, LLVMConstNull(LLVMTypeOf(old)));
    cf_map_put(s->job->arena, &s->clone.values, s->v->value[i].value, LLVMConstNull(ptr(s)));
    LLVMInstructionEraseFromParent(old);
}

/* --- heap, forward ------------------------------------------------------------------------------------------------------------- */

static LLVMValueRef libc(cf_sweep *s, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMGetNamedFunction(s->job->module, name);
    return f ? f : LLVMAddFunction(s->job->module, name, type);
}

static LLVMValueRef zeroed(cf_sweep *s, LLVMValueRef bytes) {
    LLVMTypeRef t[] = {LLVMTypeOf(bytes), LLVMTypeOf(bytes)};
    LLVMValueRef a[] = {i64(s, 1), bytes};
    LLVMTypeRef type = LLVMFunctionType(ptr(s), t, 2, 0);
    return LLVMBuildCall2(s->f, type, libc(s, "calloc", type), a, 2, "cf.shadow");
}

/* A size as known.h describes it, of the call's arguments a[]. NULL: not known before the call. */
static LLVMValueRef size_of(cf_sweep *s, LLVMBuilderRef b, const cf_size *size, LLVMValueRef *a) {
    switch (size->kind) {
    case CF_SIZE_FIXED: return i64(s, size->a);
    case CF_SIZE_ARG: return to_i64(b, a[size->a]);
    case CF_SIZE_PRODUCT: return LLVMBuildMul(b, to_i64(b, a[size->a]), to_i64(b, a[size->b]), "");
    case CF_SIZE_TIMES: return LLVMBuildMul(b, to_i64(b, a[size->a]), i64(s, size->b), "");
    default: return NULL;
    }
}

static LLVMValueRef block_size(cf_sweep *s, LLVMBuilderRef b, LLVMValueRef p) {
    return l_call(b, cf_tape_function(s, "__cf_block_size"), &p, 1, "");
}

/* Shadows are malloc's, also of blocks that are not. */
static LLVMValueRef shadow_block(cf_sweep *s, const cf_known *known, LLVMValueRef bytes) {
    if (!(known->flags & CF_KNOWN_OWN)) return zeroed(s, bytes);
    return l_call(s->f, cf_tape_function(s, "__cf_shadow_block"), &bytes, 1, "cf.shadow");
}

static void forward_allocation(cf_sweep *s, cf_id i, const cf_known *known, LLVMValueRef *a) {
    if (!cf_has_shadow(s->act, i)) return;
    LLVMValueRef old = cf_forward_value(s, i);
    l_after(s->f, old);
    LLVMValueRef bytes = size_of(s, s->f, &known->size, a);
    if (!bytes) bytes = block_size(s, s->f, old);
    for (unsigned k = 0; k < s->width; k++) {
        LLVMValueRef p = shadow_block(s, known, bytes);
        if (known->align != CF_NO_ARG) { /* aligned_alloc: an aligned shadow, cleared */
            LLVMInstructionEraseFromParent(p);
            LLVMValueRef copy = LLVMInstructionClone(old);
            LLVMInsertIntoBuilder(s->f, copy);
            set_to_zero(s->f, p = copy, bytes);
        }
        s->shadow[i * s->width + k] = p;
    }
}

static void forward_posix_memalign(cf_sweep *s, cf_id i, const cf_known *known, LLVMValueRef *a) {
    cf_id place = s->v->value[i].operand[(unsigned)known->pointer];
    if (!cf_has_shadow(s->act, place)) return;
    LLVMValueRef old = cf_forward_value(s, i);
    for (unsigned k = 0; k < s->width; k++) {
        LLVMValueRef at = cf_forward_shadow(s, place, k);
        l_after(s->f, old);
        LLVMValueRef p = zeroed(s, size_of(s, s->f, &known->size, a));
        LLVMBuildStore(s->f, p, at);
    }
}

static void clear(cf_sweep *s, LLVMBuilderRef b, LLVMValueRef p, LLVMValueRef bytes, bool pointers,
                  const cf_layout *l);
static bool layout_at(cf_sweep *s, cf_id i, cf_id at, uint64_t bytes, cf_layout *l);

/* What realloc copied from a block that is its own shadow: only its pointers are of a shadow. */
static void clear_own_numbers(cf_sweep *s, cf_id i, cf_id from, LLVMValueRef shadow, LLVMValueRef own,
                              LLVMValueRef bytes) {
    cf_layout l;
    if (!cf_is_mixed(s->act, from) || (!layout_at(s, i, i, 0, &l) && !layout_at(s, i, from, 0, &l))) return;
    LLVMValueRef same = LLVMBuildICmp(s->f, LLVMIntEQ, cf_forward_shadow(s, from, 0), own, "");
    clear(s, s->f, shadow, LLVMBuildSelect(s->f, same, bytes, i64(s, 0), ""), true, &l);
}

static void forward_realloc(cf_sweep *s, cf_id i, const cf_known *known, LLVMValueRef *a) {
    cf_id from = s->v->value[i].operand[(unsigned)known->pointer];
    LLVMValueRef old = cf_forward_value(s, i);
    LLVMPositionBuilderBefore(s->f, old);
    bool shadow = cf_has_shadow(s->act, i);
    LLVMValueRef place = shadow ? l_slot(s->f, ptr(s), "cf.shadow") : LLVMConstNull(ptr(s));
    bool marked = shadow && s->key->marked;
    LLVMValueRef b[] = {s->tape_fwd,
                        a[(unsigned)known->pointer],
                        shadow ? cf_forward_shadow(s, from, 0) : LLVMConstNull(ptr(s)),
                        size_of(s, s->f, &known->size, a),
                        place,
                        l_i32(s->job->context, marked && cf_marks_follow_pointers(s->job))};
    LLVMPositionBuilderBefore(s->f, old);
    LLVMValueRef made = l_call(s->f, cf_tape_function(s, marked ? "__cf_marks_realloc" : "__cf_realloc"), b,
                               marked ? 6 : 5, "");
    s->uses_tape = true;
    if (shadow) s->shadow[i * s->width] = LLVMBuildLoad2(s->f, ptr(s), place, "");
    if (shadow && !marked) clear_own_numbers(s, i, from, s->shadow[i * s->width], b[1], b[3]);
    for (unsigned k = 1; shadow && k < s->width; k++)
        cf_sweep_error(s, i, "realloc is not differentiated for several adjoints at once; use width=1");
    replace_forward(s, i, made);
}

static void forward_free(cf_sweep *s, cf_id i, const cf_known *known) {
    cf_id block = s->v->value[i].operand[(unsigned)known->pointer];
    LLVMValueRef old = cf_forward_value(s, i);
    bool shadow = cf_has_shadow(s->act, block);
    for (unsigned k = 0; k < s->width; k++) {
        LLVMValueRef own = k ? LLVMConstNull(ptr(s)) : LLVMGetOperand(old, (unsigned)known->pointer);
        LLVMValueRef its = shadow ? cf_forward_shadow(s, block, k) : LLVMConstNull(ptr(s));
        if (k && !shadow) break;
        LLVMPositionBuilderBefore(s->f, old);
        LLVMValueRef a[] = {s->tape_fwd, own, its};
        l_call(s->f,
               cf_tape_function(s, shadow && cf_is_mixed(s->act, block) ? "__cf_tape_defer_mixed"
                                                                        : "__cf_tape_defer"),
               a, 3, "");
    }
    s->uses_tape = true;
    cf_map_put(s->job->arena, &s->clone.values, s->v->value[i].value, LLVMConstNull(ptr(s)));
    LLVMInstructionEraseFromParent(old);
}

/* --- copies ------------------------------------------------------------------------------------------------------------------------ */

/* Bytes from one set of fields to the next; a block that has one set: more than any block has. */
static LLVMValueRef stride_of(const cf_sweep *s, const cf_layout *l) {
    return i64(s, l->stride ? l->stride : UINT64_C(1) << 48);
}

/* Bytes of a block behind an offset, which may be none. */
static LLVMValueRef rest(LLVMBuilderRef b, LLVMValueRef bytes, LLVMValueRef offset) {
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntUGT, bytes, offset, "");
    return LLVMBuildSelect(b, more, LLVMBuildSub(b, bytes, offset, ""), l_zero(LLVMTypeOf(bytes)), "");
}

static uint64_t constant_size(LLVMValueRef n) {
    return LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 0;
}

/* What the bytes hold that a bulk operation at pointer operand `at` moves. */
static bool layout_at(cf_sweep *s, cf_id i, cf_id at, uint64_t bytes, cf_layout *l) {
    LLVMValueRef x = s->v->value[i].value;
    return cf_layout_of(s->job, s->v->function, x, s->v->value[at].value, bytes, l) && l->known;
}

static bool has_numbers(const cf_layout *l) {
    for (size_t f = 0; f < l->n; f++)
        if (l->field[f].kind == CF_FIELD_FLOAT) return true;
    return false;
}

/* The layout says that no number is moved, but another member of a union may hold one; nor is it to be believed in a
 * function that is called through a pointer with objects of types that are not told (std::function). */
static bool hides_numbers(const cf_sweep *s, const cf_value *copy, const cf_known *known,
                          const cf_layout *l) {
    cf_id to = copy->operand[(unsigned)known->pointer], from = copy->operand[(unsigned)known->source];
    if (has_numbers(l)) return false;
    return cf_points_to_union(s->v->value[to].value) || cf_points_to_union(s->v->value[from].value) ||
           (cf_is_mixed(s->act, to) && cf_is_mixed(s->act, from));
}

static bool layout_of_copy(cf_sweep *s, cf_id i, const cf_known *known, cf_layout *l) {
    const cf_value *x = &s->v->value[i];
    LLVMValueRef a[8] = {0};
    unsigned n = LLVMGetNumArgOperands(x->value);
    for (unsigned k = 0; k < n && k < 8; k++) a[k] = LLVMGetOperand(x->value, k);
    uint64_t bytes = known->size.kind == CF_SIZE_ARG ? constant_size(a[known->size.a]) : 0;
    *l = (cf_layout){.known = true};
    if (known->kind != CF_KNOWN_COPY) return layout_at(s, i, x->operand[(unsigned)known->pointer], bytes, l);
    cf_layout to, from;
    bool to_known = layout_at(s, i, x->operand[(unsigned)known->pointer], bytes, &to);
    bool from_known = layout_at(s, i, x->operand[(unsigned)known->source], bytes, &from);
    if (to_known && from_known && has_numbers(&to) != has_numbers(&from)) return false;
    *l = to_known ? to : from;
    return to_known || from_known;
}

static void unknown_layout(cf_sweep *s, cf_id i) {
    cf_sweep_undecided(
        s, i,
        "cannot tell which bytes moved here are floating numbers and which are pointers; compile with -g, "
        "or copy the parts with their own types");
}

/* Several fields of a block are moved one by one. Where source and destination may overlap, and a field of one is another field of
 * the other, they go through a block between. */
static bool goes_through_block(const cf_sweep *s, cf_id i, const cf_layout *l, cf_field_kind kind) {
    LLVMValueRef f = l_callee(s->v->value[i].value);
    size_t n = 0;
    for (size_t k = 0; k < l->n; k++) n += l->field[k].kind == kind;
    return n > 1 && !l->stride &&
           !(f && (l_is_intrinsic_of(f, "llvm.memcpy") || !strcmp(l_name(f), "memcpy")));
}

static LLVMValueRef hold(cf_sweep *s, LLVMBuilderRef b, LLVMValueRef bytes) {
    return l_call(b, cf_tape_function(s, "__cf_hold"), &bytes, 1, "");
}

static void let_go(cf_sweep *s, LLVMBuilderRef b, LLVMValueRef held) {
    l_call(b, cf_tape_function(s, "__cf_let_go"), &held, 1, "");
}

static void copy_pointers(cf_sweep *s, const cf_layout *l, LLVMValueRef to, LLVMValueRef from,
                          LLVMValueRef bytes) {
    for (size_t f = 0; f < l->n; f++) {
        if (l->field[f].kind != CF_FIELD_POINTER) continue;
        LLVMValueRef off = i64(s, l->field[f].offset);
        LLVMValueRef b[] = {l_offset(s->f, to, off, ""), l_offset(s->f, from, off, ""),
                            rest(s->f, bytes, off), stride_of(s, l), i64(s, 8)};
        l_call(s->f, cf_tape_function(s, "__cf_copy_field"), b, 5, "");
    }
}

/* Pointers in the copied block: the shadow's are copied too. The function itself may do nothing else with them. */
static void forward_copy(cf_sweep *s, cf_id i, const cf_known *known, LLVMValueRef *a) {
    const cf_value *x = &s->v->value[i];
    cf_id to = x->operand[(unsigned)known->pointer], from = x->operand[(unsigned)known->source];
    if (!cf_has_shadow(s->act, to)) return;
    cf_layout l;
    bool told = layout_of_copy(s, i, known, &l);
    if (s->key->marked) {
        l_after(s->f, cf_forward_value(s, i));
        cf_marks_forward_copy(s, i, to, from, &l, size_of(s, s->f, &known->size, a));
        return;
    }
    if (!told) {
        if (cf_memory_has_pointers(s->act, to) || cf_marks_follow_pointers(s->job)) unknown_layout(s, i);
        return;
    }
    for (unsigned k = 0; k < s->width; k++) {
        LLVMValueRef d = cf_forward_shadow(s, to, k), o = cf_forward_shadow(s, from, k);
        l_after(s->f, cf_forward_value(s, i));
        LLVMValueRef bytes = size_of(s, s->f, &known->size, a);
        if (cf_is_mixed(s->act, to)) /* its own shadow: the copy itself was made */
            bytes = LLVMBuildSelect(s->f, LLVMBuildICmp(s->f, LLVMIntEQ, d, cf_forward_value(s, to), ""),
                                    i64(s, 0), bytes, "");
        LLVMValueRef held = goes_through_block(s, i, &l, CF_FIELD_POINTER) ? hold(s, s->f, bytes) : NULL;
        if (held) copy_pointers(s, &l, held, o, bytes);
        copy_pointers(s, &l, d, held ? held : o, bytes);
        if (held) let_go(s, s->f, held);
    }
}

static const char *mover(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMFloatTypeKind: return "__cf_move_float";
    case LLVMDoubleTypeKind: return "__cf_move_double";
    case LLVMX86_FP80TypeKind: return "__cf_move_long_double";
    default: return NULL;
    }
}

static void move_field(cf_sweep *s, cf_id i, LLVMTypeRef t, LLVMValueRef to, LLVMValueRef from,
                       LLVMValueRef bytes, const cf_layout *l, uint64_t offset) {
    LLVMValueRef off = i64(s, offset);
    LLVMValueRef a[] = {l_offset(s->b, to, off, ""), l_offset(s->b, from, off, ""), rest(s->b, bytes, off),
                        stride_of(s, l)};
    if (!mover(t))
        cf_sweep_error(s, i, "copies of numbers of this type are not differentiated");
    else
        l_call(s->b, cf_tape_function(s, mover(t)), a, 4, "");
}

static void move_fields(cf_sweep *s, cf_id i, LLVMValueRef to, LLVMValueRef from, LLVMValueRef bytes,
                        const cf_layout *l) {
    for (size_t f = 0; f < l->n; f++)
        if (l->field[f].kind == CF_FIELD_FLOAT)
            move_field(s, i, l->field[f].type, to, from, bytes, l, l->field[f].offset);
}

static LLVMValueRef numbers_at(cf_sweep *s, LLVMTypeRef t, LLVMValueRef p, uint64_t offset,
                               LLVMValueRef *place) {
    *place = offset ? l_offset(s->b, p, i64(s, offset), "") : p;
    LLVMValueRef x = LLVMBuildLoad2(s->b, t, *place, "");
    LLVMSetAlignment(x, 1);
    return x;
}

/* A short copy of known size: all adjoints of the copy are read and cleared before any is added, so that source and
 * destination may be the same. */
static bool move_inline(cf_sweep *s, LLVMValueRef to, LLVMValueRef from, uint64_t bytes, const cf_layout *l) {
    enum { MOST = 16 };
    LLVMValueRef bar[MOST], place;
    LLVMTypeRef type[MOST];
    uint64_t offset[MOST];
    unsigned n = 0;
    if (!bytes) return false;
    for (uint64_t base = 0; base < bytes; base += l->stride ? l->stride : bytes)
        for (size_t f = 0; f < l->n; f++) {
            if (l->field[f].kind != CF_FIELD_FLOAT || base + l->field[f].offset >= bytes) continue;
            if (n == MOST) return false;
            offset[n] = base + l->field[f].offset;
            type[n++] = l->field[f].type;
        }
    for (unsigned j = 0; j < n; j++) bar[j] = numbers_at(s, type[j], from, offset[j], &place);
    for (unsigned j = 0; j < n; j++) {
        LLVMValueRef p = l_offset(s->b, from, i64(s, offset[j]), "");
        LLVMSetAlignment(LLVMBuildStore(s->b, LLVMConstNull(type[j]), p), 1);
    }
    for (unsigned j = 0; j < n && to; j++) {
        LLVMValueRef old = numbers_at(s, type[j], to, offset[j], &place);
        LLVMSetAlignment(LLVMBuildStore(s->b, LLVMBuildFAdd(s->b, old, bar[j], ""), place), 1);
    }
    return true;
}

/* Clears the adjoints in a block that was overwritten by something without derivative. */
static void clear(cf_sweep *s, LLVMBuilderRef b, LLVMValueRef p, LLVMValueRef bytes, bool pointers,
                  const cf_layout *l) {
    if (!pointers) {
        set_to_zero(b, p, bytes);
        return;
    }
    for (size_t f = 0; f < l->n; f++) {
        if (l->field[f].kind != CF_FIELD_FLOAT) continue;
        LLVMValueRef off = i64(s, l->field[f].offset);
        LLVMValueRef a[] = {l_offset(b, p, off, ""), rest(b, bytes, off), stride_of(s, l),
                            i64(s, l_size(s->job->module, l->field[f].type))};
        l_call(b, cf_tape_function(s, "__cf_clear_field"), a, 4, "");
    }
}

/* Blocks up to this size are moved by single instructions: without a shadow they get a place that nobody reads. */
enum { MOST_NOWHERE = 128 };

/* The shadow of a block. A pointer that may lead to something without a shadow is its own shadow there: then *bytes is 0,
 * or, for a small block of known size, the result is a block of zeros that nobody reads. */
static LLVMValueRef block_shadow(cf_sweep *s, cf_id p, unsigned k, LLVMValueRef *bytes) {
    LLVMValueRef shadow = cf_need_shadow(s, p, k);
    if (!cf_is_mixed(s->act, p)) return shadow;
    uint64_t n = constant_size(*bytes);
    LLVMValueRef real = LLVMBuildICmp(s->b, LLVMIntNE, shadow, cf_need_value(s, p), "");
    if (!n || n > MOST_NOWHERE) {
        *bytes = LLVMBuildSelect(s->b, real, *bytes, i64(s, 0), "");
        return shadow;
    }
    LLVMTypeRef t = LLVMArrayType2(LLVMInt8TypeInContext(s->job->context), n);
    LLVMValueRef nowhere = l_slot(s->b, t, "cf.nowhere");
    LLVMSetAlignment(nowhere, 16);
    set_to_zero(s->b, nowhere, *bytes);
    return LLVMBuildSelect(s->b, real, shadow, nowhere, "");
}

/* Adjoints of the copy (at d) go to its source (at o, NULL: it has none). */
static void move_or_clear(cf_sweep *s, cf_id i, LLVMValueRef o, LLVMValueRef d, LLVMValueRef bytes,
                          bool pointers, const cf_layout *l) {
    if (move_inline(s, o, d, constant_size(bytes), l)) return;
    if (!o) {
        clear(s, s->b, d, bytes, pointers, l);
        return;
    }
    LLVMValueRef held = goes_through_block(s, i, l, CF_FIELD_FLOAT) ? hold(s, s->b, bytes) : NULL;
    if (held) move_fields(s, i, held, d, bytes, l);
    move_fields(s, i, o, held ? held : d, bytes, l);
    if (held) let_go(s, s->b, held);
}

static void reverse_copy(cf_sweep *s, cf_id i, const cf_known *known, LLVMValueRef *a) {
    const cf_value *x = &s->v->value[i];
    cf_id to = x->operand[(unsigned)known->pointer], from = x->operand[(unsigned)known->source];
    if (cf_is_const_argument(s->act, to) && !cf_has_shadow(s->act, to) && cf_memory_active(s->act, from))
        cf_sweep_error(
            s, i,
            "active values are copied into an argument that is called `const`, into a global of unknown "
            "size, or "
            "into memory that a function without a body gave; call the argument `dup` and give it a shadow, "
            "declare the size of the global, say that the function allocates (CF_ALLOCATOR)");
    if (!cf_has_shadow(s->act, to) || !cf_memory_active(s->act, to)) return;
    bool adds = cf_has_shadow(s->act, from) && cf_memory_active(s->act, from);
    if (s->key->marked) {
        LLVMValueRef n = size_of(s, s->b, &known->size, a), none = LLVMConstNull(ptr(s));
        for (unsigned k = 0; k < s->width; k++)
            cf_marks_move(s, adds ? cf_marks_place(s, from, k) : none, cf_marks_place(s, to, k), n);
        return;
    }
    cf_layout l;
    if (!layout_of_copy(s, i, known, &l) || (adds && hides_numbers(s, x, known, &l))) {
        unknown_layout(s, i);
        return;
    }
    LLVMValueRef bytes = size_of(s, s->b, &known->size, a);
    if (cf_memory_active(s->act, from) && cf_is_mixed(s->act, to) && cf_is_const_argument(s->act, to))
        cf_check_shadow(s, i,
                        LLVMBuildICmp(s->b, LLVMIntNE, cf_need_shadow(s, to, 0), cf_need_value(s, to), ""));
    for (unsigned k = 0; k < s->width; k++) {
        LLVMValueRef whole = bytes, d = block_shadow(s, to, k, &whole), moved = whole;
        LLVMValueRef o = adds ? block_shadow(s, from, k, &moved) : NULL;
        bool pointers = cf_memory_has_pointers(s->act, to);
        move_or_clear(s, i, o, d, moved, pointers, &l);
        if (moved != whole) /* a source without a shadow: what is not moved is cleared */
            move_or_clear(s, i, NULL, d, LLVMBuildSub(s->b, whole, moved, ""), pointers, &l);
    }
}

static void reverse_realloc(cf_sweep *s, cf_id i, const cf_known *known) {
    const cf_value *x = &s->v->value[i];
    cf_id from = x->operand[(unsigned)known->pointer];
    if (!cf_has_shadow(s->act, i) || !cf_memory_active(s->act, i)) return;
    cf_layout l;
    bool told = !s->key->marked && (layout_at(s, i, i, 0, &l) || layout_at(s, i, from, 0, &l));
    if (!told && !s->key->marked) {
        unknown_layout(s, i);
        return;
    }
    LLVMValueRef was = block_size(s, s->b, cf_need_value(s, from)),
                 now = block_size(s, s->b, cf_need_value(s, i));
    LLVMValueRef bytes = LLVMBuildSelect(s->b, LLVMBuildICmp(s->b, LLVMIntULT, was, now, ""), was, now, "");
    if (s->key->marked) cf_marks_move(s, cf_marks_place(s, from, 0), cf_marks_place(s, i, 0), bytes);
    if (!told) return;
    LLVMValueRef o = block_shadow(s, from, 0, &bytes); /* that of a block without one goes nowhere */
    move_fields(s, i, o, cf_need_shadow(s, i, 0), bytes, &l);
}

/* --- other writes --------------------------------------------------------------------------------------------------------------------- */

static bool touches(LLVMValueRef inst, LLVMValueRef object) {
    for (int k = 0; k < LLVMGetNumOperands(inst); k++) {
        LLVMValueRef o = LLVMGetOperand(inst, (unsigned)k);
        if (o && l_is_pointer_type(LLVMTypeOf(o)) && cfx_underlying(o) == object) return true;
    }
    return false;
}

/* A write into a variable that begins to live in this block, and that nothing touched since: no adjoint is waited for by
 * what was written there before. A variable that lives anew in each iteration of a loop has one place, and so one adjoint,
 * for all of them. */
static bool is_first_write(const cf_sweep *s, cf_id i, cf_id at) {
    LLVMValueRef object = cfx_underlying(s->v->value[at].value), x = s->v->value[i].value;
    if (!LLVMIsAAllocaInst(object)) return false;
    while ((x = LLVMGetPreviousInstruction(x))) {
        if (x == object) return true;
        if (!touches(x, object) || LLVMIsAGetElementPtrInst(x)) continue;
        LLVMValueRef f = LLVMIsACallInst(x) ? l_callee(x) : NULL;
        bool once = s->v->block[s->v->value[i].block].loop == CF_NONE;
        return once && f && l_is_intrinsic_of(f, "llvm.lifetime.start");
    }
    return false;
}

/* What argument `p` of call i was overwritten with carries no derivative. */
static void reverse_write(cf_sweep *s, cf_id i, unsigned p, const cf_size *size, LLVMValueRef *a) {
    const cf_value *x = &s->v->value[i];
    cf_id at = x->operand[p];
    if (at == CF_NONE || !cf_has_shadow(s->act, at) || !cf_memory_active(s->act, at)) return;
    if (is_first_write(s, i, at)) return;
    LLVMValueRef bytes = size_of(s, s->b, size, a);
    if (!bytes) {
        cf_sweep_error(
            s, i,
            "function %s writes to memory that carries derivatives, and how much is not known; let it write "
            "to a block of its own, or give it a rule",
            l_name(l_callee(x->value)));
        return;
    }
    if (s->key->marked) {
        for (unsigned k = 0; k < s->width; k++) cf_marks_forget(s, cf_marks_place(s, at, k), bytes);
        return;
    }
    cf_layout l = {0};
    bool pointers = cf_memory_has_pointers(s->act, at);
    if (pointers && !layout_at(s, i, at, constant_size(bytes), &l)) {
        unknown_layout(s, i);
        return;
    }
    for (unsigned k = 0; k < s->width; k++) {
        LLVMValueRef n = bytes, shadow = block_shadow(s, at, k, &n);
        clear(s, s->b, shadow, n, pointers, &l);
    }
}

static void reverse_scan(cf_sweep *s, cf_id i, unsigned format, unsigned first) {
    const cf_value *x = &s->v->value[i];
    LLVMValueRef text = x->operand[format] == CF_NONE ? NULL : s->v->value[x->operand[format]].value;
    size_t length = 0;
    LLVMValueRef init = text && LLVMIsAGlobalVariable(text) ? LLVMGetInitializer(text) : NULL;
    const char *bytes = init && LLVMIsAConstantDataSequential(init) ? LLVMGetAsString(init, &length) : NULL;
    unsigned size[32], n = bytes ? cf_known_scan(cf_copy_text(s->arena, bytes, length), size, 32) : 0;
    for (unsigned k = 0; first + k < LLVMGetNumArgOperands(x->value); k++) {
        cf_size fixed = {CF_SIZE_FIXED, 0, 0};
        cf_size unknown = {CF_SIZE_UNKNOWN, 0, 0};
        if (k < n && size[k] && size[k] < 256) fixed.a = (uint8_t)size[k];
        reverse_write(s, i, first + k, fixed.a ? &fixed : &unknown, NULL);
    }
}

static LLVMValueRef *arguments_needed(cf_sweep *s, cf_id i, const cf_known *known) {
    const cf_value *x = &s->v->value[i];
    unsigned n = LLVMGetNumArgOperands(x->value);
    LLVMValueRef *a = CF_ARRAY(s->arena, LLVMValueRef, n + 1);
    bool needed[256] = {0};
    const cf_size *size[1 + CF_KNOWN_WRITES] = {&known->size};
    for (unsigned w = 0; w < CF_KNOWN_WRITES; w++) size[w + 1] = &known->write[w].size;
    for (unsigned w = 0; w <= CF_KNOWN_WRITES; w++) {
        if (size[w]->kind == CF_SIZE_ARG || size[w]->kind == CF_SIZE_PRODUCT ||
            size[w]->kind == CF_SIZE_TIMES)
            needed[size[w]->a] = true;
        if (size[w]->kind == CF_SIZE_PRODUCT) needed[size[w]->b] = true;
    }
    for (unsigned k = 0; k < n && k < 256; k++)
        if (needed[k] && x->operand[k] != CF_NONE) a[k] = cf_need_value(s, x->operand[k]);
    return a;
}

static bool touches_shadow(const cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    for (unsigned k = 0; k < LLVMGetNumArgOperands(x->value); k++)
        if (x->operand[k] != CF_NONE && l_is_pointer_type(cf_type_of(s, x->operand[k])) &&
            (cf_has_shadow(s->act, x->operand[k]) || cf_is_const_argument(s->act, x->operand[k])))
            return true;
    return cf_has_shadow(s->act, i);
}

void cf_reverse_known(cf_sweep *s, cf_id i, const cf_known *known) {
    const cf_known *same;
    if (cf_is_block_write(s, i, &same)) {
        s->undo[i] = true;
        cf_wait_here(s, CF_UNDO, i, CF_NONE);
    }
    if (!touches_shadow(s, i)) return;
    if (known->kind == CF_KNOWN_REALLOC) {
        reverse_realloc(s, i, known);
        return;
    }
    bool moves =
        known->kind == CF_KNOWN_COPY || known->kind == CF_KNOWN_SET || known->kind == CF_KNOWN_INACTIVE;
    if (!moves) return;
    LLVMValueRef *a = arguments_needed(s, i, known);
    if (known->kind == CF_KNOWN_COPY) reverse_copy(s, i, known, a);
    if (known->kind == CF_KNOWN_SET) reverse_write(s, i, (unsigned)known->pointer, &known->size, a);
    for (unsigned w = 0; w < CF_KNOWN_WRITES && known->kind == CF_KNOWN_INACTIVE; w++) {
        const cf_write *x = &known->write[w];
        if (x->pointer == CF_NO_ARG) break;
        if (x->flags & CF_WRITES_POINTER) continue;
        if (x->size.kind == CF_SIZE_SCAN)
            reverse_scan(s, i, x->size.a, (unsigned)x->pointer);
        else
            reverse_write(s, i, (unsigned)x->pointer, &x->size, a);
    }
}

/* No pointers are there any more, where the run tells what memory holds. */
static void forward_writes(cf_sweep *s, cf_id i, const cf_known *known, LLVMValueRef *a) {
    const cf_value *x = &s->v->value[i];
    if (!s->key->marked) return;
    for (unsigned w = 0; w < CF_KNOWN_WRITES && known->write[w].pointer != CF_NO_ARG; w++) {
        const cf_write *to = &known->write[w];
        if ((to->flags & CF_WRITES_POINTER) || x->operand[(unsigned)to->pointer] == CF_NONE) continue;
        l_after(s->f, cf_forward_value(s, i));
        LLVMValueRef bytes = size_of(s, s->f, &to->size, a);
        if (bytes) cf_marks_forward_write(s, i, x->operand[(unsigned)to->pointer], bytes);
    }
}

void cf_forward_known(cf_sweep *s, cf_id i, const cf_known *known) {
    LLVMValueRef old = cf_forward_value(s, i);
    unsigned n = LLVMGetNumArgOperands(old);
    LLVMValueRef *a = CF_ARRAY(s->arena, LLVMValueRef, n + 1);
    for (unsigned k = 0; k < n; k++) a[k] = LLVMGetOperand(old, k);
    switch (known->kind) {
    case CF_KNOWN_ALLOC:
    case CF_KNOWN_ZALLOC:
    case CF_KNOWN_STRDUP: forward_allocation(s, i, known, a); break;
    case CF_KNOWN_REALLOC: forward_realloc(s, i, known, a); break;
    case CF_KNOWN_POSIX_MEMALIGN: forward_posix_memalign(s, i, known, a); break;
    case CF_KNOWN_FREE: (known->flags & CF_KNOWN_OWN ? cf_forward_release : forward_free)(s, i, known); break;
    case CF_KNOWN_COPY: forward_copy(s, i, known, a); break;
    case CF_KNOWN_SET:
    case CF_KNOWN_INACTIVE: forward_writes(s, i, known, a); break;
    default: break;
    }
}

/* Bytes that may be of a pointer, or a number, go from memory to memory through an integer that is too small for either to be
 * seen as such. */
static bool moves_bytes(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    LLVMTypeRef t = cf_type_of(s, x->operand[0]);
    if (s->key->marked || !l_is_integer_type(t) || LLVMGetIntTypeWidth(t) >= 64 || LLVMGetIntTypeWidth(t) < 8)
        return false;
    if (!cf_has_shadow(s->act, x->operand[1]) || cf_is_active(s->act, x->operand[0])) return false;
    const cf_moves *m = cf_bits_come_from(s->job, s->v->value[x->operand[0]].value);
    return (m->access.n || m->pointer) && cf_memory_has_pointers(s->act, x->operand[1]) &&
           !cf_holds_integers(s->job, x->value);
}

/* A pointer that is stored: its shadow is stored in the shadow. */
static void forward_store(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    LLVMTypeRef t = cf_type_of(s, x->operand[0]);
    bool address = l_is_integer_type(t) && cf_has_shadow(s->act, x->operand[0]) &&
                   !cf_is_active(s->act, x->operand[0]) && !cf_holds_integers(s->job, x->value) &&
                   cf_may_be_address(s->job, s->v->value[x->operand[0]].value);
    if (moves_bytes(s, i)) {
        cf_sweep_undecided(s, i, "");
        return;
    }
    bool pointer = l_is_pointer_type(t) || (address && !s->key->marked);
    if (s->key->marked) cf_marks_forward_store(s, i);
    if (!pointer || !cf_has_shadow(s->act, x->operand[1])) return;
    LLVMValueRef store = cf_forward_value(s, i);
    for (unsigned k = 0; k < s->width; k++) {
        LLVMValueRef value = cf_forward_shadow(s, x->operand[0], k),
                     place = cf_forward_shadow(s, x->operand[1], k);
        l_after(s->f, store);
        LLVMSetAlignment(LLVMBuildStore(s->f, value, place), cf_shadow_alignment(store));
    }
}

/* Of an address that is lost, nobody knows whether it has a shadow. */
static void check_address(cf_sweep *s, cf_id i) {
    if (cf_address_is_lost(s->job, s->v->value[i].value)) cf_sweep_error(s, i, CF_LOST_ADDRESS);
}

void cf_edit_forward(cf_sweep *s) {
    for (cf_id i = s->v->n_params; i < s->v->first_other; i++) switch (s->v->value[i].op) {
        case LLVMAlloca:
        case LLVMCall:
        case LLVMInvoke: cf_forward_call(s, i); break;
        case LLVMStore: forward_store(s, i); break;
        case LLVMIntToPtr: check_address(s, i); break;
        default: break;
        }
}
