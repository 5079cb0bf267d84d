/* Forward mode: calls through pointers.
 *
 * In:     a call through a pointer, the key by which functions are called there
 * Out:    a call of a function that takes what a clone by the key takes, and the pointer: it looks the clone up and calls
 *         it. Where there is none, the function itself is called, if nothing active goes in: no number with a tangent, no
 *         pointer with a shadow of its own. Else the program ends with a message, which names the call
 *
 * Functions without a clone are of libraries (what the C++ library's objects call through their tables) or of other units. */
#include "domain/tangent_body.h"

typedef struct through {
    cf_body *b;
    const cf_key *key;
    LLVMTypeRef primal, clone; /* types */
    LLVMValueRef call, made, *own;
    unsigned n; /* parameters of the clone, before its own */
    LLVMBuilderRef builder;
} through;

enum { TARGET, SITE, LENGTH, MORE };

static LLVMContextRef context(const through *t) { return t->b->job->context; }

/* Copies of arguments are handed over as only the caller knows. */
static bool passes_copies(LLVMValueRef call) {
    static const char *const names[] = {"byval", "inreg", "nest"};
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (l_has_call(call, i + 1, names[k])) return true;
    return false;
}

/* What the type does not show about how arguments are passed. */
static bool is_special(LLVMValueRef call) {
    static const char *const names[] = {"sret", "zeroext", "signext"};
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (l_has_call(call, i + 1, names[k])) return true;
    return LLVMGetInstructionCallConv(call) != LLVMCCallConv;
}

/* Whether what is beside an argument is more than "nothing". */
static LLVMValueRef is_active(through *t, LLVMValueRef v, LLVMValueRef beside) {
    if (!l_is_pointer_type(LLVMTypeOf(v)) && !l_is_integer_type(LLVMTypeOf(v))) return l_i1(context(t), true);
    LLVMValueRef same = LLVMBuildICmp(t->builder, LLVMIntEQ, v, beside, "");
    return LLVMBuildNot(t->builder,
                        LLVMBuildOr(t->builder, same, LLVMBuildIsNull(t->builder, beside, ""), ""), "");
}

static LLVMValueRef take_apart(through *t, LLVMValueRef *argument) {
    LLVMValueRef any = l_i1(context(t), false);
    unsigned at = 0;
    for (unsigned i = 0; i < t->key->n; i++) {
        argument[i] = t->own[at++];
        for (unsigned k = 0; t->key->arg[i] & CF_ARG_DUP && k < t->key->width; k++)
            any = LLVMBuildOr(t->builder, any, is_active(t, argument[i], t->own[at++]), "");
    }
    return any;
}

/* Nothing stands beside the result: 0, beside a pointer the pointer itself. */
static void return_plain(through *t, LLVMValueRef result) {
    LLVMTypeRef type = LLVMTypeOf(result);
    if (l_is_void_type(type)) {
        LLVMBuildRetVoid(t->builder);
        return;
    }
    if (!t->key->result) {
        LLVMBuildRet(t->builder, result);
        return;
    }
    LLVMValueRef all = LLVMGetPoison(LLVMGetReturnType(t->clone));
    all = LLVMBuildInsertValue(t->builder, all, result, 0, "");
    LLVMValueRef none = l_is_float_type(type) || l_is_integer_type(type) ? l_zero(type) : result;
    for (unsigned k = 0; k < t->key->width; k++) all = LLVMBuildInsertValue(t->builder, all, none, k + 1, "");
    LLVMBuildRet(t->builder, all);
}

static void call_itself(through *t, LLVMBasicBlockRef bad) {
    LLVMValueRef *a = CF_ARRAY(t->b->job->arena, LLVMValueRef, t->key->n + 1), any = take_apart(t, a);
    LLVMBasicBlockRef good = LLVMAppendBasicBlockInContext(context(t), t->made, "foreign");
    LLVMBuildCondBr(t->builder, any, bad, good);
    LLVMPositionBuilderAtEnd(t->builder, good);
    LLVMValueRef r = LLVMBuildCall2(t->builder, t->primal, t->own[t->n + TARGET], a, t->key->n, "");
    LLVMSetInstructionCallConv(r, LLVMGetInstructionCallConv(t->call));
    for (unsigned i = 0; i <= t->key->n; i++) cf_keep_call_attributes(t->call, i, r, i);
    return_plain(t, r);
}

static void call_clone(through *t, LLVMValueRef clone) {
    LLVMValueRef r = LLVMBuildCall2(t->builder, t->clone, clone, t->own, t->n, "");
    LLVMSetInstructionCallConv(r, LLVMGetInstructionCallConv(t->call));
    t->b->dub->domain->arguments(t->b, t->call, t->key, r);
    l_is_void_type(LLVMTypeOf(r)) ? LLVMBuildRetVoid(t->builder) : LLVMBuildRet(t->builder, r);
}

