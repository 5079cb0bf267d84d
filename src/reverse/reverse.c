/* Reverse mode: one gradient, step by step.
 *
 * In:     a prepared private module; a key
 * Out:    the joined function of the request, and a pair of functions for every callee and key that it reaches
 * Needs:  prepare.h's form; rules linked
 * Keeps:  the primal
 *
 * The steps of one derivative:
 *   view, activity          what is active
 *   clone                   the forward sweep, first as a copy of the primal
 *   cf_edit_forward         shadows of allocations, augmented callees           (memory.c, call.c)
 *   cf_emit_backward        the reverse sweep, with stand-ins                    (backward.c, adjoint.c, call.c)
 *   cf_plan                 recompute, reload, keep, log                         (plan.c)
 *   cf_storage_settle       what is kept, in the forward sweep                   (storage.c)
 *   cf_settle_values        the reverse sweep without stand-ins                  (values.c)
 *
 * The tape is a hidden first parameter of pairs and a local variable of the joined function. */
#include "reverse/reverse.h"
#include "analysis/kept.h"
#include "contents/types.h"
#include "contents/carriers.h"
#include "dub/twin.h"
#include "ir/reach.h"
#include "reverse/marks.h"
#include "reverse/sweep.h"
#include "llvm/cfx.h"
#include "llvm/records.h"

/* Bytes of the tape's first chunk, on the machine's stack: enough for functions without long loops, so that small
 * gradients called often do not touch the heap. */
enum { FIRST_CHUNK = 4096, TAPE_BYTES = 256 };
static const char END_OF_TAPE[] = "__cf_tape_end";

typedef struct state {
    CF_VEC(cf_pair *) pending;
    CF_VEC(const char *) names; /* in job->made, of what was made for this gradient */
    bool undecided; /* what memory holds could not be told: it has to be made once more, `marked` */
} state;

static state *state_of(cf_job *job) {
    state *st = cf_names_get(&job->made, "reverse state");
    if (st) return st;
    st = CF_NEW(job->arena, state);
    cf_names_put(job->arena, &job->made, "reverse state", st);
    return st;
}

void cf_sweep_error(cf_sweep *s, cf_id i, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = cf_vtext(s->arena, format, args);
    va_end(args);
    LLVMValueRef at = i == CF_NONE ? s->v->function : s->v->value[i].value;
    cf_place place = {0};
    if (LLVMIsAInstruction(at) || LLVMIsAFunction(at)) place = l_place(at);
    if (!place.file) place = l_place(s->v->function);
    if (!s->failed && !s->soft)
        cf_report(s->job->sink, CF_ERROR, place, l_name(s->v->function), "%s", text);
    else if (!s->failed)
        s->trouble =
            place.file
                ? cf_text(s->arena, "%s:%u:%u: cofactor: %s\n", place.file, place.line, place.column, text)
                : cf_text(s->arena, "in function %s: cofactor: %s\n", l_shown(s->v->function), text);
    s->failed = true;
}

void cf_sweep_undecided(cf_sweep *s, cf_id i, const char *error) {
    state *st = state_of(s->job);
    if (s->key->marked) {
        cf_sweep_error(s, i, "%s", error);
        return;
    }
    if (s->job->options.explain && !st->undecided)
        cf_report(s->job->sink, CF_REMARK, l_place(s->v->value[i].value), l_name(s->v->function),
                  "%s: what these bytes hold is found out when the gradient runs, which costs time: compile "
                  "with -g, or copy "
                  "the parts with their own types",
                  l_name(s->v->function));
    st->undecided = s->failed = true;
}

/* --- keys ------------------------------------------------------------------------------------------------------------------ */

static const char *key_text(cf_job *job, const char *what, const cf_key *key) {
    char *args = cf_alloc(job->arena, key->n + 1);
    for (unsigned k = 0; k < key->n; k++) args[k] = (char)('0' + key->arg[k]);
    return cf_text(job->arena, "%s %p %u %s %d %d %d %d %d %d", what, (void *)key->function, key->width, args,
                   key->result, key->undo, key->steady, key->frozen, key->consume, key->marked);
}

