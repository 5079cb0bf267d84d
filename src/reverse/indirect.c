/* Calls through pointers: from a function to its pair.
 *
 * In:     a call, and the key by which functions are called through pointers of its type
 * Out:    two functions of the module, which take what aug and rev take, and the pointer: they look the pair up and call
 *         it. Where there is none, the function itself is called, if nothing active goes in: no number that carries a
 *         derivative, no pointer with a shadow of its own. Else the program ends with a message, which names the call
 *
 * Pairs have the functions with a body, a rule or a row among known functions whose address is taken somewhere in the
 * module. So function pointers need no shadow, wherever they lie. Others are of libraries (what the C++ library's
 * objects call through their tables) or of other units. */
#include "known/rules.h"
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

/* if (target == &f) return &pair of f; … return NULL; */
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
    LLVMBuildRet(b, LLVMConstNull(LLVMPointerTypeInContext(job->context, 0)));
    LLVMDisposeBuilder(b);
}

/* What is made for calls of one type by one key. */
static const char *made_name(cf_job *job, const char *what, LLVMTypeRef type, const cf_key *key) {
    char *text = LLVMPrintTypeToString(type), *args = cf_alloc(job->arena, key->n + 1);
    for (unsigned k = 0; k < key->n; k++) args[k] = (char)('0' + key->arg[k]);
    const char *name = cf_text(job->arena, "reverse %s %u %s %d %d %s", what, key->width, args, key->result,
                               key->marked, text);
    LLVMDisposeMessage(text);
    return name;
}

static LLVMValueRef declare(cf_job *job, const char *name, const char *as, LLVMTypeRef type) {
    LLVMValueRef f = LLVMAddFunction(job->module, as, type);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    l_add_text(f, "cf-made", "");
    cf_names_put(job->arena, &job->made, name, f);
    cf_note_made(job, name);
    return f;
}

static LLVMValueRef dispatch_for(cf_job *job, LLVMTypeRef type, const cf_key *key) {
    const char *name = made_name(job, "dispatch", type, key);
    LLVMValueRef d = cf_names_get(&job->made, name);
    if (d) return d;
    LLVMTypeRef ptr = LLVMPointerTypeInContext(job->context, 0);
    d = declare(job, name, "cf.dispatch", LLVMFunctionType(ptr, &ptr, 1, 0));
    fill_dispatch(job, d, type, key);
    return d;
}

/* ---- through the pointer ---- */

/* A function that takes what aug (or rev) takes, then the pointer, the place of the call, and whether a number is active. */
typedef struct through {
    cf_sweep *s;
    LLVMValueRef call; /* of the primal */
    const cf_key *key;
    bool forward;
    LLVMTypeRef primal, pair; /* types of the function, and of aug or rev */
    LLVMBuilderRef b;
    LLVMValueRef made, *own; /* its n parameters of the pair, then its own */
    unsigned n;
} through;

enum { TARGET, SITE, ACTIVE, MORE };

/* How arguments are passed that their types do not show. */
static bool is_special(LLVMValueRef call) {
    static const char *const names[] = {"byval", "sret", "inreg", "nest", "zeroext", "signext"};
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (l_has_call(call, i + 1, names[k])) return true;
    return LLVMGetInstructionCallConv(call) != LLVMCCallConv;
}

/* Whether a shadow among the parameters is one of its own; the arguments of the function itself. */
static LLVMValueRef take_apart(through *t, LLVMValueRef *argument) {
    unsigned at = 1, n = t->key->n;
    LLVMTypeRef *type = CF_ARRAY(t->s->arena, LLVMTypeRef, n + 1);
    LLVMValueRef any = t->own[t->n + ACTIVE];
    LLVMGetParamTypes(t->primal, type);
    for (unsigned k = 0; k < n; k++) {
        argument[k] = t->own[at++];
        if (!(t->key->arg[k] & CF_ARG_DUP) || !cf_takes_address(t->key, type[k])) continue;
        for (unsigned j = 0; j < t->key->width; j++, at++) {
            if (!l_is_pointer_type(type[k])) continue;
            LLVMValueRef differs = LLVMBuildICmp(t->b, LLVMIntNE, t->own[at], argument[k], "");
            LLVMValueRef there = LLVMBuildIsNotNull(t->b, t->own[at], "");
            any = LLVMBuildOr(t->b, any, LLVMBuildAnd(t->b, differs, there, ""), "");
        }
    }
    return any;
}

