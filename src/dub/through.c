/* Calls through pointers of functions that may have a clone: by a function of the call's own parameters, which looks the
 * clone up and calls that, or the function itself. What is called instead of some functions (detours) comes first.
 *
 * In:     a key and detours, the type of the function called, a call of it
 * Out:    a local function that takes what the clone takes, and the pointer
 * Keeps:  the call                                   Breaks: nothing */
#include "dub/dub.h"
#include "llvm/l.h"

/* The call's arguments are passed in a way that its type does not show, or there are more than the type says. */
static bool is_special(LLVMValueRef call) {
    static const char *const names[] = {"byval", "sret", "inreg", "nest", "zeroext", "signext"};
    if (LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call))) return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (l_has_call(call, i + 1, names[k])) return true;
    return LLVMGetInstructionCallConv(call) != LLVMCCallConv;
}

static LLVMTypeRef type_of(cf_dub *d, LLVMTypeRef result, const cf_values *args, LLVMValueRef more) {
    LLVMTypeRef *t = CF_ARRAY(d->job->arena, LLVMTypeRef, args->n + 2);
    size_t n = args->n;
    for (size_t i = 0; i < n; i++) t[i] = LLVMTypeOf(args->at[i]);
    if (more) t[n++] = LLVMTypeOf(more);
    t[n++] = LLVMPointerTypeInContext(d->job->context, 0);
    return LLVMFunctionType(result, t, (unsigned)n, false);
}

static void finish(LLVMBuilderRef b, LLVMValueRef call) {
    l_is_void_type(LLVMTypeOf(call)) ? LLVMBuildRetVoid(b) : LLVMBuildRet(b, call);
}

typedef struct maker {
    cf_dub *dub;
    const cf_target *how;
    const cf_key *key;
    LLVMTypeRef type;
    LLVMValueRef call, made;
    LLVMBuilderRef builder;
    LLVMValueRef *args; /* the parameters of what is made: n of the clone, more, the pointer */
    unsigned n;
    cf_values natively;
} maker;

static LLVMValueRef target_of(const maker *m) { return m->args[m->n + (m->how->more != NULL)]; }

static LLVMValueRef lookup(maker *m, LLVMValueRef target) {
    LLVMContextRef c = m->dub->job->context;
    LLVMValueRef table = cf_dispatch(m->dub, m->key, m->type);
    LLVMValueRef args[3] = {target, LLVMConstNull(LLVMPointerTypeInContext(c, 0)), l_i64(c, 0)};
    return l_call(m->builder, table, args, 3, "clone");
}

static LLVMValueRef call_of(maker *m, LLVMTypeRef type, LLVMValueRef f, LLVMValueRef *args, unsigned n) {
    LLVMValueRef call = LLVMBuildCall2(m->builder, type, f, args, n, "");
    LLVMSetInstructionCallConv(call, LLVMGetInstructionCallConv(m->call));
    LLVMSetTailCallKind(call, LLVMTailCallKindTail);
    return call;
}

/* How the arguments of the call are passed, on a call with `n` arguments of which the domain's own come first. */
static void keep_passing(maker *m, LLVMValueRef call, const cf_values *natively, LLVMValueRef *args,
                         unsigned n) {
    cf_keep_call_attributes(m->call, 0, call, 0);
    for (unsigned i = 0; i < natively->n; i++)
        for (unsigned k = 0; k < n; k++)
            if (args[k] == natively->at[i]) cf_keep_call_attributes(m->call, i + 1, call, k + 1);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(m->call); i++)
        if (l_has_call(m->call, i + 1, "byval")) LLVMSetTailCallKind(call, LLVMTailCallKindNone);
}

/* The parameters of the function that is made are passed as the call passes them. */
static void keep_parameters(maker *m, const cf_values *natively, LLVMValueRef *args, unsigned n) {
    static const char *const names[] = {"byval", "sret", "inreg", "align", "zeroext", "signext"};
    for (unsigned i = 0; i < natively->n; i++)
        for (unsigned k = 0; k < n; k++)
            for (size_t j = 0; args[k] == natively->at[i] && j < sizeof names / sizeof *names; j++) {
                unsigned kind = LLVMGetEnumAttributeKindForName(names[j], strlen(names[j]));
                LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(m->call, i + 1, kind);
                if (a) LLVMAddAttributeAtIndex(m->made, k + 1, a);
            }
}

static LLVMBasicBlockRef block(maker *m, const char *name) {
    return LLVMAppendBasicBlockInContext(m->dub->job->context, m->made, name);
}

/* ---- detours ---- */

/* Calls what stands in the place of a function. */
static void build_detour(maker *m, const cf_detour *k) {
    unsigned own = m->dub->domain->own(m->key), n = 0;
    LLVMValueRef *args = CF_ARRAY(m->dub->job->arena, LLVMValueRef, m->n + 1);
    for (unsigned i = 0; i < m->n; i++) {
        if (i == own || !(k->without >> (i - (i > own)) & 1)) args[n++] = m->args[i];
        if (i == own && k->with_more) args[n++] = m->args[m->n];
    }
    LLVMValueRef call = l_call(m->builder, k->instead, args, n, "");
    keep_passing(m, call, &m->natively, args, n);
    m->dub->domain->made(m->dub, m->key, m->call, call, true);
    finish(m->builder, call);
}

