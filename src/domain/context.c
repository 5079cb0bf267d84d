#include "domain/context.h"
#include "dub/callback.h"
#include "llvm/cfx.h"
#include "llvm/l.h"

static cf_within *within(cf_body *b) { return b->state; }
static cf_context *context_of(cf_dub *d) { return d->state; }

/* ---- keys: how a function is inside ---- */

/* OVERRIDES, of a table: pointers to functions with an override lead there. QUIET: calls such a function, is no event. */
enum { K_HOOKS, K_ACTIVE, K_DEPTH, K_GUEST, K_AT, K_OVERRIDES, K_QUIET, K_COUNT };
enum { MAX_DEPTH = 200 };

static cf_key key_of(cf_job *job, LLVMValueRef f, bool hooks, bool active, unsigned depth, bool guest,
                     unsigned at) {
    uint8_t *arg = CF_ARRAY(job->arena, uint8_t, K_COUNT);
    arg[K_OVERRIDES] = arg[K_QUIET] = 0;
    arg[K_HOOKS] = hooks, arg[K_ACTIVE] = active, arg[K_GUEST] = guest;
    arg[K_DEPTH] = (uint8_t)depth, arg[K_AT] = (uint8_t)at;
    return (cf_key){.function = f, .width = 1, .n = K_COUNT, .arg = arg};
}

static cf_key with(cf_job *job, cf_key key, unsigned flag) {
    uint8_t *arg = CF_ARRAY(job->arena, uint8_t, K_COUNT);
    memcpy(arg, key.arg, K_COUNT);
    arg[flag] = true;
    key.arg = arg;
    return key;
}

/* Where the context is among the parameters: behind the place for a struct result. */
static unsigned context_at(LLVMValueRef f) { return LLVMCountParams(f) && l_has(f, 1, "sret") ? 1 : 0; }

static unsigned context_at_call(LLVMValueRef call) {
    return LLVMGetNumArgOperands(call) && l_has_call(call, 1, "sret") ? 1 : 0;
}

static cf_key callee_key(cf_body *b, LLVMValueRef f, unsigned at) {
    cf_within *w = within(b);
    return key_of(b->job, f, w->hooks, w->active, w->depth ? w->depth - 1 : 0, false, at);
}

static LLVMTypeRef signature(cf_dub *d, const cf_key *key, LLVMTypeRef type) {
    if (key->arg[K_GUEST]) return type;
    unsigned n = LLVMCountParamTypes(type), at = key->arg[K_AT];
    LLVMTypeRef *t = CF_ARRAY(d->job->arena, LLVMTypeRef, n + 1);
    LLVMGetParamTypes(type, t);
    memmove(t + at + 1, t + at, (n - at) * sizeof *t);
    t[at] = LLVMPointerTypeInContext(d->job->context, 0);
    return LLVMFunctionType(LLVMGetReturnType(type), t, n + 1, LLVMIsFunctionVarArg(type));
}

