/* Clobbers: which instructions may overwrite what a load read, and when.
 *
 * In:     view; LLVM's alias analysis
 * Out:    for a load and the points of its uses: a hard clobber (between load and use), or the writers after
 * Needs:  the function as the view shows it                  Keeps: everything
 *
 * Idea: a writer is hard for (load, point) when a path leads from it to the point that does not pass the load; since the
 * load dominates the point, such a writer runs after the load. Found by walking backwards from the points to the load.
 */
#include "analysis/clobber.h"
#include "ir/meets.h"
#include "known/known.h"
#include "known/rules.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "support/bits.h"
#include "support/vec.h"

struct set {
    uint32_t n;
    const cf_id *at;
    struct set *next;
};

struct cf_clobbers {
    cf_job *job;
    const cf_view *v;
    cfx_analyses *lla;
    cf_map roots;  /* by pointer */
    cf_id *writer; /* every instruction that may write memory */
    uint32_t n_writers;
    cf_bits *reach;  /* by block: blocks that a path of at least one edge leads to */
    cf_bits **from;  /* by writer: loops that its operands were computed in; NULL: not asked */
    uint32_t *seen;  /* by value: the last writer for which it was looked at */
    cf_map objects;  /* what a pointer leads to → dense id + 1 */
    cf_map meet;     /* pair of ids of objects → whether they may be the same memory */
    cf_map writes;   /* pair of ids, of an instruction and an object → whether it may write there */
    cf_map sets;     /* hash → sets of writers */
    cf_names texts;  /* what addresses, places and stores are made of → id */
    uintptr_t *like; /* by writer: store_id; 0: not asked */
    cf_map hit;      /* pair of ids, of a store and a place → whether it may write there */
    uint8_t *mark;   /* by block: a point is reached from its end without passing the load */
    cf_id *work;
};

static bool is_mathematics(cf_job *job, LLVMValueRef f) {
    const cf_rule *rule = cf_rule_of(job, f);
    const cf_known *known = cf_known_of(f);
    return (rule && rule->kind == CF_RULE_PARTIALS) || (known && known->kind == CF_KNOWN_ZERO);
}

/* ---- what mathematical functions write beside their result: errno, and some of them signgam ---- */

static bool is_gamma(LLVMValueRef f) {
    static const char *const names[] = {"lgamma", "lgammaf", "lgammal", "gamma", "gammaf", "gammal"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(l_name(f), names[i])) return true;
    return false;
}

static bool is_used(LLVMValueRef v) { return v && LLVMGetFirstUse(v); }

/* The program looks at what the function writes aside. */
static bool writes_aside(cf_job *job, LLVMValueRef f) {
    if (l_is_intrinsic(f)) return false;
    if (is_gamma(f) && is_used(LLVMGetNamedGlobal(job->module, "signgam"))) return true;
    LLVMAttributeRef m = l_get(f, (unsigned)LLVMAttributeFunctionIndex, "memory");
    if (m && !(LLVMGetEnumAttributeValue(m) & 0xAAAAAAAA)) return false;
    return is_used(LLVMGetNamedFunction(job->module, "__errno_location"));
}

/* An object that may be errno or signgam: their own names, or one that comes from outside. */
static bool is_aside(LLVMValueRef object) {
    if (LLVMIsAGlobalVariable(object)) return !strcmp(l_name(object), "signgam");
    LLVMValueRef f = LLVMIsACallInst(object) ? l_callee(object) : NULL;
    const cf_known *k = f ? cf_known_of(f) : NULL;
    bool own = LLVMIsAAllocaInst(object) || (k && (k->kind == CF_KNOWN_ALLOC || k->kind == CF_KNOWN_ZALLOC));
    return !own;
}

/* ---- what never writes ---- */

static bool is_said_to_read(LLVMValueRef f) {
    LLVMAttributeRef m = l_get(f, (unsigned)LLVMAttributeFunctionIndex, "memory");
    return m && !(LLVMGetEnumAttributeValue(m) & 0xAAAAAAAA);
}

