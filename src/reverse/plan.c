/* The plan: for every value that the reverse sweep needs, whether it is recomputed, loaded again or kept; and which
 * stores are logged so that memory can be loaded again.
 *
 * In:     needs (node and point); view, clobbers
 * Out:    choice by node, logged by instruction
 * Needs:  the forward sweep not yet edited for what is kept
 *
 * Idea: one minimum cut. Every node is an edge in -> out whose capacity is the price of keeping it. What can be computed
 * again hangs on its operands, and on the source with the price of computing it. A load hangs on the source through the
 * stores that overwrite its memory later, each with the price of logging it; where something overwrites it that cannot
 * be logged, or before its use, the load can only be kept. Needed nodes lead to the sink. What the cut severs is what is
 * paid for. Prices are bytes or operations, times iterations. */
#include "known/known.h"
#include "ir/guards.h"
#include "reverse/cut.h"
#include "reverse/writers.h"

/* Prices in units of one integer operation. Keeping a value is a store and a load from the tape. */
enum { PRICE_KEEP = 4, PRICE_LOG = 8, PRICE_REDO = 16, PRICE_LOAD = 3, PRICE_CALL = 24 };
/* Programs load more often than they store: where the numbers of iterations are guesses, a load in a loop stands for more
 * executions than a store in one. */
enum { LOADS_TO_STORES = 4 };
/* Iterations of a loop whose number is not known at compile time. */
enum { GUESSED_TRIPS = 64 };
/* Beyond this many points of use a load counts as used everywhere. */
enum { MOST_POINTS = 200 };

typedef struct points {
    uint32_t *at;
    uint32_t n, capacity;
    bool many;
} points;

typedef struct visit {
    cf_node node;
    uint32_t point;
} visit;

typedef struct plan {
    cf_sweep *s;
    cf_node n_nodes;
    bool *seen, *direct;
    points *points; /* by node */
    CF_VEC(visit) work;
    CF_VEC(cf_node) node;  /* all that may be needed */
    uint32_t *index;       /* by node, in `node` */
    int8_t *loggable;      /* by instruction: 0 not asked, 1 yes, -1 no */
    uint32_t *store_index; /* by instruction + 1: node of the cut */
    cf_map sets;           /* set of writers → node of the cut */
    uint32_t n_cut;
    cf_cut *cut;
} plan;

static cf_id value_of(const cf_sweep *s, cf_node n) { return n % s->v->n_values; }
static unsigned lane_of(const cf_sweep *s, cf_node n) { return n / s->v->n_values; }

/* --- what can be computed again --------------------------------------------------------------------------------------- */

/* Intrinsics that are one instruction. */
static bool is_arithmetic(const cf_sweep *s, cf_id v) {
    LLVMValueRef f = s->v->value[v].op == LLVMCall ? l_callee(s->v->value[v].value) : NULL;
    return f && (l_is_multiply_add(f) || cf_is_guard(f) || l_is_intrinsic_of(f, "llvm.fabs") ||
                 l_is_intrinsic_of(f, "llvm.copysign"));
}

static bool pure_call(const cf_sweep *s, cf_id v) {
    LLVMValueRef f = l_callee(s->v->value[v].value);
    if (!f) return false;
    if (is_arithmetic(s, v)) return true;
    const cf_rule *r = cf_rule_of(s->job, f);
    const cf_known *k = cf_known_of(f);
    bool number = (r && r->kind == CF_RULE_PARTIALS) || (k && k->kind == CF_KNOWN_ZERO);
    if (!number) return false;
    LLVMAttributeRef m = l_get(f, (unsigned)LLVMAttributeFunctionIndex, "memory");
    return l_is_intrinsic(f) || (m && !LLVMGetEnumAttributeValue(m));
}

static bool operation_price(const cf_sweep *s, cf_id v, uint64_t *price) {
    switch (s->v->value[v].op) {
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: *price = 8; return true;
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul: *price = 2; return true;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMGetElementPtr:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMFNeg:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue: *price = 1; return true;
    case LLVMCall: *price = is_arithmetic(s, v) ? 3 : PRICE_CALL; return pure_call(s, v);
    default: return false;
    }
}

