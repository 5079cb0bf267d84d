/* Writers: what can be undone of what the forward sweep does to memory.
 *
 * In:     the sweep's view; functions of the module
 * Out:    answers; nothing is changed */
#include "reverse/writers.h"
#include "known/rules.h"
#include "contents/types.h"
#include "llvm/cfx.h"
#include "reverse/call.h"

/* --- objects ------------------------------------------------------------------------------------------------------------------- */

static bool all_roots(cf_sweep *s, LLVMValueRef pointer, cf_object_test *ok, cf_map *seen);

/* The argument of a call is neither kept nor given back. */
static bool only_lent(LLVMValueRef call, LLVMValueRef pointer) {
    LLVMValueRef f = l_callee(call);
    if (!f) return false;
    const cf_known *k = cf_known_of(f);
    if ((k && k->returns == CF_NO_ARG && !(k->flags & CF_KNOWN_CALLBACK)) || l_is_intrinsic(f)) return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetOperand(call, i) == pointer && !(i < LLVMCountParams(f) && l_is_nocapture(f, i)))
            return false;
    return true;
}

/* The address goes nowhere that outlives the call: only into memory that is private too. */
static bool stays(cf_sweep *s, LLVMValueRef pointer, cf_map *seen) {
    if (cf_map_get(seen, pointer)) return true;
    cf_map_put(s->arena, seen, pointer, pointer);
    for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef x = LLVMGetUser(u);
        if (!LLVMIsAInstruction(x)) return false;
        switch (LLVMGetInstructionOpcode(x)) {
        case LLVMLoad:
        case LLVMICmp: break;
        case LLVMStore:
            if (LLVMGetOperand(x, 0) == pointer && !all_roots(s, LLVMGetOperand(x, 1), cf_is_private, seen))
                return false;
            break;
        case LLVMGetElementPtr:
        case LLVMBitCast:
        case LLVMPHI:
        case LLVMSelect:
            if (!stays(s, x, seen)) return false;
            break;
        case LLVMCall:
            if (!only_lent(x, pointer)) return false;
            break;
        default: return false;
        }
    }
    return true;
}

bool cf_is_private(cf_sweep *s, LLVMValueRef object, cf_map *seen) {
    if (LLVMIsAAllocaInst(object)) return stays(s, object, seen);
    if (!LLVMIsACallInst(object)) return false;
    LLVMValueRef f = l_callee(object);
    const cf_known *k = f ? cf_known_of(f) : NULL;
    return k && (k->kind == CF_KNOWN_ALLOC || k->kind == CF_KNOWN_ZALLOC) && stays(s, object, seen);
}

/* Every object that a pointer may point into. */
static bool check_roots(cf_sweep *s, LLVMValueRef pointer, cf_object_test *ok, cf_map *seen, cf_map *phis) {
    LLVMValueRef x = cfx_underlying(pointer);
    if (cf_map_get(phis, x)) return true;
    cf_map_put(s->arena, phis, x, x);
    if (LLVMIsAPHINode(x)) {
        for (unsigned i = 0; i < LLVMCountIncoming(x); i++)
            if (!check_roots(s, LLVMGetIncomingValue(x, i), ok, seen, phis)) return false;
        return true;
    }
    if (LLVMIsASelectInst(x))
        return check_roots(s, LLVMGetOperand(x, 1), ok, seen, phis) &&
               check_roots(s, LLVMGetOperand(x, 2), ok, seen, phis);
    return ok(s, x, seen);
}

static bool all_roots(cf_sweep *s, LLVMValueRef pointer, cf_object_test *ok, cf_map *seen) {
    cf_map phis = {0};
    return check_roots(s, pointer, ok, seen, &phis);
}

bool cf_all_objects(cf_sweep *s, LLVMValueRef pointer, cf_object_test *ok) {
    cf_map seen = {0};
    return all_roots(s, pointer, ok, &seen);
}

/* --- writers ------------------------------------------------------------------------------------------------------------------- */

static bool plain(LLVMValueRef store) {
    return LLVMIsAStoreInst(store) && !LLVMGetVolatile(store) &&
           LLVMGetOrdering(store) == LLVMAtomicOrderingNotAtomic;
}

bool cf_is_plain_store(const cf_sweep *s, cf_id i) { return plain(s->v->value[i].value); }

