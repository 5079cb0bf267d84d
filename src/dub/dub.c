#include "dub/dub.h"
#include "llvm/l.h"
#include "llvm/records.h"
#include <stdarg.h>
#include <stdio.h>

/* What a key that failed is mapped to: the maps forget nothing. */
static char forgotten;

void cf_dub_begin(cf_dub *d, cf_job *job, const cf_domain *domain, void *state) {
    *d = (cf_dub){.job = job, .domain = domain, .state = state};
}

void cf_set_companions(cf_body *b, LLVMValueRef old, LLVMValueRef *companions) {
    LLVMValueRef *copy = CF_ARRAY(b->job->arena, LLVMValueRef, b->key.width);
    memcpy(copy, companions, b->key.width * sizeof *copy);
    cf_map_put(b->job->arena, &b->companions, old, (void *)copy);
}

void cf_body_error(cf_body *b, LLVMValueRef at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = cf_vtext(b->job->arena, format, args);
    va_end(args);
    if (b->soft) {
        const char *message =
            cf_text(b->job->arena, "%scofactor: %s\n", cf_site_text(b, at ? at : b->clone.from), text);
        LLVMValueRef p = LLVMBuildGlobalStringPtr(b->builder, message, "cf.site");
        cf_refuse(b, l_i1(b->job->context, true), p, strlen(message));
        return;
    }
    cf_place place = at ? l_place(at) : (cf_place){NULL, 0, 0};
    if (!place.file) place = l_place(b->clone.from);
    cf_report(b->job->sink, CF_ERROR, place, l_name(b->clone.from), "%s", text);
    b->dub->failed = true;
}

/* ---- keys ---- */

const char *cf_dub_key_text(cf_dub *d, const char *what, const cf_key *key, const void *of) {
    char *flags = CF_ARRAY(d->job->arena, char, key->n + 1);
    for (unsigned i = 0; i < key->n; i++) flags[i] = (char)('0' + key->arg[i]);
    return cf_text(d->job->arena, "%s%s %p %u %s %d", d->domain->name, what, of, key->width, flags,
                   key->result);
}

void cf_dub_remember(cf_dub *d, const char *text, LLVMValueRef made) {
    cf_names_put(d->job->arena, &d->job->made, text, made);
    cf_push(d->job->arena, &d->made, text);
}

LLVMValueRef cf_dub_recall(cf_dub *d, const char *text) {
    void *made = cf_names_get(&d->job->made, text);
    return made == &forgotten ? NULL : made;
}

static cf_key copy_key(cf_job *job, const cf_key *key) {
    cf_key copy = *key;
    uint8_t *arg = CF_ARRAY(job->arena, uint8_t, key->n + 1);
    if (key->n) memcpy(arg, key->arg, key->n);
    copy.arg = arg;
    return copy;
}

/* A function that was only asked for by what pointers may point to is needed for sure. */
static void harden(cf_dub *d, LLVMValueRef made) {
    cf_body *b = d->soft ? NULL : cf_map_get(&d->bodies, made);
    if (b) b->soft = false;
}

static void begin_body(cf_dub *d, const cf_key *key, const char *text, LLVMValueRef made) {
    if (d->domain->parameters) d->domain->parameters(d, key, key->function, made);
    cf_dub_remember(d, text, made);
    cf_body *b = CF_NEW(d->job->arena, cf_body);
    *b = (cf_body){.dub = d, .job = d->job, .key = copy_key(d->job, key)};
    b->clone.from = key->function;
    b->clone.to = made;
    b->soft = d->soft;
    cf_map_put(d->job->arena, &d->bodies, made, b);
    cf_push(d->job->arena, &d->work, b);
}

/* A body that calls a function with the same parameters. */
void cf_dub_forward(cf_dub *d, LLVMValueRef f, LLVMValueRef made) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(d->job->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(d->job->context, f, "entry"));
    unsigned n = LLVMCountParams(f);
    LLVMValueRef *args = CF_ARRAY(d->job->arena, LLVMValueRef, n + 1);
    LLVMGetParams(f, args);
    LLVMValueRef call = l_call(b, made, args, n, "");
    cf_pass_as_declared(made, call);
    l_is_void_type(LLVMTypeOf(call)) ? LLVMBuildRetVoid(b) : LLVMBuildRet(b, call);
    LLVMDisposeBuilder(b);
}