bool cf_recomputable(const cf_sweep *s, cf_id v) {
    uint64_t price;
    return operation_price(s, v, &price);
}

static bool is_counter(const cf_sweep *s, cf_id v) {
    cf_id l = s->v->block[s->v->value[v].block].loop;
    return l != CF_NONE && s->v->loop[l].iv == v;
}

/* Available in the reverse sweep as it is. */
static bool is_free(const cf_sweep *s, cf_node n) {
    cf_id v = value_of(s, n);
    if (!cf_is_inst(s->v, v)) return true;
    if (s->v->value[v].op == LLVMAlloca) return s->joined && s->v->value[v].block == 0;
    return !lane_of(s, n) && is_counter(s, v);
}

static bool plain_load(const cf_sweep *s, cf_id v) {
    LLVMValueRef x = s->v->value[v].value;
    return s->v->value[v].op == LLVMLoad && !LLVMGetVolatile(x) &&
           LLVMGetOrdering(x) == LLVMAtomicOrderingNotAtomic;
}

/* Operands as nodes: of a shadow the shadows of pointers. Calls f for each that is not free. */
static void each_operand(plan *p, cf_node n, void (*f)(plan *, cf_node user, cf_node operand)) {
    const cf_sweep *s = p->s;
    const cf_value *x = &s->v->value[value_of(s, n)];
    unsigned lane = lane_of(s, n);
    for (uint32_t i = 0; i < x->n; i++) {
        cf_id o = x->operand[i];
        if (o == CF_NONE) continue;
        cf_node operand = lane && cf_in_shadow(s, value_of(s, n), i) ? cf_shadow_node(s, o, lane - 1) : o;
        if (!is_free(s, operand)) f(p, n, operand);
    }
}

static bool has_inputs(const plan *p, cf_node n) {
    cf_id v = value_of(p->s, n);
    if (lane_of(p->s, n) && cf_shadow_is_masked(p->s, v)) return false;
    return plain_load(p->s, v) || cf_recomputable(p->s, v);
}

/* --- points of use -------------------------------------------------------------------------------------------------------- */

static bool add_point(plan *p, cf_node n, uint32_t point) {
    points *q = &p->points[n];
    if (q->many) return false;
    for (uint32_t i = q->n; i-- > 0;)
        if (q->at[i] == point) return false;
    if (q->n == q->capacity) {
        size_t capacity = q->capacity;
        q->at = cf_vec_grow(p->s->arena, q->at, &capacity, sizeof *q->at);
        q->capacity = (uint32_t)capacity;
    }
    q->at[q->n++] = point;
    q->many = q->n > MOST_POINTS;
    return true;
}

static void reach_points(plan *p, cf_node first, uint32_t point) {
    cf_arena *a = p->s->arena;
    p->work.n = 0;
    cf_push(a, &p->work, ((visit){first, point}));
    while (p->work.n) {
        visit at = p->work.at[--p->work.n];
        if (!add_point(p, at.node, at.point)) continue;
        if (!p->seen[at.node]) {
            p->seen[at.node] = true;
            p->index[at.node] = (uint32_t)p->node.n;
            cf_push(p->s->arena, &p->node, at.node);
        }
        if (!has_inputs(p, at.node)) continue;
        const cf_sweep *s = p->s;
        const cf_value *x = &s->v->value[value_of(s, at.node)];
        unsigned lane = lane_of(s, at.node);
        for (uint32_t i = 0; i < x->n; i++) {
            cf_id o = x->operand[i];
            if (o == CF_NONE) continue;
            cf_node operand =
                lane && cf_in_shadow(s, value_of(s, at.node), i) ? cf_shadow_node(s, o, lane - 1) : o;
            if (!is_free(s, operand)) cf_push(a, &p->work, ((visit){operand, at.point}));
        }
    }
}

/* --- prices ------------------------------------------------------------------------------------------------------------------ */

static uint64_t times(uint64_t a, uint64_t b) {
    uint64_t r;
    return __builtin_mul_overflow(a, b, &r) || r >= CF_CUT_INFINITE ? CF_CUT_INFINITE - 1 : r;
}