/* What the user asked of the optimiser holds for the clone, too. */
static void keep_wishes(LLVMValueRef from, LLVMValueRef to) {
    static const char *const names[] = {"noinline", "alwaysinline", "optnone",    "optsize",      "minsize",
                                        "cold",     "hot",          "inlinehint", "returns_twice"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (l_has_f(from, names[i])) l_add_f(to, names[i]);
}

static void parameters(cf_dub *d, const cf_key *key, LLVMValueRef from, LLVMValueRef to) {
    keep_wishes(from, to);
    l_add_text(to, "cf-name", cf_shown_name(d->job, context_of(d), from));
    if (key->arg[K_GUEST]) return;
    unsigned at = key->arg[K_AT];
    cf_keep_attributes(from, 0, to, 0);
    for (unsigned i = 0; i < LLVMCountParams(from); i++) {
        unsigned j = i + (i >= at);
        cf_keep_attributes(from, i + 1, to, j + 1);
        l_set_name(LLVMGetParam(to, j), l_name(LLVMGetParam(from, i)));
    }
    l_set_name(LLVMGetParam(to, at), "context");
    cf_hide_parameter(d->job, from, to, at);
}

static void begin(cf_body *b) {
    cf_within *w = CF_NEW(b->job->arena, cf_within);
    const uint8_t *arg = b->key.arg;
    LLVMValueRef from = b->clone.from, to = b->clone.to;
    *w = (cf_within){.context = context_of(b->dub),
                     .hooks = arg[K_HOOKS],
                     .active = arg[K_ACTIVE],
                     .depth = arg[K_DEPTH],
                     .quiet = arg[K_QUIET],
                     .guest = arg[K_GUEST]};
    b->state = w;
    unsigned at = w->guest ? context_at(from) : arg[K_AT];
    w->pointer = LLVMGetParam(to, at);
    w->works = !w->guest && (w->quiet || cf_works_in(b->job, w->context, from, &w->active));
    for (unsigned i = 0; i < LLVMCountParams(from); i++)
        cf_map_put(b->job->arena, &b->clone.values, LLVMGetParam(from, i),
                   LLVMGetParam(to, i + (!w->guest && i >= at)));
}

/* What became of a function, for those who ask. */
static void explain(cf_body *b) {
    cf_within *w = within(b);
    cf_place place = l_place(b->clone.from);
    if (!b->job->options.explain || w->guest) return;
    cf_report(b->job->sink, CF_REMARK, place, cf_shown_name(b->job, w->context, b->clone.from),
              "`%s` in context `%s`: %u hook%s, %u override%s, %u call%s inside, %u left as they were",
              cf_shown_name(b->job, w->context, b->clone.from), w->context->name, w->hooked,
              w->hooked == 1 ? "" : "s", w->overridden, w->overridden == 1 ? "" : "s", w->inside,
              w->inside == 1 ? "" : "s", w->outside);
}

static void end(cf_body *b) {
    cf_within *w = within(b);
    explain(b);
    for (size_t i = 0; i < w->gone.n; i++)
        if (!LLVMGetFirstUse(w->gone.at[i]))
            LLVMInstructionEraseFromParent(w->gone.at[i]);
        else
            cf_body_error(b, NULL, "what cf_recurse gives is to be called at once: cf_recurse(f)(…)");
}

/* ---- the functions of hooks and overrides ---- */

static bool uses_recurse(LLVMValueRef f) {
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
                l_begins(l_name(LLVMGetCalledValue(i)), "__cf_recurse"))
                return true;
    return false;
}

LLVMValueRef cf_context_target(cf_body *b, cf_hook *h) {
    if (!h->marked) h->marked = uses_recurse(h->function) ? 1 : -1;
    if (h->marked < 0) return h->function;
    cf_within *w = within(b);
    cf_key key = key_of(b->job, h->function, w->hooks, w->active, w->depth, true, 0);
    return cf_dub_function(b->dub, &key);
}

/* ---- results ---- */

/* The call never comes back here. */
static bool is_last(LLVMValueRef call) {
    LLVMValueRef next = LLVMIsAInvokeInst(call) ? NULL : LLVMGetNextInstruction(call);
    return next && LLVMIsAUnreachableInst(next);
}

/* The marks of an object's lifetime are for the alloca alone. */
static bool keep_marks(LLVMValueRef alloca, LLVMValueRef by) {
    bool any = false;
    if (!LLVMIsAAllocaInst(alloca)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(by), next; u; u = next) {
        LLVMValueRef user = LLVMGetUser(u), f = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
        next = LLVMGetNextUse(u);
        if (!f || !LLVMIsAFunction(f) || !l_begins(l_name(f), "llvm.lifetime.")) continue;
        LLVMSetOperand(user, LLVMGetNumArgOperands(user) - 1, alloca);
        any = true;
    }
    return any;
}

/* Puts a value, made by hooks behind `now`, in the place of `now` everywhere but in these hooks. */
static void replace(cf_body *b, LLVMValueRef old, LLVMValueRef by) {
    LLVMValueRef now = cf_now(b, old);
    if (by == now || !by) return;
    LLVMReplaceAllUsesWith(now, by);
    keep_marks(now, by);
    LLVMValueRef i = LLVMIsAInvokeInst(now) ? LLVMGetFirstInstruction(LLVMGetInstructionParent(by))
                                            : LLVMGetNextInstruction(now);
    for (;; i = LLVMGetNextInstruction(i)) {
        for (int k = 0, n = LLVMGetNumOperands(i); k < n; k++)
            if (LLVMGetOperand(i, (unsigned)k) == by) LLVMSetOperand(i, (unsigned)k, now);
        if (i == by) break;
    }
    cf_map_put(b->job->arena, &b->clone.values, old, by);
}

