/* Normal form of a function: numbered iterations, counted loops, recomputable induction variables, numbered ways into
 * joins.
 *
 * In:     a function in SSA form; its loops have a preheader, one latch and exits of their own, and are in LCSSA form
 *         (a loop that could not be brought there stays as it is)
 * Out:    what prepare.h promises of loops and joins
 * Keeps:  blocks and edges; LCSSA            Breaks: views of the function
 *
 * Idea: a reverse sweep needs to know where it came from. It counts the iterations of every loop down, so what changes
 * by the same amount in each iteration is a function of that count; and where paths join it reads which one was taken.
 */
#include "ir/normal.h"
#include "ir/view.h"
#include "llvm/l.h"
#include "support/vec.h"

typedef struct work {
    cf_job *job;
    cf_view *view;
    cfx_analyses *analyses;
    LLVMBuilderRef builder;
    LLVMValueRef *iv; /* by loop; NULL: not in normal form */
    bool *counted;    /* by loop */
} work;

/* Marks an instruction, so that the view finds it whatever its name is. */
static void mark(work *w, LLVMValueRef inst, const char *kind) {
    LLVMContextRef c = w->job->context;
    l_set_metadata(inst, kind, LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, NULL, 0)));
}

static bool has_phi_marked(LLVMBasicBlockRef block, const char *kind) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        if (l_metadata(i, kind)) return true;
    return false;
}

static LLVMBasicBlockRef block_of(const work *w, cf_id block) { return w->view->block[block].block; }

static bool is_in_loop(const work *w, cf_id loop, LLVMValueRef value) {
    if (!LLVMIsAInstruction(value)) return false;
    cf_id b = cf_view_block(w->view, LLVMGetInstructionParent(value));
    return b != CF_NONE && cf_loop_contains(w->view, loop, b);
}

/* ---- trip counts ---- */

/* cf.last = freeze(number of the last iteration) at the end of the preheader, where that is known. */
static void count_loop(work *w, cf_id loop) {
    const cf_loop *l = &w->view->loop[loop];
    if (l->n_exiting != 1) return;
    LLVMValueRef before = LLVMGetBasicBlockTerminator(block_of(w, l->preheader));
    LLVMValueRef last = cfx_trip_count(w->analyses, block_of(w, l->header), block_of(w, l->exiting), before);
    if (!last) return;
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(last));
    if (bits > 64) return;
    l_before(w->builder, before);
    if (bits < 64) last = LLVMBuildZExt(w->builder, last, LLVMInt64TypeInContext(w->job->context), "");
    mark(w, LLVMBuildFreeze(w->builder, last, "cf.last"), "cf.last");
    w->counted[loop] = true;
}

/* ---- the number of the iteration ---- */

static LLVMValueRef number_iterations(work *w, cf_id loop) {
    const cf_loop *l = &w->view->loop[loop];
    LLVMContextRef c = w->job->context;
    LLVMBasicBlockRef pred[2] = {block_of(w, l->preheader), block_of(w, l->latch)};
    l_at_top(w->builder, block_of(w, l->header));
    LLVMValueRef iv = LLVMBuildPhi(w->builder, LLVMInt64TypeInContext(c), "cf.iv");
    mark(w, iv, "cf.iv");
    l_before(w->builder, LLVMGetBasicBlockTerminator(pred[1]));
    LLVMValueRef next = LLVMBuildAdd(w->builder, iv, l_i64(c, 1), "cf.iv.next");
    LLVMSetNUW(next, true);
    LLVMSetNSW(next, true);
    LLVMAddIncoming(iv, (LLVMValueRef[]){l_i64(c, 0), next}, pred, 2);
    return iv;
}

/* ---- induction variables ---- */

typedef struct induction {
    LLVMValueRef phi, start, step;
    LLVMOpcode op;       /* add, sub, getelementptr */
    LLVMTypeRef element; /* of getelementptr */
    bool inbounds;
} induction;

static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef pred) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == pred) return LLVMGetIncomingValue(phi, i);
    return NULL;
}

