/* Slots become SSA values.
 *
 * In:     a function with variables that are only loaded and stored as a whole
 * Out:    the same with values and phis in their place
 * Needs:  nothing                            Keeps: control flow, all other memory
 * Breaks: every view
 *
 * Idea: LLVM's own promotion walks, for each slot, everything that one of its stores dominates. A gradient has a slot for
 * each value that is used in several blocks, so that takes time in slots times blocks. Here dominance frontiers are
 * computed once; for one slot only the blocks are looked at where it is loaded or stored, or gets a phi, in preorder of
 * the dominator tree: what dominates a block then lies on a stack. Cytron et al.: Efficiently computing static single
 * assignment form, 1991; Briggs et al.: Practical improvements to the construction of SSA form, 1998. */
#include "ir/promote.h"
#include "ir/view.h"
#include "llvm/l.h"
#include "support/vec.h"

/* A block where a slot is loaded or stored, or gets a phi. */
typedef struct place {
    cf_id block;
    cf_id up;         /* index of the nearest place that dominates this one, or CF_NONE */
    LLVMValueRef phi; /* NULL: none */
    LLVMValueRef out; /* the value at its end */
    bool stored;
} place;

typedef struct ids {
    CF_VEC(cf_id) list;
} ids;

typedef struct promotion {
    cf_job *job;
    const cf_view *v;
    LLVMBuilderRef b;
    cf_id *by_pre;   /* blocks in preorder of the dominator tree */
    ids *frontier;   /* by block */
    cf_id *place_of; /* by block: index + 1 of its place, for the slot in work */
    CF_VEC(place) places;
    CF_VEC(cf_id) work;     /* blocks */
    CF_VEC(cf_id) accesses; /* loads and stores of the slot in work, by id */
    CF_VEC(LLVMValueRef) dead;
    LLVMTypeRef type;
    cf_map phis; /* phis that were made → the same */
    CF_VEC(LLVMValueRef) made;
} promotion;

/* --- which slots ------------------------------------------------------------------------------------------------------ */

static bool is_whole_access(LLVMValueRef x, LLVMValueRef slot, LLVMTypeRef t) {
    if (LLVMIsALoadInst(x)) return LLVMTypeOf(x) == t && !LLVMGetVolatile(x);
    if (!LLVMIsAStoreInst(x) || LLVMGetVolatile(x)) return false;
    return LLVMGetOperand(x, 1) == slot && LLVMGetOperand(x, 0) != slot &&
           LLVMTypeOf(LLVMGetOperand(x, 0)) == t;
}

static bool is_promotable(LLVMValueRef slot) {
    LLVMTypeRef t = LLVMGetAllocatedType(slot);
    if (!LLVMIsAConstantInt(LLVMGetOperand(slot, 0)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(slot, 0)) != 1)
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u))
        if (!LLVMIsAInstruction(LLVMGetUser(u)) || !is_whole_access(LLVMGetUser(u), slot, t)) return false;
    return true;
}

/* --- dominators --------------------------------------------------------------------------------------------------------- */

static void find_frontiers(promotion *p) {
    const cf_view *v = p->v;
    cf_arena *a = p->job->arena;
    p->frontier = CF_ARRAY(a, ids, v->n_blocks);
    p->by_pre = CF_ARRAY(a, cf_id, v->n_blocks);
    p->place_of = CF_ARRAY(a, cf_id, v->n_blocks);
    for (cf_id b = 0; b < v->n_blocks; b++) {
        p->by_pre[v->block[b].pre] = b;
        if (v->block[b].n_preds < 2) continue;
        for (uint32_t k = 0; k < v->block[b].n_preds; k++)
            for (cf_id r = v->block[b].pred[k]; r != v->block[b].idom; r = v->block[r].idom) {
                ids *f = &p->frontier[r];
                if (f->list.n && f->list.at[f->list.n - 1] == b) break; /* so it is in those above */
                cf_push(a, &f->list, b);
            }
    }
}

/* --- places ------------------------------------------------------------------------------------------------------------- */

static place *place_at(promotion *p, cf_id block) {
    if (!p->place_of[block]) {
        cf_push(p->job->arena, &p->places, ((place){.block = block, .up = CF_NONE}));
        p->place_of[block] = (cf_id)p->places.n;
    }
    return &p->places.at[p->place_of[block] - 1];
}