static LLVMValueRef value_or_null(LLVMValueRef v) { return l_is_void_type(LLVMTypeOf(v)) ? NULL : v; }

/* ---- operations ---- */

static void operands_of(cf_body *b, LLVMValueRef now, const cf_happening *e, LLVMValueRef *out) {
    for (unsigned i = 0; i < e->n; i++) out[i] = LLVMGetOperand(now, i);
    if (LLVMIsABranchInst(now)) out[0] = LLVMGetCondition(now);
    (void)b;
}

/* The override's result in the place of a terminator's operand. */
static void override_terminator(LLVMValueRef now, LLVMValueRef by) {
    if (LLVMIsABranchInst(now))
        LLVMSetCondition(now, by);
    else
        LLVMSetOperand(now, 0, by);
}

static void override_operation(cf_body *b, LLVMValueRef i, cf_hook *h, const cf_happening *e,
                               LLVMValueRef *operands) {
    LLVMValueRef now = cf_now(b, i);
    LLVMValueRef by = cf_event_call(b, h, e, operands, NULL);
    if (LLVMIsATerminatorInst(now)) {
        override_terminator(now, by);
        return;
    }
    by = cf_event_post(b, e, operands, value_or_null(by));
    if (by) {
        LLVMReplaceAllUsesWith(now, by);
        cf_map_put(b->job->arena, &b->clone.values, i, by);
        if (keep_marks(now, by)) return;
    }
    cf_push(b->job->arena, &within(b)->gone, now);
}

static void visit_operation(cf_body *b, LLVMValueRef i) {
    cf_within *w = within(b);
    cf_event_line(b, i);
    if (!w->works || w->quiet) return;
    cf_happening *e = &w->now;
    if (!cf_happening_of(b->job, w->context, i, e) || !cf_any_matches(b->job, w->context, e, w->hooks))
        return;
    LLVMValueRef now = cf_now(b, i), operands[64];
    operands_of(b, now, e, operands);
    cf_stand_before(b, now);
    cf_event_pre(b, e, operands);
    cf_hook *h = cf_override_for(b, e);
    if (h) {
        override_operation(b, i, h, e, operands);
        return;
    }
    if (LLVMIsATerminatorInst(now)) return;
    cf_stand_behind(b, now);
    replace(b, i, cf_event_post(b, e, operands, value_or_null(now)));
}

/* One half of a multiplication and addition: built as an operation of its own. */
static LLVMValueRef build_half(cf_body *b, LLVMValueRef fused, LLVMOpcode op, LLVMValueRef x,
                               LLVMValueRef y) {
    cf_happening e;
    LLVMValueRef operands[2] = {x, y}, made;
    cf_happening_half(&e, fused, op);
    cf_event_pre(b, &e, operands);
    cf_hook *h = cf_override_for(b, &e);
    if (h) {
        made = cf_event_call(b, h, &e, operands, NULL);
    } else {
        made = LLVMBuildBinOp(b->builder, op, x, y, "");
        if (LLVMIsAInstruction(made)) cf_copy_fast_math(cf_now(b, fused), made);
    }
    return cf_event_post(b, &e, operands, made);
}

static bool half_matches(cf_body *b, LLVMValueRef fused, LLVMOpcode op) {
    cf_happening e;
    cf_happening_half(&e, fused, op);
    return cf_any_matches(b->job, within(b)->context, &e, within(b)->hooks);
}

static bool split_fused(cf_body *b, LLVMValueRef call) {
    if (!cf_is_fused(call) || (!half_matches(b, call, LLVMFMul) && !half_matches(b, call, LLVMFAdd)))
        return false;
    LLVMValueRef now = cf_now(b, call);
    cf_stand_before(b, now);
    LLVMValueRef product = build_half(b, call, LLVMFMul, LLVMGetOperand(now, 0), LLVMGetOperand(now, 1));
    LLVMValueRef sum = build_half(b, call, LLVMFAdd, product, LLVMGetOperand(now, 2));
    LLVMReplaceAllUsesWith(now, sum);
    cf_map_put(b->job->arena, &b->clone.values, call, sum);
    LLVMInstructionEraseFromParent(now);
    return true;
}