/* The result, beside it the shadows of what has none: pointers themselves. */
static void return_plain(through *t, LLVMValueRef result) {
    LLVMTypeRef type = LLVMGetReturnType(t->pair);
    if (l_is_void_type(type)) {
        LLVMBuildRetVoid(t->b);
        return;
    }
    LLVMValueRef all = LLVMGetUndef(type);
    for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
        all = LLVMBuildInsertValue(t->b, all, result, k, "");
    LLVMBuildRet(t->b, all);
}

static void call_itself(through *t) {
    cf_job *job = t->s->job;
    LLVMTypeRef type = LLVMGetReturnType(t->pair);
    if (!t->forward) {
        l_is_void_type(type) ? LLVMBuildRetVoid(t->b) : LLVMBuildRet(t->b, LLVMConstNull(type));
        return;
    }
    LLVMValueRef *a = CF_ARRAY(t->s->arena, LLVMValueRef, t->key->n + 1), any = take_apart(t, a);
    LLVMValueRef check[] = {LLVMBuildZExt(t->b, any, LLVMInt32TypeInContext(job->context), ""),
                            t->own[t->n + SITE]};
    l_call(t->b, cf_tape_function(t->s, "__cf_check_foreign"), check, 2, "");
    LLVMValueRef r = LLVMBuildCall2(t->b, t->primal, t->own[t->n + TARGET], a, t->key->n, "");
    LLVMSetInstructionCallConv(r, LLVMGetInstructionCallConv(t->call));
    for (unsigned k = 0; k <= t->key->n; k++) cf_keep_call_attributes(t->call, k, r, k);
    return_plain(t, r);
}

static void call_pair(through *t, LLVMValueRef pair) {
    LLVMTypeRef ptr = LLVMPointerTypeInContext(t->s->job->context, 0);
    LLVMValueRef part = l_element(t->b, ptr, pair, l_i64(t->s->job->context, !t->forward), "");
    LLVMValueRef f = LLVMBuildLoad2(t->b, ptr, part, ""),
                 r = LLVMBuildCall2(t->b, t->pair, f, t->own, t->n, "");
    l_is_void_type(LLVMTypeOf(r)) ? LLVMBuildRetVoid(t->b) : LLVMBuildRet(t->b, r);
}

static void fill_through(through *t) {
    LLVMContextRef c = t->s->job->context;
    t->own = CF_ARRAY(t->s->arena, LLVMValueRef, LLVMCountParams(t->made));
    LLVMGetParams(t->made, t->own);
    t->b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderAtEnd(t->b, LLVMAppendBasicBlockInContext(c, t->made, ""));
    LLVMBasicBlockRef known = LLVMAppendBasicBlockInContext(c, t->made, ""),
                      foreign = LLVMAppendBasicBlockInContext(c, t->made, "");
    LLVMValueRef pair =
        l_call(t->b, dispatch_for(t->s->job, t->primal, t->key), &t->own[t->n + TARGET], 1, "");
    LLVMBuildCondBr(t->b, LLVMBuildIsNull(t->b, pair, ""), foreign, known);
    LLVMPositionBuilderAtEnd(t->b, known);
    call_pair(t, pair);
    LLVMPositionBuilderAtEnd(t->b, foreign);
    call_itself(t);
    LLVMDisposeBuilder(t->b);
}