/* Estimate of how often a value is computed. Unknown loops count 64 for the outer three levels of a nest, 4 for the fourth
 * and 5/4 for each one within: deep nests are deep because their loops are short (heads, tiles, components), and a plan for
 * one part of a function must not be ruled by a guess of 64^6 for another. */
static uint64_t iterations(const cf_sweep *s, cf_id v) {
    uint64_t n = 1, inner = 0;
    for (cf_id l = s->v->block[s->v->value[v].block].loop; l != CF_NONE; l = s->v->loop[l].parent) {
        if (s->v->loop[l].trips)
            n = times(n, s->v->loop[l].trips);
        else if (s->v->loop[l].depth <= 3)
            n = times(n, GUESSED_TRIPS);
        else if (s->v->loop[l].depth == 4)
            n = times(n, 4);
        else
            inner++;
    }
    while (inner--) n += n / 4;
    return n;
}

/* A loop without a known count keeps its values in records: no vector code, tape operations each time. */
static uint64_t tape_factor(const cf_sweep *s, cf_id v) {
    cf_id l = s->v->block[s->v->value[v].block].loop;
    return l != CF_NONE && s->v->loop[l].last == CF_NONE ? 2 : 1;
}

static uint64_t bytes(const cf_sweep *s, LLVMTypeRef t) { return l_size(s->job->module, t); }

static uint64_t keep_price(const cf_sweep *s, cf_node n) {
    cf_id v = value_of(s, n);
    uint64_t price = PRICE_KEEP + bytes(s, cf_type_of(s, v));
    if (plain_load(s, v)) price *= LOADS_TO_STORES;
    return times(times(price, iterations(s, v)), tape_factor(s, v));
}

/* --- logging ------------------------------------------------------------------------------------------------------------------ */

/* Where a plain store or a block write goes. */
static LLVMValueRef written_place(const cf_sweep *s, cf_id w) {
    const cf_known *known;
    if (cf_is_block_write(s, w, &known))
        return LLVMGetOperand(s->v->value[w].value, (unsigned)known->pointer);
    return LLVMGetOperand(s->v->value[w].value, 1);
}

/* A writer that can be undone. Memory that the caller sees is done again when the gradient is complete. */
static bool loggable(plan *p, cf_id w) {
    cf_sweep *s = p->s;
    if (p->loggable[w]) return p->loggable[w] > 0;
    const cf_known *known;
    bool here = s->undo[w] && (cf_is_plain_store(s, w) || cf_is_block_write(s, w, &known));
    bool yes = here || cf_is_undoable_call(s, w);
    p->loggable[w] = yes ? 1 : -1;
    s->visible[w] = here && !cf_all_objects(s, written_place(s, w), cf_is_private);
    return yes;
}

static uint64_t log_price(const plan *p, cf_id w) {
    const cf_sweep *s = p->s;
    uint64_t price = PRICE_LOG + (s->visible[w] && !s->key->consume ? (uint64_t)PRICE_REDO : 0) +
                     bytes(s, cf_type_of(s, s->v->value[w].operand[0]));
    cf_id l = s->v->block[s->v->value[w].block].loop;
    bool uncounted = l != CF_NONE && s->v->loop[l].last == CF_NONE;
    return times(times(price, iterations(s, w)), uncounted ? 4 : 1);
}

/* --- loads --------------------------------------------------------------------------------------------------------------------- */

/* Nobody writes there between the function's return and its reverse. */
static bool lasting(cf_sweep *s, LLVMValueRef object, cf_map *seen) {
    if (LLVMIsAGlobalVariable(object) && LLVMIsGlobalConstant(object)) return true;
    cf_id v = cf_view_id(s->v, object);
    if (v != CF_NONE && cf_is_param(s->v, v)) return s->key->arg[v] & CF_ARG_STABLE;
    return cf_is_private(s, object, seen);
}

