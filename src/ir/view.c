/* Import of a function into the view.
 *
 * Dominators: Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm", 2001. Loops: natural loops of back edges,
 * by backward walks from the latches, inner headers after outer ones in reverse post-order. */
#include "ir/view.h"
#include "llvm/l.h"
#include <string.h>

typedef struct import {
    cf_job *job;
    cf_view *v;
} import;

/* --- blocks ------------------------------------------------------------------------------------------------- */

typedef struct frame {
    LLVMBasicBlockRef block;
    unsigned next;
} frame;

/* Post-order by an explicit stack: functions may be deep. */
static void order_blocks(import *im) {
    cf_view *v = im->v;
    cf_arena *a = im->job->arena;
    unsigned n = LLVMCountBasicBlocks(v->function);
    frame *stack = CF_ARRAY(a, frame, n + 1);
    LLVMBasicBlockRef *post = CF_ARRAY(a, LLVMBasicBlockRef, n);
    cf_map seen = {0};
    unsigned depth = 0, done = 0;
    stack[depth++].block = LLVMGetEntryBasicBlock(v->function);
    cf_map_put(a, &seen, stack[0].block, stack);
    while (depth) {
        frame *f = &stack[depth - 1];
        LLVMValueRef t = LLVMGetBasicBlockTerminator(f->block);
        if (t && f->next < LLVMGetNumSuccessors(t)) {
            LLVMBasicBlockRef s = LLVMGetSuccessor(t, f->next++);
            if (cf_map_get(&seen, s)) continue;
            cf_map_put(a, &seen, s, stack);
            stack[depth++] = (frame){s, 0};
        } else {
            post[done++] = f->block;
            depth--;
        }
    }
    v->n_blocks = done;
    v->block = CF_ARRAY(a, cf_block, done);
    for (unsigned i = 0; i < done; i++) {
        v->block[i].block = post[done - 1 - i];
        cf_map_put(a, &v->block_ids, v->block[i].block, (void *)(uintptr_t)(i + 1));
    }
}

static void link_blocks(import *im) {
    cf_view *v = im->v;
    cf_arena *a = im->job->arena;
    for (cf_id b = 0; b < v->n_blocks; b++) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(v->block[b].block);
        cf_block *k = &v->block[b];
        k->n_succs = LLVMGetNumSuccessors(t);
        k->succ = CF_ARRAY(a, cf_id, k->n_succs);
        for (unsigned i = 0; i < k->n_succs; i++) {
            k->succ[i] = cf_view_block(v, LLVMGetSuccessor(t, i));
            v->block[k->succ[i]].n_preds++;
        }
    }
    for (cf_id b = 0; b < v->n_blocks; b++) {
        v->block[b].pred = CF_ARRAY(a, cf_id, v->block[b].n_preds);
        v->block[b].n_preds = 0;
    }
    for (cf_id b = 0; b < v->n_blocks; b++) {
        for (unsigned i = 0; i < v->block[b].n_succs; i++) {
            cf_block *s = &v->block[v->block[b].succ[i]];
            if (!s->n_preds || s->pred[s->n_preds - 1] != b) s->pred[s->n_preds++] = b;
        }
    }
}

/* Backward from the blocks where the function ends, except those that are never reached. */
static void find_returning(import *im) {
    cf_view *v = im->v;
    cf_id *work = CF_ARRAY(im->job->arena, cf_id, v->n_blocks), n = 0;
    for (cf_id b = 0; b < v->n_blocks; b++) {
        if (v->block[b].n_succs || LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(v->block[b].block)))
            continue;
        v->block[b].can_return = true;
        work[n++] = b;
    }
    while (n) {
        const cf_block *b = &v->block[work[--n]];
        for (unsigned i = 0; i < b->n_preds; i++) {
            if (v->block[b->pred[i]].can_return) continue;
            v->block[b->pred[i]].can_return = true;
            work[n++] = b->pred[i];
        }
    }
}

/* --- dominators ----------------------------------------------------------------------------------------------- */

static cf_id intersect(const cf_view *v, cf_id a, cf_id b) {
    while (a != b) {
        while (a > b) a = v->block[a].idom;
        while (b > a) b = v->block[b].idom;
    }
    return a;
}

