/* Calls in a context: hooks around them, and where they go: to an override, to the clone of the callee, by way of a table
 * for a pointer, or where they went before. */
#include "domain/context_body.h"
#include "dub/callback.h"

/* The call never comes back here. */
static bool is_last(LLVMValueRef call) {
    LLVMValueRef next = LLVMIsAInvokeInst(call) ? NULL : LLVMGetNextInstruction(call);
    return next && LLVMIsAUnreachableInst(next);
}

static unsigned context_at_call(LLVMValueRef call) {
    return LLVMGetNumArgOperands(call) && l_has_call(call, 1, "sret") ? 1 : 0;
}

/* The function called, as far as it is sure which one it will be when the program runs. */
static LLVMValueRef sure_callee(LLVMValueRef call) {
    LLVMValueRef f = LLVMGetCalledValue(call);
    while (LLVMIsAGlobalAlias(f)) {
        LLVMLinkage l = LLVMGetLinkage(f);
        if (l == LLVMWeakAnyLinkage || l == LLVMLinkOnceAnyLinkage) return NULL;
        f = LLVMAliasGetAliasee(f);
    }
    return LLVMIsAFunction(f) ? f : NULL;
}

/* As C has them: memset's byte is an int. */
static void operands_of_call(cf_body *b, LLVMValueRef call, const cf_happening *e, LLVMValueRef *out) {
    LLVMValueRef now = cf_now(b, call);
    for (unsigned i = 0, k = 0; k < e->n; i++)
        if (!cf_is_hidden(call, i)) out[k++] = LLVMGetOperand(now, i);
    if (!e->callee) out[e->n] = cf_pointer_called(call, now);
    if (e->spelling == CF_SPELLED_BYTES) out[1] = LLVMBuildZExt(b->builder, out[1], e->operand[1], "");
}

static void warn_once(cf_body *b, LLVMValueRef call, LLVMValueRef f, const char *why) {
    cf_context *c = cf_within_of(b)->context;
    const char *key = cf_text(b->job->arena, "left %p %p", (void *)c, (void *)f);
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
    cf_context *c = cf_within_of(b)->context;
    cf_body_error(
        b, call,
        "`%s` has no body here, and context `%s` says bodyless=error: give its body (--link), or an "
        "override: CF_OVERDUB(%s, %s)",
        cf_shown_name(b->job, c, f), c->name, c->name, cf_shown_name(b->job, c, f));
}

/* Where a call of a known function goes. */
static bool goes_inside(cf_body *b, LLVMValueRef call, LLVMValueRef f) {
    cf_within *w = cf_within_of(b);
    if (l_is_intrinsic(f) || cf_excluded(b->job, w->context, f) || w->depth == 1) return false;
    if (LLVMIsDeclaration(f)) {
        if (w->context->bodyless_error && !l_begins(l_name(f), "__cf_")) refuse_bodyless(b, call, f);
        return false;
    }
    const char *why = cf_why_not(b->job, w->context, f);
    if (why) {
        if (!l_begins(l_name(f), "__cf_")) warn_once(b, call, f, why);
        return false;
    }
    if (cf_context_at(f) != context_at_call(call)) return false;
    /* where nothing changes, the function asked for still calls itself */
    return cf_changes(b->dub, w->context, f, w->hooks, w->active) || f == w->context->entry;
}

/* Where functions with an override go, when this call reaches them through a pointer. NULL: there are none. */
static const cf_detours *detours_of(cf_body *b, LLVMValueRef call) {
    cf_within *w = cf_within_of(b);
    const cf_pointed *all = cf_overrides_through(b->dub, w->context, call);
    if (!all->n) return NULL;
    const char *key =
        cf_text(b->job->arena, "detours %p %d %d %u", (const void *)all, w->hooks, w->active, w->depth);
    cf_detours *made = cf_names_get(&b->job->made, key);
    if (made) return made;
    made = CF_NEW(b->job->arena, cf_detours);
    cf_names_put(b->job->arena, &b->job->made, key, made);
    made->only = w->depth == 1;
    for (size_t i = 0; i < all->n; i++) {
        const cf_overridden *k = &all->at[i];
        cf_detour one = {k->function, cf_context_target(b, k->hook, k->function), k->site, 0};
        for (unsigned p = 0; p < LLVMCountParams(k->function); p++)
            if (cf_is_hidden_parameter(k->function, p)) one.without |= UINT64_C(1) << p;
        cf_push(b->job->arena, &made->list, one);
    }
    return made;
}