/* ---- calls ---- */

/* The function called, as far as it is sure which one it will be when the program runs. */
static LLVMValueRef sure_callee(LLVMValueRef call) {
    LLVMValueRef f = LLVMGetCalledValue(call);
    for (int depth = 0; LLVMIsAGlobalAlias(f) && depth < 16; depth++) {
        LLVMLinkage l = LLVMGetLinkage(f);
        if (l == LLVMWeakAnyLinkage || l == LLVMLinkOnceAnyLinkage) return NULL;
        f = LLVMAliasGetAliasee(f);
    }
    return LLVMIsAFunction(f) ? f : NULL;
}

/* As C has them: memset's byte is an int. */
static void operands_of_call(cf_body *b, LLVMValueRef call, cf_happening *e, LLVMValueRef *out) {
    LLVMValueRef now = cf_now(b, call);
    for (unsigned i = 0, k = 0; k < e->n; i++)
        if (!cf_is_hidden(call, i)) out[k++] = LLVMGetOperand(now, i);
    if (!e->callee) out[e->n] = cf_pointer_called(call, now);
    if (!e->callee || !l_is_intrinsic_of(e->callee, "llvm.memset")) return;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(b->job->context);
    bool constant = l_is_constant(out[1]);
    out[1] = constant ? l_i32(b->job->context, (uint32_t)LLVMConstIntGetZExtValue(out[1]))
                      : LLVMBuildZExt(b->builder, out[1], i32, "");
    e->operand[1] = i32;
}

static void warn_once(cf_body *b, LLVMValueRef call, LLVMValueRef f, const char *why) {
    cf_context *c = within(b)->context;
    const char *key = cf_text(b->job->arena, "left %s %p", c->name, (void *)f);
    if (cf_names_get(&b->job->made, key)) return;
    cf_names_put(b->job->arena, &b->job->made, key, f);
    cf_place place = l_place(f);
    if (!place.file) place = l_place(call);
    if (!place.file) place = c->place;
    cf_report(b->job->sink, c->strict ? CF_ERROR : CF_WARNING, place, l_shown(f),
              "`%s` cannot be brought into context `%s`: %s%s", cf_shown_name(b->job, c, f), c->name, why,
              c->strict ? "" : "; calls of it leave the context");
}

static void refuse_bodyless(cf_body *b, LLVMValueRef call, LLVMValueRef f) {
    cf_context *c = within(b)->context;
    cf_body_error(
        b, call,
        "`%s` has no body here, and context `%s` says bodyless=error: give its body (--link), or an "
        "override: CF_OVERDUB(%s, %s)",
        cf_shown_name(b->job, c, f), c->name, c->name, cf_shown_name(b->job, c, f));
}

/* Where a call of a known function goes. */
static bool goes_inside(cf_body *b, LLVMValueRef call, LLVMValueRef f) {
    cf_within *w = within(b);
    if (l_is_intrinsic(f) || cf_excluded(b->job, w->context, f) || w->depth == 1) return false;
    if (LLVMIsDeclaration(f)) {
        if (w->context->bodyless_error && !l_begins(l_name(f), "__cf_")) refuse_bodyless(b, call, f);
        return false;
    }
    const char *why = cf_why_not(b->job, f);
    if (why) {
        if (!l_begins(l_name(f), "__cf_")) warn_once(b, call, f, why);
        return false;
    }
    if (l_function_type(f) != LLVMGetCalledFunctionType(call)) return false;
    /* where nothing changes, the function asked for still calls itself */
    return cf_changes(b->dub, w->context, f, w->hooks, w->active) || f == w->context->entry;
}

