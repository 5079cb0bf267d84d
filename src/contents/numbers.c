/* Numbers in integers: small structs and unions travel in integer registers, and adjoints are added as what they are.
 *
 * In:     an integer, or a vector of integers, of the program
 * Out:    the type of the number that it carries, or that it carries none
 * Needs:  nothing                      Keeps: the module
 *
 * Idea: an integer that is moved as it is has the type of the memory that it comes from or goes to, or of the number that
 * it becomes; what is put together or cut carries floats only where everything that it comes from and becomes is a float.
 * Values that are merged have one type; each is asked once. */
#include "contents/numbers.h"
#include "contents/evidence.h"
#include "contents/moves.h"
#include "contents/types.h"
#include "llvm/l.h"

static bool is_op(LLVMValueRef v, LLVMOpcode op) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}

static bool merges(LLVMValueRef v) { return LLVMIsAPHINode(v) || LLVMIsASelectInst(v); }

static unsigned first_merged(LLVMValueRef v) { return LLVMIsASelectInst(v) != NULL; }

static LLVMValueRef place_of(LLVMValueRef access) {
    return LLVMGetOperand(access, LLVMIsALoadInst(access) ? 0 : 1);
}

static uint64_t size_of_access(cf_job *job, LLVMValueRef access) {
    LLVMValueRef v = LLVMIsALoadInst(access) ? access : LLVMGetOperand(access, 0);
    return l_size(job->module, LLVMTypeOf(v));
}

static bool layout_of_access(cf_job *job, LLVMValueRef access, cf_layout *l) {
    return cf_layout_of(job, l_function_of(access), access, place_of(access), size_of_access(job, access), l);
}

/* ---- floats in words ---- */

/* An integer of 64 bits that is put together, or taken to pieces: a small struct that is passed, or a number that is cut. */
static bool is_in_pieces(LLVMValueRef v) {
    LLVMTypeRef t = LLVMTypeOf(v);
    if (!l_is_integer_type(t) || LLVMGetIntTypeWidth(t) != 64) return false;
    if (is_op(v, LLVMZExt) || is_op(v, LLVMShl) || is_op(v, LLVMLShr) || is_op(v, LLVMOr)) return true;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (is_op(LLVMGetUser(u), LLVMTrunc) || is_op(LLVMGetUser(u), LLVMLShr)) return true;
    return false;
}

/* No number, or floats alone. */
static bool holds_floats(const cf_layout *l, bool *found) {
    for (size_t i = 0; i < l->n; i++) {
        if (l->field[i].kind != CF_FIELD_FLOAT) continue;
        if (LLVMGetTypeKind(l->field[i].type) != LLVMFloatTypeKind) return false;
        *found = true;
    }
    return l->known;
}

static bool accesses_floats(cf_job *job, const LLVMValueRef *access, size_t n, bool *found) {
    for (size_t i = 0; i < n; i++) {
        cf_layout l;
        if (!layout_of_access(job, access[i], &l) || !holds_floats(&l, found)) return false;
    }
    return true;
}

static bool moves_floats(cf_job *job, const cf_moves *m, bool *found) {
    cf_layout l;
    if (m->number) {
        cf_layout_of_type(job->arena, LLVMGetModuleDataLayout(job->module), m->number, &l);
        if (!holds_floats(&l, found)) return false;
    }
    return !m->unknown && accesses_floats(job, m->access.at, m->access.n, found) &&
           accesses_floats(job, m->computed.at, m->computed.n, found);
}

/* All numbers that the bits of an integer come from, and all that they become, are floats of 32 bits. */
static bool carries_floats(cf_job *job, LLVMValueRef v) {
    bool found = false;
    return moves_floats(job, cf_bits_come_from(job, v), &found) &&
           moves_floats(job, cf_bits_go_to(job, v), &found) && found;
}

/* ---- the type of a number that is moved ---- */