static bool wants_site(const cf_detours *all) {
    for (size_t i = 0; all && i < all->list.n; i++)
        if (all->list.at[i].with_more) return true;
    return false;
}

static cf_target target(cf_body *b, LLVMValueRef call) {
    cf_within *w = cf_within_of(b);
    cf_target keep = {.kind = CF_CALL_KEEP};
    LLVMValueRef f = sure_callee(call), called = LLVMGetCalledValue(call);
    if (f) {
        if (!goes_inside(b, call, f)) return keep;
        return (cf_target){.kind = CF_CALL_CLONE, .key = cf_context_callee_key(b, f, cf_context_at(f))};
    }
    if (LLVMIsAInlineAsm(called)) return keep;
    bool overrides = w->works || (w->active && cf_is_machine(b->clone.from)); /* the C library calls back */
    const cf_detours *detours = overrides ? detours_of(b, call) : NULL;
    bool inside = w->depth != 1 &&
                  cf_type_changes(b->dub, w->context, LLVMGetCalledFunctionType(call), w->hooks, w->active);
    if (!inside && !detours) return keep;
    cf_target t = {.kind = CF_CALL_LOOKUP, .key = cf_context_callee_key(b, NULL, context_at_call(call))};
    t.detours = detours;
    t.more = wants_site(detours) ? cf_site(b, &w->now) : NULL;
    return t;
}

/* The context that the callee gets. */
static LLVMValueRef entering(cf_body *b, const cf_happening *e, LLVMValueRef *operands) {
    cf_within *w = cf_within_of(b);
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
    cf_within *w = cf_within_of(b);
    LLVMValueRef f = cf_context_target(b, h, w->now.callee), args[80];
    unsigned n = cf_event_arguments(b, h, &w->now, w->operands, NULL, args);
    cf_values list = {.at = args, .n = n};
    cf_key none = cf_context_key(b->job, h->function, false, false, 0, true, 0);
    w->overridden++;
    cf_dub_call(b, call, &none, l_function_type(f), f, &list);
}

/* A call of a library function that calls back: what it calls stays inside. False: nothing that it may call changes. */
static bool call_back(cf_body *b, LLVMValueRef call) {
    cf_within *w = cf_within_of(b);
    LLVMValueRef f = sure_callee(call), now = cf_now(b, call);
    const cf_callback *k = f ? cf_callback_of(f) : NULL;
    if (!k || w->depth == 1 || cf_excluded(b->job, w->context, f)) return false;
    bool any = false;
    for (unsigned i = 0; i < cf_callback_count(k); i++)
        any |= cf_changes(b->dub, w->context, cf_caller_of(b->job, w->context, f, i), w->hooks, w->active);
    LLVMValueRef glue = any ? cf_callback_glue(b->job, k, LLVMGetCalledFunctionType(call)) : NULL;
    if (!glue) return false;
    l_add_text(glue, "cf-name", l_shown(f));
    cf_values args = {0};
    unsigned n = LLVMGetNumArgOperands(now);
    for (unsigned i = 0; i < n; i++) cf_push(b->job->arena, &args, LLVMGetOperand(now, i));
    cf_push(b->job->arena, &args, w->entering);
    for (unsigned i = 0; i < cf_callback_count(k); i++) {
        cf_key key = cf_context_callee_key(b, cf_caller_of(b->job, w->context, f, i), 0);
        cf_push(b->job->arena, &args, cf_dub_function(b->dub, &key));
    }
    cf_key none = cf_context_callee_key(b, f, n);
    cf_dub_call(b, call, &none, l_function_type(glue), glue, &args);
    return true;
}

/* As C has it: memcpy returns where it copies to. */
static LLVMValueRef result_of(const cf_within *w, LLVMValueRef made) {
    bool memory = w->now.spelling == CF_SPELLED_MEMORY || w->now.spelling == CF_SPELLED_BYTES;
    return memory && l_is_void_type(LLVMTypeOf(made)) ? w->operands[0] : cf_value_or_null(made);
}

