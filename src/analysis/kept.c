/* Numbers that a mutable global keeps from one request to the next.
 *
 * In:     what the modes tell: loads and stores of numbers in globals, functions that requests begin with
 * Out:    warnings
 * Needs:  the functions of the program as they were differentiated
 * Keeps:  everything
 *
 * Idea: a load is exposed if a path from the beginning of a request leads to it without a write to the global. A loop that
 * writes is taken to write, though it may have no iteration; so is a call of a function that writes somewhere. What is
 * stored counts if it is computed from something else than the global. */
#include "analysis/kept.h"
#include "ir/reach.h"
#include "ir/view.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "support/bits.h"
#include "support/vec.h"

struct cf_kept {
    cf_map roots, allowed, seen;
    CF_VEC(LLVMValueRef) loads;
    cf_map stored; /* globals */
};

static struct cf_kept *of(cf_job *job) {
    if (!job->kept) job->kept = CF_NEW(job->arena, struct cf_kept);
    return job->kept;
}

static LLVMValueRef pointer_of(LLVMValueRef i) { return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0); }

/* The mutable global that a load or a store goes to, or NULL. */
static LLVMValueRef global_of(LLVMValueRef i) {
    LLVMValueRef g = cfx_underlying(pointer_of(i));
    return LLVMIsAGlobalVariable(g) && !LLVMIsGlobalConstant(g) ? g : NULL;
}

void cf_kept_root(cf_job *job, LLVMValueRef f) { cf_map_put(job->arena, &of(job)->roots, f, f); }
void cf_kept_allow(cf_job *job, LLVMValueRef g) { cf_map_put(job->arena, &of(job)->allowed, g, g); }

/* A number that is only compared has no part in the derivative. */
static bool is_computed_with(LLVMValueRef load) {
    for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u))
        if (!LLVMIsAFCmpInst(LLVMGetUser(u))) return true;
    return false;
}

void cf_kept_load(cf_job *job, LLVMValueRef load) {
    struct cf_kept *k = of(job);
    if (!l_is_number_type(LLVMTypeOf(load)) || !global_of(load) || !is_computed_with(load)) return;
    if (cf_map_get(&k->seen, load)) return;
    cf_map_put(job->arena, &k->seen, load, load);
    cf_push(job->arena, &k->loads, load);
}

/* Whether a number is computed from anything but constants and what the global holds. */
static bool has_other_source(cf_job *job, LLVMValueRef first, LLVMValueRef global) {
    cf_map seen = {0};
    CF_VEC(LLVMValueRef) work = {0};
    cf_push(job->arena, &work, first);
    while (work.n) {
        LLVMValueRef v = work.at[--work.n];
        if (l_is_constant(v) || !l_is_number_type(LLVMTypeOf(v)) || cf_map_get(&seen, v)) continue;
        cf_map_put(job->arena, &seen, v, v);
        if (!LLVMIsAInstruction(v)) return true;
        if (LLVMIsALoadInst(v)) {
            if (cfx_underlying(pointer_of(v)) != global) return true;
            continue;
        }
        bool body = LLVMIsACallInst(v) && (!l_callee(v) || !LLVMIsDeclaration(l_callee(v)));
        if (body || LLVMIsAInvokeInst(v)) return true;
        for (int k = 0; k < LLVMGetNumOperands(v); k++)
            cf_push(job->arena, &work, LLVMGetOperand(v, (unsigned)k));
    }
    return false;
}

void cf_kept_store(cf_job *job, LLVMValueRef store) {
    struct cf_kept *k = of(job);
    LLVMValueRef g = global_of(store), v = LLVMGetOperand(store, 0);
    if (!g || cf_map_get(&k->stored, g) || !l_is_number_type(LLVMTypeOf(v))) return;
    if (has_other_source(job, v, g)) cf_map_put(job->arena, &k->stored, g, g);
}

void cf_kept_reach(cf_job *job, cf_map *reached) {
    const void *f;
    void *same;
    for (size_t i = 0; cf_map_next(&of(job)->roots, &i, &f, &same);) cf_reach(job->arena, same, reached);
}

bool cf_kept_stores(cf_job *job, LLVMValueRef g) { return cf_map_get(&of(job)->stored, g) != NULL; }

/* ---- writes ---- */

/* Of one global, while exposed loads are looked for. */
typedef struct search {
    cf_job *job;
    LLVMValueRef global;
    cf_map writes;  /* functions that write it: asked before; maps to itself if so, else to the search */
    cf_map exposed; /* functions whose beginning was asked for */
} search;