static LLVMTypeRef type_at(cf_job *job, LLVMValueRef access) {
    cf_layout l;
    uint64_t size = size_of_access(job, access);
    if (!layout_of_access(job, access, &l) || !l.known || !l.n || l.field[0].kind != CF_FIELD_FLOAT)
        return NULL;
    LLVMTypeRef t = l.field[0].type;
    uint64_t each = l_size(job->module, t);
    if (each == size) return t;
    return each < size ? LLVMVectorType(t, (unsigned)(size / each)) : NULL;
}

static LLVMTypeRef number_in(cf_job *job, LLVMValueRef v, cf_map *seen);

static LLVMTypeRef number_in_use(cf_job *job, LLVMValueRef v, LLVMValueRef user, cf_map *seen) {
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v) return type_at(job, user);
    if (LLVMIsABitCastInst(user) && l_is_number_type(LLVMTypeOf(user))) return LLVMTypeOf(user);
    return merges(user) ? number_in(job, user, seen) : NULL;
}

static LLVMTypeRef number_in(cf_job *job, LLVMValueRef v, cf_map *seen) {
    if (cf_map_get(seen, v)) return NULL;
    cf_map_put(job->arena, seen, v, v);
    LLVMTypeRef type = LLVMTypeOf(v), t = NULL;
    bool word = l_is_integer_type(type) && LLVMGetIntTypeWidth(type) == 32;
    if (word || is_in_pieces(v)) {
        LLVMTypeRef f = LLVMFloatTypeInContext(job->context);
        return !carries_floats(job, v) ? NULL : word ? f : LLVMVectorType(f, 2);
    }
    if (LLVMIsALoadInst(v)) t = type_at(job, v);
    if (LLVMIsABitCastInst(v) && l_is_number_type(LLVMTypeOf(LLVMGetOperand(v, 0))))
        return LLVMTypeOf(LLVMGetOperand(v, 0));
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && !t; u = LLVMGetNextUse(u))
        t = number_in_use(job, v, LLVMGetUser(u), seen);
    for (unsigned k = first_merged(v); merges(v) && k < (unsigned)LLVMGetNumOperands(v) && !t; k++)
        if (LLVMIsAInstruction(LLVMGetOperand(v, k))) t = number_in(job, LLVMGetOperand(v, k), seen);
    return t;
}

LLVMTypeRef cf_number_in(cf_job *job, LLVMValueRef integer) { return number_in(job, integer, &(cf_map){0}); }

/* ---- no number ---- */

typedef struct asked {
    cf_job *job;
    cf_map seen;
    bool (*unclear)(const void *user, LLVMValueRef place);
    const void *user;
} asked;

/* Integers and padding, or pointers, not one of several members of a union. */
static bool holds_no_number(const asked *a, LLVMValueRef access) {
    cf_layout l;
    LLVMValueRef p = place_of(access);
    if (cf_points_to_union(p) || a->unclear(a->user, p) || !layout_of_access(a->job, access, &l))
        return false;
    for (size_t f = 0; f < l.n; f++)
        if (l.field[f].kind == CF_FIELD_FLOAT) return false;
    return true;
}

static bool is_no_number(asked *a, LLVMValueRef v) {
    if (LLVMIsAConstant(v) || cf_map_get(&a->seen, v)) return true;
    cf_map_put(a->job->arena, &a->seen, v, v);
    if (!LLVMIsAInstruction(v) || !(merges(v) || LLVMIsALoadInst(v))) return false;
    if (LLVMIsALoadInst(v) && !holds_no_number(a, v)) return false;
    for (unsigned k = first_merged(v); merges(v) && k < (unsigned)LLVMGetNumOperands(v); k++)
        if (!is_no_number(a, LLVMGetOperand(v, k))) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v && !holds_no_number(a, user)) return false;
        if (merges(user) && !is_no_number(a, user)) return false;
    }
    return true;
}

bool cf_carries_no_number(cf_job *job, LLVMValueRef integer, bool (*unclear)(const void *, LLVMValueRef),
                          const void *user) {
    asked a = {.job = job, .unclear = unclear, .user = user};
    return is_no_number(&a, integer);
}