static cf_target visit_event(cf_body *b, LLVMValueRef call) {
    cf_within *w = cf_within_of(b);
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
        LLVMValueRef by = cf_event_post(b, e, w->operands, result_of(w, now));
        if (!l_is_void_type(LLVMTypeOf(now))) cf_context_replace(b, call, by);
    }
    return t;
}

/* Something is wrong with a mark in a hook or override. */
static void refuse_mark(cf_body *b, LLVMValueRef call, const char *text) {
    cf_context *c = cf_within_of(b)->context;
    cf_place place = l_place(call);
    for (size_t i = 0; !place.file && i < c->hook.n; i++)
        if (c->hook.at[i].function == b->clone.from) place = c->hook.at[i].place;
    cf_report(b->job->sink, CF_ERROR, place, l_shown(b->clone.from), "%s", text);
    b->dub->failed = true;
    LLVMValueRef now = cf_now(b, call);
    LLVMSetOperand(now, (unsigned)LLVMGetNumOperands(now) - 1,
                   l_zero(LLVMPointerTypeInContext(b->job->context, 0)));
}

/* The function that cf_next is in an override. NULL after a message. */
static LLVMValueRef next_function(cf_body *b, LLVMValueRef call) {
    cf_within *w = cf_within_of(b);
    LLVMValueRef f = w->next;
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    if (!f) {
        refuse_mark(b, call,
                    "cf_next is for overrides of calls: nothing is called here that it could stand for");
        return NULL;
    }
    const char *name = cf_shown_name(b->job, w->context, f);
    if (l_is_intrinsic(f)) { /* the C function */
        LLVMValueRef known = LLVMGetNamedFunction(b->job->module, name);
        f = known ? known : LLVMAddFunction(b->job->module, name, type);
    }
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        if (!cf_is_hidden_parameter(f, i)) continue;
        refuse_mark(
            b, call,
            cf_text(
                b->job->arena,
                "cf_next cannot go on to `%s`: that is inside another context here, which this one is around",
                name));
        return NULL;
    }
    if (l_function_type(f) == type) return f;
    char *is = LLVMPrintTypeToString(l_function_type(f)), *as = LLVMPrintTypeToString(type);
    refuse_mark(b, call,
                cf_text(b->job->arena, "cf_next is called as `%s` here, but stands for `%s`, which is `%s`",
                        as, name, is));
    LLVMDisposeMessage(is), LLVMDisposeMessage(as);
    return NULL;
}

/* The function that a mark means. A name without a body means, in an override of a function of that name, that function:
 * it may be a static one of another file. NULL after a message. */
static LLVMValueRef marked_function(cf_body *b, LLVMValueRef call, LLVMValueRef mark) {
    cf_within *w = cf_within_of(b);
    LLVMValueRef f = cf_recursed(mark);
    if (!f) return next_function(b, call);
    if (!LLVMIsAFunction(f)) {
        refuse_mark(b, call, "cf_recurse is for a function that is named, not for a pointer");
        return NULL;
    }
    bool same = w->next && w->next != f && LLVMIsDeclaration(f) && !LLVMIsDeclaration(w->next) &&
                !strcmp(cf_shown_name(b->job, w->context, f), cf_shown_name(b->job, w->context, w->next));
    return same ? next_function(b, call) : f;
}

/* cf_recurse(f)(…), cf_recurse_in(c, f)(…), cf_next(f)(…) in a hook or override. */
static cf_target recurse(cf_body *b, LLVMValueRef call, LLVMValueRef mark) {
    cf_within *w = cf_within_of(b);
    cf_target keep = {.kind = CF_CALL_KEEP};
    LLVMValueRef now = cf_now(b, call), made = cf_now(b, mark), f = marked_function(b, call, mark);
    bool given = LLVMGetNumArgOperands(mark) == 2;
    w->entering = given ? LLVMGetOperand(made, 0) : w->pointer;
    w->recursing = true;
    if (!f) return keep;
    if (goes_inside(b, call, f))
        return (cf_target){.kind = CF_CALL_CLONE, .key = cf_context_callee_key(b, f, cf_context_at(f))};
    LLVMSetOperand(now, (unsigned)LLVMGetNumOperands(now) - 1, f);
    return keep;
}

