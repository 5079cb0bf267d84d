/* The reverse sweep's control flow.
 *
 * In:     the sweep, its forward clone made
 * Out:    a reversed block for every block from which the return is reached; branches between them
 * Needs:  prepared functions: loops with counters, merge blocks with a number of the predecessor (prepare.h)
 *
 * The reversal of a block ends by going to the reversal of the predecessor that the forward sweep came from. A single
 * predecessor is known; at a loop's header iteration 0 came from the preheader, every other one from the latch; else the
 * number that prepare.c puts into merge blocks, or the condition of the branch that decided, tells. Going into a loop
 * (from one of its exits) sets its counter to the last iteration. */
#include "reverse/sweep.h"

static LLVMValueRef i64(const cf_sweep *s, uint64_t n) { return l_i64(s->job->context, n); }

static LLVMBasicBlockRef new_block(cf_sweep *s, const char *name) {
    return LLVMAppendBasicBlockInContext(s->job->context, s->rev, name);
}

/* Blocks from which some return is reached; the others never run before a reverse sweep. */
static void find_reversed(cf_sweep *s) {
    const cf_view *v = s->v;
    bool *reached = CF_ARRAY(s->arena, bool, v->n_blocks);
    for (bool changed = true; changed;) {
        changed = false;
        for (cf_id b = v->n_blocks; b-- > 0;) {
            bool r = v->value[v->block[b].end - 1].op == LLVMRet;
            for (uint32_t k = 0; k < v->block[b].n_succs; k++) r |= reached[v->block[b].succ[k]];
            changed |= r != reached[b];
            reached[b] = r;
        }
    }
    for (cf_id b = 0; b < v->n_blocks; b++)
        if (reached[b])
            s->rblock[b] =
                new_block(s, cf_text(s->arena, "rev.%s", LLVMGetBasicBlockName(v->block[b].block)));
}

/* --- adjoints of phis ---------------------------------------------------------------------------------------------------- */

typedef struct phi_adjoints {
    cf_id first, end;    /* phis of the block */
    LLVMValueRef *value; /* their adjoints, by phi and direction; NULL: inactive */
} phi_adjoints;

static phi_adjoints take_phis(cf_sweep *s, cf_id b) {
    cf_give_sums(s);
    phi_adjoints a = {.first = s->v->block[b].first};
    a.end = a.first;
    while (s->v->value[a.end].op == LLVMPHI) a.end++;
    a.value = CF_ARRAY(s->arena, LLVMValueRef, (a.end - a.first) * s->width + 1);
    for (cf_id i = a.first; i < a.end; i++)
        for (unsigned k = 0; k < s->width && cf_is_active(s->act, i); k++)
            a.value[(i - a.first) * s->width + k] = cf_adjoint_take(s, i, k);
    return a;
}

static void give_phis(cf_sweep *s, const phi_adjoints *a, cf_id pred) {
    for (cf_id i = a->first; i < a->end; i++) {
        if (!a->value[(i - a->first) * s->width]) continue;
        const cf_value *phi = &s->v->value[i];
        for (uint32_t k = 0; k < phi->n; k++) {
            if (cf_view_block(s->v, LLVMGetIncomingBlock(phi->value, k)) != pred) continue;
            for (unsigned w = 0; w < s->width; w++)
                cf_adjoint_add(s, phi->operand[k], w, a->value[(i - a->first) * s->width + w]);
            break; /* an edge taken twice (switch) has one value */
        }
    }
}

/* --- going to a predecessor ------------------------------------------------------------------------------------------------ */

/* The counter phi of an uncounted loop in one of its exit blocks. */
static cf_id exit_counter(const cf_sweep *s, cf_id loop, cf_id exit) {
    const cf_block *x = &s->v->block[exit];
    for (cf_id i = x->first; s->v->value[i].op == LLVMPHI; i++)
        for (uint32_t k = 0; k < s->v->value[i].n; k++) {
            if (s->v->value[i].operand[k] != s->v->loop[loop].iv) break;
            if (k + 1 == s->v->value[i].n) return i;
        }
    return CF_NONE;
}