static cf_key copy_key(cf_job *job, const cf_key *key) {
    cf_key k = *key;
    uint8_t *arg = CF_ARRAY(job->arena, uint8_t, key->n + 1);
    if (key->n) memcpy(arg, key->arg, key->n);
    k.arg = arg;
    return k;
}

/* What is made takes other parameters than the primal, and is called by what is made alone, also through pointers whose
 * type tells nothing of a convention: so it has C's. */
static LLVMValueRef declare(cf_job *job, LLVMValueRef primal, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = cf_clone_declare(job, primal, name, type);
    LLVMSetFunctionCallConv(f, LLVMCCallConv);
    return f;
}

cf_pair *cf_pair_of(cf_job *job, const cf_key *key, bool soft) {
    const char *name = key_text(job, "reverse pair", key);
    cf_pair *p = cf_names_get(&job->made, name);
    if (p) {
        p->soft &= soft;
        return p;
    }
    p = CF_NEW(job->arena, cf_pair);
    p->soft = soft;
    p->key = copy_key(job, key);
    LLVMTypeRef aug, rev;
    cf_pair_types(job, key, l_function_type(key->function), &aug, &rev);
    const char *f = l_name(key->function);
    p->aug = declare(job, key->function, cf_text(job->arena, "%s.aug", f), aug);
    p->rev = declare(job, key->function, cf_text(job->arena, "%s.rev", f), rev);
    cf_names_put(job->arena, &job->made, name, p);
    cf_note_made(job, name);
    cf_push(job->arena, &state_of(job)->pending, p);
    return p;
}

/* --- setting up ---------------------------------------------------------------------------------------------------------------- */

/* Calls of functions that have C source among the rules go to that. */
static void use_bodies(cf_job *job, LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? l_callee(i) : NULL;
            const cf_rule *rule = callee ? cf_rule_of(job, callee) : NULL;
            if (!rule || rule->kind != CF_RULE_BODY) continue;
            LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1, rule->body);
            LLVMSetInstructionCallConv(i, LLVMGetFunctionCallConv(rule->body));
        }
}

/* The body may count on what the parameter says, or on what its type has. */
static unsigned alignment_of_copy(LLVMValueRef f, unsigned k, LLVMTypeRef t) {
    LLVMAttributeRef align = l_get(f, k + 1, "align");
    unsigned said = align ? (unsigned)LLVMGetEnumAttributeValue(align) : 0,
             own = LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(LLVMGetGlobalParent(f)), t);
    return said > own ? said : own;
}

/* A parameter that is passed as a copy: the copy is made in the function, so that the parameter itself is only read. It
 * stays `byval`, since calls are, and forward mode clones both. */
static void copy_byval(cf_job *job, LLVMValueRef f) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    for (unsigned k = 0; k < LLVMCountParams(f); k++) {
        LLVMAttributeRef byval = l_get(f, k + 1, "byval");
        if (!byval) continue;
        LLVMValueRef p = LLVMGetParam(f, k);
        LLVMTypeRef t = LLVMGetTypeAttributeValue(byval);
        LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
        LLVMValueRef copy = LLVMBuildAlloca(b, t, "");
        LLVMSetAlignment(copy, alignment_of_copy(f, k, t));
        LLVMReplaceAllUsesWith(p, copy);
        LLVMBuildMemCpy(b, copy, LLVMGetAlignment(copy), p, 1, l_i64(job->context, l_size(job->module, t)));
    }
    LLVMDisposeBuilder(b);
}