static cf_met writes(void *data, LLVMValueRef i) {
    cf_job *job = data;
    if (LLVMIsACallInst(i)) {
        LLVMValueRef f = l_callee(i);
        if (!f) return CF_MET_IT;
        if (is_mathematics(job, f)) return writes_aside(job, f) ? CF_MET_IT : CF_MET_NOTHING;
        if (l_is_marker(f) || is_said_to_read(f)) return CF_MET_NOTHING;
        return LLVMGetFirstBasicBlock(f) ? CF_MET_CALL : CF_MET_IT;
    }
    bool it = LLVMIsAInvokeInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) ||
              LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i) || LLVMIsAVAArgInst(i);
    return it ? CF_MET_IT : CF_MET_NOTHING;
}

/* By what LLVM has inferred, or by a look at the body: LLVM does not look into a function that is kept for a rule of the
 * user's, and does not know that errno and signgam are no concern here. */
static bool never_writes(cf_job *job, LLVMValueRef f) {
    if (is_said_to_read(f)) return true;
    return LLVMGetFirstBasicBlock(f) && !cf_meets(job, &job->writing, f, writes, job);
}

static bool may_write(const cf_clobbers *c, cf_id i) {
    const cf_view *v = c->v;
    LLVMValueRef x = v->value[i].value;
    switch (v->value[i].op) {
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMVAArg: return true;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr: {
        LLVMValueRef f = l_callee(x);
        if (!f) return true;
        if (l_is_marker(f) || l_is_intrinsic_of(f, "llvm.lifetime.start") ||
            l_is_intrinsic_of(f, "llvm.lifetime.end") || l_is_intrinsic_of(f, "llvm.stacksave") ||
            l_is_intrinsic_of(f, "llvm.stackrestore"))
            return false;
        if (is_mathematics(c->job, f)) return writes_aside(c->job, f);
        const cf_known *k = cf_known_of(f);
        /* Frees are put off until the reverse sweep is done; new memory is nobody else's. */
        if (k && (k->kind == CF_KNOWN_FREE || k->kind == CF_KNOWN_ALLOC || k->kind == CF_KNOWN_ZALLOC ||
                  k->kind == CF_KNOWN_ZERO || k->kind == CF_KNOWN_NORETURN))
            return false;
        return !never_writes(c->job, f);
    }
    default: return false;
    }
}

static void find_writers(cf_clobbers *c) {
    const cf_view *v = c->v;
    c->writer = CF_ARRAY(c->job->arena, cf_id, v->n_values);
    for (cf_id i = v->n_params; i < v->first_other; i++)
        if (may_write(c, i)) c->writer[c->n_writers++] = i;
}

static void find_reach(cf_clobbers *c) {
    const cf_view *v = c->v;
    c->reach = CF_ARRAY(c->job->arena, cf_bits, v->n_blocks);
    for (cf_id b = 0; b < v->n_blocks; b++) c->reach[b] = cf_bits_new(c->job->arena, v->n_blocks);
    for (bool changed = true; changed;) {
        changed = false;
        for (cf_id b = v->n_blocks; b-- > 0;)
            for (uint32_t k = 0; k < v->block[b].n_succs; k++) {
                cf_id s = v->block[b].succ[k];
                changed |= cf_set_bit(&c->reach[b], s);
                changed |= cf_bits_join(&c->reach[b], &c->reach[s]);
            }
    }
}

cf_clobbers *cf_clobbers_of(cf_job *job, const cf_view *view) {
    cf_clobbers *c = CF_NEW(job->arena, cf_clobbers);
    c->job = job;
    c->v = view;
    c->lla = cfx_analyses_new(job->module);
    c->from = CF_ARRAY(job->arena, cf_bits *, view->n_values);
    c->like = CF_ARRAY(job->arena, uintptr_t, view->n_values);
    c->seen = CF_ARRAY(job->arena, uint32_t, view->n_values);
    c->mark = CF_ARRAY(job->arena, uint8_t, view->n_blocks);
    c->work = CF_ARRAY(job->arena, cf_id, view->n_blocks);
    find_writers(c);
    find_reach(c);
    return c;
}

