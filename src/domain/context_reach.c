/* Which functions a context changes: those that hold something that a hook or an override is for, and those that may
 * call one of them.
 *
 * In:     the module, the context
 * Out:    c->changes: (function, whether hooks are wanted, whether they work) → yes or no
 * Keeps:  the module
 *
 * Idea: what is reached from a function is walked once; then the changes flow from callees to callers. A call through
 * a pointer may call every function of its type whose address is taken: such a type stands for them as a callee. */
#include "domain/context.h"
#include "dub/callback.h"
#include "ir/constants.h"
#include "llvm/l.h"

typedef struct node node;
struct node {
    LLVMValueRef function; /* NULL: any function of a type that a pointer may point to */
    bool hooks, active, changes, known;
    CF_VEC(node *) caller;
};

typedef CF_VEC(node *) nodes;

/* ---- what can be cloned ---- */

static bool is_block_of(void *function, LLVMValueRef part) {
    return LLVMIsABlockAddress(part) && LLVMGetBlockAddressFunction(part) == (LLVMValueRef)function;
}

/* A table of labels that may be changed, or that others see: it would lead from the clone into the function. */
static bool has_open_table(LLVMValueRef f) {
    bool jumps = false;
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k && !jumps; k = LLVMGetNextBasicBlock(k)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(k);
        jumps = end && LLVMIsAIndirectBrInst(end);
    }
    if (!jumps) return false;
    cf_arena *a = cf_arena_new();
    bool open = false;
    for (LLVMValueRef g = LLVMGetFirstGlobal(LLVMGetGlobalParent(f)); g && !open; g = LLVMGetNextGlobal(g))
        open = (!l_is_local(g) || !LLVMIsGlobalConstant(g)) &&
               cf_any_part(a, LLVMGetInitializer(g), is_block_of, f);
    cf_arena_free(a);
    return open;
}

static const char *why_instruction(LLVMValueRef i) {
    if (LLVMIsACallBrInst(i)) return "it has `asm goto`";
    if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) return NULL;
    LLVMValueRef f = LLVMGetCalledValue(i);
    if (LLVMIsAFunction(f) && l_begins(l_name(f), "llvm.coro.")) return "it is a coroutine";
    if (cf_is_musttail(i) && LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(i)) &&
        LLVMIsFunctionVarArg(l_function_type(l_function_of(i))))
        return "it hands on its variable arguments by a tail call";
    for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++)
        if (l_has_call(i, k + 1, "inalloca") || l_has_call(i, k + 1, "preallocated"))
            return "it builds arguments of a call in place (inalloca)";
    return LLVMGetNumArgOperands(i) > 60 ? "a call in it has more than 60 arguments" : NULL;
}

static const char *look_why_not(LLVMValueRef f) {
    if (LLVMIsDeclaration(f)) return "it has no body here";
    if (l_has_f(f, "naked")) return "it is naked: assembly alone";
    if (l_has_f(f, "presplitcoroutine")) return "it is a coroutine";
    if (l_begins(l_name(f), "__cf_")) return "it belongs to Cofactor";
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i)) {
            const char *why = why_instruction(i);
            if (why) return why;
        }
    if (has_open_table(f))
        return "a table of labels in it may be changed: declare it `static void *const table[]`";
    return NULL;
}

const char *cf_why_not(cf_job *job, cf_context *c, LLVMValueRef f) {
    static const char nothing[] = "";
    const char *why = cf_map_get(&c->why, f);
    if (!why) {
        why = look_why_not(f);
        cf_map_put(job->arena, &c->why, f, (void *)(uintptr_t)(why ? why : nothing));
    }
    return why && *why ? why : NULL;
}

bool cf_excluded(cf_job *job, cf_context *c, LLVMValueRef f) {
    if (cf_is_machine(f)) return false;
    if (c->exclude && cf_globs(c->exclude, cf_shown_name(job, c, f))) return true;
    return c->exclude_file && cf_globs(c->exclude_file, cf_file_of(f));
}

bool cf_works_in(cf_job *job, cf_context *c, LLVMValueRef f, bool *active) {
    if (c->from && cf_globs(c->from, cf_shown_name(job, c, f))) *active = true;
    if (!*active || cf_is_machine(f)) return false;
    if (c->only && !cf_globs(c->only, cf_shown_name(job, c, f))) return false;
    return !c->only_file || cf_globs(c->only_file, cf_file_of(f));
}

bool cf_works_at(const cf_context *c, LLVMValueRef call, bool works, bool active) {
    return works || (active && !c->only && !c->only_file && (cf_is_shown(call) || cf_calls_back(call)));
}

/* ---- cf_recurse, cf_next ---- */

bool cf_is_mark(LLVMValueRef call) {
    LLVMValueRef f = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    return f && LLVMIsAFunction(f) &&
           (l_begins(l_name(f), "__cf_recurse") || !strcmp(l_name(f), "__cf_next"));
}