static cf_target target(cf_body *b, LLVMValueRef call) {
    cf_within *w = within(b);
    cf_target keep = {.kind = CF_CALL_KEEP};
    LLVMValueRef f = sure_callee(call), called = LLVMGetCalledValue(call);
    if (f) {
        if (!goes_inside(b, call, f)) return keep;
        return (cf_target){CF_CALL_CLONE, callee_key(b, f, context_at(f))};
    }
    if (LLVMIsAInlineAsm(called) || w->depth == 1) return keep;
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    bool overrides = w->works || (w->active && cf_is_machine(b->clone.from)); /* the C library calls back */
    if (!cf_type_changes(b->dub, w->context, type, w->hooks, w->active, overrides)) return keep;
    cf_key key = callee_key(b, NULL, context_at_call(call));
    return (cf_target){CF_CALL_LOOKUP, overrides ? with(b->job, key, K_OVERRIDES) : key};
}

/* The context that the callee gets. */
static LLVMValueRef entering(cf_body *b, const cf_happening *e, LLVMValueRef *operands) {
    cf_within *w = within(b);
    LLVMValueRef p = w->pointer;
    for (size_t i = 0; w->works && i < w->context->hook.n; i++) {
        cf_hook *h = &w->context->hook.at[i];
        if (h->kind == CF_HOOK_ENTER && cf_hook_matches(b->job, w->context, h, e))
            p = cf_event_call(b, h, e, operands, NULL);
    }
    return p;
}

/* In front of what follows a call. */
static void stand_after_call(cf_body *b, LLVMValueRef made) {
    if (!LLVMIsAInvokeInst(made)) {
        cf_stand_behind(b, made);
        return;
    }
    l_at_start(b->builder, LLVMGetNormalDest(made));
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(made));
}

static void override_call(cf_body *b, LLVMValueRef call, cf_hook *h) {
    cf_within *w = within(b);
    LLVMValueRef f = cf_context_target(b, h), args[80];
    unsigned n = cf_event_arguments(b, h, &w->now, w->operands, NULL, args);
    cf_values list = {.at = args, .n = n};
    cf_key none = key_of(b->job, h->function, false, false, 0, true, 0);
    w->overridden++;
    cf_dub_call(b, call, &none, l_function_type(f), f, &list);
}

/* A call of a library function that calls back: what it calls stays inside. False: nothing that it may call changes. */
static bool call_back(cf_body *b, LLVMValueRef call) {
    cf_within *w = within(b);
    LLVMValueRef f = sure_callee(call), now = cf_now(b, call);
    const cf_callback *k = f ? cf_callback_of(f) : NULL;
    if (!k || w->depth == 1 || cf_excluded(b->job, w->context, f)) return false;
    bool any = false;
    for (unsigned i = 0; i < cf_callback_count(k); i++)
        any |= cf_changes(b->dub, w->context, cf_callback_caller(b->job, k, i), w->hooks, w->active);
    LLVMValueRef glue = any ? cf_callback_glue(b->job, k, LLVMGetCalledFunctionType(call)) : NULL;
    if (!glue) return false;
    l_add_text(glue, "cf-name", l_shown(f));
    cf_values args = {0};
    unsigned n = LLVMGetNumArgOperands(now);
    for (unsigned i = 0; i < n; i++) cf_push(b->job->arena, &args, LLVMGetOperand(now, i));
    cf_push(b->job->arena, &args, w->entering);
    for (unsigned i = 0; i < cf_callback_count(k); i++) {
        cf_key key = callee_key(b, cf_callback_caller(b->job, k, i), 0);
        cf_push(b->job->arena, &args, cf_dub_function(b->dub, &key));
    }
    cf_key none = callee_key(b, f, n);
    cf_dub_call(b, call, &none, l_function_type(glue), glue, &args);
    return true;
}

static cf_target visit_event(cf_body *b, LLVMValueRef call) {
    cf_within *w = within(b);
    cf_target keep = {.kind = CF_CALL_KEEP};
    cf_happening *e = &w->now;
    operands_of_call(b, call, e, w->operands);
    cf_event_pre(b, e, w->operands);
    cf_hook *h = cf_override_for(b, e);
    w->overriding = h;
    if (h) {
        override_call(b, call, h);
        return keep;
    }
    w->entering = entering(b, e, w->operands);
    cf_target t = target(b, call);
    if (t.kind == CF_CALL_KEEP && call_back(b, call)) return keep;
    *(t.kind == CF_CALL_KEEP ? &w->outside : &w->inside) += 1;
    if (t.kind == CF_CALL_KEEP && !is_last(call)) {
        LLVMValueRef now = cf_now(b, call);
        stand_after_call(b, now);
        replace(b, call, cf_event_post(b, e, w->operands, value_or_null(now)));
    }
    return t;
}