static void enter_loop(cf_sweep *s, cf_id loop, cf_id exit) {
    const cf_loop *l = &s->v->loop[loop];
    cf_id last = l->last != CF_NONE ? s->v->value[l->last].operand[0] : exit_counter(s, loop, exit);
    if (last == CF_NONE) {
        cf_sweep_error(
            s, s->v->block[l->header].first,
            "this loop has a form that reverse mode cannot run backwards; write it as a for or while loop");
        return;
    }
    LLVMValueRef n = cf_need_value(s, last);
    LLVMBuildStore(s->b, n, s->counter[loop]);
    LLVMBuildStore(s->b, LLVMBuildAdd(s->b, n, i64(s, 1), ""), s->count[loop]);
    cf_wait_here(s, CF_ENTER, loop, exit);
}

/* From block b (reversed) to a predecessor, entering the loops that lie between, outer ones first. */
static void enter_loops(cf_sweep *s, cf_id b, cf_id pred) {
    cf_id chain[64];
    unsigned n = 0;
    for (cf_id l = s->v->block[pred].loop; l != CF_NONE && !cf_loop_contains(s->v, l, b) && n < 64;
         l = s->v->loop[l].parent)
        chain[n++] = l;
    while (n) enter_loop(s, chain[--n], b);
}

static void go_to(cf_sweep *s, const phi_adjoints *phis, cf_id b, cf_id pred) {
    give_phis(s, phis, pred);
    enter_loops(s, b, pred);
    LLVMBuildBr(s->b, s->rblock[pred]);
}

static void end_header(cf_sweep *s, const phi_adjoints *phis, cf_id b) {
    const cf_loop *l = &s->v->loop[s->v->block[b].loop];
    cf_id loop = s->v->block[b].loop;
    cf_wait_here(s, CF_END_ITERATION, loop, CF_NONE);
    LLVMTypeRef t = LLVMInt64TypeInContext(s->job->context);
    LLVMValueRef n = LLVMBuildLoad2(s->b, t, s->counter[loop], "");
    LLVMBasicBlockRef first = new_block(s, "rev.first"), other = new_block(s, "rev.next");
    LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntEQ, n, i64(s, 0), ""), first, other);
    LLVMPositionBuilderAtEnd(s->b, first);
    cf_wait_here(s, CF_LEAVE, loop, CF_NONE);
    go_to(s, phis, b, l->preheader);
    LLVMPositionBuilderAtEnd(s->b, other);
    give_phis(s, phis, l->latch);
    LLVMBuildStore(s->b, LLVMBuildSub(s->b, n, i64(s, 1), ""), s->counter[loop]);
    LLVMBuildBr(s->b, s->rblock[l->latch]);
}

/* The two-way branch that alone decides through which of its two predecessors b is entered: side[k] is the successor on
 * the way to predecessor k. */
static bool find_decision(const cf_sweep *s, cf_id b, cf_id *branch, unsigned side[2]) {
    const cf_view *v = s->v;
    const cf_block *x = &v->block[b], *d = &v->block[x->idom];
    LLVMValueRef t = v->value[d->end - 1].value;
    if (x->n_preds != 2 || d->n_succs != 2 || v->value[d->end - 1].op != LLVMBr || d->succ[0] == d->succ[1])
        return false;
    if (d->loop != x->loop || LLVMGetNumOperands(t) != 3) return false;
    for (unsigned k = 0; k < 2; k++) {
        side[k] = 2;
        for (unsigned e = 0; e < 2; e++) {
            cf_id to = d->succ[e];
            bool direct = x->pred[k] == x->idom && to == b;
            bool through = to != b && v->block[to].n_preds == 1 && cf_dominates(v, to, x->pred[k]);
            if (direct || through) side[k] = e;
        }
        if (side[k] == 2) return false;
    }
    *branch = d->end - 1;
    return side[0] != side[1];
}

static cf_id predecessor_number(const cf_sweep *s, cf_id b) {
    for (cf_id i = s->v->block[b].first; s->v->value[i].op == LLVMPHI; i++)
        if (l_metadata(s->v->value[i].value, "cf.from")) return i;
    return CF_NONE;
}

static void end_by_decision(cf_sweep *s, const phi_adjoints *phis, cf_id b, cf_id branch,
                            const unsigned side[2]) {
    LLVMBasicBlockRef to[2] = {new_block(s, "rev.then"), new_block(s, "rev.else")};
    LLVMBuildCondBr(s->b, cf_need_value(s, s->v->value[branch].operand[0]), to[0], to[1]);
    for (unsigned k = 0; k < 2; k++) {
        LLVMPositionBuilderAtEnd(s->b, to[side[k]]);
        go_to(s, phis, b, s->v->block[b].pred[k]);
    }
}