/* next = phi ± step, or phi + step elements. */
static bool match_step(induction *x, LLVMValueRef next) {
    x->op = LLVMGetInstructionOpcode(next);
    LLVMValueRef first = LLVMGetNumOperands(next) == 2 ? LLVMGetOperand(next, 0) : NULL;
    if (!first) return false;
    x->step = LLVMGetOperand(next, 1);
    if (x->op == LLVMAdd && first != x->phi) {
        x->step = first;
        return LLVMGetOperand(next, 1) == x->phi;
    }
    if (x->op == LLVMGetElementPtr) {
        x->element = LLVMGetGEPSourceElementType(next);
        x->inbounds = LLVMIsInBounds(next);
        return first == x->phi && l_is_integer_type(LLVMTypeOf(x->step));
    }
    return first == x->phi && (x->op == LLVMAdd || x->op == LLVMSub);
}

static bool match_induction(const work *w, cf_id loop, induction *x) {
    const cf_loop *l = &w->view->loop[loop];
    LLVMTypeRef t = LLVMTypeOf(x->phi);
    if (!l_is_integer_type(t) && !l_is_pointer_type(t)) return false;
    LLVMValueRef next = incoming_from(x->phi, block_of(w, l->latch));
    x->start = incoming_from(x->phi, block_of(w, l->preheader));
    if (!next || !x->start || !LLVMIsAInstruction(next) || LLVMIsAPHINode(next)) return false;
    return match_step(x, next) && x->step != x->phi && !is_in_loop(w, loop, x->step);
}

static bool is_constant(LLVMValueRef v, int64_t value) {
    return LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64 &&
           LLVMConstIntGetSExtValue(v) == value;
}

/* n * step, in the type of step. */
static LLVMValueRef build_product(LLVMBuilderRef b, LLVMValueRef n, LLVMValueRef step) {
    LLVMTypeRef t = LLVMTypeOf(step);
    unsigned bits = LLVMGetIntTypeWidth(t);
    if (bits < 64) n = LLVMBuildTrunc(b, n, t, "");
    if (bits > 64) n = LLVMBuildZExt(b, n, t, "");
    if (is_constant(step, 1)) return n;
    return LLVMBuildMul(b, n, step, "");
}

static LLVMValueRef build_induction(work *w, LLVMValueRef iv, const induction *x) {
    LLVMBuilderRef b = w->builder;
    if (x->op == LLVMGetElementPtr) {
        LLVMValueRef step = x->step;
        LLVMTypeRef i64 = LLVMInt64TypeInContext(w->job->context);
        if (LLVMGetIntTypeWidth(LLVMTypeOf(step)) < 64) step = LLVMBuildSExt(b, step, i64, "");
        LLVMValueRef p = l_element(b, x->element, x->start, build_product(b, iv, step), "");
        if (LLVMIsAGetElementPtrInst(p)) LLVMSetIsInBounds(p, x->inbounds);
        return p;
    }
    bool down = x->op == LLVMAdd && is_constant(x->step, -1);
    LLVMValueRef product = build_product(b, iv, down ? LLVMConstInt(LLVMTypeOf(x->step), 1, 0) : x->step);
    if (down || x->op == LLVMSub) return LLVMBuildSub(b, x->start, product, "");
    return l_is_zero(x->start) ? product : LLVMBuildAdd(b, x->start, product, "");
}

static void replace_phi(LLVMValueRef phi, LLVMValueRef by) {
    char name[128];
    size_t n = 0;
    const char *old = LLVMGetValueName2(phi, &n);
    bool named = n && n < sizeof name && LLVMIsAInstruction(by) && !*l_name(by);
    if (named) memcpy(name, old, n);
    LLVMReplaceAllUsesWith(phi, by);
    LLVMInstructionEraseFromParent(phi);
    if (named) LLVMSetValueName2(by, name, n);
}

/* Expresses each induction variable of a loop by the number of the iteration. Wrapping flags are not kept: they were
 * promised for other operations. */
static void replace_inductions(work *w, cf_id loop) {
    LLVMBasicBlockRef header = block_of(w, w->view->loop[loop].header);
    CF_VEC(induction) found = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(header); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        induction x = {.phi = i};
        if (i != w->iv[loop] && match_induction(w, loop, &x)) cf_push(w->job->arena, &found, x);
    }
    for (size_t i = 0; i < found.n; i++) {
        /* The start of a later one cannot be an earlier phi of the same header: it comes from outside the loop. */
        l_at_start(w->builder, header);
        replace_phi(found.at[i].phi, build_induction(w, w->iv[loop], &found.at[i]));
    }
}