void cf_dub_adopt(cf_dub *d, const cf_key *key, LLVMValueRef as) {
    const char *text = cf_dub_key_text(d, "", key, key->function);
    LLVMValueRef made = cf_dub_recall(d, text);
    if (made) {
        LLVMGlobalEraseMetadata(as, l_kind(d->job->context, "dbg")); /* of a declaration */
        cf_dub_forward(d, as, made);
        return;
    }
    cf_clone_dress(key->function, as);
    begin_body(d, key, text, as);
}

LLVMValueRef cf_dub_function(cf_dub *d, const cf_key *key) {
    const char *text = cf_dub_key_text(d, "", key, key->function);
    LLVMValueRef made = cf_dub_recall(d, text);
    if (made) {
        harden(d, made);
        return made;
    }
    LLVMTypeRef type = l_function_type(key->function);
    LLVMTypeRef to = d->domain->signature ? d->domain->signature(d, key, type) : type;
    const char *name = cf_text(d->job->arena, "%s%s", l_name(key->function), d->domain->suffix);
    made = cf_clone_declare(d->job, key->function, name, to);
    begin_body(d, key, text, made);
    return made;
}

/* ---- order of blocks ---- */

typedef CF_VEC(LLVMBasicBlockRef) blocks;

/* Reverse post-order: apart from phis, what dominates comes first. Blocks that nothing reaches are left out. */
static blocks order_of_blocks(cf_job *job, LLVMValueRef f) {
    typedef struct step {
        LLVMBasicBlockRef block;
        unsigned next;
    } step;
    CF_VEC(step) stack = {0};
    cf_map seen = {0};
    blocks post = {0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    cf_map_put(job->arena, &seen, entry, entry);
    cf_push(job->arena, &stack, ((step){entry, 0}));
    while (stack.n) {
        step *top = &stack.at[stack.n - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(top->block);
        if (!end || top->next == LLVMGetNumSuccessors(end)) {
            cf_push(job->arena, &post, top->block);
            stack.n--;
            continue;
        }
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, top->next++);
        if (cf_map_get(&seen, to)) continue;
        cf_map_put(job->arena, &seen, to, to);
        cf_push(job->arena, &stack, ((step){to, 0}));
    }
    for (size_t i = 0; i < post.n / 2; i++) {
        LLVMBasicBlockRef swapped = post.at[i];
        post.at[i] = post.at[post.n - 1 - i];
        post.at[post.n - 1 - i] = swapped;
    }
    return post;
}

/* ---- calls ---- */

static bool is_call(LLVMValueRef i) { return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i); }

/* A musttail call needs the caller's own signature, which the clone may have lost. */
static void soften_tail(cf_body *b, LLVMValueRef call) {
    LLVMValueRef now = cf_now(b, call);
    if (cf_is_musttail(now) && l_function_type(b->clone.to) != l_function_type(b->clone.from))
        LLVMSetTailCallKind(now, LLVMTailCallKindNone);
}

const char *cf_site_text(cf_body *b, LLVMValueRef call) {
    cf_place at = l_place(call);
    if (at.file) return cf_text(b->job->arena, "%s:%u:%u: ", at.file, at.line, at.column);
    return cf_text(b->job->arena, "in function %s: ", l_shown(b->clone.from));
}

static LLVMValueRef find_clone(cf_body *b, LLVMValueRef call, const cf_key *key, LLVMTypeRef type) {
    LLVMValueRef table = cf_dispatch(b->dub, key, type);
    const char *text =
        cf_text(b->job->arena,
                "%scofactor: no derivative of this function was made: its address is not taken in the "
                "code that was compiled with Cofactor, or it has neither body nor rule\n",
                cf_site_text(b, call));
    LLVMValueRef now = cf_now(b, call);
    cf_stand_before(b, now);
    LLVMValueRef args[3] = {LLVMGetCalledValue(now), LLVMBuildGlobalStringPtr(b->builder, text, "cf.site"),
                            l_i64(b->job->context, strlen(text))};
    return l_call(b->builder, table, args, 3, "target");
}