static int by_id(const void *a, const void *b) {
    cf_id x = *(const cf_id *)a, y = *(const cf_id *)b;
    return x < y ? -1 : x > y;
}

/* Loads and stores in the order of the view. What is not reached gets any value. */
static void collect(promotion *p, LLVMValueRef slot) {
    p->accesses.n = p->places.n = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef x = LLVMGetUser(u);
        cf_id i = cf_view_id(p->v, x);
        cf_push(p->job->arena, &p->dead, x);
        if (i == CF_NONE) {
            if (LLVMIsALoadInst(x)) LLVMReplaceAllUsesWith(x, LLVMGetPoison(p->type));
            continue;
        }
        cf_push(p->job->arena, &p->accesses, i);
        place *at = place_at(p, p->v->value[i].block);
        at->stored |= LLVMIsAStoreInst(x) != NULL;
    }
    if (p->accesses.n) qsort(p->accesses.at, p->accesses.n, sizeof *p->accesses.at, by_id);
}

static void make_phi(promotion *p, place *at) {
    LLVMBasicBlockRef block = p->v->block[at->block].block;
    LLVMPositionBuilderBefore(p->b, LLVMGetFirstInstruction(block));
    at->phi = LLVMBuildPhi(p->b, p->type, "");
    cf_push(p->job->arena, &p->made, at->phi);
    cf_map_put(p->job->arena, &p->phis, at->phi, at->phi);
}

/* Phis in the iterated frontier of the stores. */
static void place_phis(promotion *p) {
    cf_arena *a = p->job->arena;
    p->work.n = 0;
    for (size_t i = 0; i < p->places.n; i++)
        if (p->places.at[i].stored) cf_push(a, &p->work, p->places.at[i].block);
    while (p->work.n) {
        const ids *f = &p->frontier[p->work.at[--p->work.n]];
        for (size_t k = 0; k < f->list.n; k++) {
            place *at = place_at(p, f->list.at[k]);
            if (at->phi) continue;
            make_phi(p, at);
            if (!at->stored) cf_push(a, &p->work, at->block);
        }
    }
}

/* --- values ------------------------------------------------------------------------------------------------------------- */

typedef struct order {
    uint32_t pre;
    cf_id place;
} order;

static int by_preorder(const void *a, const void *b) {
    uint32_t x = ((const order *)a)->pre, y = ((const order *)b)->pre;
    return x < y ? -1 : x > y;
}

static order *sorted_places(promotion *p) {
    order *o = CF_ARRAY(p->job->arena, order, p->places.n + 1);
    for (size_t i = 0; i < p->places.n; i++) o[i] = (order){p->v->block[p->places.at[i].block].pre, (cf_id)i};
    if (p->places.n) qsort(o, p->places.n, sizeof *o, by_preorder);
    return o;
}

/* The nearest place, from `at` upwards, that dominates a block. */
static cf_id dominating(const promotion *p, cf_id at, cf_id block) {
    while (at != CF_NONE && !cf_dominates(p->v, p->places.at[at].block, block)) at = p->places.at[at].up;
    return at;
}

static LLVMValueRef run_block(promotion *p, cf_id block, LLVMValueRef value, size_t first) {
    for (size_t k = first; k < p->accesses.n && p->v->value[p->accesses.at[k]].block == block; k++) {
        LLVMValueRef x = p->v->value[p->accesses.at[k]].value;
        if (LLVMIsAStoreInst(x))
            value = LLVMGetOperand(x, 0);
        else
            LLVMReplaceAllUsesWith(x, value);
    }
    return value;
}

