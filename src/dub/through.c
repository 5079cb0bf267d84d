/* Calls through pointers of functions that may have a clone: by a function of the call's own parameters, which looks the
 * clone up and calls that, or the function itself.
 *
 * In:     a key, the type of the function called, a call of it
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

static LLVMTypeRef type_of(cf_dub *d, LLVMTypeRef result, const cf_values *args) {
    LLVMTypeRef *t = CF_ARRAY(d->job->arena, LLVMTypeRef, args->n + 1);
    for (size_t i = 0; i < args->n; i++) t[i] = LLVMTypeOf(args->at[i]);
    t[args->n] = LLVMPointerTypeInContext(d->job->context, 0);
    return LLVMFunctionType(result, t, (unsigned)args->n + 1, false);
}

static void finish(LLVMBuilderRef b, LLVMValueRef call) {
    l_is_void_type(LLVMTypeOf(call)) ? LLVMBuildRetVoid(b) : LLVMBuildRet(b, call);
}

typedef struct maker {
    cf_dub *dub;
    const cf_key *key;
    LLVMTypeRef type;
    LLVMValueRef call, made;
    LLVMBuilderRef builder;
} maker;

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

static void build(maker *m) {
    LLVMContextRef c = m->dub->job->context;
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(c, m->made, "entry");
    LLVMBasicBlockRef inside = LLVMAppendBasicBlockInContext(c, m->made, "inside");
    LLVMBasicBlockRef outside = LLVMAppendBasicBlockInContext(c, m->made, "outside");
    unsigned n = LLVMCountParams(m->made) - 1;
    LLVMValueRef *args = CF_ARRAY(m->dub->job->arena, LLVMValueRef, n + 1);
    LLVMGetParams(m->made, args);
    cf_values natively = {0};
    m->dub->domain->natively(m->dub, m->key, args, n, &natively);
    keep_parameters(m, &natively, args, n);
    LLVMPositionBuilderAtEnd(m->builder, entry);
    LLVMValueRef clone = lookup(m, args[n]);
    LLVMBuildCondBr(m->builder, LLVMBuildIsNull(m->builder, clone, ""), outside, inside);
    LLVMPositionBuilderAtEnd(m->builder, inside);
    LLVMValueRef call = call_of(m, m->dub->domain->signature(m->dub, m->key, m->type), clone, args, n);
    keep_passing(m, call, &natively, args, n);
    finish(m->builder, call);
    LLVMPositionBuilderAtEnd(m->builder, outside);
    call = call_of(m, m->type, args[n], natively.at, (unsigned)natively.n);
    keep_passing(m, call, &natively, natively.at, (unsigned)natively.n);
    finish(m->builder, call);
}

LLVMValueRef cf_through(cf_dub *d, const cf_key *like, LLVMTypeRef type, LLVMValueRef call,
                        const cf_values *args) {
    cf_job *job = d->job;
    char flags[32] = "";
    for (unsigned i = 0; i < like->n && i < sizeof flags - 1; i++) flags[i] = (char)('0' + like->arg[i]);
    const char *key = cf_text(job->arena, "%s through %s %p %p", d->domain->name, flags, (void *)type,
                              is_special(call) ? (void *)call : NULL);
    LLVMValueRef known = cf_names_get(&job->made, key);
    if (known) return known;
    maker m = {.dub = d, .key = like, .type = type, .call = call};
    LLVMTypeRef own = type_of(d, LLVMGetReturnType(type), args);
    m.made = LLVMAddFunction(job->module, cf_text(job->arena, "cf.through%s", d->domain->suffix), own);
    LLVMSetLinkage(m.made, LLVMInternalLinkage);
    cf_names_put(job->arena, &job->made, key, m.made);
    m.builder = LLVMCreateBuilderInContext(job->context);
    build(&m);
    LLVMDisposeBuilder(m.builder);
    return m.made;
}