/* A phi of the clone, built anew with `between` in the place of `from`. */
static void rebuild_phi(cf_body *b, LLVMValueRef old, LLVMBasicBlockRef from, LLVMBasicBlockRef between) {
    LLVMValueRef now = cf_now(b, old);
    LLVMPositionBuilderBefore(b->builder, now);
    LLVMValueRef made = LLVMBuildPhi(b->builder, LLVMTypeOf(now), "");
    for (unsigned i = 0, n = LLVMCountIncoming(now); i < n; i++) {
        LLVMValueRef v = LLVMGetIncomingValue(now, i);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(now, i);
        if (block == from) block = between;
        LLVMAddIncoming(made, &v, &block, 1);
    }
    cf_copy_fast_math(now, made);
    LLVMReplaceAllUsesWith(now, made);
    l_set_name(made, l_name(old));
    LLVMInstructionEraseFromParent(now);
    cf_map_put(b->job->arena, &b->clone.values, old, made);
}

/* Gives the block that an invoke goes on to, when others go there too, a block of its own in between, so that what
 * belongs to the result can stand there. */
static void split_normal_edge(cf_body *b, LLVMValueRef invoke) {
    LLVMBasicBlockRef old = LLVMGetNormalDest(invoke), to = cf_clone_block(&b->clone, old);
    LLVMBasicBlockRef from = cf_clone_block(&b->clone, LLVMGetInstructionParent(invoke));
    unsigned uses = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(to)); u; u = LLVMGetNextUse(u)) uses++;
    LLVMValueRef first = LLVMGetFirstInstruction(old);
    if (uses == 1 && !LLVMIsAPHINode(first)) return;
    LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(b->job->context, to, "invoked");
    LLVMPositionBuilderAtEnd(b->builder, between);
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(cf_now(b, invoke)));
    LLVMBuildBr(b->builder, to);
    LLVMSetSuccessor(cf_now(b, invoke), 0, between);
    for (LLVMValueRef i = first; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        rebuild_phi(b, i, from, between);
}

static void split_invokes(cf_body *b) {
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(b->clone.from); k; k = LLVMGetNextBasicBlock(k)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(k);
        if (end && LLVMIsAInvokeInst(end)) split_normal_edge(b, end);
    }
}

void cf_dub_call(cf_body *b, LLVMValueRef call, const cf_key *key, LLVMTypeRef type, LLVMValueRef callee,
                 const cf_values *args) {
    const cf_domain *m = b->dub->domain;
    LLVMValueRef now = cf_now(b, call);
    LLVMValueRef made = cf_call_instead(b->builder, now, type, callee, args->at, (unsigned)args->n);
    m->arguments(b, call, key, made);
    if (LLVMIsAInvokeInst(made)) l_at_start(b->builder, LLVMGetNormalDest(made));
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(made));
    LLVMValueRef result = m->unmarshal(b, call, key, made);
    if (result) {
        LLVMReplaceAllUsesWith(now, result);
        cf_map_put(b->job->arena, &b->clone.values, call, result);
        if (LLVMIsAInstruction(result)) l_set_name(result, l_name(call));
    }
    LLVMInstructionEraseFromParent(now);
}

/* The pointer that a call goes through; what an ifunc is, its resolver says. */
static LLVMValueRef pointer_called(cf_body *b, LLVMValueRef call) {
    LLVMValueRef p = LLVMGetCalledValue(cf_now(b, call));
    if (!LLVMIsAGlobalIFunc(p)) return p;
    LLVMTypeRef t = LLVMPointerTypeInContext(b->job->context, 0);
    return LLVMBuildCall2(b->builder, LLVMFunctionType(t, NULL, 0, false), LLVMGetGlobalIFuncResolver(p),
                          NULL, 0, "resolved");
}

static void call_through(cf_body *b, LLVMValueRef call, const cf_target *t, cf_values *args) {
    LLVMValueRef pointer = pointer_called(b, call);
    LLVMValueRef through = cf_through(b->dub, t, LLVMGetCalledFunctionType(call), call, args);
    if (t->more) cf_push(b->job->arena, args, t->more);
    cf_push(b->job->arena, args, pointer);
    cf_dub_call(b, call, &t->key, l_function_type(through), through, args);
}