void cf_clobbers_free(cf_clobbers *c) {
    cfx_analyses_free(c->lla);
    c->lla = NULL;
}

static bool after(const cf_clobbers *c, cf_id i, cf_id later) {
    cf_id a = c->v->value[i].block, b = c->v->value[later].block;
    return (a == b && i < later) || cf_bit(&c->reach[a], b);
}

/* --- may a writer hit what a load read? ---------------------------------------------------------------------------
 *
 * LLVM answers for values of one iteration. When load and writer share a loop, the writer's next iterations matter; when
 * the writer's address was computed in the load's loop, from the last iteration's values (`p[-1] = 0` behind a loop over
 * *p++), the load's other iterations do. Then the objects are compared that the pointers come from, whatever their
 * offsets and through all phis. */

enum { MOST_ROOTS = 8 };

typedef struct roots {
    LLVMValueRef at[MOST_ROOTS];
    unsigned n;
    bool all; /* false: there are more */
} roots;

static void add_roots(roots *r, cf_map *seen, cf_arena *a, LLVMValueRef p) {
    if (cf_map_get(seen, p)) return;
    cf_map_put(a, seen, p, p);
    LLVMOpcode op = LLVMIsAInstruction(p) ? LLVMGetInstructionOpcode(p) : 0;
    if (op == LLVMPHI) {
        for (unsigned k = 0; k < LLVMCountIncoming(p); k++) add_roots(r, seen, a, LLVMGetIncomingValue(p, k));
    } else if (op == LLVMSelect) {
        add_roots(r, seen, a, LLVMGetOperand(p, 1));
        add_roots(r, seen, a, LLVMGetOperand(p, 2));
    } else if (op == LLVMGetElementPtr || op == LLVMBitCast || op == LLVMFreeze || op == LLVMAddrSpaceCast) {
        add_roots(r, seen, a, LLVMGetOperand(p, 0));
    } else if (r->n == MOST_ROOTS) {
        r->all = false;
    } else {
        r->at[r->n++] = cfx_underlying(p);
    }
}

static const roots *roots_of(cf_clobbers *c, LLVMValueRef p) {
    roots *r = cf_map_get(&c->roots, p);
    if (r) return r;
    r = CF_NEW(c->job->arena, roots);
    r->all = true;
    cf_map seen = {0};
    add_roots(r, &seen, c->job->arena, p);
    cf_map_put(c->job->arena, &c->roots, p, r);
    return r;
}

/* Answers about whole objects, which are asked again and again. */
static uintptr_t object_id(cf_clobbers *c, LLVMValueRef object) {
    uintptr_t id = (uintptr_t)cf_map_get(&c->objects, object);
    if (id) return id;
    id = c->objects.n + 1;
    cf_map_put(c->job->arena, &c->objects, object, (void *)id);
    return id;
}

static const void *pair_key(uintptr_t a, uintptr_t b) { return (const void *)((a << 32 | b) << 4); }

static const char yes, no;

static bool keep_answer(cf_clobbers *c, cf_map *answers, const void *key, bool answer) {
    cf_map_put(c->job->arena, answers, key, (void *)(uintptr_t)(answer ? &yes : &no));
    return answer;
}

static bool objects_meet(cf_clobbers *c, LLVMValueRef a, LLVMValueRef b) {
    const void *key = pair_key(object_id(c, a), object_id(c, b));
    const char *known = cf_map_get(&c->meet, key);
    if (known) return known == &yes;
    return keep_answer(c, &c->meet, key, cfx_alias(c->lla, c->v->function, a, -1, b, -1) != CFX_NO_ALIAS);
}

