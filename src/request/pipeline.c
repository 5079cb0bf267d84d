/* From requests to bodies, for a whole module.
 *
 *   read          descriptors, __enzyme_ calls, requests of the caller
 *   round         requests whose primals reach no function that is still to be provided
 *     private     a copy of what the primals reach
 *     rules       the derivative rules that it needs
 *     prepare     simplified, loops in normal form
 *     provide     derivatives, and the bodies that call them
 *     cut, clean  only what was made is left; rules are inlined
 *     return      linked back, names and linkage restored
 *
 * A derivative of a derivative takes one round more. When anything of a round fails, the private module is thrown
 * away, and the provided functions of the round trap; the errors make the compilation fail. */
#include "analysis/kept.h"
#include "analysis/unseen.h"
#include "known/known.h"
#include "known/rules.h"
#include "dub/callback.h"
#include "ir/guards.h"
#include "ir/prepare.h"
#include "ir/promote.h"
#include "ir/reach.h"
#include "ir/weak.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "request/checked.h"
#include "request/program.h"
#include "reverse/reverse.h"

static const char cleanup[] =
    "always-inline,function(sroa<modify-cfg>,early-cse<memssa>,instsimplify,simplifycfg)";

typedef struct run {
    cf_arena *arena;
    LLVMModuleRef user;
    cf_sink *sink;
    const cf_options *options;
    cf_requests all;
    bool *done; /* per request */
    bool bare;  /* functions with a body are followed, whatever rules of the user's say */
} run;

/* The sink of the engine: names are the user's, and a message without a place gets that of the request in work. */
typedef struct placing {
    cf_sink *sink;
    const cf_request *request;
    cf_arena *arena;
    cf_names told; /* functions that an error has named */
} placing;

static const char *shown(cf_arena *a, const char *text) {
    if (!text || !strstr(text, L_LOCAL)) return text;
    char *copy = cf_copy_text(a, text, strlen(text));
    l_show_names(copy);
    return copy;
}

/* The words of a message, as far as they may be names. */
static void note_names(placing *p, const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.";
    for (const char *s = text + strcspn(text, letters); *s; s += strcspn(s, letters)) {
        size_t n = strspn(s, letters);
        cf_names_put(p->arena, &p->told, cf_copy_text(p->arena, s, n), p);
        s += n;
    }
}

static void report_placed(void *user, const cf_message *m) {
    placing *p = user;
    cf_arena *a = cf_arena_new();
    cf_message placed = *m;
    placed.text = shown(a, m->text);
    placed.function = shown(a, m->function);
    if (!m->place.file && p->request) placed.place = p->request->place;
    if (m->severity == CF_ERROR) note_names(p, placed.text);
    p->sink->report(p->sink->user, &placed);
    cf_arena_free(a);
}

/* ---- linkage ---- */

typedef struct provided {
    const char *name; /* its handle goes stale when the modules are linked */
    LLVMLinkage linkage;
} provided;

static LLVMLinkage linkage_of(const cf_request *r) {
    if (r->internal) return LLVMInternalLinkage;
    switch (LLVMGetLinkage(r->primal)) {
    case LLVMInternalLinkage:
    case LLVMPrivateLinkage: return LLVMInternalLinkage;
    case LLVMLinkOnceAnyLinkage:
    case LLVMLinkOnceODRLinkage:
    case LLVMAvailableExternallyLinkage:
    case LLVMWeakODRLinkage: return LLVMWeakODRLinkage;
    case LLVMWeakAnyLinkage: return LLVMWeakAnyLinkage;
    default: return LLVMExternalLinkage;
    }
}

static void set_linkage(LLVMModuleRef m, const provided *p) {
    LLVMValueRef f = LLVMGetNamedFunction(m, p->name);
    if (!f || LLVMIsDeclaration(f)) return;
    if (p->linkage == LLVMInternalLinkage) LLVMSetVisibility(f, LLVMDefaultVisibility);
    LLVMSetLinkage(f, p->linkage);
}

/* ---- one round ---- */

/* Whether request i must wait: its primal reaches a function that another request is still to provide. */
static bool must_wait(const run *x, size_t i) {
    cf_map reached = {0};
    cf_reach(x->arena, x->all.request.at[i].primal, &reached);
    for (size_t k = 0; k < x->all.request.n; k++)
        if (!x->done[k] && cf_map_get(&reached, x->all.request.at[k].provided)) return true;
    return false;
}