static void find_dominators(cf_view *v) {
    for (cf_id b = 0; b < v->n_blocks; b++) v->block[b].idom = CF_NONE;
    v->block[0].idom = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (cf_id b = 1; b < v->n_blocks; b++) {
            cf_id new = CF_NONE;
            for (unsigned i = 0; i < v->block[b].n_preds; i++) {
                cf_id p = v->block[b].pred[i];
                if (v->block[p].idom == CF_NONE) continue;
                new = new == CF_NONE ? p : intersect(v, p, new);
            }
            changed |= v->block[b].idom != new;
            v->block[b].idom = new;
        }
    }
    v->block[0].idom = CF_NONE;
    for (cf_id b = 1; b < v->n_blocks; b++) v->block[b].dom_depth = v->block[v->block[b].idom].dom_depth + 1;
}

/* In reverse post-order a block comes after its dominators. */
static void number_dominators(import *im) {
    cf_view *v = im->v;
    uint32_t *below = CF_ARRAY(im->job->arena, uint32_t, v->n_blocks),
             *next = CF_ARRAY(im->job->arena, uint32_t, v->n_blocks);
    for (cf_id b = v->n_blocks; b-- > 1;) below[v->block[b].idom] += below[b] + 1;
    for (cf_id b = 0; b < v->n_blocks; b++) {
        cf_block *x = &v->block[b];
        if (b) {
            x->pre = next[x->idom];
            next[x->idom] += below[b] + 1;
        }
        x->last = x->pre + below[b];
        next[b] = x->pre + 1;
    }
}

bool cf_dominates(const cf_view *v, cf_id block, cf_id other) {
    return v->block[block].pre <= v->block[other].pre && v->block[other].pre <= v->block[block].last;
}

/* --- loops ------------------------------------------------------------------------------------------------------ */

/* Claims the body of the loop with this header for it: a backward walk from its latches. Blocks that an inner loop has
 * claimed already stand for that whole loop. Inner headers come later in reverse post-order, so loops are found from
 * the last header to the first. */
static void claim(import *im, cf_id loop, cf_id *work) {
    cf_view *v = im->v;
    cf_id header = v->loop[loop].header;
    unsigned n = 0;
    for (unsigned i = 0; i < v->block[header].n_preds; i++) {
        cf_id p = v->block[header].pred[i];
        if (cf_dominates(v, header, p)) work[n++] = p;
    }
    while (n) {
        cf_id b = work[--n], l = v->block[b].loop;
        if (l == CF_NONE) {
            v->block[b].loop = loop;
            if (b == header) continue;
        } else {
            while (v->loop[l].parent != CF_NONE) l = v->loop[l].parent;
            if (l == loop) continue;
            v->loop[l].parent = loop;
            b = v->loop[l].header;
        }
        for (unsigned i = 0; i < v->block[b].n_preds; i++) work[n++] = v->block[b].pred[i];
    }
    if (v->block[header].loop == CF_NONE) v->block[header].loop = loop;
}

bool cf_loop_contains(const cf_view *v, cf_id loop, cf_id block) {
    cf_id l = v->block[block].loop;
    while (l != CF_NONE && l != loop) l = v->loop[l].parent;
    return l == loop;
}

bool cf_loop_has_form(const cf_view *v, cf_id loop) {
    const cf_loop *l = &v->loop[loop];
    for (uint32_t e = 0; e < l->n_exits; e++) {
        const cf_block *x = &v->block[l->exit[e]];
        for (uint32_t k = 0; k < x->n_preds; k++)
            if (!cf_loop_contains(v, loop, x->pred[k])) return false;
    }
    return l->preheader != CF_NONE && l->latch != CF_NONE;
}

/* Fills preheader and latch of a loop. */
static void describe_loop(cf_view *v, cf_id loop) {
    cf_loop *l = &v->loop[loop];
    const cf_block *h = &v->block[l->header];
    l->preheader = l->latch = l->iv = l->last = l->exiting = CF_NONE;
    unsigned inside = 0, outside = 0;
    for (unsigned i = 0; i < h->n_preds; i++) {
        bool in = cf_loop_contains(v, loop, h->pred[i]);
        if (in && !inside++) l->latch = h->pred[i];
        if (!in && !outside++) l->preheader = h->pred[i];
    }
    if (inside != 1) l->latch = CF_NONE;
    if (outside != 1 || v->block[l->preheader].n_succs != 1) l->preheader = CF_NONE;
}

