#include "domain/context_body.h"
#include "dub/callback.h"
#include "llvm/cfx.h"

static cf_context *context_of(cf_dub *d) { return d->state; }

/* ---- keys: how a function is inside ---- */

cf_key cf_context_key(cf_job *job, LLVMValueRef f, bool hooks, bool active, unsigned depth, bool guest,
                      unsigned at) {
    uint8_t *arg = CF_ARRAY(job->arena, uint8_t, K_COUNT);
    memset(arg + K_NEXT, 0, K_DIGITS);
    arg[K_HOOKS] = hooks, arg[K_ACTIVE] = active, arg[K_GUEST] = guest;
    arg[K_DEPTH] = (uint8_t)depth, arg[K_AT] = (uint8_t)at;
    return (cf_key){.function = f, .width = 1, .n = K_COUNT, .arg = arg};
}

cf_key cf_context_callee_key(cf_body *b, LLVMValueRef f, unsigned at) {
    cf_within *w = cf_within_of(b);
    return cf_context_key(b->job, f, w->hooks, w->active, w->depth ? w->depth - 1 : 0, false, at);
}

unsigned cf_context_at(LLVMValueRef f) { return LLVMCountParams(f) && l_has(f, 1, "sret") ? 1 : 0; }

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

static LLVMValueRef next_of(const cf_context *c, const cf_key *key) {
    unsigned place = 0;
    for (unsigned i = 0; i < K_DIGITS; i++) place = place * K_DIGIT + key->arg[K_NEXT + i];
    return place ? c->next.at[place - 1] : NULL;
}

static void begin(cf_body *b) {
    cf_within *w = CF_NEW(b->job->arena, cf_within);
    const uint8_t *arg = b->key.arg;
    LLVMValueRef from = b->clone.from, to = b->clone.to;
    *w = (cf_within){.context = context_of(b->dub),
                     .hooks = arg[K_HOOKS],
                     .active = arg[K_ACTIVE],
                     .depth = arg[K_DEPTH],
                     .guest = arg[K_GUEST],
                     .next = next_of(context_of(b->dub), &b->key)};
    b->state = w;
    unsigned at = w->guest ? cf_context_at(from) : arg[K_AT];
    w->pointer = LLVMGetParam(to, at);
    w->works = w->body_works = !w->guest && cf_works_in(b->job, w->context, from, &w->active);
    for (unsigned i = 0; i < LLVMCountParams(from); i++)
        cf_map_put(b->job->arena, &b->clone.values, LLVMGetParam(from, i),
                   LLVMGetParam(to, i + (!w->guest && i >= at)));
}

/* What became of a function, for those who ask. */
static void explain(cf_body *b) {
    cf_within *w = cf_within_of(b);
    cf_place place = l_place(b->clone.from);
    if (!b->job->options.explain || w->guest) return;
    cf_report(b->job->sink, CF_REMARK, place, cf_shown_name(b->job, w->context, b->clone.from),
              "`%s` in context `%s`: %u hook%s, %u override%s, %u call%s inside, %u left as they were",
              cf_shown_name(b->job, w->context, b->clone.from), w->context->name, w->hooked,
              w->hooked == 1 ? "" : "s", w->overridden, w->overridden == 1 ? "" : "s", w->inside,
              w->inside == 1 ? "" : "s", w->outside);
}

static void end(cf_body *b) {
    cf_within *w = cf_within_of(b);
    explain(b);
    for (size_t i = 0; i < w->gone.n; i++)
        if (!LLVMGetFirstUse(w->gone.at[i]))
            LLVMInstructionEraseFromParent(w->gone.at[i]);
        else
            cf_body_error(b, NULL,
                          "what cf_recurse and cf_next give is to be called at once: cf_recurse(f)(…)");
}

/* ---- the functions of hooks and overrides ---- */

/* What is to be known for a clone of a hook or override: see cf_hook.marked. */
static int look_for_marks(LLVMValueRef f) {
    int marked = -1;
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i)) {
            if (!cf_is_mark(i)) continue;
            LLVMValueRef of = cf_recursed(i);
            bool by_name = of && (!LLVMIsAFunction(of) || !LLVMIsDeclaration(of));
            marked = by_name && marked < 1 ? 1 : by_name ? marked : 2;
        }
    return marked;
}

static unsigned place_of_next(cf_job *job, cf_context *c, LLVMValueRef f) {
    for (size_t i = c->next.n; i-- > 0;)
        if (c->next.at[i] == f) return (unsigned)i + 1;
    cf_push(job->arena, &c->next, f);
    return (unsigned)c->next.n;
}