/* An earlier compilation has made comparisons of the guards in what the primal reaches (ir/guards.h). */
static void warn_lowered(const run *x, const cf_request *r) {
    cf_map reached = {0};
    cf_reach(x->arena, r->primal, &reached);
    for (LLVMValueRef f = LLVMGetFirstFunction(x->user); f; f = LLVMGetNextFunction(f)) {
        if (!l_has_text(f, CF_LOWERED) || !cf_map_get(&reached, f)) continue;
        cf_report(x->sink, CF_WARNING, r->place, l_name(r->primal),
                  "`%s` was compiled with derivatives in it before this request: its own derivative lacks "
                  "terms where an "
                  "adjoint or a partial derivative is exactly 0; ask for `%s` in the unit that has `%s`",
                  l_name(f), l_name(r->provided), l_name(f));
        return;
    }
}

static cf_request copy_request(const cf_private *p, const cf_request *r) {
    cf_request c = *r;
    c.primal = cf_private_copy(p, r->primal);
    c.provided = cf_private_copy(p, r->provided);
    return c;
}

/* What it does inside is no part of a derivative. */
static void mark_allocator(LLVMValueRef f, const char *mark) {
    l_add_text(f, CF_ALLOCATES, mark);
    if (!LLVMIsDeclaration(f)) cfx_make_declaration(f);
}

static void add_customs(const run *x, const cf_private *p, cf_job *job) {
    for (size_t i = 0; i < x->all.custom.n; i++) {
        const cf_custom *c = &x->all.custom.at[i];
        if (x->bare && c->kind != CF_CUSTOM_ALLOCATOR && !LLVMIsDeclaration(c->function)) continue;
        LLVMValueRef f = cf_private_copy(p, c->function), rule = c->rule ? cf_private_copy(p, c->rule) : NULL;
        if (c->reads) l_add_text(f, CF_READS, c->reads);
        if (c->kind == CF_CUSTOM_ALLOCATOR) {
            mark_allocator(f, cf_allocator_mark(job->arena, f));
            mark_allocator(rule, cf_deallocator_mark(job->arena, rule));
        } else if (c->kind == CF_CUSTOM_INACTIVE)
            cf_rules_add_custom(job, f, CF_RULE_INACTIVE, NULL, NULL);
        else
            cf_rules_add_custom(job, f, CF_RULE_CUSTOM, c->kind == CF_CUSTOM_FORWARD ? rule : NULL,
                                c->kind == CF_CUSTOM_REVERSE ? rule : NULL);
    }
}

static void allow_kept(const run *x, cf_job *job) {
    for (size_t i = 0; i < x->all.kept.n; i++) {
        LLVMValueRef g = LLVMGetNamedGlobal(job->module, l_name(x->all.kept.at[i]));
        if (g) cf_kept_allow(job, g);
    }
}

static bool verified(const run *x, LLVMModuleRef m) {
    char *text = x->options->no_verify ? NULL : l_verify(m);
    if (!text) return true;
    cf_report(x->sink, CF_ERROR, (cf_place){NULL, 0, 0}, NULL,
              "the derivative that was made is not valid LLVM IR, which is a fault of Cofactor: %.500s",
              text);
    LLVMDisposeMessage(text);
    return false;
}

/* What was made, and the tape's and the rules' functions that it calls, are the module's functions now. */
static void promote(cf_job *job) {
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && l_has_text(f, "cf-made")) cf_promote_slots(job, f);
}

static bool clean(const run *x, LLVMModuleRef m) {
    char *text = l_run_passes(m, cleanup);
    if (!text) return true;
    cf_report(x->sink, CF_ERROR, (cf_place){NULL, 0, 0}, NULL, "LLVM refuses the pipeline `%s`: %s", cleanup,
              text);
    LLVMDisposeErrorMessage(text);
    return false;
}