static void redirect(cf_body *b, LLVMValueRef call, const cf_target *t) {
    const cf_domain *m = b->dub->domain;
    LLVMValueRef now = cf_now(b, call), callee = NULL;
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    LLVMTypeRef to = m->signature ? m->signature(b->dub, &t->key, type) : type;
    if (t->kind == CF_CALL_CLONE) callee = cf_dub_function(b->dub, &t->key);
    if (t->kind == CF_CALL_INDIRECT) callee = find_clone(b, call, &t->key, type);
    if (!m->marshal) { /* the call itself can go there */
        LLVMSetOperand(now, (unsigned)LLVMGetNumOperands(now) - 1, callee);
        return;
    }
    cf_values args = {0};
    cf_stand_before(b, now);
    m->marshal(b, call, &t->key, &args);
    if (callee)
        cf_dub_call(b, call, &t->key, to, callee, &args);
    else
        call_through(b, call, t, &args);
}

static void visit_call(cf_body *b, LLVMValueRef call) {
    const cf_domain *m = b->dub->domain;
    soften_tail(b, call);
    if (!m->resolve) return;
    cf_stand_before(b, cf_now(b, call));
    cf_target t = m->resolve(b, call);
    if (t.kind == CF_CALL_KEEP) return;
    redirect(b, call, &t);
}

/* ---- the walk ---- */

void cf_stand_before(cf_body *b, LLVMValueRef made) {
    LLVMPositionBuilderBefore(b->builder, made);
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(made);
    LLVMSetCurrentDebugLocation2(b->builder, at ? at : b->clone.outer);
}

void cf_stand_behind(cf_body *b, LLVMValueRef made) {
    LLVMPositionBuilderBefore(b->builder, LLVMGetNextInstruction(made));
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(made);
    LLVMSetCurrentDebugLocation2(b->builder, at ? at : b->clone.outer);
}

/* The callback for an instruction that is neither call nor phi nor return. */
static void (*callback_of(const cf_domain *m, LLVMOpcode op))(cf_body *, LLVMValueRef) {
    switch (op) {
    case LLVMLoad: return m->load;
    case LLVMStore: return m->store;
    case LLVMAlloca: return m->allocate;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return m->atomic;
    default: return m->operation;
    }
}

static void visit(cf_body *b, LLVMValueRef i) {
    const cf_domain *m = b->dub->domain;
    if (is_call(i)) {
        visit_call(b, i);
    } else if (LLVMIsAPHINode(i)) {
        if (!m->phi) return;
        cf_stand_before(b, cf_now(b, i));
        m->phi(b, i);
        cf_push(b->job->arena, &b->phis, i);
    } else if (LLVMIsAReturnInst(i)) {
        if (!m->ret) return;
        cf_stand_before(b, cf_now(b, i));
        m->ret(b, i);
    } else {
        void (*visit_one)(cf_body *, LLVMValueRef) = callback_of(m, LLVMGetInstructionOpcode(i));
        if (!visit_one) return;
        LLVMValueRef now = cf_now(b, i);
        LLVMIsATerminatorInst(i) ? cf_stand_before(b, now) : cf_stand_behind(b, now);
        visit_one(b, i);
    }
}

static void walk(cf_body *b) {
    blocks order = order_of_blocks(b->job, b->clone.from);
    for (size_t k = 0; k < order.n; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(order.at[k]); i; i = LLVMGetNextInstruction(i))
            visit(b, i);
    for (size_t k = 0; k < b->phis.n; k++) {
        cf_stand_before(b, cf_now(b, b->phis.at[k]));
        b->dub->domain->fill(b, b->phis.at[k]);
    }
}