/* cf_recurse(f)(…), cf_recurse_in(c, f)(…) in a hook or override. */
static cf_target recurse(cf_body *b, LLVMValueRef call, LLVMValueRef f, LLVMValueRef mark) {
    cf_within *w = within(b);
    cf_target keep = {.kind = CF_CALL_KEEP};
    LLVMValueRef now = cf_now(b, call), made = cf_now(b, mark);
    bool given = LLVMGetNumArgOperands(mark) == 2;
    w->entering = given ? LLVMGetOperand(made, 0) : w->pointer;
    w->recursing = true;
    if (!LLVMIsAFunction(f)) {
        cf_body_error(b, call, "cf_recurse is for a function that is named, not for a pointer");
        return keep;
    }
    if (goes_inside(b, call, f)) {
        cf_target t = {CF_CALL_CLONE, callee_key(b, f, context_at(f))};
        return t;
    }
    LLVMSetOperand(now, (unsigned)LLVMGetNumOperands(now) - 1, f);
    return keep;
}

static bool is_mark(LLVMValueRef call) {
    LLVMValueRef f = LLVMGetCalledValue(call);
    return LLVMIsAFunction(f) && l_begins(l_name(f), "__cf_recurse");
}

static cf_target resolve(cf_body *b, LLVMValueRef call) {
    cf_within *w = within(b);
    cf_target keep = {.kind = CF_CALL_KEEP};
    LLVMValueRef mark = NULL, f = w->guest ? cf_recursed(call, &mark) : NULL;
    w->recursing = false;
    if (f) return recurse(b, call, f, mark);
    if (w->guest) {
        if (is_mark(call)) cf_push(b->job->arena, &w->gone, cf_now(b, call));
        return keep;
    }
    cf_event_line(b, call);
    if (w->works && split_fused(b, call)) return keep;
    if (!cf_happening_of(b->job, w->context, call, &w->now)) return keep;
    return visit_event(b, call);
}

static void marshal(cf_body *b, LLVMValueRef call, const cf_key *key, cf_values *args) {
    LLVMValueRef now = cf_now(b, call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(now); i++) {
        if (i == key->arg[K_AT]) cf_push(b->job->arena, args, within(b)->entering);
        cf_push(b->job->arena, args, LLVMGetOperand(now, i));
    }
    if (LLVMGetNumArgOperands(now) <= key->arg[K_AT]) cf_push(b->job->arena, args, within(b)->entering);
}

static bool has_post(cf_body *b) {
    cf_within *w = within(b);
    for (size_t i = 0; w->works && w->hooks && !w->recursing && i < w->context->hook.n; i++) {
        cf_hook *h = &w->context->hook.at[i];
        if ((h->kind == CF_HOOK_POST || h->kind == CF_HOOK_POST_ANY) &&
            cf_hook_matches(b->job, w->context, h, &w->now))
            return true;
    }
    return false;
}

/* What is new in a call is nothing that the user wrote. */
static void hide(cf_body *b, LLVMValueRef call, LLVMValueRef made, unsigned at) {
    unsigned n = LLVMGetNumArgOperands(made), old = LLVMGetNumArgOperands(call);
    char *which = CF_ARRAY(b->job->arena, char, n + 1);
    for (unsigned i = 0; i < n; i++) {
        unsigned was = i - (i > at);
        which[i] = i == at || was >= old || cf_is_hidden(call, was) ? '1' : '0';
    }
    which[n] = 0;
    cf_hide(made, which);
}

