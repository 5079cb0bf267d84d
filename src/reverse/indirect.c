/* Calls through pointers: from a function to its pair.
 *
 * In:     a function type
 * Out:    a function of the module that returns the address of {aug, rev} for a target, and ends the program with a
 *         message, which names the call, when the target is not known
 *
 * Known are the functions with a body whose address is taken somewhere in the module. So function pointers need no
 * shadow, wherever they lie. */
#include "analysis/rules.h"
#include "reverse/call.h"
#include "reverse/reverse.h"

cf_key cf_pointer_key(cf_sweep *s, cf_id call) {
    cf_job *job = s->job;
    LLVMTypeRef type = LLVMGetCalledFunctionType(s->v->value[call].value);
    unsigned n = LLVMCountParamTypes(type);
    LLVMTypeRef *t = CF_ARRAY(job->arena, LLVMTypeRef, n + 1), ret = LLVMGetReturnType(type);
    uint8_t *arg = CF_ARRAY(job->arena, uint8_t, n + 1);
    LLVMGetParamTypes(type, t);
    for (unsigned k = 0; k < n; k++)
        arg[k] = l_is_pointer_type(t[k])  ? CF_ARG_DUP | CF_ARG_MIXED
                 : l_is_number_type(t[k]) ? CF_ARG_DUP
                                          : cf_call_flags(s->act, call, k);
    bool result = cf_gives_pointer(ret) || l_is_number_type(ret) || cf_is_active(s->act, call);
    return (cf_key){.width = s->width, .n = n, .arg = arg, .result = result, .marked = s->key->marked};
}

static bool can_differentiate(cf_job *job, LLVMValueRef f) {
    const cf_known *k = cf_known_of(f);
    bool known = k && !(k->flags & CF_KNOWN_CALLBACK) && !LLVMIsFunctionVarArg(l_function_type(f));
    return !LLVMIsDeclaration(f) || (!l_is_intrinsic(f) && (cf_rule_of(job, f) || known));
}

/* A function of the module that does nothing but call one that has a rule and no body. */
static LLVMValueRef wrapper(cf_job *job, LLVMValueRef f) {
    LLVMValueRef w =
        LLVMAddFunction(job->module, cf_text(job->arena, "cf.call.%s", l_name(f)), l_function_type(f));
    LLVMSetLinkage(w, LLVMInternalLinkage);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(job->context, w, ""));
    LLVMValueRef *a = CF_ARRAY(job->arena, LLVMValueRef, LLVMCountParams(w) + 1);
    LLVMGetParams(w, a);
    LLVMValueRef r = l_call(b, f, a, LLVMCountParams(w), "");
    if (l_is_void_type(LLVMTypeOf(r)))
        LLVMBuildRetVoid(b);
    else
        LLVMBuildRet(b, r);
    LLVMDisposeBuilder(b);
    return w;
}

static LLVMValueRef pair_constant(cf_job *job, LLVMValueRef f, cf_key key) {
    key.function = LLVMIsDeclaration(f) ? wrapper(job, f) : cf_nothrow_of(job, f);
    cf_pair *p = cf_pair_of(job, &key, true);
    LLVMValueRef both[] = {p->aug, p->rev}, init = LLVMConstStructInContext(job->context, both, 2, 0);
    LLVMValueRef g =
        LLVMAddGlobal(job->module, LLVMTypeOf(init), cf_text(job->arena, "cf.pair.%s", l_name(f)));
    LLVMSetInitializer(g, init);
    LLVMSetGlobalConstant(g, 1);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    return g;
}

/* if (target == &f) return &pair of f; … unknown(text); */
static void fill_dispatch(cf_job *job, LLVMValueRef d, LLVMTypeRef type, const cf_key *key) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(job->context, d, ""));
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f)) {
        if (l_function_type(f) != type || !l_is_taken(f) || !can_differentiate(job, f)) continue;
        if (LLVMGetStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, "cf-made", 7)) continue;
        LLVMBasicBlockRef yes = LLVMAppendBasicBlockInContext(job->context, d, "");
        LLVMBasicBlockRef no = LLVMAppendBasicBlockInContext(job->context, d, "");
        LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, LLVMGetParam(d, 0), f, ""), yes, no);
        LLVMPositionBuilderAtEnd(b, yes);
        LLVMBuildRet(b, pair_constant(job, f, *key));
        LLVMPositionBuilderAtEnd(b, no);
    }
    LLVMValueRef unknown = LLVMGetNamedFunction(job->module, "__cf_unknown_target"),
                 text = LLVMGetParam(d, 1);
    if (unknown) l_call(b, unknown, &text, 1, "");
    LLVMBuildUnreachable(b);
    LLVMDisposeBuilder(b);
}

static LLVMValueRef dispatch_for(cf_job *job, LLVMTypeRef type, const cf_key *key) {
    char *text = LLVMPrintTypeToString(type), *args = cf_alloc(job->arena, key->n + 1);
    for (unsigned k = 0; k < key->n; k++) args[k] = (char)('0' + key->arg[k]);
    const char *name = cf_text(job->arena, "reverse dispatch %u %s %d %d %s", key->width, args, key->result,
                               key->marked, text);
    LLVMDisposeMessage(text);
    LLVMValueRef d = cf_names_get(&job->made, name);
    if (d) return d;
    LLVMTypeRef ptr = LLVMPointerTypeInContext(job->context, 0), two[] = {ptr, ptr};
    d = LLVMAddFunction(job->module, "cf.dispatch", LLVMFunctionType(ptr, two, 2, 0));
    LLVMSetLinkage(d, LLVMInternalLinkage);
    l_add_text(d, "cf-made", "");
    cf_names_put(job->arena, &job->made, name, d);
    cf_note_made(job, name);
    fill_dispatch(job, d, type, key);
    return d;
}

static LLVMValueRef part_of_pair(cf_sweep *s, LLVMBuilderRef b, const cf_pair_call *c, LLVMValueRef pointer,
                                 unsigned part) {
    LLVMValueRef x = s->v->value[c->id].value,
                 d = dispatch_for(s->job, LLVMGetCalledFunctionType(x), &c->key);
    cf_place place = l_place(x);
    const char *text = cf_text(
        s->arena, "%s:%u: ", place.file ? place.file : "(no source place, compile with -g)", place.line);
    LLVMTypeRef ptr = LLVMPointerTypeInContext(s->job->context, 0);
    LLVMValueRef a[] = {pointer, LLVMBuildGlobalStringPtr(b, text, "cf.site")}, pair = l_call(b, d, a, 2, "");
    return LLVMBuildLoad2(b, ptr, l_element(b, ptr, pair, l_i64(s->job->context, part), ""), "");
}

LLVMValueRef cf_pointer_aug(cf_sweep *s, const cf_pair_call *c, LLVMValueRef pointer) {
    return part_of_pair(s, s->f, c, pointer, 0);
}

LLVMValueRef cf_pointer_rev(cf_sweep *s, const cf_pair_call *c, LLVMValueRef pointer) {
    return part_of_pair(s, s->b, c, pointer, 1);
}