/* Makes everything in the private module. */
static bool make(const run *x, cf_private *p, const cf_request *requests, size_t n) {
    placing placing = {.sink = x->sink, .request = n == 1 ? requests : NULL, .arena = x->arena};
    cf_sink sink = {report_placed, &placing, 0};
    cf_job job = {.arena = x->arena, .sink = &sink, .options = *x->options};
    job.module = cf_private_module(p);
    job.context = LLVMGetModuleContext(job.module);
    add_customs(x, p, &job);
    allow_kept(x, &job);
    bool reverse = false, derivative = false;
    for (size_t i = 0; i < n; i++) {
        reverse |= requests[i].mode == CF_MODE_REVERSE;
        derivative |= requests[i].mode == CF_MODE_REVERSE || requests[i].mode == CF_MODE_FORWARD;
    }
    if (derivative) {
        cf_fit_calls(&job);
        cf_list_variadics(&job);
    }
    bool ok = cf_rules_link(&job) && (!reverse || cf_copy_nothrow(&job)) && cf_prepare(&job) &&
              cf_check_program(&job, reverse);
    for (size_t i = 0; ok && i < n; i++) {
        cf_request copy = copy_request(p, &requests[i]);
        placing.request = &requests[i];
        cf_provide(&job, &copy);
    }
    x->sink->errors += sink.errors;
    if (ok && sink.errors) cf_tell_missing(&job, &placing.told);
    if (!ok || sink.errors) return false;
    placing.request = n == 1 ? requests : NULL;
    cf_kept_warn(&job);
    cf_unseen_warn(&job, x->user);
    cf_rules_finish(&job);
    cf_tape_finish(&job);
    if (!verified(x, job.module)) return false;
    cf_private_cut(p);
    promote(&job);
    return clean(x, job.module) && verified(x, job.module);
}

static void trap(LLVMModuleRef m, LLVMValueRef f) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMGlobalEraseMetadata(f, l_kind(c, "dbg")); /* of a declaration */
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c, f, ""));
    l_call(b, l_intrinsic(m, "llvm.trap", NULL, 0), NULL, 0, "");
    LLVMBuildUnreachable(b);
    LLVMDisposeBuilder(b);
}

/* A later request may differentiate what was provided just now, under a handle that the link replaced. */
static void refresh(run *x, LLVMValueRef stale, const char *name) {
    for (size_t i = 0; i < x->all.request.n; i++)
        if (x->all.request.at[i].primal == stale)
            x->all.request.at[i].primal = LLVMGetNamedFunction(x->user, name);
}

static bool provide_round(run *x, const cf_request *requests, size_t n) {
    provided *out = CF_ARRAY(x->arena, provided, n);
    for (size_t i = 0; i < n; i++) {
        if (requests[i].mode != CF_MODE_CONTEXT) warn_lowered(x, &requests[i]);
        const char *name = l_name(requests[i].provided);
        out[i] = (provided){cf_copy_text(x->arena, name, strlen(name)), requests[i].linkage};
    }
    cf_private *p = cf_private_make(x->arena, x->user, &x->all, requests, n);
    bool ok = make(x, p, requests, n);
    if (!ok)
        cf_private_discard(p);
    else if (!cf_private_return(p))
        x->sink->errors++;
    for (size_t i = 0; i < n; i++) {
        if (!ok) trap(x->user, requests[i].provided);
        set_linkage(x->user, &out[i]);
        refresh(x, requests[i].provided, out[i].name);
    }
    return ok;
}

/* Programs inside contexts are made where they are: from the code as the front end left it. */
static bool provide_contexts(run *x, const cf_request *requests, size_t n) {
    cf_sink sink = {report_placed, &(placing){.sink = x->sink, .arena = x->arena}, 0};
    cf_job job = {.arena = x->arena, .sink = &sink, .options = *x->options, .module = x->user};
    job.context = LLVMGetModuleContext(x->user);
    cf_split_weak(&job);
    for (size_t i = 0; i < n; i++) cf_push(x->arena, &requests[i].context->root, requests[i].primal);
    bool linked = cf_callback_link(&job);
    for (size_t i = 0; linked && i < n; i++) {
        const cf_request *r = &requests[i];
        cf_in_request in = {r->context, r->primal, r->provided, r->entry, !r->nohooks, r->place};
        provided out = {l_name(r->provided), r->linkage};
        if (!cf_context_provide(&job, &in) && LLVMIsDeclaration(r->provided)) trap(x->user, r->provided);
        set_linkage(x->user, &out);
    }
    for (size_t i = 0; i < x->all.context.n; i++) cf_context_clear(x->all.context.at[i]);
    cf_callback_finish(&job);
    x->sink->errors += sink.errors;
    return !sink.errors && verified(x, x->user);
}