static void allocate_tables(cf_sweep *s) {
    const cf_view *v = s->v;
    size_t w = s->width;
    s->rblock = CF_ARRAY(s->arena, LLVMBasicBlockRef, v->n_blocks);
    s->slot = CF_ARRAY(s->arena, LLVMValueRef, v->n_values * w);
    s->sum = CF_ARRAY(s->arena, LLVMValueRef, v->n_values * w);
    s->shadow = CF_ARRAY(s->arena, LLVMValueRef, v->n_values * w);
    s->counter = CF_ARRAY(s->arena, LLVMValueRef, v->n_loops + 1);
    s->count = CF_ARRAY(s->arena, LLVMValueRef, v->n_loops + 1);
    s->undo = CF_ARRAY(s->arena, bool, v->n_values);
    s->logged = CF_ARRAY(s->arena, bool, v->n_values);
    s->visible = CF_ARRAY(s->arena, bool, v->n_values);
    s->choice = CF_ARRAY(s->arena, cf_choice, v->n_values * (2 + w));
    s->shadow_param = CF_ARRAY(s->arena, LLVMValueRef, v->n_params * w + 1);
    s->rev_param = CF_ARRAY(s->arena, LLVMValueRef, v->n_params + 1);
    s->rev_shadow_param = CF_ARRAY(s->arena, LLVMValueRef, v->n_params * w + 1);
}

static bool result_is_number(const cf_sweep *s) {
    return s->key->result && !l_is_pointer_type(l_return_type(s->v->function)) &&
           !l_is_void_type(l_return_type(s->v->function));
}

/* Parameters of a made function, from position `at` on: each of the primal's, then the shadows of pointers. */
static unsigned take_parameters(cf_sweep *s, LLVMValueRef f, unsigned at, LLVMValueRef *own,
                                LLVMValueRef *shadow) {
    for (unsigned k = 0; k < s->v->n_params; k++) {
        own[k] = LLVMGetParam(f, at++);
        LLVMTypeRef t = LLVMTypeOf(own[k]);
        bool address = s->joined ? l_is_pointer_type(t) : cf_takes_address(s->key, t);
        for (unsigned j = 0; j < s->width && address && (s->key->arg[k] & CF_ARG_DUP); j++) {
            shadow[k * s->width + j] = LLVMGetParam(f, at++);
        }
    }
    return at;
}

static void take_seeds(cf_sweep *s, LLVMValueRef f, unsigned at) {
    if (!result_is_number(s)) return;
    s->seed = CF_ARRAY(s->arena, LLVMValueRef, s->width);
    for (unsigned j = 0; j < s->width; j++) s->seed[j] = LLVMGetParam(f, at++);
}

static void make_counters(cf_sweep *s) {
    LLVMTypeRef t = LLVMInt64TypeInContext(s->job->context);
    LLVMPositionBuilderAtEnd(s->b, s->start);
    for (cf_id l = 0; l < s->v->n_loops; l++) {
        s->counter[l] = l_slot(s->b, t, "cf.iteration");
        s->count[l] = l_slot(s->b, t, "cf.iterations");
    }
}

static void clone_primal(cf_sweep *s) {
    LLVMValueRef *own = CF_ARRAY(s->arena, LLVMValueRef, s->v->n_params + 1);
    take_parameters(s, s->fwd, s->joined ? 0 : 1, own, s->shadow_param);
    cf_clone_begin(&s->clone, s->job, s->v->function, s->fwd);
    for (unsigned k = 0; k < s->v->n_params; k++) {
        l_set_name(own[k], l_name(s->v->value[k].value));
        cf_map_put(s->job->arena, &s->clone.values, s->v->value[k].value, own[k]);
    }
    cf_clone_body(&s->clone);
    for (cf_id i = s->v->n_params; i < s->v->first_other; i++)
        if (s->v->value[i].op == LLVMCall) LLVMSetTailCallKind(cf_forward_value(s, i), LLVMTailCallKindNone);
}

static void begin_sweep(cf_sweep *s, cf_job *job, const cf_key *key, bool joined, LLVMValueRef fwd,
                        LLVMValueRef rev) {
    LLVMValueRef f = key->function;
    *s = (cf_sweep){.job = job, .arena = job->arena, .key = key, .width = key->width, .joined = joined};
    cf_forget_evidence(job);
    s->fwd = fwd;
    s->rev = rev;
    s->v = cf_view_import(job, f);
    s->act = cf_activity_of(job, s->v, key);
    s->f = LLVMCreateBuilderInContext(job->context);
    s->b = LLVMCreateBuilderInContext(job->context);
    allocate_tables(s);
    clone_primal(s);
    l_add_text(fwd, "cf-made", "");
    l_add_text(rev, "cf-made", "");
    if (joined)
        s->rev_place = s->clone;
    else
        cf_clone_begin(&s->rev_place, job, f, rev);
}