static void add_exit(cf_view *v, cf_loop *l, cf_id from, cf_id to) {
    if (v->block[to].can_return) {
        l->n_exiting++;
        l->exiting = from;
    }
    unsigned k = 0;
    while (k < l->n_exits && l->exit[k] != to) k++;
    if (k == l->n_exits) l->exit[l->n_exits++] = to;
}

/* Each edge that leaves loops, for every one of them: first counted, then noted. */
static void find_exits(import *im) {
    cf_view *v = im->v;
    uint32_t *edges = CF_ARRAY(im->job->arena, uint32_t, v->n_loops + 1);
    for (int noting = 0; noting < 2; noting++) {
        for (cf_id b = 0; b < v->n_blocks; b++)
            for (unsigned i = 0; i < v->block[b].n_succs; i++) {
                cf_id s = v->block[b].succ[i], l = v->block[b].loop;
                for (; l != CF_NONE && !cf_loop_contains(v, l, s); l = v->loop[l].parent) {
                    if (noting)
                        add_exit(v, &v->loop[l], b, s);
                    else
                        edges[l]++;
                }
            }
        for (cf_id l = 0; l < v->n_loops && !noting; l++)
            v->loop[l].exit = CF_ARRAY(im->job->arena, cf_id, edges[l]);
    }
}

static void find_loops(import *im) {
    cf_view *v = im->v;
    cf_arena *a = im->job->arena;
    size_t edges = 1;
    cf_id *header = CF_ARRAY(a, cf_id, v->n_blocks);
    for (cf_id b = 0; b < v->n_blocks; b++) {
        v->block[b].loop = CF_NONE;
        bool is_header = false;
        for (unsigned i = 0; i < v->block[b].n_preds; i++) {
            cf_id p = v->block[b].pred[i];
            edges++;
            is_header |= cf_dominates(v, b, p);
            v->irreducible |= p >= b && !cf_dominates(v, b, p);
        }
        if (is_header) header[v->n_loops++] = b;
    }
    v->loop = CF_ARRAY(a, cf_loop, v->n_loops + 1);
    cf_id *work = CF_ARRAY(a, cf_id, edges + v->n_blocks);
    for (cf_id l = v->n_loops; l-- > 0;) {
        v->loop[l] = (cf_loop){.header = header[l], .parent = CF_NONE};
        claim(im, l, work);
    }
    for (cf_id l = 0; l < v->n_loops; l++) {
        cf_id up = v->loop[l].parent;
        v->loop[l].depth = up == CF_NONE ? 1 : v->loop[up].depth + 1;
        describe_loop(v, l);
    }
    find_exits(im);
}

/* --- values ----------------------------------------------------------------------------------------------------- */

static cf_id number(import *im, LLVMValueRef value) {
    cf_view *v = im->v;
    cf_map_put(im->job->arena, &v->ids, value, (void *)(uintptr_t)(v->n_values + 1));
    return v->n_values++;
}

static bool is_operand(LLVMValueRef o) {
    return o && !LLVMValueIsBasicBlock(o) && LLVMGetTypeKind(LLVMTypeOf(o)) != LLVMMetadataTypeKind;
}

static unsigned operand_count(LLVMValueRef i) {
    return LLVMIsAPHINode(i) ? LLVMCountIncoming(i) : (unsigned)LLVMGetNumOperands(i);
}

static LLVMValueRef operand(LLVMValueRef i, unsigned k) {
    return LLVMIsAPHINode(i) ? LLVMGetIncomingValue(i, k) : LLVMGetOperand(i, k);
}