/* Provides all that need not wait; false when there is none left that can be provided. */
static bool next_round(run *x, bool contexts) {
    CF_VEC(cf_request) ready = {0};
    CF_VEC(size_t) which = {0};
    for (size_t i = 0; i < x->all.request.n; i++) {
        bool context = x->all.request.at[i].mode == CF_MODE_CONTEXT;
        if (x->done[i] || context != contexts || must_wait(x, i)) continue;
        cf_push(x->arena, &ready, x->all.request.at[i]);
        cf_push(x->arena, &which, i);
    }
    if (!ready.n) return false;
    for (size_t i = 0; i < which.n; i++) x->done[which.at[i]] = true;
    (contexts ? provide_contexts : provide_round)(x, ready.at, ready.n);
    return true;
}

/* ---- checked requests ---- */

/* Keeps the first error and says nothing. */
typedef struct muted {
    cf_arena *arena;
    const char *text;
} muted;

static void keep_first(void *user, const cf_message *m) {
    muted *q = user;
    if (m->severity == CF_ERROR && !q->text)
        q->text = m->place.line ? cf_text(q->arena, "%s:%u: %s", m->place.file, m->place.line, m->text)
                                : cf_text(q->arena, "%s", m->text);
}

/* In a round of its own, so that nothing is lost when it cannot be made. NULL; *why says what the reason is. */
static const char *make_companion(const run *x, const cf_request *r, cf_companion which, bool bare,
                                  cf_request *out, const char **why) {
    muted quiet = {.arena = x->arena};
    cf_sink sink = {keep_first, &quiet, 0};
    cf_options options = x->options[0];
    options.explain = false;
    run own = *x;
    own.sink = &sink;
    own.options = &options;
    own.bare = bare;
    *out = cf_checked_companion(x->arena, r, which);
    const char *name = cf_text(x->arena, "%s", l_name(out->provided));
    if (provide_round(&own, out, 1) && !sink.errors) return name;
    LLVMDeleteFunction(LLVMGetNamedFunction(x->user, name));
    *why = quiet.text ? quiet.text : "it cannot be made";
    return NULL;
}

/* False: it cannot be checked, and that was said. */
static bool make_companions(const run *x, const cf_request *r, cf_company *all) {
    bool reverse = r->mode == CF_MODE_REVERSE;
    cf_companion other = reverse ? CF_COMPANION_FORWARD : CF_COMPANION_REVERSE, record = CF_COMPANION_RECORD;
    const char *why = NULL;
    for (int bare = 1; bare >= 0 && !all->name[record]; bare--)
        all->name[record] = make_companion(x, r, record, bare, &all->request[record], &why);
    if (!all->name[record]) {
        cf_report(x->sink, CF_WARNING, r->place, l_name(r->primal), "calls of `%s` are not checked: %s",
                  r->checked, why);
        return false;
    }
    all->name[other] = make_companion(x, r, other, false, &all->request[other], &why);
    if (!all->name[other])
        cf_report(
            x->sink, CF_WARNING, r->place, l_name(r->primal),
            "calls of `%s` are checked against differences alone, as there is no derivative by %s mode: %s",
            r->checked, reverse ? "forward" : "reverse", why);
    return true;
}

static void check_requests(const run *x) {
    CF_VEC(cf_company) companions = {0};
    CF_VEC(const cf_request *) checked = {0};
    for (size_t i = 0; i < x->all.request.n; i++) {
        const cf_request *r = &x->all.request.at[i];
        cf_company all = {0};
        LLVMValueRef made = r->checked ? LLVMGetNamedFunction(x->user, r->checked) : NULL;
        if (made && !companions.n) cf_checked_make_way(x->arena, x->user);
        if (!made || LLVMIsDeclaration(made) || !make_companions(x, r, &all))
            continue; /* or another unit makes it */
        cf_push(x->arena, &companions, all);
        cf_push(x->arena, &checked, r);
    }
    for (size_t i = 0; i < checked.n; i++)
        cf_checked_install(x->arena, checked.at[i], &x->all, &companions.at[i]);
    if (checked.n && cf_checked_link(x->arena, x->user, x->sink)) verified(x, x->user);
}