static void end_sweep(cf_sweep *s) {
    cf_clone_end(&s->clone);
    if (!s->joined) cf_clone_end(&s->rev_place);
    LLVMDisposeBuilder(s->f);
    LLVMDisposeBuilder(s->b);
}

/* --- results ---------------------------------------------------------------------------------------------------------------------- */

/* The instruction that leaves the primal; CF_NONE: it never returns. */
static cf_id return_of(const cf_sweep *s) {
    for (cf_id b = 0; b < s->v->n_blocks; b++)
        if (s->v->value[s->v->block[b].end - 1].op == LLVMRet) return s->v->block[b].end - 1;
    return CF_NONE;
}

static void build_result(LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef *part, unsigned n) {
    LLVMTypeRef t = l_return_type(f);
    if (l_is_void_type(t)) {
        LLVMBuildRetVoid(b);
        return;
    }
    LLVMValueRef r = LLVMGetUndef(t);
    for (unsigned k = 0; k < n; k++) r = LLVMBuildInsertValue(b, r, part[k], k, "");
    LLVMBuildRet(b, r);
}

/* Adjoints of differentiated numbers, behind what is already in part[]. */
static unsigned add_adjoints(cf_sweep *s, LLVMValueRef *part, unsigned n) {
    for (cf_id p = 0; p < s->v->n_params; p++) {
        LLVMTypeRef t = cf_type_of(s, p);
        if (!(s->key->arg[p] & CF_ARG_DUP) || l_is_pointer_type(t)) continue;
        if (!s->joined && cf_is_homed(s, p)) continue;
        for (unsigned j = 0; j < s->width; j++)
            part[n++] = !cf_is_active(s->act, p) ? LLVMConstNull(t)
                        : cf_is_homed(s, p)      ? cf_marks_leave(s, p, j)
                                                 : cf_adjoint_take(s, p, j);
    }
    return n;
}

static LLVMValueRef *parts(cf_sweep *s) {
    return CF_ARRAY(s->arena, LLVMValueRef, (s->v->n_params + 1) * s->width + 2);
}

/* --- the steps ---------------------------------------------------------------------------------------------------------------------- */

static void resolve_calls(cf_sweep *s) {
    for (size_t k = 0; k < s->calls.n && !s->failed; k++) {
        cf_pair_call *c = &s->calls.at[k];
        if (!c->key.function) continue;
        cf_pair *p = cf_pair_of(s->job, &c->key, s->soft);
        if (c->aug_call) LLVMSetOperand(c->aug_call, (unsigned)LLVMGetNumOperands(c->aug_call) - 1, p->aug);
        if (c->rev_call) LLVMSetOperand(c->rev_call, (unsigned)LLVMGetNumOperands(c->rev_call) - 1, p->rev);
    }
}

static void run_steps(cf_sweep *s) {
    make_counters(s);
    cf_edit_forward(s);
    cf_fill_shadow_phis(s);
    if (!s->failed) cf_emit_backward(s);
    if (!s->failed) cf_plan(s);
    if (!s->failed) cf_storage_settle(s);
    if (!s->failed) cf_settle_values(s);
    if (!s->failed) cf_storage_finish(s);
    cf_fill_shadow_phis(s);
    if (!s->failed) resolve_calls(s);
}

static void prepare_primal(cf_job *job, LLVMValueRef f) {
    if (l_has_text(f, "cf-reverse")) return;
    use_bodies(job, f);
    copy_byval(job, f);
    l_add_text(f, "cf-reverse", "");
}

static LLVMBasicBlockRef block_in(cf_sweep *s, const char *name) {
    return LLVMAppendBasicBlockInContext(s->job->context, s->rev, name);
}