LLVMValueRef cf_mark_called(LLVMValueRef call) {
    LLVMValueRef called = LLVMGetCalledValue(call);
    return cf_is_mark(called) ? called : NULL;
}

LLVMValueRef cf_recursed(LLVMValueRef mark) {
    unsigned n = LLVMGetNumArgOperands(mark);
    return n ? l_without_aliases(LLVMGetOperand(mark, n - 1)) : NULL;
}

/* ---- the program ---- */

typedef struct search {
    cf_job *job;
    cf_context *context;
    CF_VEC(LLVMValueRef) work;
} search;

bool cf_is_hook(const cf_context *c, LLVMValueRef f) {
    for (size_t i = 0; i < c->hook.n; i++)
        if (c->hook.at[i].function == f) return true;
    for (size_t i = 0; i < c->spare.n; i++)
        if (c->spare.at[i] == f) return true;
    return false;
}

static bool is_own(const cf_context *c, LLVMValueRef f) {
    return cf_is_hook(c, f) || f == c->begin || f == c->end;
}

static void see(search *s, LLVMValueRef v) {
    if (!v || !LLVMIsAConstant(v) || cf_map_get(&s->context->program, v) || is_own(s->context, v)) return;
    if (!LLVMIsAGlobalValue(v) && LLVMGetNumOperands(v) <= 0) return;
    cf_map_put(s->job->arena, &s->context->program, v, v);
    cf_push(s->job->arena, &s->work, v);
}

static void see_operands(search *s, LLVMValueRef v) {
    for (int i = 0, n = LLVMGetNumOperands(v); i < n; i++) see(s, LLVMGetOperand(v, (unsigned)i));
}

static void see_body(search *s, LLVMValueRef f) {
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i))
            see_operands(s, i);
}

/* Whatever may be reached otherwise than through hooks and overrides. */
static void find_program(cf_job *job, cf_context *c) {
    search s = {.job = job, .context = c};
    LLVMModuleRef m = job->module;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!l_is_local(f)) see(&s, f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
        if (!l_is_local(g)) see(&s, g);
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(m); a; a = LLVMGetNextGlobalAlias(a)) see(&s, a);
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(m); i; i = LLVMGetNextGlobalIFunc(i))
        see(&s, LLVMGetGlobalIFuncResolver(i));
    for (size_t i = 0; i < c->root.n; i++) see(&s, c->root.at[i]);
    while (s.work.n) {
        LLVMValueRef v = s.work.at[--s.work.n];
        if (LLVMIsAFunction(v))
            see_body(&s, v);
        else if (LLVMIsAGlobalVariable(v))
            see(&s, LLVMGetInitializer(v));
        else if (LLVMIsAGlobalAlias(v))
            see(&s, LLVMAliasGetAliasee(v));
        else
            see_operands(&s, v);
    }
}

bool cf_may_be_target(cf_job *job, cf_context *c, LLVMValueRef f) {
    if (!c->program.n) find_program(job, c);
    return cf_map_get(&c->program, f) && !cf_excluded(job, c, f);
}

/* ---- the walk ---- */

typedef struct walk {
    cf_dub *dub;
    cf_job *job;
    cf_context *context;
    nodes work, all;
} walk;

/* of: a function or a type. *made: it is new. */
static node *find_node(walk *w, const void *of, bool hooks, bool active, bool *made) {
    const void *key = (const char *)of + hooks + 2 * active; /* handles are aligned */
    node *n = cf_map_get(&w->context->changes, key);
    *made = !n;
    if (n) return n;
    n = CF_NEW(w->job->arena, node);
    *n = (node){.hooks = hooks, .active = active};
    cf_map_put(w->job->arena, &w->context->changes, key, n);
    cf_push(w->job->arena, &w->all, n);
    return n;
}

static node *node_of(walk *w, LLVMValueRef f, bool hooks, bool active) {
    bool made;
    node *n = find_node(w, f, hooks, active, &made);
    n->function = f;
    if (made) cf_push(w->job->arena, &w->work, n);
    return n;
}

static void leads_to(walk *w, node *from, node *to) {
    if (to->known)
        from->changes |= to->changes; /* from a walk before this one */
    else
        cf_push(w->job->arena, &to->caller, from);
}

static void calls(walk *w, node *from, LLVMValueRef f, bool active) {
    if (cf_why_not(w->job, w->context, f) || cf_excluded(w->job, w->context, f)) return;
    leads_to(w, from, node_of(w, f, from->hooks, active));
}

static node *node_of_type(walk *w, LLVMTypeRef t, bool hooks, bool active) {
    bool made;
    node *n = find_node(w, t, hooks, active, &made);
    const cf_values *taken = cf_taken(w->dub);
    for (size_t i = 0; made && i < taken->n; i++) {
        LLVMValueRef f = taken->at[i];
        if (cf_may_call(t, l_function_type(f)) && cf_may_be_target(w->job, w->context, f))
            calls(w, n, cf_callback_pointed_to(w->job, f), active);
    }
    return n;
}