static bool block_write(LLVMValueRef call, const cf_known **known) {
    LLVMValueRef f = LLVMIsACallInst(call) ? l_callee(call) : NULL;
    const cf_known *k = *known = f ? cf_known_of(f) : NULL;
    return k && (k->kind == CF_KNOWN_COPY || k->kind == CF_KNOWN_SET) && k->size.kind == CF_SIZE_ARG;
}

bool cf_is_block_write(const cf_sweep *s, cf_id i, const cf_known **known) {
    return s->v->value[i].op == LLVMCall && block_write(s->v->value[i].value, known);
}

/* What is known of functions: whether they, or any that they call, do something. */
struct cf_writers {
    cf_map refuse_undo, write_pointers; /* function → whether */
};

static const char yes, no;

static cf_map *answers(cf_sweep *s, size_t which) {
    cf_job *job = s->job;
    if (!job->writers) job->writers = CF_NEW(job->arena, struct cf_writers);
    return which ? &job->writers->write_pointers : &job->writers->refuse_undo;
}

/* Asks about a function and all that it calls; `seen` are those that are asked about already. One that does it makes all
 * on the way to it do it; when there is none, none that was seen does. */
typedef bool cf_search(cf_sweep *s, LLVMValueRef f, cf_map *seen);

static bool ask(cf_sweep *s, LLVMValueRef f, cf_map *seen, size_t which, cf_search *search) {
    cf_map *known = answers(s, which);
    const char *answer = cf_map_get(known, f);
    if (answer) return answer == &yes;
    if (cf_map_get(seen, f)) return false; /* whoever asked first looks at it */
    cf_map_put(s->job->arena, seen, f, f);
    bool does = search(s, f, seen);
    if (does) cf_map_put(s->job->arena, known, f, (void *)(uintptr_t)&yes);
    return does;
}

static bool ask_first(cf_sweep *s, LLVMValueRef f, size_t which, cf_search *search) {
    cf_map seen = {0};
    if (ask(s, f, &seen, which, search)) return true;
    const void *g;
    void *same;
    for (size_t i = 0; cf_map_next(&seen, &i, &g, &same);)
        cf_map_put(s->job->arena, answers(s, which), g, (void *)(uintptr_t)&no);
    return false;
}

enum { REFUSES_UNDO, WRITES_POINTERS };

static cf_search refuses_undo;

static bool undoable_known(const cf_known *k) {
    switch (k->kind) {
    case CF_KNOWN_ALLOC:
    case CF_KNOWN_ZALLOC:
    case CF_KNOWN_FREE:
    case CF_KNOWN_ZERO:
    case CF_KNOWN_NORETURN: return true;
    case CF_KNOWN_INACTIVE: return k->write[0].pointer == CF_NO_ARG && !(k->flags & CF_KNOWN_CALLBACK);
    default: return false;
    }
}

static bool undoable_call(cf_sweep *s, LLVMValueRef call, cf_map *seen) {
    LLVMValueRef f = l_callee(call);
    const cf_known *known;
    if (!f) return false;
    if (l_is_marker(f) || block_write(call, &known)) return true;
    const cf_rule *rule = cf_rule_of(s->job, f);
    if (rule) return rule->kind == CF_RULE_PARTIALS;
    if (known) return undoable_known(known);
    return !ask(s, f, seen, REFUSES_UNDO, refuses_undo);
}

static bool refuses_undo(cf_sweep *s, LLVMValueRef f, cf_map *seen) {
    if (!LLVMGetFirstBasicBlock(f)) return true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            if (op == LLVMStore && !plain(i)) return true;
            if (op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg || op == LLVMInvoke || op == LLVMVAArg)
                return true;
            if (op == LLVMCall && !undoable_call(s, i, seen)) return true;
        }
    return false;
}

bool cf_is_undoable_call(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    LLVMValueRef f = x->op == LLVMCall ? l_callee(x->value) : NULL;
    if (!f || cf_rule_of(s->job, f) || cf_known_of(f) || !(cf_call_active(s->act, i) || s->key->undo))
        return false;
    return !ask_first(s, f, REFUSES_UNDO, refuses_undo);
}

/* --- pointers --------------------------------------------------------------------------------------------------------------------- */

static bool holds_pointer(LLVMTypeRef t) {
    return cf_gives_pointer(l_is_vector_type(t) ? LLVMGetElementType(t) : t);
}