/* The augmented function's results: the primal's, then its shadows. */
static void return_augmented(cf_sweep *s) {
    cf_id ret = return_of(s);
    if (ret == CF_NONE) return;
    LLVMValueRef *part = parts(s), at = cf_forward_value(s, ret);
    unsigned n = 0;
    cf_id r = s->v->value[ret].n ? s->v->value[ret].operand[0] : CF_NONE;
    if (r != CF_NONE) {
        part[n++] = LLVMGetOperand(at, 0);
        for (unsigned k = 0; k < s->width && s->key->result && cf_gives_pointer(cf_type_of(s, r)); k++)
            part[n++] = cf_forward_shadow(s, r, k);
    }
    LLVMPositionBuilderBefore(s->f, at);
    build_result(s->f, s->fwd, part, n);
    LLVMInstructionEraseFromParent(at);
}

/* A body that ends the program with a message in the place of a half-made one. */
static void refuse_at_call(cf_job *job, LLVMValueRef f, const char *message) {
    cfx_make_declaration(f);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(job->context, f, "entry"));
    LLVMValueRef text = LLVMBuildGlobalStringPtr(b, message, "cf.site"),
                 refuse = LLVMGetNamedFunction(job->module, "__cf_refuse");
    if (refuse) l_call(b, refuse, &text, 1, "");
    LLVMBuildUnreachable(b);
    LLVMDisposeBuilder(b);
}

static void make_pair(cf_job *job, cf_pair *p) {
    cf_sweep sweep, *s = &sweep;
    prepare_primal(job, p->key.function);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(job->context, p->rev, "entry");
    begin_sweep(s, job, &p->key, false, p->aug, p->rev);
    s->soft = p->soft;
    s->tape_fwd = LLVMGetParam(p->aug, 0);
    s->tape_rev = LLVMGetParam(p->rev, 0);
    take_seeds(s, p->rev, take_parameters(s, p->rev, 1, s->rev_param, s->rev_shadow_param));
    s->start = block_in(s, "reverse");
    s->finish = block_in(s, "done");
    LLVMPositionBuilderAtEnd(s->b, entry);
    LLVMBuildBr(s->b, s->start);
    run_steps(s);
    if (!s->failed) {
        LLVMPositionBuilderAtEnd(s->b, s->finish);
        LLVMValueRef *part = parts(s);
        unsigned n = add_adjoints(s, part, 0);
        build_result(s->b, s->rev, part, n);
        return_augmented(s);
        cf_fill_shadow_phis(s);
    }
    end_sweep(s);
    p->failed = s->failed && !s->soft;
    if (!s->trouble) return;
    refuse_at_call(job, p->aug, s->trouble);
    refuse_at_call(job, p->rev, s->trouble);
}

/* --- the joined function ------------------------------------------------------------------------------------------------------------- */

static LLVMTypeRef joined_type(cf_job *job, const cf_key *key) {
    LLVMTypeRef primal = l_function_type(key->function), ret = LLVMGetReturnType(primal);
    unsigned n = LLVMCountParamTypes(primal), w = key->width, na = 0, no = 0;
    LLVMTypeRef *param = CF_ARRAY(job->arena, LLVMTypeRef, n + 1),
                *a = CF_ARRAY(job->arena, LLVMTypeRef, (n + 1) * (w + 1));
    LLVMTypeRef *out = CF_ARRAY(job->arena, LLVMTypeRef, n * w + 2);
    LLVMGetParamTypes(primal, param);
    if (!l_is_void_type(ret)) out[no++] = ret;
    for (unsigned k = 0; k < n; k++) {
        a[na++] = param[k];
        for (unsigned j = 0; j < w && (key->arg[k] & CF_ARG_DUP); j++) {
            if (l_is_pointer_type(param[k]))
                a[na++] = param[k];
            else
                out[no++] = param[k];
        }
    }
    bool seeded = key->result && !l_is_void_type(ret) && !l_is_pointer_type(ret);
    for (unsigned j = 0; j < w && seeded; j++) a[na++] = ret;
    LLVMTypeRef result =
        no ? LLVMStructTypeInContext(job->context, out, no, 0) : LLVMVoidTypeInContext(job->context);
    return LLVMFunctionType(result, a, na, 0);
}