static void arguments(cf_body *b, LLVMValueRef call, const cf_key *key, LLVMValueRef made) {
    bool to_override = !within(b)->recursing && within(b)->overriding;
    if (to_override) {
        for (unsigned i = 0; i <= LLVMCountParams(within(b)->overriding->function); i++)
            cf_pass_as_declared(within(b)->overriding->function, i, made);
        return;
    }
    cf_keep_call_attributes(call, 0, made, 0);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        cf_keep_call_attributes(call, i + 1, made, i + 1 + (i >= key->arg[K_AT]));
    hide(b, call, made, key->arg[K_AT]);
    if (!LLVMIsACallInst(call) || has_post(b)) return;
    bool fits = LLVMGetCalledFunctionType(made) == l_function_type(b->clone.to);
    if (!cf_is_musttail(call)) return;
    LLVMSetTailCallKind(made, fits ? LLVMTailCallKindMustTail : LLVMTailCallKindTail);
}

static LLVMValueRef unmarshal(cf_body *b, LLVMValueRef call, const cf_key *key, LLVMValueRef made) {
    (void)key;
    cf_within *w = within(b);
    LLVMValueRef result = value_or_null(made);
    if (w->guest || is_last(call)) return result;
    return cf_event_post(b, &w->now, w->operands, result);
}

static void natively(cf_dub *d, const cf_key *key, const LLVMValueRef *args, unsigned n, cf_values *out) {
    for (unsigned i = 0; i < n; i++)
        if (i != key->arg[K_AT]) cf_push(d->job->arena, out, args[i]);
}

/* A function that does nothing but call one that has an override. */
static LLVMValueRef caller_of_overridden(cf_dub *d, LLVMValueRef f) {
    const char *text = cf_text(d->job->arena, "overridden %p", (void *)f);
    LLVMValueRef made = cf_dub_recall(d, text);
    if (made) return made;
    made = cf_clone_declare(d->job, f, cf_text(d->job->arena, "%s.through", l_shown(f)), l_function_type(f));
    l_add_text(made, "cf-name", "");
    cf_dub_remember(d, text, made);
    cf_dub_forward(d, made, f);
    cf_hide_as_parameters(f, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(made)));
    cf_push(d->job->arena, &context_of(d)->caller, made);
    return made;
}

static bool reaches(cf_dub *d, cf_key *key) {
    cf_context *c = context_of(d);
    LLVMValueRef f = key->function;
    if (context_at(f) != key->arg[K_AT]) return false;
    unsigned depth = key->arg[K_DEPTH];
    if (key->arg[K_OVERRIDES] && cf_is_overridden(d->job, c, f)) {
        *key = key_of(d->job, caller_of_overridden(d, f), key->arg[K_HOOKS], key->arg[K_ACTIVE],
                      depth ? depth + 1 : 0, false, key->arg[K_AT]);
        *key = with(d->job, *key, K_QUIET);
        return true;
    }
    *key = key_of(d->job, f, key->arg[K_HOOKS], key->arg[K_ACTIVE], depth, false, key->arg[K_AT]);
    if (!cf_may_be_target(d->job, c, f)) return false;
    key->function = f = cf_callback_pointed_to(d->job, f);
    return cf_changes(d, c, f, key->arg[K_HOOKS], key->arg[K_ACTIVE]);
}

/* ---- a request ---- */

static cf_domain domain_of(cf_job *job, const cf_context *c) {
    return (cf_domain){
        .name = cf_text(job->arena, "context %s", c->name),
        .suffix = cf_text(job->arena, ".%s", c->name),
        .signature = signature,
        .parameters = parameters,
        .begin = begin,
        .end = end,
        .operation = visit_operation,
        .load = visit_operation,
        .store = visit_operation,
        .allocate = visit_operation,
        .atomic = visit_operation,
        .ret = visit_operation,
        .resolve = resolve,
        .marshal = marshal,
        .unmarshal = unmarshal,
        .arguments = arguments,
        .reaches = reaches,
        .natively = natively,
    };
}