/* Whether an instruction that is no store may write anywhere in an object. An instruction may be an object, too. */
static bool writes_object(cf_clobbers *c, cf_id w, LLVMValueRef object) {
    LLVMValueRef i = c->v->value[w].value;
    const void *key = pair_key(object_id(c, i), object_id(c, object));
    const char *known = cf_map_get(&c->writes, key);
    if (known) return known == &yes;
    return keep_answer(c, &c->writes, key, cfx_modref(c->lla, c->v->function, i, object, -1) & 2);
}

static bool share_loop(const cf_view *v, cf_id i, cf_id j) {
    cf_id l = v->block[v->value[i].block].loop;
    while (l != CF_NONE && !cf_loop_contains(v, l, v->value[j].block)) l = v->loop[l].parent;
    return l != CF_NONE;
}

static bool hits_any_iteration(cf_clobbers *c, LLVMValueRef p, cf_id w) {
    const cf_view *v = c->v;
    const roots *r = roots_of(c, p);
    if (!r->all) return true;
    bool store = v->value[w].op == LLVMStore;
    const roots *q = store ? roots_of(c, v->value[v->value[w].operand[1]].value) : NULL;
    if (q && !q->all) return true;
    for (unsigned i = 0; i < r->n; i++) {
        if (!store && writes_object(c, w, r->at[i])) return true;
        for (unsigned j = 0; q && j < q->n; j++)
            if (objects_meet(c, r->at[i], q->at[j])) return true;
    }
    return false;
}

/* The loops in which the operands of a writer were computed, as far as SSA values show it. */
static const cf_bits *loops_behind(cf_clobbers *c, cf_id w) {
    if (c->from[w]) return c->from[w];
    const cf_view *v = c->v;
    cf_bits *loops = c->from[w] = CF_NEW(c->job->arena, cf_bits);
    *loops = cf_bits_new(c->job->arena, v->n_loops);
    CF_VEC(cf_id) work = {0};
    bool store = v->value[w].op == LLVMStore;
    for (uint32_t k = store; k < v->value[w].n; k++) cf_push(c->job->arena, &work, v->value[w].operand[k]);
    while (work.n) {
        cf_id i = work.at[--work.n];
        if (i == CF_NONE || !cf_is_inst(v, i) || c->seen[i] == w + 1) continue;
        c->seen[i] = w + 1;
        for (cf_id l = v->block[v->value[i].block].loop; l != CF_NONE; l = v->loop[l].parent)
            cf_set_bit(loops, l);
        for (uint32_t k = 0; k < v->value[i].n && v->value[i].op != LLVMLoad; k++)
            cf_push(c->job->arena, &work, v->value[i].operand[k]);
    }
    return loops;
}

static bool comes_out_of_loop(cf_clobbers *c, cf_id i, cf_id w) {
    cf_id l = c->v->block[c->v->value[i].block].loop;
    return l != CF_NONE && cf_bit(loops_behind(c, w), l);
}

static bool is_mathematics_call(const cf_clobbers *c, cf_id w) {
    LLVMValueRef x = c->v->value[w].value, f = LLVMIsACallInst(x) ? l_callee(x) : NULL;
    return f && is_mathematics(c->job, f);
}

/* --- the same question ---------------------------------------------------------------------------------------------
 *
 * Many accesses have one address, computed anew for each: they are told by a text of what they are made of. */

typedef struct place {
    LLVMValueRef p;
    int64_t bytes; /* -1: unknown */
    uintptr_t id;  /* the same for what is made of the same */
} place;

static uintptr_t id_of_text(cf_clobbers *c, const char *text) {
    uintptr_t id = (uintptr_t)cf_names_get(&c->texts, text);
    if (!id) cf_names_put(c->job->arena, &c->texts, text, (void *)(id = c->texts.n + 1));
    return id;
}