static bool can_reload(plan *p, cf_node n, cf_threats *t) {
    const cf_sweep *s = p->s;
    cf_id v = value_of(s, n);
    if (!s->joined && !s->key->steady &&
        !cf_all_objects(p->s, LLVMGetOperand(s->v->value[v].value, 0), lasting))
        return false;
    if (lane_of(s, n) && cf_shadow_may_lack(s, v)) return false;
    const points *q = &p->points[n];
    *t = cf_threats_to(s->clobbers, v, q->at, q->n);
    if (t->hard || (q->many && t->n)) return false;
    bool pointer = !l_is_float_type(cf_type_of(s, v)) && !l_is_integer_type(cf_type_of(s, v));
    for (uint32_t i = 0; i < t->n; i++)
        if (pointer || lane_of(s, n) || !loggable(p, t->writer[i])) return false;
    return true;
}

/* --- the cut ------------------------------------------------------------------------------------------------------------------- */

enum { SOURCE, SINK, FIRST };

static uint32_t in_of(const plan *p, cf_node n) { return FIRST + 2 * p->index[n]; }
static uint32_t out_of(const plan *p, cf_node n) { return in_of(p, n) + 1; }

static void hang_on(plan *p, cf_node user, cf_node operand) {
    cf_cut_edge(p->cut, out_of(p, operand), in_of(p, user), CF_CUT_INFINITE);
}

static uint32_t store_node(plan *p, cf_id w) {
    if (!p->store_index[w]) {
        p->store_index[w] = p->n_cut++;
        bool forced = p->s->key->undo && (p->s->visible[w] || p->s->v->value[w].op == LLVMCall);
        cf_cut_edge(p->cut, SOURCE, p->store_index[w], forced ? 0 : log_price(p, w));
    }
    return p->store_index[w];
}

/* A node for a set of writers: an edge from each of them, so that loads which they threaten need one edge. */
static uint32_t writers_node(plan *p, const cf_threats *t) {
    if (t->n == 1) return store_node(p, t->writer[0]);
    uintptr_t known = (uintptr_t)cf_map_get(&p->sets, t->writer);
    if (known) return (uint32_t)known;
    uint32_t node = p->n_cut++;
    cf_map_put(p->s->arena, &p->sets, t->writer, (void *)(uintptr_t)node);
    for (uint32_t i = 0; i < t->n; i++)
        cf_cut_edge(p->cut, store_node(p, t->writer[i]), node, CF_CUT_INFINITE);
    return node;
}

static void add_load(plan *p, cf_node n) {
    cf_threats t = {0};
    if (!can_reload(p, n, &t)) {
        cf_cut_edge(p->cut, SOURCE, in_of(p, n), CF_CUT_INFINITE);
        return;
    }
    cf_cut_edge(p->cut, SOURCE, in_of(p, n), times(PRICE_LOAD, iterations(p->s, value_of(p->s, n))));
    each_operand(p, n, hang_on);
    if (t.n) cf_cut_edge(p->cut, writers_node(p, &t), in_of(p, n), CF_CUT_INFINITE);
}

static void add_node(plan *p, cf_node n) {
    cf_sweep *s = p->s;
    cf_id v = value_of(s, n);
    uint64_t price;
    cf_cut_edge(p->cut, in_of(p, n), out_of(p, n), keep_price(s, n));
    if (p->direct[n]) cf_cut_edge(p->cut, out_of(p, n), SINK, CF_CUT_INFINITE);
    if (plain_load(s, v)) {
        add_load(p, n);
    } else if (has_inputs(p, n) && operation_price(s, v, &price)) {
        cf_cut_edge(p->cut, SOURCE, in_of(p, n), times(price, iterations(s, v)));
        each_operand(p, n, hang_on);
    } else {
        cf_cut_edge(p->cut, SOURCE, in_of(p, n), CF_CUT_INFINITE);
    }
}

static void read_choices(plan *p) {
    cf_sweep *s = p->s;
    for (size_t i = 0; i < p->node.n; i++) {
        cf_node n = p->node.at[i];
        bool in = cf_cut_source_side(p->cut, in_of(p, n)), out = cf_cut_source_side(p->cut, out_of(p, n));
        bool load = s->v->value[value_of(s, n)].op == LLVMLoad;
        s->choice[n] = !in ? (load ? CF_RELOAD : CF_RECOMPUTE) : out ? CF_UNUSED : CF_CACHE;
    }
    for (cf_id w = s->v->n_params; w < s->v->first_other; w++)
        s->logged[w] = p->store_index[w] && !cf_cut_source_side(p->cut, p->store_index[w]);
}