/* The tape as a local variable; begun and ended only when something uses it. */
static LLVMValueRef tape_variable(cf_sweep *s, const char *name, uint64_t bytes) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(s->fwd);
    LLVMPositionBuilderBefore(s->f, LLVMGetFirstInstruction(entry));
    LLVMTypeRef t = LLVMArrayType2(LLVMInt8TypeInContext(s->job->context), bytes);
    LLVMValueRef v = LLVMBuildAlloca(s->f, t, name);
    LLVMSetAlignment(v, 16);
    return v;
}

static void begin_and_end_tape(cf_sweep *s) {
    if (!s->uses_tape) return;
    LLVMValueRef first = tape_variable(s, "cf.first", FIRST_CHUNK);
    LLVMValueRef a[] = {s->tape_fwd, first, l_i64(s->job->context, FIRST_CHUNK)};
    l_after(s->f, s->tape_fwd);
    l_call(s->f, cf_tape_function(s, "__cf_tape_begin"), a, 3, "");
    if (s->key->marked) l_call(s->b, cf_tape_function(s, "__cf_marks_end"), a, 1, "");
    l_call(s->b, cf_tape_function(s, END_OF_TAPE), a, 1, "");
}

/* Where nothing that a gradient reaches notes memory to be put back, its end puts nothing back: a derivative of the gradient
 * need not ask what that memory might hold. */
static void choose_end_of_tape(cf_job *job, LLVMValueRef joined) {
    cf_map reached = {0};
    cf_reach(job->arena, joined, &reached);
    if (cf_map_get(&reached, LLVMGetNamedFunction(job->module, "__cf_tape_redo"))) return;
    LLVMValueRef end = LLVMGetNamedFunction(job->module, END_OF_TAPE);
    for (LLVMUseRef u = LLVMGetFirstUse(end), next; u; u = next) {
        next = LLVMGetNextUse(u);
        LLVMValueRef call = LLVMGetUser(u);
        if (!LLVMIsACallInst(call) || l_function_of(call) != joined) continue;
        LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1,
                       LLVMGetNamedFunction(job->module, "__cf_tape_drop"));
    }
}

/* The forward sweep's return goes on with the reverse sweep. */
static void join_sweeps(cf_sweep *s, LLVMValueRef *result) {
    cf_id ret = return_of(s);
    if (ret == CF_NONE) return;
    LLVMValueRef at = cf_forward_value(s, ret);
    LLVMPositionBuilderBefore(s->f, at);
    if (LLVMGetNumOperands(at)) {
        LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(at, 0));
        LLVMValueRef slot = l_slot(s->f, t, "cf.result");
        LLVMBuildStore(s->f, LLVMGetOperand(at, 0), slot);
        *result = LLVMBuildLoad2(s->b, t, slot, "");
    }
    LLVMBuildBr(s->f, s->start);
    LLVMInstructionEraseFromParent(at);
}

static void finish_joined(cf_sweep *s) {
    LLVMPositionBuilderAtEnd(s->b, s->finish);
    LLVMValueRef *part = parts(s), result = NULL;
    unsigned n = 0;
    join_sweeps(s, &result);
    if (result)
        part[n++] = result;
    else if (!l_is_void_type(l_return_type(s->v->function)))
        part[n++] = LLVMGetUndef(l_return_type(s->v->function));
    n = add_adjoints(s, part, n);
    begin_and_end_tape(s);
    build_result(s->b, s->rev, part, n);
}

static LLVMValueRef make_joined(cf_job *job, const cf_key *key) {
    cf_sweep sweep, *s = &sweep;
    prepare_primal(job, key->function);
    LLVMTypeRef t = joined_type(job, key);
    LLVMValueRef f = declare(job, key->function, cf_text(job->arena, "%s.grad", l_name(key->function)), t);
    begin_sweep(s, job, key, true, f, f);
    take_seeds(s, f, take_parameters(s, f, 0, s->rev_param, s->rev_shadow_param));
    s->tape_fwd = s->tape_rev = tape_variable(s, "cf.tape", TAPE_BYTES);
    s->start = block_in(s, "reverse");
    s->finish = block_in(s, "done");
    run_steps(s);
    if (!s->failed) finish_joined(s);
    end_sweep(s);
    return s->failed ? NULL : f;
}