static void fill(through *t) {
    t->own = CF_ARRAY(t->b->job->arena, LLVMValueRef, LLVMCountParams(t->made));
    LLVMGetParams(t->made, t->own);
    t->builder = LLVMCreateBuilderInContext(context(t));
    LLVMPositionBuilderAtEnd(t->builder, LLVMAppendBasicBlockInContext(context(t), t->made, "entry"));
    LLVMBasicBlockRef found = LLVMAppendBasicBlockInContext(context(t), t->made, "found"),
                      miss = LLVMAppendBasicBlockInContext(context(t), t->made, "miss"),
                      bad = LLVMAppendBasicBlockInContext(context(t), t->made, "bad");
    LLVMValueRef look[] = {t->own[t->n + TARGET], l_zero(LLVMTypeOf(t->own[t->n + SITE])),
                           l_i64(context(t), 0)};
    LLVMValueRef clone = l_call(t->builder, cf_dispatch(t->b->dub, t->key, t->primal), look, 3, "clone");
    LLVMBuildCondBr(t->builder, LLVMBuildIsNull(t->builder, clone, ""), miss, found);
    LLVMPositionBuilderAtEnd(t->builder, found);
    call_clone(t, clone);
    LLVMPositionBuilderAtEnd(t->builder, bad);
    cf_build_end(t->b->job, t->builder, t->own[t->n + SITE], t->own[t->n + LENGTH]);
    LLVMPositionBuilderAtEnd(t->builder, miss);
    call_itself(t, bad);
    LLVMDisposeBuilder(t->builder);
}

static LLVMValueRef through_for(through *t) {
    cf_dub *d = t->b->dub;
    const char *name = cf_dub_key_text(d, " through", t->key, t->primal);
    if (is_special(t->call)) name = cf_text(d->job->arena, "%s of %p", name, (void *)t->call);
    t->made = cf_dub_recall(d, name);
    if (t->made) return t->made;
    LLVMTypeRef *type = CF_ARRAY(d->job->arena, LLVMTypeRef, t->n + MORE);
    LLVMGetParamTypes(t->clone, type);
    type[t->n + TARGET] = type[t->n + SITE] = LLVMPointerTypeInContext(context(t), 0);
    type[t->n + LENGTH] = LLVMInt64TypeInContext(context(t));
    t->made = LLVMAddFunction(d->job->module, "cf.through.tan",
                              LLVMFunctionType(LLVMGetReturnType(t->clone), type, t->n + MORE, false));
    LLVMSetLinkage(t->made, LLVMInternalLinkage);
    l_add_text(t->made, "cf-made", "");
    cf_dub_remember(d, name, t->made);
    fill(t);
    return t->made;
}

/* A function with variable arguments that is among none that were listed (request/variadic.c). */
static void variadic(cf_body *b, LLVMValueRef call, const char *text) {
    LLVMValueRef any = l_i1(b->job->context, false);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        through t = {.b = b, .builder = b->builder};
        for (unsigned k = 0; cf_varies(b, v) && k < b->key.width; k++)
            any = LLVMBuildOr(b->builder, any, is_active(&t, cf_now(b, v), cf_beside_or_none(b, v, k)), "");
    }
    cf_refuse(b, any, LLVMBuildGlobalStringPtr(b->builder, text, "cf.site"), strlen(text));
}

/* True: dealt with. */
bool cf_tangent_through(cf_body *b, LLVMValueRef call, const cf_key *key) {
    if (passes_copies(call)) return false;
    const char *text =
        cf_text(b->job->arena,
                "%scofactor: no derivative of this function was made, and active memory or an active "
                "number goes into it: its address is not taken in the code that was compiled with "
                "Cofactor, or it has neither body nor rule; take it there, link the other unit "
                "(--link, full LTO), or call it from a function that is inactive (CF_INACTIVE)\n",
                cf_site_text(b, call));
    LLVMTypeRef primal = LLVMGetCalledFunctionType(call);
    if (LLVMIsFunctionVarArg(primal)) return variadic(b, call, text), true;
    through t = {.b = b, .key = key, .primal = primal, .call = call};
    t.clone = b->dub->domain->signature(b->dub, key, primal);
    t.n = LLVMCountParamTypes(t.clone);
    LLVMValueRef f = through_for(&t), pointer = LLVMGetCalledValue(cf_now(b, call));
    cf_values args = {0};
    cf_stand_before(b, cf_now(b, call));
    b->dub->domain->marshal(b, call, key, &args);
    cf_push(b->job->arena, &args, pointer);
    cf_push(b->job->arena, &args, LLVMBuildGlobalStringPtr(b->builder, text, "cf.site"));
    cf_push(b->job->arena, &args, l_i64(b->job->context, strlen(text)));
    cf_dub_call(b, call, key, l_function_type(f), f, &args);
    return true;
}