static uintptr_t address_id(cf_clobbers *c, LLVMValueRef p) {
    cf_arena *a = c->job->arena;
    if (!LLVMIsAGetElementPtrInst(p)) return id_of_text(c, cf_text(a, "%p", (void *)p));
    const char *text = cf_text(a, "gep %zu %p %u", (size_t)address_id(c, LLVMGetOperand(p, 0)),
                               (void *)LLVMGetGEPSourceElementType(p), (unsigned)LLVMGEPGetNoWrapFlags(p));
    for (int k = 1; k < LLVMGetNumOperands(p); k++)
        text = cf_text(a, "%s %p", text, (void *)LLVMGetOperand(p, (unsigned)k));
    return id_of_text(c, text);
}

static place place_at(cf_clobbers *c, LLVMValueRef p, int64_t bytes) {
    size_t address = address_id(c, p);
    const char *text = cf_text(c->job->arena, "place %zu %lld", address, (long long)bytes);
    return (place){p, bytes, id_of_text(c, text)};
}

/* Stores of one type to one address, of which the same is known. */
static uintptr_t store_id(cf_clobbers *c, cf_id w) {
    if (c->like[w]) return c->like[w];
    cf_arena *a = c->job->arena;
    LLVMValueRef store = c->v->value[w].value;
    const char *text = cf_text(a, "store %zu %p %d", (size_t)address_id(c, LLVMGetOperand(store, 1)),
                               (void *)LLVMTypeOf(LLVMGetOperand(store, 0)), (int)LLVMGetOrdering(store));
    static const char *const kinds[] = {"tbaa", "alias.scope", "noalias"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        text = cf_text(a, "%s %p", text, (void *)l_metadata(store, kinds[k]));
    return c->like[w] = id_of_text(c, text);
}

static bool store_hits(cf_clobbers *c, const place *at, cf_id w) {
    const void *key = pair_key(store_id(c, w), at->id);
    const char *known = cf_map_get(&c->hit, key);
    if (known) return known == &yes;
    LLVMValueRef store = c->v->value[w].value;
    bool hit = objects_meet(c, cfx_underlying(at->p), cfx_underlying(LLVMGetOperand(store, 1))) &&
               (cfx_modref(c->lla, c->v->function, store, at->p, at->bytes) & 2);
    return keep_answer(c, &c->hit, key, hit);
}

static bool hits(cf_clobbers *c, cf_id i, const place *at, cf_id w) {
    const cf_view *v = c->v;
    if (is_mathematics_call(c, w)) return is_aside(cfx_underlying(at->p));
    if (share_loop(v, i, w) || comes_out_of_loop(c, i, w)) return hits_any_iteration(c, at->p, w);
    if (v->value[w].op == LLVMStore) return store_hits(c, at, w);
    return writes_object(c, w, cfx_underlying(at->p)) &&
           (cfx_modref(c->lla, v->function, v->value[w].value, at->p, at->bytes) & 2);
}

/* Marks the blocks from whose end a point is reached without passing the load. */
static void mark_back(cf_clobbers *c, cf_id load, const uint32_t *points, uint32_t n) {
    const cf_view *v = c->v;
    cf_id home = v->value[load].block;
    uint32_t todo = 0;
    memset(c->mark, 0, v->n_blocks);
    for (uint32_t k = 0; k < n; k++) {
        cf_id b = v->value[points[k] / 2].block;
        if (b == home && 2 * load < points[k]) continue;
        for (uint32_t p = 0; p < v->block[b].n_preds; p++)
            if (!c->mark[v->block[b].pred[p]]) c->mark[c->work[todo++] = v->block[b].pred[p]] = 1;
    }
    while (todo) {
        cf_id b = c->work[--todo];
        if (b == home) continue;
        for (uint32_t p = 0; p < v->block[b].n_preds; p++)
            if (!c->mark[v->block[b].pred[p]]) c->mark[c->work[todo++] = v->block[b].pred[p]] = 1;
    }
}

static bool is_hard(const cf_clobbers *c, cf_id load, cf_id w, const uint32_t *points, uint32_t n) {
    const cf_view *v = c->v;
    cf_id home = v->value[load].block, b = v->value[w].block;
    if (c->mark[b] && !(b == home && w < load)) return true;
    for (uint32_t k = 0; k < n; k++) {
        cf_id i = points[k] / 2;
        if (v->value[i].block != b || 2 * w >= points[k]) continue;
        if (b == home && w < load && load < i) continue;
        return true;
    }
    return false;
}

/* Loads of one array in one loop have the same writers: one set, so that the plan stays small. */
static const cf_id *one_set(cf_clobbers *c, const cf_id *at, uint32_t n) {
    uint64_t hash = 14695981039346656037u;
    for (uint32_t k = 0; k < n; k++) hash = (hash ^ at[k]) * 1099511628211u;
    const void *key = (const void *)(uintptr_t)(hash | 1);
    struct set *first = cf_map_get(&c->sets, key), *x = first;
    while (x && (x->n != n || memcmp(x->at, at, n * sizeof *at))) x = x->next;
    if (x) return x->at;
    x = CF_NEW(c->job->arena, struct set);
    cf_id *copy = CF_ARRAY(c->job->arena, cf_id, n + 1);
    if (n) memcpy(copy, at, n * sizeof *at);
    *x = (struct set){n, copy, first};
    cf_map_put(c->job->arena, &c->sets, key, x);
    return copy;
}

/* What so many stores threaten is as good as lost. */
enum { MOST_THREATS = 2000 };

cf_threats cf_threats_to(cf_clobbers *c, cf_id load, const uint32_t *points, uint32_t n_points) {
    place at = place_at(c, c->v->value[c->v->value[load].operand[0]].value,
                        (int64_t)l_size(c->job->module, c->v->value[load].type));
    cf_id soft[MOST_THREATS];
    cf_threats t = {0};
    bool marked = false;
    for (uint32_t k = 0; k < c->n_writers && !t.hard; k++) {
        cf_id w = c->writer[k];
        if (!after(c, load, w) || !hits(c, load, &at, w)) continue;
        if (!marked) mark_back(c, load, points, n_points);
        marked = true;
        t.hard = t.n == MOST_THREATS || is_hard(c, load, w, points, n_points);
        if (!t.hard) soft[t.n++] = w;
    }
    if (!t.hard) t.writer = one_set(c, soft, t.n);
    return t;
}

cf_threats cf_writers_after(cf_clobbers *c, cf_id i, cf_id pointer) {
    place at = place_at(c, c->v->value[pointer].value, -1);
    cf_id *found = CF_ARRAY(c->job->arena, cf_id, c->n_writers);
    cf_threats t = {.writer = found};
    for (uint32_t k = 0; k < c->n_writers; k++) {
        cf_id w = c->writer[k];
        if (after(c, i, w) && hits(c, i, &at, w)) found[t.n++] = w;
    }
    return t;
}

/* Whether a call may read what a store writes, in any iteration. */
static bool reads_written(cf_clobbers *c, cf_id call, cf_id w) {
    const cf_view *v = c->v;
    if (v->value[w].op != LLVMStore) return true;
    const roots *r = roots_of(c, v->value[v->value[w].operand[1]].value);
    for (unsigned i = 0; i < r->n; i++)
        if (cfx_modref(c->lla, v->function, v->value[call].value, r->at[i], -1) & 1) return true;
    return !r->all;
}

cf_threats cf_writers_of_call(cf_clobbers *c, cf_id call) {
    cf_id *found = CF_ARRAY(c->job->arena, cf_id, c->n_writers);
    cf_threats t = {.writer = found};
    for (uint32_t k = 0; k < c->n_writers; k++) {
        cf_id w = c->writer[k];
        if (after(c, call, w) && reads_written(c, call, w)) found[t.n++] = w;
    }
    return t;
}