/* First access in a block. */
static size_t first_access(const promotion *p, cf_id block) {
    size_t low = 0, high = p->accesses.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->accesses.at[middle] < p->v->block[block].first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void rename_values(promotion *p, const order *o) {
    for (size_t i = 0; i < p->places.n; i++) {
        place *at = &p->places.at[o[i].place];
        at->up = i ? dominating(p, o[i - 1].place, at->block) : CF_NONE;
        LLVMValueRef in = at->phi             ? at->phi
                          : at->up != CF_NONE ? p->places.at[at->up].out
                                              : LLVMGetPoison(p->type);
        at->out = run_block(p, at->block, in, first_access(p, at->block));
    }
}

static LLVMValueRef value_at_end(const promotion *p, const order *o, cf_id block) {
    size_t low = 0, high = p->places.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (o[middle].pre <= p->v->block[block].pre)
            low = middle + 1;
        else
            high = middle;
    }
    cf_id at = low ? dominating(p, o[low - 1].place, block) : CF_NONE;
    return at == CF_NONE ? LLVMGetPoison(p->type) : p->places.at[at].out;
}

static void fill_phis(promotion *p, const order *o) {
    const cf_view *v = p->v;
    for (size_t i = 0; i < p->places.n; i++) {
        const place *at = &p->places.at[i];
        if (!at->phi) continue;
        const cf_block *x = &v->block[at->block];
        for (uint32_t k = 0; k < x->n_preds; k++) {
            const cf_block *pred = &v->block[x->pred[k]];
            LLVMValueRef in = value_at_end(p, o, x->pred[k]);
            LLVMBasicBlockRef from = pred->block;
            for (uint32_t e = 0; e < pred->n_succs; e++)
                if (pred->succ[e] == at->block) LLVMAddIncoming(at->phi, &in, &from, 1);
        }
    }
}

static void promote(promotion *p, LLVMValueRef slot) {
    p->type = LLVMGetAllocatedType(slot);
    collect(p, slot);
    place_phis(p);
    const order *o = sorted_places(p);
    rename_values(p, o);
    fill_phis(p, o);
    for (size_t i = 0; i < p->places.n; i++) p->place_of[p->places.at[i].block] = 0;
    for (size_t i = 0; i < p->dead.n; i++) LLVMInstructionEraseFromParent(p->dead.at[i]);
    p->dead.n = 0;
    LLVMInstructionEraseFromParent(slot);
}

/* --- phis that nobody reads ----------------------------------------------------------------------------------------------- */

static void mark_live(promotion *p, cf_map *live, LLVMValueRef phi) {
    CF_VEC(LLVMValueRef) work = {0};
    cf_map_put(p->job->arena, live, phi, phi);
    cf_push(p->job->arena, &work, phi);
    while (work.n) {
        LLVMValueRef at = work.at[--work.n];
        for (unsigned k = 0; k < LLVMCountIncoming(at); k++) {
            LLVMValueRef in = LLVMGetIncomingValue(at, k);
            if (!cf_map_get(&p->phis, in) || cf_map_get(live, in)) continue;
            cf_map_put(p->job->arena, live, in, in);
            cf_push(p->job->arena, &work, in);
        }
    }
}

static void erase_dead_phis(promotion *p) {
    cf_map live = {0};
    for (size_t i = 0; i < p->made.n; i++) {
        LLVMValueRef phi = p->made.at[i];
        bool read = false;
        for (LLVMUseRef u = LLVMGetFirstUse(phi); u && !read; u = LLVMGetNextUse(u))
            read = !cf_map_get(&p->phis, LLVMGetUser(u));
        if (read && !cf_map_get(&live, phi)) mark_live(p, &live, phi);
    }
    for (size_t i = 0; i < p->made.n; i++)
        if (!cf_map_get(&live, p->made.at[i]))
            LLVMReplaceAllUsesWith(p->made.at[i], LLVMGetPoison(LLVMTypeOf(p->made.at[i])));
    for (size_t i = 0; i < p->made.n; i++)
        if (!cf_map_get(&live, p->made.at[i])) LLVMInstructionEraseFromParent(p->made.at[i]);
}

void cf_promote_slots(cf_job *job, LLVMValueRef function) {
    promotion p = {.job = job, .v = cf_view_import(job, function)};
    CF_VEC(LLVMValueRef) slots = {0};
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    for (; i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i) && is_promotable(i)) cf_push(job->arena, &slots, i);
    p.b = LLVMCreateBuilderInContext(job->context);
    find_frontiers(&p);
    for (size_t k = 0; k < slots.n; k++) promote(&p, slots.at[k]);
    erase_dead_phis(&p);
    LLVMDisposeBuilder(p.b);
}