static bool same_way(const cf_detour *a, const cf_detour *b) {
    return a->instead == b->instead && a->with_more == b->with_more && a->without == b->without;
}

/* Whether the target is one of the functions that go the way of detour `like`. */
static LLVMValueRef goes_that_way(maker *m, const cf_detour *like) {
    cf_values all = {0};
    for (size_t i = 0; i < m->how->detours->list.n; i++) {
        const cf_detour *k = &m->how->detours->list.at[i];
        if (same_way(k, like)) cf_push(m->dub->job->arena, &all, k->function);
    }
    if (all.n == 1) return LLVMBuildICmp(m->builder, LLVMIntEQ, target_of(m), like->function, "");
    LLVMContextRef c = m->dub->job->context;
    LLVMValueRef args[3] = {target_of(m), LLVMConstNull(LLVMPointerTypeInContext(c, 0)), l_i64(c, 0)};
    LLVMValueRef found = l_call(m->builder, cf_dispatch_set(m->dub, &all), args, 3, "");
    return LLVMBuildIsNotNull(m->builder, found, "");
}

static void build_detours(maker *m) {
    for (size_t i = 0; m->how->detours && i < m->how->detours->list.n; i++) {
        const cf_detour *k = &m->how->detours->list.at[i];
        bool first = true;
        for (size_t j = 0; j < i && first; j++) first = !same_way(&m->how->detours->list.at[j], k);
        if (!first) continue;
        LLVMBasicBlockRef instead = block(m, "instead"), next = block(m, "next");
        LLVMBuildCondBr(m->builder, goes_that_way(m, k), instead, next);
        LLVMPositionBuilderAtEnd(m->builder, instead);
        build_detour(m, k);
        LLVMPositionBuilderAtEnd(m->builder, next);
    }
}

/* ---- clones ---- */

static void build_lookup(maker *m) {
    LLVMBasicBlockRef inside = block(m, "inside"), outside = block(m, "outside");
    LLVMValueRef clone = lookup(m, target_of(m));
    LLVMBuildCondBr(m->builder, LLVMBuildIsNull(m->builder, clone, ""), outside, inside);
    LLVMPositionBuilderAtEnd(m->builder, inside);
    LLVMValueRef call = call_of(m, m->dub->domain->signature(m->dub, m->key, m->type), clone, m->args, m->n);
    keep_passing(m, call, &m->natively, m->args, m->n);
    m->dub->domain->made(m->dub, m->key, m->call, call, false);
    finish(m->builder, call);
    LLVMPositionBuilderAtEnd(m->builder, outside);
}

static void build(maker *m) {
    m->args = CF_ARRAY(m->dub->job->arena, LLVMValueRef, LLVMCountParams(m->made) + 1);
    m->n = LLVMCountParams(m->made) - 1 - (m->how->more != NULL);
    LLVMGetParams(m->made, m->args);
    m->dub->domain->natively(m->dub, m->key, m->args, m->n, &m->natively);
    keep_parameters(m, &m->natively, m->args, m->n);
    LLVMPositionBuilderAtEnd(m->builder, block(m, "entry"));
    build_detours(m);
    if (!m->how->detours || !m->how->detours->only) build_lookup(m);
    const cf_values *args = &m->natively;
    LLVMValueRef call = call_of(m, m->type, target_of(m), args->at, (unsigned)args->n);
    keep_passing(m, call, args, args->at, (unsigned)args->n);
    finish(m->builder, call);
}

LLVMValueRef cf_through(cf_dub *d, const cf_target *t, LLVMTypeRef type, LLVMValueRef call,
                        const cf_values *args) {
    cf_job *job = d->job;
    const cf_key *like = &t->key;
    char flags[32] = "";
    for (unsigned i = 0; i < like->n && i < sizeof flags - 1; i++) flags[i] = (char)('0' + like->arg[i]);
    const char *key = cf_text(job->arena, "%s through %s %p %p %p", d->domain->name, flags, (void *)type,
                              is_special(call) ? (void *)call : NULL, (const void *)t->detours);
    LLVMValueRef known = cf_names_get(&job->made, key);
    if (known) return known;
    maker m = {.dub = d, .how = t, .key = like, .type = type, .call = call};
    LLVMTypeRef own = type_of(d, LLVMGetReturnType(type), args, t->more);
    m.made = LLVMAddFunction(job->module, cf_text(job->arena, "cf.through%s", d->domain->suffix), own);
    LLVMSetLinkage(m.made, LLVMInternalLinkage);
    cf_names_put(job->arena, &job->made, key, m.made);
    m.builder = LLVMCreateBuilderInContext(job->context);
    build(&m);
    LLVMDisposeBuilder(m.builder);
    return m.made;
}