static bool function_writes(search *s, LLVMValueRef f);

static bool instruction_writes(search *s, LLVMValueRef i) {
    if (LLVMIsAStoreInst(i)) return cfx_underlying(pointer_of(i)) == s->global;
    if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) return false;
    LLVMValueRef f = l_callee(i);
    if (!f) return false;
    if (!LLVMIsDeclaration(f)) return function_writes(s, f);
    bool bulk = l_begins(l_name(f), "llvm.mem") || l_begins(l_name(f), "mem");
    return bulk && cfx_underlying(LLVMGetOperand(i, 0)) == s->global;
}

static bool function_writes(search *s, LLVMValueRef f) {
    void *known = cf_map_get(&s->writes, f);
    if (known) return known == f;
    cf_map_put(s->job->arena, &s->writes, f, s); /* whoever asked first looks at it */
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (instruction_writes(s, i)) {
                cf_map_put(s->job->arena, &s->writes, f, f);
                return true;
            }
    return false;
}

/* ---- ways ---- */

/* Where a way ends that comes by the write in block w: there, or at the outermost loop around it that does not hold `to`. */
static cf_id end_of_way(const cf_view *v, cf_id w, cf_id to) {
    cf_id at = w;
    for (cf_id l = v->block[w].loop; l != CF_NONE && !cf_loop_contains(v, l, to); l = v->loop[l].parent)
        at = v->loop[l].header;
    return at;
}

/* Whether a way leads from the beginning of a function to an instruction without a write. */
static bool reached(search *s, const cf_view *v, LLVMValueRef target) {
    cf_id t = cf_view_id(v, target);
    if (t == CF_NONE) return false;
    cf_id to = v->value[t].block;
    cf_bits ends = cf_bits_new(s->job->arena, v->n_blocks), seen = cf_bits_new(s->job->arena, v->n_blocks);
    for (cf_id i = v->n_params; i < v->first_other; i++) {
        if (!instruction_writes(s, v->value[i].value)) continue;
        if (v->value[i].block == to && i < t) return false;
        if (v->value[i].block != to) cf_set_bit(&ends, end_of_way(v, v->value[i].block, to));
    }
    CF_VEC(cf_id) work = {0};
    cf_push(s->job->arena, &work, 0);
    while (work.n) {
        cf_id b = work.at[--work.n];
        if (!cf_set_bit(&seen, b)) continue;
        if (b == to) return true;
        if (cf_bit(&ends, b)) continue;
        for (uint32_t k = 0; k < v->block[b].n_succs; k++) cf_push(s->job->arena, &work, v->block[b].succ[k]);
    }
    return false;
}

/* Whether a request may come to the instruction before it writes: in its function, and to the call of that. */
static bool is_exposed(search *s, LLVMValueRef i) {
    LLVMValueRef f = l_function_of(i);
    if (!reached(s, cf_view_import(s->job, f), i)) return false;
    if (cf_map_get(&of(s->job)->roots, f)) return true;
    if (cf_map_get(&s->exposed, f)) return false; /* whoever asked first goes on */
    cf_map_put(s->job->arena, &s->exposed, f, f);
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        bool calls = (LLVMIsACallInst(call) || LLVMIsAInvokeInst(call)) && l_callee(call) == f;
        if (calls && !l_has_text(l_function_of(call), "cf-made") && is_exposed(s, call)) return true;
    }
    return false;
}

static void warn(cf_job *job, LLVMValueRef load, LLVMValueRef global) {
    cf_report(job->sink, CF_WARNING, l_place(load), l_shown(l_function_of(load)),
              "`%s` keeps numbers from one request to the next: here the request may read one before it has "
              "written it; "
              "that counts as a constant, also if an earlier call computed it from the inputs. Write the "
              "global before "
              "it is read, or say that it is meant: CF_KEPT(%s)",
              l_shown(global), l_shown(global));
}

void cf_kept_warn(cf_job *job) {
    struct cf_kept *k = of(job);
    for (size_t i = 0; i < k->loads.n; i++) {
        LLVMValueRef load = k->loads.at[i], g = global_of(load);
        if (!g || !cf_map_get(&k->stored, g) || cf_map_get(&k->allowed, g)) continue;
        search s = {.job = job, .global = g};
        if (!is_exposed(&s, load)) continue;
        warn(job, load, g);
        cf_kept_allow(job, g); /* once */
    }
}