static LLVMValueRef through_for(through *t) {
    cf_job *job = t->s->job;
    const char *name = made_name(job, t->forward ? "aug through" : "rev through", t->primal, t->key);
    if (is_special(t->call)) name = cf_text(job->arena, "%s of %p", name, (void *)t->call);
    LLVMValueRef made = cf_names_get(&job->made, name);
    if (made) return made;
    LLVMTypeRef *type = CF_ARRAY(t->s->arena, LLVMTypeRef, t->n + MORE);
    LLVMGetParamTypes(t->pair, type);
    type[t->n + TARGET] = type[t->n + SITE] = LLVMPointerTypeInContext(job->context, 0);
    type[t->n + ACTIVE] = LLVMInt1TypeInContext(job->context);
    t->made = declare(job, name, t->forward ? "cf.through.aug" : "cf.through.rev",
                      LLVMFunctionType(LLVMGetReturnType(t->pair), type, t->n + MORE, 0));
    fill_through(t);
    return t->made;
}

static bool number_active(cf_sweep *s, cf_id call) {
    const cf_value *x = &s->v->value[call];
    for (unsigned k = 0; k < LLVMGetNumArgOperands(x->value); k++)
        if (x->operand[k] != CF_NONE && !l_is_pointer_type(cf_type_of(s, x->operand[k])) &&
            cf_is_active(s->act, x->operand[k]))
            return true;
    return false;
}

static LLVMValueRef site(cf_sweep *s, LLVMBuilderRef b, LLVMValueRef call) {
    cf_place place = l_place(call);
    const char *text = cf_text(
        s->arena, "%s:%u: ", place.file ? place.file : "(no source place, compile with -g)", place.line);
    return LLVMBuildGlobalStringPtr(b, text, "cf.site");
}

LLVMValueRef cf_call_through(cf_sweep *s, const cf_pair_call *c, bool forward, LLVMTypeRef pair,
                             LLVMValueRef *a, unsigned n, LLVMValueRef pointer) {
    LLVMValueRef call = s->v->value[c->id].value;
    LLVMBuilderRef b = forward ? s->f : s->b;
    through t = {.s = s, .call = call, .key = &c->key, .forward = forward, .pair = pair, .n = n};
    t.primal = LLVMGetCalledFunctionType(call);
    LLVMValueRef *all = CF_ARRAY(s->arena, LLVMValueRef, n + MORE), f = through_for(&t);
    memcpy(all, a, n * sizeof *a);
    all[n + TARGET] = pointer;
    all[n + SITE] = site(s, b, call);
    all[n + ACTIVE] = l_i1(s->job->context, number_active(s, c->id));
    return l_call(b, f, all, n + MORE, "");
}

/* ---- functions with variable arguments ---- */

void cf_check_foreign(cf_sweep *s, cf_id call) {
    const cf_value *x = &s->v->value[call];
    LLVMValueRef any = l_i1(s->job->context, number_active(s, call));
    LLVMPositionBuilderBefore(s->f, cf_forward_value(s, call));
    for (unsigned k = 0; k < LLVMGetNumArgOperands(x->value); k++) {
        cf_id p = x->operand[k];
        if (p == CF_NONE || !l_is_pointer_type(cf_type_of(s, p)) || !cf_has_shadow(s->act, p)) continue;
        LLVMValueRef shadow = cf_forward_shadow(s, p, 0);
        LLVMPositionBuilderBefore(s->f, cf_forward_value(s, call));
        LLVMValueRef differs = LLVMBuildICmp(s->f, LLVMIntNE, shadow, cf_forward_value(s, p), "");
        any =
            LLVMBuildOr(s->f, any, LLVMBuildAnd(s->f, differs, LLVMBuildIsNotNull(s->f, shadow, ""), ""), "");
    }
    LLVMValueRef a[] = {LLVMBuildZExt(s->f, any, LLVMInt32TypeInContext(s->job->context), ""),
                        site(s, s->f, x->value)};
    l_call(s->f, cf_tape_function(s, "__cf_check_foreign"), a, 2, "");
}