/* First pass: ids of parameters and instructions, then of other operands. */
static void number_values(import *im) {
    cf_view *v = im->v;
    v->n_params = LLVMCountParams(v->function);
    for (unsigned i = 0; i < v->n_params; i++) number(im, LLVMGetParam(v->function, i));
    for (cf_id b = 0; b < v->n_blocks; b++) {
        v->block[b].first = v->n_values;
        LLVMValueRef i = LLVMGetFirstInstruction(v->block[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) number(im, i);
        v->block[b].end = v->n_values;
    }
    v->first_other = v->n_values;
    for (cf_id b = 0; b < v->n_blocks; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(v->block[b].block);
        for (; i; i = LLVMGetNextInstruction(i))
            for (unsigned k = 0; k < operand_count(i); k++) {
                LLVMValueRef o = operand(i, k);
                if (is_operand(o) && cf_view_id(v, o) == CF_NONE) number(im, o);
            }
    }
}

static void fill_instruction(import *im, cf_id id, LLVMValueRef i, cf_id block) {
    cf_view *v = im->v;
    cf_value *x = &v->value[id];
    x->op = LLVMGetInstructionOpcode(i);
    x->block = block;
    x->n = operand_count(i);
    x->operand = CF_ARRAY(im->job->arena, cf_id, x->n);
    for (unsigned k = 0; k < x->n; k++) {
        LLVMValueRef o = operand(i, k);
        x->operand[k] = is_operand(o) ? cf_view_id(v, o) : CF_NONE;
        if (x->operand[k] != CF_NONE) v->value[x->operand[k]].n_users++;
    }
}

static void fill_users(import *im) {
    cf_view *v = im->v;
    for (cf_id i = 0; i < v->n_values; i++) {
        v->value[i].user = CF_ARRAY(im->job->arena, cf_id, v->value[i].n_users);
        v->value[i].n_users = 0;
    }
    for (cf_id i = v->n_params; i < v->first_other; i++)
        for (unsigned k = 0; k < v->value[i].n; k++) {
            cf_id o = v->value[i].operand[k];
            if (o != CF_NONE) v->value[o].user[v->value[o].n_users++] = i;
        }
}

static void import_values(import *im) {
    cf_view *v = im->v;
    number_values(im);
    v->value = CF_ARRAY(im->job->arena, cf_value, v->n_values);
    const void *key;
    void *id;
    for (size_t i = 0; cf_map_next(&v->ids, &i, &key, &id);) {
        cf_value *x = &v->value[(uintptr_t)id - 1];
        x->value = (LLVMValueRef)(uintptr_t)key;
        x->type = LLVMTypeOf(x->value);
        x->block = CF_NONE;
    }
    for (cf_id b = 0; b < v->n_blocks; b++)
        for (cf_id i = v->block[b].first; i < v->block[b].end; i++)
            fill_instruction(im, i, v->value[i].value, b);
    fill_users(im);
}

/* --- normal form of loops (prepare.c marks it) ------------------------------------------------------------------ */

static void find_induction(import *im, cf_loop *l) {
    cf_view *v = im->v;
    unsigned iv_kind = l_kind(im->job->context, "cf.iv");
    unsigned last_kind = l_kind(im->job->context, "cf.last");
    const cf_block *h = &v->block[l->header];
    for (cf_id i = h->first; i < h->end && v->value[i].op == LLVMPHI; i++)
        if (LLVMGetMetadata(v->value[i].value, iv_kind)) l->iv = i;
    if (l->iv == CF_NONE || l->preheader == CF_NONE || l->n_exiting != 1) return;
    const cf_block *p = &v->block[l->preheader];
    for (cf_id i = p->first; i < p->end; i++)
        if (LLVMGetMetadata(v->value[i].value, last_kind)) l->last = i;
    if (l->last == CF_NONE) return;
    LLVMValueRef last = v->value[v->value[l->last].operand[0]].value;
    if (LLVMIsAConstantInt(last)) l->trips = LLVMConstIntGetZExtValue(last) + 1;
}

cf_view *cf_view_import(cf_job *job, LLVMValueRef function) {
import im = {job, CF_NEW(job->arena, cf_view) };
    im.v->function = function;
    order_blocks(&im);
    link_blocks(&im);
    find_returning(&im);
    find_dominators(im.v);
    number_dominators(&im);
    find_loops(&im);
    import_values(&im);
    for (cf_id l = 0; l < im.v->n_loops; l++) find_induction(&im, &im.v->loop[l]);
    return im.v;
}

cf_id cf_view_id(const cf_view *v, LLVMValueRef value) {
    return (cf_id)(uintptr_t)cf_map_get(&v->ids, value) - 1;
}

cf_id cf_view_block(const cf_view *v, LLVMBasicBlockRef block) {
    return (cf_id)(uintptr_t)cf_map_get(&v->block_ids, block) - 1;
}