/* Which requests are checked; their names, while their handles are good. */
static void note_checked(run *x) {
    for (size_t i = 0; i < x->all.request.n; i++) {
        cf_request *r = &x->all.request.at[i];
        bool derivative = r->mode == CF_MODE_FORWARD || r->mode == CF_MODE_REVERSE;
        if (x->options->check == CF_CHECK_ALL && derivative)
            r->checked = cf_text(x->arena, "%s", l_name(r->provided));
        else if (x->options->check == CF_CHECK_NONE)
            r->checked = NULL;
    }
}

static void refuse_circles(run *x) {
    for (size_t i = 0; i < x->all.request.n; i++) {
        const cf_request *r = &x->all.request.at[i];
        if (x->done[i]) continue;
        cf_report(x->sink, CF_ERROR, r->place, l_name(r->primal),
                  r->context ? "`%s` is asked to run code that calls it inside a context"
                             : "`%s` is asked to differentiate code that calls it",
                  l_name(r->provided));
        trap(x->user, r->provided);
    }
}

/* Two requests for one body. */
static void drop_duplicates(run *x) {
    cf_map seen = {0};
    size_t n = 0;
    for (size_t i = 0; i < x->all.request.n; i++) {
        const cf_request *r = &x->all.request.at[i];
        if (cf_map_get(&seen, r->provided)) {
            cf_report(x->sink, CF_ERROR, r->place, l_name(r->primal), "`%s` is requested twice in this unit",
                      l_name(r->provided));
            continue;
        }
        cf_map_put(x->arena, &seen, r->provided, r->provided);
        x->all.request.at[n++] = *r;
    }
    x->all.request.n = n;
}

bool cf_run_requests(LLVMModuleRef user, cf_sink *sink, const cf_options *options, const cf_request *extra,
                     size_t n_extra) {
    unsigned errors = sink->errors;
    run x = {.arena = cf_arena_new(), .user = user, .sink = sink, .options = options};
    cf_read_contexts(x.arena, user, sink, &x.all);
    cf_read_descriptors(x.arena, user, sink, options, &x.all);
    cf_read_enzyme(x.arena, user, sink, options, &x.all);
    for (size_t i = 0; i < n_extra; i++) cf_push(x.arena, &x.all.request, extra[i]);
    cf_program *program = x.all.program.n ? cf_program_ask(x.arena, user, sink, &x.all) : NULL;
    drop_duplicates(&x);
    x.done = CF_ARRAY(x.arena, bool, x.all.request.n + 1);
    for (size_t i = 0; i < x.all.request.n; i++)
        x.all.request.at[i].linkage = linkage_of(&x.all.request.at[i]);
    note_checked(&x);
    cf_check_contexts(user, sink, &x.all);
    while (next_round(&x, true) || next_round(&x, false)) {
    }
    refuse_circles(&x);
    if (sink->errors == errors) check_requests(&x);
    if (program && sink->errors == errors) cf_program_install(program);
    cf_job job = {.arena = x.arena, .sink = sink, .module = user, .context = LLVMGetModuleContext(user)};
    cf_finish_contexts(&job, &x.all);
    cf_lower_guards(user);
    cf_arena_free(x.arena);
    return sink->errors == errors;
}

bool cf_request_make(cf_arena *a, cf_sink *sink, cf_mode mode, LLVMValueRef primal, const char *words,
                     const char *name, cf_place place, cf_request *out) {
    *out = (cf_request){.mode = mode, .primal = primal, .place = place};
    if (!cf_parse_words(a, sink, words, out)) return false;
    LLVMModuleRef m = LLVMGetGlobalParent(primal);
    if (LLVMGetNamedFunction(m, name) || LLVMGetNamedGlobal(m, name)) {
        cf_report(sink, CF_ERROR, place, l_name(primal), "the name `%s` is taken in this program", name);
        return false;
    }
    cf_signature s = cf_signature_of(a, out);
    LLVMTypeRef *t = CF_ARRAY(a, LLVMTypeRef, s.n + 1);
    for (unsigned i = 0; i < s.n; i++) t[i] = s.part[i].type;
    out->provided = LLVMAddFunction(m, name, LLVMFunctionType(s.result, t, s.n, 0));
    return cf_check_request(a, sink, out, NULL);
}