/* Where the run tells what memory holds, a pointer may be stored byte by byte. */
static bool stores_pointer(const cf_sweep *s, LLVMValueRef store) {
    LLVMValueRef value = LLVMGetOperand(store, 0);
    LLVMTypeRef t = LLVMTypeOf(value);
    bool moved = l_is_integer_type(t) && LLVMGetIntTypeWidth(t) >= (s->key->marked ? 8 : 64) &&
                 !LLVMIsAConstant(value);
    return holds_pointer(t) || (moved && !cf_holds_integers(s->job, store));
}

static bool copies_pointers(cf_job *job, LLVMValueRef call, const cf_known *known) {
    LLVMValueRef size = LLVMGetOperand(call, known->size.a);
    uint64_t bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
    cf_layout l;
    unsigned ends[] = {(unsigned)known->pointer, (unsigned)known->source};
    for (unsigned k = 0; k < 2; k++) {
        if (!cf_layout_of(job, l_function_of(call), call, LLVMGetOperand(call, ends[k]), bytes, &l) ||
            !l.known)
            continue;
        for (size_t f = 0; f < l.n; f++)
            if (l.field[f].kind == CF_FIELD_POINTER) return true;
        return false;
    }
    return true;
}

static cf_search function_writes_pointers;

/* seen: NULL for the first that is asked about. */
static bool call_writes_pointers(cf_sweep *s, LLVMValueRef call, cf_map *seen) {
    LLVMValueRef f = l_callee(call);
    if (!f) return true;
    const cf_known *known;
    if (block_write(call, &known))
        return known->kind == CF_KNOWN_COPY && copies_pointers(s->job, call, known);
    if (cf_known_of(f) && !(cf_known_of(f)->flags & CF_KNOWN_CALLBACK))
        return cf_known_of(f)->kind == CF_KNOWN_POSIX_MEMALIGN;
    return seen ? ask(s, f, seen, WRITES_POINTERS, function_writes_pointers)
                : ask_first(s, f, WRITES_POINTERS, function_writes_pointers);
}

static bool function_writes_pointers(cf_sweep *s, LLVMValueRef f, cf_map *seen) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAStoreInst(i) && stores_pointer(s, i)) return true;
            if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && call_writes_pointers(s, i, seen)) return true;
        }
    return false;
}

bool cf_writes_pointers(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    if (x->op == LLVMStore) return stores_pointer(s, x->value) && cf_has_shadow(s->act, x->operand[1]);
    if (x->op != LLVMCall) return true;
    return call_writes_pointers(s, x->value, NULL);
}

/* --- what is cheaper ------------------------------------------------------------------------------------------------------------ */

/* Keeping a loaded number: a store and a load. Undoing a store: the same, and the number is noted to be put back. */
enum { PRICE_OF_LOAD = 12, PRICE_OF_STORE = 60 };

static uint64_t weight_of_block(const cf_view *v, cf_id b) {
    uint64_t w = 1;
    unsigned depth = v->block[b].loop == CF_NONE ? 0 : v->loop[v->block[b].loop].depth;
    for (unsigned d = 0; d < depth && d < 6; d++) w *= 64;
    return w;
}

/* Into an allocation of the function's own: nothing has to be put back. */
static bool is_own(LLVMValueRef pointer) {
    LLVMValueRef x = cfx_underlying(pointer), f = LLVMIsACallInst(x) ? l_callee(x) : NULL;
    const cf_known *k = f ? cf_known_of(f) : NULL;
    return LLVMIsAAllocaInst(x) || (k && (k->kind == CF_KNOWN_ALLOC || k->kind == CF_KNOWN_ZALLOC));
}

bool cf_loads_outweigh_stores(cf_job *job, LLVMValueRef f) {
    const char *name = cf_text(job->arena, "loads outweigh stores %p", (void *)f);
    const char *known = cf_names_get(&job->made, name);
    if (known) return known == &yes;
    const cf_view *v = cf_view_import(job, f);
    uint64_t loads = 0, stores = 0;
    for (cf_id i = v->n_params; i < v->first_other; i++) {
        if (v->value[i].op == LLVMLoad) loads += PRICE_OF_LOAD * weight_of_block(v, v->value[i].block);
        if (v->value[i].op == LLVMStore && !is_own(LLVMGetOperand(v->value[i].value, 1)))
            stores += PRICE_OF_STORE * weight_of_block(v, v->value[i].block);
    }
    cf_names_put(job->arena, &job->made, name, (void *)(uintptr_t)(loads > stores ? &yes : &no));
    return loads > stores;
}