/* Makes sure that a node that the plan left out can be had: without reading memory, else kept. */
static void ensure(cf_sweep *s, cf_node n) {
    if (is_free(s, n) || s->choice[n] != CF_UNUSED) return;
    cf_id v = value_of(s, n);
    if (!cf_recomputable(s, v) || (s->v->value[v].op == LLVMCall && !is_arithmetic(s, v))) {
        s->choice[n] = CF_CACHE;
        return;
    }
    s->choice[n] = CF_RECOMPUTE;
    for (uint32_t i = 0; i < s->v->value[v].n; i++)
        if (s->v->value[v].operand[i] != CF_NONE) ensure(s, s->v->value[v].operand[i]);
}

static void ensure_operand(cf_sweep *s, cf_id o) {
    if (o != CF_NONE && !is_free(s, o)) ensure(s, o);
}

/* What undoing a writer needs. */
static void ensure_undo(cf_sweep *s, cf_id w) {
    const cf_value *x = &s->v->value[w];
    const cf_known *known;
    if (cf_is_plain_store(s, w)) {
        ensure_operand(s, x->operand[1]);
    } else if (cf_is_block_write(s, w, &known)) {
        ensure_operand(s, x->operand[(unsigned)known->pointer]);
        ensure_operand(s, x->operand[known->size.a]);
    }
}

/* --- calls of differentiated functions ------------------------------------------------------------------------------------------- */

static bool is_pointer(const cf_sweep *s, cf_id v) {
    return v != CF_NONE && l_is_pointer_type(cf_type_of(s, v));
}

/* All these writers can be undone, so that a callee finds what they overwrite. With pointers: also in the shadow, where
 * nothing is undone. */
static bool undone(plan *p, const cf_threats *t, bool pointers) {
    for (uint32_t i = 0; i < t->n; i++)
        if (!loggable(p, t->writer[i]) || (pointers && cf_writes_pointers(p->s, t->writer[i]))) return false;
    for (uint32_t i = 0; i < t->n; i++) p->s->logged[t->writer[i]] = true;
    return true;
}

/* Memory behind argument k is the same at the reverse of the call if all that writes to it later is undone by then: that
 * is cheaper than to keep every number that the callee loads from there. */
static bool make_stable(plan *p, cf_id call, cf_id pointer, bool pointers) {
    cf_sweep *s = p->s;
    if (!s->joined && !s->key->steady && !cf_all_objects(s, s->v->value[pointer].value, lasting))
        return false;
    cf_threats t = cf_writers_after(s->clobbers, call, pointer);
    return undone(p, &t, pointers);
}

/* The same for all that a call can reach, through pointers in memory too. */
static bool make_steady(plan *p, cf_id call) {
    cf_sweep *s = p->s;
    if (!s->joined && !s->key->steady) return false;
    cf_threats t = cf_writers_of_call(s->clobbers, call);
    return undone(p, &t, true);
}

static void settle_calls(plan *p) {
    cf_sweep *s = p->s;
    for (size_t i = 0; i < s->calls.n; i++) {
        cf_pair_call *c = &s->calls.at[i];
        if (!c->key.function) continue;
        bool worth = cf_loads_outweigh_stores(s->job, c->key.function);
        c->key.steady = worth && make_steady(p, c->id);
        uint8_t *arg = CF_ARRAY(s->arena, uint8_t, c->key.n + 1);
        for (unsigned k = 0; k < c->key.n; k++) {
            cf_id o = s->v->value[c->id].operand[k];
            bool stable = worth && !c->key.steady && is_pointer(s, o) && make_stable(p, c->id, o, true);
            arg[k] = (uint8_t)(c->key.arg[k] | (stable ? CF_ARG_STABLE : 0));
        }
        c->key.arg = arg;
    }
    for (size_t i = 0; i < s->calls.n; i++)
        s->calls.at[i].key.undo =
            s->calls.at[i].key.function && (s->logged[s->calls.at[i].id] || s->key->undo);
}