/* ---- exits and joins ---- */

/* The blocks that branch to a block, one for each edge. */
typedef CF_VEC(LLVMBasicBlockRef) blocks;

static blocks predecessors(cf_job *job, LLVMBasicBlockRef block) {
    blocks preds = {0};
    LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    for (; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef t = LLVMGetUser(u);
        if (LLVMIsAInstruction(t) && LLVMIsATerminatorInst(t))
            cf_push(job->arena, &preds, LLVMGetInstructionParent(t));
    }
    return preds;
}

/* cf.exit: in which iteration an uncounted loop was left by way of this block. */
static void note_exit(work *w, cf_id loop, LLVMBasicBlockRef exit) {
    blocks preds = predecessors(w->job, exit);
    l_at_top(w->builder, exit);
    LLVMValueRef phi = LLVMBuildPhi(w->builder, LLVMTypeOf(w->iv[loop]), "cf.exit");
    for (size_t i = 0; i < preds.n; i++) LLVMAddIncoming(phi, &w->iv[loop], &preds.at[i], 1);
    mark(w, phi, "cf.exit");
}

static bool is_header(const cf_view *v, cf_id block) {
    cf_id l = v->block[block].loop;
    return l != CF_NONE && v->loop[l].header == block;
}

/* cf.from: by which edge a block was entered. */
static void number_edges(work *w, cf_id block) {
    LLVMBasicBlockRef b = block_of(w, block);
    blocks preds = predecessors(w->job, b);
    LLVMContextRef c = w->job->context;
    bool wide = preds.n > 256;
    l_at_top(w->builder, b);
    LLVMTypeRef t = wide ? LLVMInt32TypeInContext(c) : LLVMInt8TypeInContext(c);
    LLVMValueRef phi = LLVMBuildPhi(w->builder, t, "cf.from");
    cf_map numbers = {0};
    for (size_t i = 0; i < preds.n; i++) {
        uintptr_t number = (uintptr_t)cf_map_get(&numbers, preds.at[i]);
        if (!number) cf_map_put(w->job->arena, &numbers, preds.at[i], (void *)(number = numbers.n + 1));
        LLVMValueRef constant = LLVMConstInt(t, number - 1, 0);
        LLVMAddIncoming(phi, &constant, &preds.at[i], 1);
    }
    mark(w, phi, "cf.from");
}

static bool is_join(const work *w, cf_id block) {
    const cf_view *v = w->view;
    return v->block[block].n_preds > 1 && !is_header(v, block) &&
           !has_phi_marked(block_of(w, block), "cf.from");
}

static bool is_in_normal_form(const work *w, cf_id loop) {
    return cf_loop_has_form(w->view, loop) && w->view->loop[loop].iv == CF_NONE;
}

static void note_exits(work *w, cf_id loop) {
    const cf_loop *l = &w->view->loop[loop];
    for (unsigned i = 0; i < l->n_exits; i++) note_exit(w, loop, block_of(w, l->exit[i]));
}

void cf_normal_form(cf_job *job, cfx_analyses *analyses, LLVMValueRef function) {
    cf_view *v = cf_view_import(job, function);
    work w = {job,
              v,
              analyses,
              LLVMCreateBuilderInContext(job->context),
              CF_ARRAY(job->arena, LLVMValueRef, v->n_loops + 1),
              CF_ARRAY(job->arena, bool, v->n_loops + 1)};
    for (cf_id l = 0; l < v->n_loops; l++)
        if (is_in_normal_form(&w, l)) count_loop(&w, l);
    cfx_forget(analyses, function);
    for (cf_id l = 0; l < v->n_loops; l++)
        if (is_in_normal_form(&w, l)) w.iv[l] = number_iterations(&w, l);
    for (cf_id l = 0; l < v->n_loops; l++)
        if (w.iv[l]) replace_inductions(&w, l);
    for (cf_id l = 0; l < v->n_loops; l++)
        if (w.iv[l] && !w.counted[l]) note_exits(&w, l);
    for (cf_id b = 0; b < v->n_blocks; b++)
        if (is_join(&w, b)) number_edges(&w, b);
    LLVMDisposeBuilder(w.builder);
}