static void make(cf_body *b) {
    const cf_domain *m = b->dub->domain;
    LLVMValueRef from = b->clone.from, to = b->clone.to;
    cf_clone_begin(&b->clone, b->job, from, to);
    b->builder = LLVMCreateBuilderInContext(b->job->context);
    if (m->begin)
        m->begin(b);
    else
        for (unsigned i = 0; i < LLVMCountParams(from); i++)
            cf_map_put(b->job->arena, &b->clone.values, LLVMGetParam(from, i), LLVMGetParam(to, i));
    cf_clone_body(&b->clone);
    if (m->unmarshal) split_invokes(b);
    walk(b);
    if (m->end) m->end(b);
    LLVMDisposeBuilder(b->builder);
    cf_clone_end(&b->clone);
}

/* What is needed for sure comes first. */
static cf_body *next_body(cf_dub *d) {
    for (int soft = 0; soft < 2; soft++)
        for (size_t i = d->done; i < d->work.n; i++) {
            cf_body *b = d->work.at[i];
            if (b->made || b->soft != soft) continue;
            b->made = true;
            while (d->done < d->work.n && d->work.at[d->done]->made) d->done++;
            return b;
        }
    return NULL;
}

bool cf_dub_run(cf_dub *d) {
    bool records = l_records_begin(d->job->module);
    for (cf_body *b; (b = next_body(d));) {
        d->soft = b->soft;
        make(b);
    }
    d->soft = false;
    l_records_end(d->job->module, records);
    if (!d->failed) return true;
    for (size_t i = 0; i < d->made.n; i++)
        cf_names_put(d->job->arena, &d->job->made, d->made.at[i], &forgotten);
    return false;
}

/* ---- ends of the program ---- */

static LLVMValueRef library_function(cf_job *job, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMGetNamedFunction(job->module, name);
    return f ? f : LLVMAddFunction(job->module, name, type);
}

void cf_build_end(cf_job *job, LLVMBuilderRef b, LLVMValueRef text, LLVMValueRef length) {
    LLVMTypeRef p = LLVMPointerTypeInContext(job->context, 0), i32 = LLVMInt32TypeInContext(job->context);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(job->context);
    LLVMTypeRef writes = LLVMFunctionType(i64, (LLVMTypeRef[]){i32, p, i64}, 3, false);
    LLVMTypeRef aborts = LLVMFunctionType(LLVMVoidTypeInContext(job->context), NULL, 0, false);
    LLVMValueRef write = library_function(job, "write", writes), end = library_function(job, "abort", aborts);
    LLVMBuildCall2(b, writes, write, (LLVMValueRef[]){l_i32(job->context, 2), text, length}, 3, "");
    LLVMBuildCall2(b, aborts, end, NULL, 0, "");
    LLVMBuildUnreachable(b);
}

/* `void refuse(i1 bad, ptr text, i64 length)`: prints the text and ends the program when bad. */
static LLVMValueRef refuser(cf_body *b) {
    LLVMContextRef c = b->job->context;
    const char *name = "cf.refuse";
    LLVMValueRef f = LLVMGetNamedFunction(b->job->module, name);
    if (f) return f;
    LLVMTypeRef p = LLVMPointerTypeInContext(c, 0), i64 = LLVMInt64TypeInContext(c);
    LLVMTypeRef params[3] = {LLVMInt1TypeInContext(c), p, i64};
    f = LLVMAddFunction(b->job->module, name, LLVMFunctionType(LLVMVoidTypeInContext(c), params, 3, false));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    l_add_text(f, "cf-made", "");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(c);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(c, f, "entry");
    LLVMBasicBlockRef bad = LLVMAppendBasicBlockInContext(c, f, "bad"),
                      good = LLVMAppendBasicBlockInContext(c, f, "");
    LLVMPositionBuilderAtEnd(builder, entry);
    LLVMBuildCondBr(builder, LLVMGetParam(f, 0), bad, good);
    LLVMPositionBuilderAtEnd(builder, good);
    LLVMBuildRetVoid(builder);
    LLVMPositionBuilderAtEnd(builder, bad);
    cf_build_end(b->job, builder, LLVMGetParam(f, 1), LLVMGetParam(f, 2));
    LLVMDisposeBuilder(builder);
    return f;
}

void cf_refuse(cf_body *b, LLVMValueRef bad, LLVMValueRef text, size_t length) {
    LLVMValueRef args[3] = {bad, text, l_i64(b->job->context, length)};
    l_call(b->builder, refuser(b), args, 3, "");
}