/* The last one that is needed for sure, or else the last one. */
static cf_pair *take_pending(state *st) {
    size_t i = st->pending.n;
    while (i && st->pending.at[i - 1]->soft) i--;
    i = i ? i - 1 : st->pending.n - 1;
    cf_pair *p = st->pending.at[i];
    st->pending.at[i] = st->pending.at[--st->pending.n];
    return p;
}

static bool make_pending(cf_job *job) {
    state *st = state_of(job);
    bool ok = true;
    while (st->pending.n && !st->undecided) {
        cf_pair *p = take_pending(st);
        make_pair(job, p);
        ok &= !p->failed;
    }
    return ok;
}

/* Shadows of globals start every gradient in their first state. */
static void reset_globals(cf_job *job, LLVMValueRef joined) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(joined));
    while (LLVMIsAAllocaInst(first)) first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(b, first);
    cf_twin_reset(job, b, joined);
    LLVMDisposeBuilder(b);
}

/* --- once more ------------------------------------------------------------------------------------------------------------------ */

void cf_note_made(cf_job *job, const char *name) { cf_push(job->arena, &state_of(job)->names, name); }

/* Made functions, from `first` on, lose their bodies, so that they do not use one another. */
static void empty_made(LLVMValueRef first) {
    for (LLVMValueRef f = first; f; f = LLVMGetNextFunction(f))
        if (l_has_text(f, "cf-made") && !LLVMIsDeclaration(f)) cfx_make_declaration(f);
}

static void delete_made(cf_job *job, LLVMValueRef first, LLVMValueRef first_global) {
    empty_made(first);
    for (LLVMValueRef g = first_global, next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (l_begins(l_name(g), "cf.pair.") && !LLVMGetFirstUse(g)) LLVMDeleteGlobal(g);
    }
    for (LLVMValueRef f = first, next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!l_has_text(f, "cf-made")) continue;
        LLVMReplaceAllUsesWith(f, LLVMConstNull(LLVMTypeOf(f))); /* constants that nobody uses */
        LLVMDeleteFunction(f);
    }
    cf_forget_evidence(job);
}

/* Everything that is made for one gradient; nothing of it is left where it has to be made once more. */
static LLVMValueRef make_all(cf_job *job, const cf_key *key) {
    state *st = state_of(job);
    st->names.n = st->pending.n = 0;
    st->undecided = false;
    LLVMValueRef last = LLVMGetLastFunction(job->module), last_global = LLVMGetLastGlobal(job->module);
    LLVMValueRef f = make_joined(job, key);
    bool ok = make_pending(job) && f;
    if (!st->undecided) return ok ? f : NULL;
    for (size_t i = 0; i < st->names.n; i++) cf_names_put(job->arena, &job->made, st->names.at[i], NULL);
    delete_made(job, last ? LLVMGetNextFunction(last) : LLVMGetFirstFunction(job->module),
                last_global ? LLVMGetNextGlobal(last_global) : LLVMGetFirstGlobal(job->module));
    return NULL;
}

LLVMValueRef cf_gradient_of(cf_job *job, const cf_key *key) {
    const char *name = key_text(job, "gradient", key);
    LLVMValueRef f = cf_names_get(&job->made, name);
    if (f) return f;
    if (!cf_tape_link(job)) return NULL;
    cf_key own = copy_key(job, key);
    own.function = cf_nothrow_of(job, key->function);
    cf_kept_root(job, own.function);
    bool records = l_records_begin(job->module);
    own.marked = cf_addresses_in_pieces(job);
    f = make_all(job, &own);
    if (!f && state_of(job)->undecided && !own.marked) {
        own.marked = true;
        f = make_all(job, &own);
    }
    if (f) reset_globals(job, f);
    if (f) choose_end_of_tape(job, f);
    l_records_end(job->module, records);
    if (f) cf_names_put(job->arena, &job->made, name, f);
    return f;
}