/* A function that does nothing but call f: what happens in it is the call. */
static LLVMValueRef caller_of(cf_job *job, const cf_in_request *r) {
    LLVMValueRef f = r->function;
    LLVMTypeRef type = l_function_type(f);
    LLVMValueRef made = cf_clone_declare(job, f, cf_text(job->arena, "%s.entry", l_shown(f)), type);
    l_add_text(made, "cf-name", l_shown(r->provided));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(job->context, made, "entry"));
    LLVMMetadataRef scope = cfx_make_subprogram(made, f, r->place.line);
    if (scope)
        LLVMSetCurrentDebugLocation2(
            b, LLVMDIBuilderCreateDebugLocation(job->context, r->place.line, 0, scope, NULL));
    unsigned n = LLVMCountParams(made);
    LLVMValueRef *args = CF_ARRAY(job->arena, LLVMValueRef, n + 1);
    LLVMGetParams(made, args);
    LLVMValueRef call = l_call(b, f, args, n, "");
    for (unsigned i = 0; i <= n; i++) cf_pass_as_declared(f, i, call);
    l_is_void_type(LLVMTypeOf(call)) ? LLVMBuildRetVoid(b) : LLVMBuildRet(b, call);
    LLVMDisposeBuilder(b);
    cf_push(job->arena, &r->context->caller, made);
    return made;
}

/* A clone that holds nothing new may promise what the function promises. */
static void keep_promises(LLVMValueRef from, LLVMValueRef to, unsigned at) {
    for (unsigned i = 0; i <= LLVMCountParams(from) + 1; i++) {
        unsigned of = i <= LLVMCountParams(from) ? i : (unsigned)LLVMAttributeFunctionIndex;
        unsigned index = of == (unsigned)LLVMAttributeFunctionIndex || !of ? of : of + (of > at);
        LLVMAttributeRef a[64];
        unsigned n = LLVMGetAttributeCountAtIndex(from, of);
        if (n > 64) continue;
        LLVMGetAttributesAtIndex(from, of, a);
        for (unsigned k = 0; k < n; k++) LLVMAddAttributeAtIndex(to, index, a[k]);
    }
}

static bool fits(cf_job *job, const cf_in_request *r, LLVMTypeRef wanted) {
    LLVMTypeRef is = l_function_type(r->provided);
    if (is == wanted) return true;
    char *a = LLVMPrintTypeToString(is), *w = LLVMPrintTypeToString(wanted);
    cf_report(
        job->sink, CF_ERROR, r->place, l_shown(r->function),
        "`%s` is declared as `%s`, but `%s` inside context `%s` is `%s`: its parameters are a pointer to the "
        "context and then those of `%s`",
        l_shown(r->provided), a, l_shown(r->function), r->context->name, w, l_shown(r->function));
    LLVMDisposeMessage(a), LLVMDisposeMessage(w);
    return false;
}

void cf_context_clear(cf_context *c) {
    for (size_t i = 0; i < c->caller.n; i++) LLVMDeleteFunction(c->caller.at[i]);
    c->caller.n = 0;
    c->root.n = 0;
    c->changes = c->program = (cf_map){0};
    c->shown = (cf_map){0};
}

bool cf_context_provide(cf_job *job, const cf_in_request *r) {
    cf_context *c = r->context;
    cf_dub d;
    c->domain = domain_of(job, c);
    const char *why = cf_why_not(job, r->function);
    if (why) {
        cf_report(job->sink, CF_ERROR, r->place, l_shown(r->function),
                  "`%s` cannot be brought into context `%s`: %s", l_shown(r->function), c->name, why);
        return false;
    }
    cf_dub_begin(&d, job, &c->domain, c);
    bool active = !c->from;
    LLVMValueRef f = r->entry ? caller_of(job, r) : r->function;
    unsigned at = context_at(f), depth = c->depth ? c->depth + 1 + r->entry : 0;
    cf_key key = key_of(job, f, r->hooks, active, depth > MAX_DEPTH ? MAX_DEPTH : depth, false, at);
    if (!fits(job, r, signature(&d, &key, l_function_type(f)))) return false;
    c->entry = c->depth ? NULL : f;
    cf_dub_adopt(&d, &key, r->provided);
    bool ok = cf_dub_run(&d);
    if (ok && !r->entry && !cf_changes(&d, c, f, r->hooks, active)) keep_promises(f, r->provided, at);
    for (size_t i = 0; i < d.work.n; i++) l_remove_text(d.work.at[i]->clone.to, "cf-made");
    return ok;
}