static void end_by_number(cf_sweep *s, const phi_adjoints *phis, cf_id b) {
    cf_id number = predecessor_number(s, b);
    if (number == CF_NONE) {
        cf_sweep_error(s, s->v->block[b].first, "control flow that reverse mode cannot run backwards");
        return;
    }
    const cf_value *phi = &s->v->value[number];
    LLVMBasicBlockRef none = new_block(s, "rev.none");
    LLVMValueRef sw = LLVMBuildSwitch(s->b, cf_need_value(s, number), none, phi->n);
    for (uint32_t k = 0; k < s->v->block[b].n_preds; k++) {
        cf_id pred = s->v->block[b].pred[k];
        LLVMBasicBlockRef to = new_block(s, "rev.from");
        for (uint32_t j = 0; j < phi->n; j++)
            if (cf_view_block(s->v, LLVMGetIncomingBlock(phi->value, j)) == pred) {
                LLVMAddCase(sw, s->v->value[phi->operand[j]].value, to);
                break;
            }
        LLVMPositionBuilderAtEnd(s->b, to);
        go_to(s, phis, b, pred);
    }
    LLVMPositionBuilderAtEnd(s->b, none);
    LLVMBuildUnreachable(s->b);
}

static bool is_header(const cf_sweep *s, cf_id b) {
    cf_id l = s->v->block[b].loop;
    return l != CF_NONE && s->v->loop[l].header == b;
}

static void end_block(cf_sweep *s, cf_id b) {
    const cf_block *x = &s->v->block[b];
    s->point = 2 * x->first;
    LLVMSetCurrentDebugLocation2(
        s->b, cf_clone_location(&s->rev_place, LLVMInstructionGetDebugLoc(s->v->value[x->first].value)));
    phi_adjoints phis = take_phis(s, b);
    cf_id branch;
    unsigned side[2];
    if (b == 0)
        LLVMBuildBr(s->b, s->finish);
    else if (is_header(s, b))
        end_header(s, &phis, b);
    else if (x->n_preds == 1)
        go_to(s, &phis, b, x->pred[0]);
    else if (find_decision(s, b, &branch, side))
        end_by_decision(s, &phis, b, branch, side);
    else
        end_by_number(s, &phis, b);
}

static void reverse_block(cf_sweep *s, cf_id b) {
    const cf_block *x = &s->v->block[b];
    LLVMPositionBuilderAtEnd(s->b, s->rblock[b]);
    for (cf_id i = x->end; i-- > x->first && s->v->value[i].op != LLVMPHI;) {
        s->point = 2 * i + 1;
        LLVMMetadataRef place = LLVMInstructionGetDebugLoc(s->v->value[i].value);
        LLVMSetCurrentDebugLocation2(s->b, cf_clone_location(&s->rev_place, place));
        cf_reverse_instruction(s, i);
    }
    end_block(s, b);
}

static bool loops_are_normal(cf_sweep *s) {
    for (cf_id l = 0; l < s->v->n_loops; l++) {
        const cf_loop *x = &s->v->loop[l];
        if (!s->rblock[x->header]) continue;
        if (x->iv != CF_NONE && x->preheader != CF_NONE && x->latch != CF_NONE) continue;
        cf_sweep_error(
            s, s->v->block[x->header].first,
            "this loop has a form that reverse mode cannot run backwards; write it with for, while or "
            "switch in the place of a computed goto");
        return false;
    }
    if (s->v->irreducible)
        cf_sweep_error(s, CF_NONE, "irreducible control flow could not be brought into loops");
    return !s->v->irreducible;
}

/* The reverse sweep begins at the return: its adjoint is the seed. */
static void begin_at_return(cf_sweep *s) {
    LLVMPositionBuilderAtEnd(s->b, s->start);
    cf_id at = CF_NONE;
    for (cf_id b = 0; b < s->v->n_blocks; b++)
        if (s->v->value[s->v->block[b].end - 1].op == LLVMRet) at = b;
    if (at == CF_NONE) {
        LLVMBuildUnreachable(s->b);
        return;
    }
    LLVMBuildBr(s->b, s->rblock[at]);
}

void cf_emit_backward(cf_sweep *s) {
    find_reversed(s);
    if (!loops_are_normal(s)) return;
    for (cf_id b = s->v->n_blocks; b-- > 0;)
        if (s->rblock[b]) reverse_block(s, b);
    begin_at_return(s);
}