/* A user's reverse rule reads what its call saw. */
static void settle_customs(plan *p) {
    cf_sweep *s = p->s;
    for (size_t i = 0; i < s->customs.n; i++) {
        cf_id call = s->customs.at[i];
        for (unsigned k = 0; k < LLVMGetNumArgOperands(s->v->value[call].value); k++) {
            cf_id o = s->v->value[call].operand[k];
            if (is_pointer(s, o) && !make_stable(p, call, o, cf_memory_has_pointers(s->act, o)))
                cf_sweep_error(
                    s, call,
                    "the memory behind argument %u of this call is overwritten later in a way that cannot "
                    "be undone, so that its reverse rule would not see what the call saw; hand it a copy",
                    k + 1);
        }
    }
}

/* A function that has to leave memory as it was undoes all that it writes where its caller sees it. */
static void log_everything(plan *p) {
    cf_sweep *s = p->s;
    for (cf_id w = s->v->n_params; w < s->v->first_other; w++)
        if (s->undo[w] && loggable(p, w) && s->visible[w]) s->logged[w] = true;
}

static void collect(plan *p) {
    cf_sweep *s = p->s;
    for (size_t i = 0; i < s->needs.n; i++) {
        if (s->needs.at[i].kind != CF_STAND_IN) continue;
        cf_node n = s->needs.at[i].node;
        if (is_free(s, n)) continue;
        p->direct[n] = true;
        reach_points(p, n, s->needs.at[i].point);
    }
}

static void explain(plan *p);

void cf_plan(cf_sweep *s) {
    plan p = {.s = s, .n_nodes = s->v->n_values * (1 + s->width)};
    p.seen = CF_ARRAY(s->arena, bool, p.n_nodes);
    p.direct = CF_ARRAY(s->arena, bool, p.n_nodes);
    p.points = CF_ARRAY(s->arena, points, p.n_nodes);
    p.index = CF_ARRAY(s->arena, uint32_t, p.n_nodes);
    p.loggable = CF_ARRAY(s->arena, int8_t, s->v->n_values);
    p.store_index = CF_ARRAY(s->arena, uint32_t, s->v->n_values);
    s->clobbers = cf_clobbers_of(s->job, s->v);
    collect(&p);
    p.n_cut = FIRST + 2 * (uint32_t)p.node.n;
    p.cut = cf_cut_new(s->arena, p.n_cut + s->v->n_values + p.node.n); /* stores, sets of writers */
    for (size_t i = 0; i < p.node.n; i++) add_node(&p, p.node.at[i]);
    cf_cut_solve(p.cut, SOURCE, SINK);
    read_choices(&p);
    if (s->key->undo) log_everything(&p);
    settle_calls(&p);
    settle_customs(&p);
    cf_clobbers_free(s->clobbers);
    for (cf_id w = s->v->n_params; w < s->v->first_other; w++)
        if (s->logged[w]) ensure_undo(s, w);
    if (s->job->options.explain) explain(&p);
}

/* --- what was decided, as remarks --------------------------------------------------------------------------------------------------- */

static void remark(plan *p, cf_id v, const char *what) {
    LLVMValueRef x = p->s->v->value[v].value;
    cf_report(p->s->job->sink, CF_REMARK, l_place(x), l_name(p->s->v->function), "%s: %s",
              l_name(p->s->v->function), what);
}

static void explain(plan *p) {
    cf_sweep *s = p->s;
    for (size_t i = 0; i < p->node.n; i++) {
        cf_node n = p->node.at[i];
        cf_id v = value_of(s, n);
        const char *value = lane_of(s, n) ? "the shadow of a pointer" : "a value";
        uint64_t size = bytes(s, cf_type_of(s, v));
        if (s->choice[n] == CF_CACHE)
            remark(p, v,
                   cf_text(s->arena, "%s is kept: %llu bytes each time", value, (unsigned long long)size));
        else if (s->choice[n] == CF_RELOAD)
            remark(p, v, cf_text(s->arena, "%s is loaded again", value));
        else if (s->choice[n] == CF_RECOMPUTE)
            remark(p, v, cf_text(s->arena, "%s is recomputed", value));
    }
    for (cf_id w = s->v->n_params; w < s->v->first_other; w++)
        if (s->logged[w]) remark(p, w, "the memory that this store overwrites is logged");
}