const cf_pointed *cf_overrides_through(cf_dub *d, cf_context *c, LLVMValueRef call) {
    LLVMTypeRef t = LLVMGetCalledFunctionType(call);
    bool shared = !LLVMIsFunctionVarArg(t) && !cf_overrides_by_place(c);
    cf_pointed *all = shared ? cf_map_get(&c->pointed, t) : NULL;
    if (all) return all;
    all = CF_NEW(d->job->arena, cf_pointed);
    if (shared) cf_map_put(d->job->arena, &c->pointed, t, all);
    const cf_values *taken = cf_taken(d);
    for (size_t i = 0; i < taken->n; i++) {
        cf_overridden one = {.function = taken->at[i]};
        if (cf_may_call(t, l_function_type(one.function)))
            one.hook = cf_override_of_pointed(d->job, c, call, one.function, &one.site);
        if (one.hook) cf_push(d->job->arena, all, one);
    }
    return all;
}

static void calls_any(walk *w, node *from, LLVMValueRef call, bool active, bool works) {
    if (works && cf_overrides_through(w->dub, w->context, call)->n) from->changes = true;
    leads_to(w, from, node_of_type(w, LLVMGetCalledFunctionType(call), from->hooks, active));
}

LLVMValueRef cf_caller_of(cf_job *job, cf_context *c, LLVMValueRef f, unsigned i) {
    LLVMValueRef caller = cf_callback_caller(job, cf_callback_of(f), i);
    if (!l_has_text(caller, "cf-name")) l_add_text(caller, "cf-name", cf_shown_name(job, c, f));
    return caller;
}

static void visit_call(walk *w, node *n, LLVMValueRef i, bool active, bool works) {
    LLVMValueRef f = l_callee(i);
    if (f && LLVMIsDeclaration(f) && w->context->bodyless_error && !l_is_intrinsic(f)) n->changes = true;
    if (f && !LLVMIsDeclaration(f))
        calls(w, n, f, active);
    else if (!f && !LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
        calls_any(w, n, i, active, works || (active && cf_is_machine(n->function)));
    const cf_callback *k = f ? cf_callback_of(f) : NULL;
    for (unsigned i = 0; k && i < cf_callback_count(k); i++)
        calls(w, n, cf_caller_of(w->job, w->context, f, i), active);
    /* what is handed to a function without a body may be called from there */
    for (unsigned k = 0; (!f || LLVMIsDeclaration(f)) && k < LLVMGetNumArgOperands(i); k++) {
        LLVMValueRef a = LLVMGetOperand(i, k);
        if (LLVMIsAFunction(a) && !LLVMIsDeclaration(a)) calls(w, n, a, active);
    }
}

static bool fused_matches(walk *w, node *n, LLVMValueRef i) {
    static const LLVMOpcode ops[] = {LLVMFMul, LLVMFAdd};
    cf_happening e;
    for (int k = 0; k < 2; k++) {
        cf_happening_half(&e, i, ops[k]);
        if (cf_any_matches(w->job, w->context, &e, n->hooks)) return true;
    }
    return false;
}

static void visit(walk *w, node *n) {
    bool active = n->active, works = cf_works_in(w->job, w->context, n->function, &active);
    cf_happening e;
    if (works && n->hooks && cf_wants_lines(w->context)) n->changes = true;
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(n->function); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i)) {
            bool call = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
            if (call) visit_call(w, n, i, active, works);
            if (n->changes || !(call ? cf_works_at(w->context, i, works, active) : works)) continue;
            n->changes = cf_is_fused(i) ? fused_matches(w, n, i)
                                        : cf_happening_of(w->job, w->context, i, &e) &&
                                              cf_any_matches(w->job, w->context, &e, n->hooks);
        }
}

static void spread(walk *w) {
    nodes work = {0};
    for (size_t i = 0; i < w->all.n; i++)
        if (w->all.at[i]->changes) cf_push(w->job->arena, &work, w->all.at[i]);
    while (work.n) {
        node *n = work.at[--work.n];
        for (size_t i = 0; i < n->caller.n; i++) {
            node *by = n->caller.at[i];
            if (by->changes) continue;
            by->changes = true;
            cf_push(w->job->arena, &work, by);
        }
    }
}

static bool finish(walk *w, const node *n) {
    if (n->known) return n->changes;
    while (w->work.n) visit(w, w->work.at[--w->work.n]);
    spread(w);
    for (size_t i = 0; i < w->all.n; i++) w->all.at[i]->known = true;
    return n->changes;
}

bool cf_changes(cf_dub *d, cf_context *c, LLVMValueRef f, bool hooks, bool active) {
    walk w = {.dub = d, .job = d->job, .context = c};
    if (cf_why_not(d->job, c, f)) return false;
    return finish(&w, node_of(&w, f, hooks, active));
}

bool cf_type_changes(cf_dub *d, cf_context *c, LLVMTypeRef t, bool hooks, bool active) {
    walk w = {.dub = d, .job = d->job, .context = c};
    return finish(&w, node_of_type(&w, t, hooks, active));
}