cf_target cf_context_resolve(cf_body *b, LLVMValueRef call) {
    cf_within *w = cf_within_of(b);
    cf_target keep = {.kind = CF_CALL_KEEP};
    LLVMValueRef mark = w->guest ? cf_mark_called(call) : NULL;
    w->recursing = false;
    if (mark) return recurse(b, call, mark);
    if (w->guest) {
        if (cf_is_mark(call)) cf_push(b->job->arena, &w->gone, cf_now(b, call));
        return keep;
    }
    w->works = w->body_works;
    cf_event_line(b, call);
    w->works = cf_works_at(w->context, call, w->body_works, w->active);
    if (w->works && cf_context_split(b, call)) return keep;
    if (!cf_happening_of(b->job, w->context, call, &w->now)) return keep;
    if (w->works && cf_context_respell(b, call)) return keep;
    if (w->now.call) return visit_event(b, call);
    cf_context_operate(b, call);
    return keep;
}

void cf_context_marshal(cf_body *b, LLVMValueRef call, const cf_key *key, cf_values *args) {
    LLVMValueRef now = cf_now(b, call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(now); i++) {
        if (i == key->arg[K_AT]) cf_push(b->job->arena, args, cf_within_of(b)->entering);
        cf_push(b->job->arena, args, LLVMGetOperand(now, i));
    }
    if (LLVMGetNumArgOperands(now) <= key->arg[K_AT]) cf_push(b->job->arena, args, cf_within_of(b)->entering);
}

static bool has_post(cf_body *b) {
    cf_within *w = cf_within_of(b);
    for (size_t i = 0; w->works && w->hooks && !w->recursing && i < w->context->hook.n; i++) {
        cf_hook *h = &w->context->hook.at[i];
        if ((h->kind == CF_HOOK_POST || h->kind == CF_HOOK_POST_ANY) &&
            cf_hook_matches(b->job, w->context, h, &w->now))
            return true;
    }
    return false;
}

/* Whether something happens at the return behind a tail call: then it is none any more. */
static bool has_return_event(cf_body *b, LLVMValueRef call) {
    cf_within *w = cf_within_of(b);
    cf_happening e;
    LLVMValueRef next = LLVMGetNextInstruction(call);
    while (next && !LLVMIsAReturnInst(next)) next = LLVMGetNextInstruction(next);
    if (!next || !w->body_works) return false;
    if (w->hooks && cf_wants_lines(w->context)) return true;
    return cf_happening_of(b->job, w->context, next, &e) && cf_any_matches(b->job, w->context, &e, w->hooks);
}

void cf_context_arguments(cf_body *b, LLVMValueRef call, const cf_key *key, LLVMValueRef made) {
    bool to_override = !cf_within_of(b)->recursing && cf_within_of(b)->overriding;
    if (to_override) {
        cf_pass_as_declared(cf_within_of(b)->overriding->function, made);
        return;
    }
    cf_keep_call_attributes(call, 0, made, 0);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        cf_keep_call_attributes(call, i + 1, made, i + 1 + (i >= key->arg[K_AT]));
    cf_hide_arguments(b->job, call, made, key->arg[K_AT]);
    if (cf_is_shown(call)) cf_show_call(made);
    if (!LLVMIsACallInst(call) || has_post(b)) return;
    bool fits = LLVMGetCalledFunctionType(made) == l_function_type(b->clone.to);
    if (!cf_is_musttail(call) || has_return_event(b, call)) return;
    LLVMSetTailCallKind(made, fits ? LLVMTailCallKindMustTail : LLVMTailCallKindTail);
}

LLVMValueRef cf_context_unmarshal(cf_body *b, LLVMValueRef call, const cf_key *key, LLVMValueRef made) {
    (void)key;
    cf_within *w = cf_within_of(b);
    LLVMValueRef result = cf_value_or_null(made);
    if (w->guest || is_last(call)) return result;
    result = cf_event_post(b, &w->now, w->operands, result);
    return l_is_void_type(LLVMTypeOf(call)) ? NULL : result;
}