LLVMValueRef cf_context_target(cf_body *b, cf_hook *h, LLVMValueRef called) {
    if (!h->marked) h->marked = look_for_marks(h->function);
    if (h->marked < 0) return h->function;
    cf_within *w = cf_within_of(b);
    cf_key key = cf_context_key(b->job, h->function, w->hooks, w->active, w->depth, true, 0);
    unsigned place = h->marked == 2 && called ? place_of_next(b->job, w->context, called) : 0;
    for (unsigned i = K_DIGITS; i-- > 0; place /= K_DIGIT) ((uint8_t *)key.arg)[K_NEXT + i] = place % K_DIGIT;
    return cf_dub_function(b->dub, &key);
}

/* ---- calls through pointers ---- */

static void natively(cf_dub *d, const cf_key *key, const LLVMValueRef *args, unsigned n, cf_values *out) {
    for (unsigned i = 0; i < n; i++)
        if (i != key->arg[K_AT]) cf_push(d->job->arena, out, args[i]);
}

static unsigned own(const cf_key *key) { return key->arg[K_AT]; }

static void made_through(cf_dub *d, const cf_key *key, LLVMValueRef call, LLVMValueRef made, bool detour) {
    detour ? cf_show_call(made) : cf_hide_arguments(d->job, call, made, key->arg[K_AT]);
}

static bool reaches(cf_dub *d, cf_key *key) {
    cf_context *c = context_of(d);
    LLVMValueRef f = key->function;
    if (cf_context_at(f) != key->arg[K_AT]) return false;
    unsigned depth = key->arg[K_DEPTH];
    *key = cf_context_key(d->job, f, key->arg[K_HOOKS], key->arg[K_ACTIVE], depth, false, key->arg[K_AT]);
    if (!cf_may_be_target(d->job, c, f)) return false;
    key->function = f = cf_callback_pointed_to(d->job, f);
    return cf_changes(d, c, f, key->arg[K_HOOKS], key->arg[K_ACTIVE]);
}

/* ---- a request ---- */

static cf_domain domain_of(cf_job *job, const cf_context *c) {
    return (cf_domain){
        .name = cf_text(job->arena, "context %s %p", c->name, (const void *)c), /* units may have one name */
        .suffix = cf_text(job->arena, ".%s", c->name),
        .signature = signature,
        .parameters = parameters,
        .begin = begin,
        .end = end,
        .operation = cf_context_operation,
        .load = cf_context_operation,
        .store = cf_context_operation,
        .allocate = cf_context_operation,
        .atomic = cf_context_operation,
        .ret = cf_context_operation,
        .resolve = cf_context_resolve,
        .marshal = cf_context_marshal,
        .unmarshal = cf_context_unmarshal,
        .arguments = cf_context_arguments,
        .reaches = reaches,
        .natively = natively,
        .own = own,
        .made = made_through,
    };
}

/* A function that does nothing but call f: what happens in it is the call. */
static LLVMValueRef caller_of(cf_dub *d, const cf_in_request *r) {
    LLVMValueRef f = r->function;
    const char *name = cf_text(d->job->arena, "%s.entry", l_shown(f));
    LLVMValueRef made = cf_clone_declare(d->job, f, name, l_function_type(f));
    l_add_text(made, "cf-name", l_shown(r->provided));
    cf_dub_forward(d, made, f);
    LLVMMetadataRef scope = cfx_make_subprogram(made, f, r->place.line);
    if (scope)
        LLVMInstructionSetDebugLoc(
            LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(made)),
            LLVMDIBuilderCreateDebugLocation(d->job->context, r->place.line, 0, scope, NULL));
    cf_push(d->job->arena, &r->context->caller, made);
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
    c->root.n = c->next.n = 0;
    c->changes = c->program = c->pointed = (cf_map){0};
    c->shown = c->why = (cf_map){0};
}

bool cf_context_provide(cf_job *job, const cf_in_request *r) {
    cf_context *c = r->context;
    cf_dub d;
    c->domain = domain_of(job, c);
    const char *why = cf_why_not(job, c, r->function);
    if (why) {
        cf_report(job->sink, CF_ERROR, r->place, l_shown(r->function),
                  "`%s` cannot be brought into context `%s`: %s", l_shown(r->function), c->name, why);
        return false;
    }
    cf_dub_begin(&d, job, &c->domain, c);
    bool active = !c->from;
    LLVMValueRef f = r->entry ? caller_of(&d, r) : r->function;
    unsigned at = cf_context_at(f), depth = c->depth ? c->depth + 1 + r->entry : 0;
    cf_key key = cf_context_key(job, f, r->hooks, active, depth, false, at);
    if (!fits(job, r, signature(&d, &key, l_function_type(f)))) return false;
    c->entry = c->depth ? NULL : f;
    cf_dub_adopt(&d, &key, r->provided);
    bool ok = cf_dub_run(&d);
    if (ok && !r->entry && !cf_changes(&d, c, f, r->hooks, active)) keep_promises(f, r->provided, at);
    for (size_t i = 0; i < d.work.n; i++) l_remove_text(d.work.at[i]->clone.to, "cf-made");
    return ok;
}
