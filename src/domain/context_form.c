/* Prototypes of hooks and overrides: which parts their parameters are, and whether they fit what happens. */
#include "domain/context.h"
#include "llvm/l.h"

/* ---- prototypes ---- */

static bool same_types(LLVMTypeRef *types, const cf_form *f, const cf_happening *e) {
    unsigned at = f->first, n = f->n - f->result;
    if (f->result && types[at++] != e->result) return false;
    if (!n) return true;
    if (n != e->n) return false;
    for (unsigned i = 0; i < n; i++)
        if (types[at + i] != e->operand[i]) return false;
    return true;
}

/* What a hook or an override is for is one function or one operation: its prototype decides what the parameters are. */
static bool names_one(const cf_what *w) {
    if (w->kind == CF_WHAT_CALL) return w->name && !strpbrk(w->name, ",*?[");
    return w->kind == CF_WHAT_FUNCTION || w->kind == CF_WHAT_OPCODE;
}

/* How many operands of a call an override takes by name, when it has `own` parameters for them and more behind: those
 * that the prototype of what is called names. */
static unsigned named_operands(const cf_happening *e, unsigned own) {
    LLVMTypeRef called = e->call && e->at ? LLVMGetCalledFunctionType(e->at) : NULL;
    if (!called || !LLVMIsFunctionVarArg(called)) return own <= e->n ? own : e->n;
    unsigned named = 0;
    for (unsigned i = 0; i < LLVMCountParamTypes(called); i++) named += !cf_is_hidden(e->at, i);
    return named;
}

/* An override: the context, perhaps the site, all operands. */
static cf_form form_of_override(const cf_hook *h, const cf_happening *e, LLVMTypeRef *types, unsigned n,
                                bool site) {
    LLVMTypeRef type = l_function_type(h->function), result = LLVMGetReturnType(type);
    cf_form f = {.context = cf_context_at(h->function), .site = site};
    if (site && (f.context + 1 >= n || !l_is_pointer_type(types[f.context + 1]))) return f;
    unsigned own = n - 1 - site;
    f.n = LLVMIsFunctionVarArg(type) ? named_operands(e, own) : e->n;
    f.fits = own == f.n;
    for (unsigned i = 0, at = 0; f.fits && i < f.n; i++, at++) {
        if (at == f.context) at += 1 + f.site;
        if (types[at] != e->operand[i]) f.fits = false;
    }
    if (e->classes & CF_CLASS_BRANCH || !strcmp(e->what, "ret"))
        f.fits &= e->n == 1 && result == e->operand[0];
    else
        f.fits &= result == e->result;
    return f;
}

static cf_form choose_override(const cf_hook *h, const cf_happening *e, LLVMTypeRef *types, unsigned n) {
    cf_form with = form_of_override(h, e, types, n, true), without = form_of_override(h, e, types, n, false);
    if (h->what.site) return h->what.site > 0 ? with : without;
    bool pointer = with.context + 1 < n && l_is_pointer_type(types[with.context + 1]);
    with.unclear = pointer && without.fits && (with.fits || !names_one(&h->what));
    return with.fits || with.unclear ? with : without;
}

/* A hook: the context, perhaps the site, then nothing more, or all operands. */
static cf_form form_of_hook(const cf_hook *h, const cf_happening *e, LLVMTypeRef *types, unsigned n,
                            bool site) {
    LLVMTypeRef result = LLVMGetReturnType(l_function_type(h->function));
    cf_form f = {.context = cf_context_at(h->function), .site = site};
    f.first = 1 + site;
    f.n = n - f.first;
    f.result = h->kind == CF_HOOK_POST && f.n && !l_is_void_type(e->result);
    f.fits = same_types(types, &f, e);
    if (!l_is_void_type(result)) f.fits &= h->kind == CF_HOOK_POST && result == e->result;
    return f;
}

static cf_form choose_hook(const cf_hook *h, const cf_happening *e, LLVMTypeRef *types, unsigned n) {
    bool pointer = n > 1 && l_is_pointer_type(types[1]);
    cf_form f = form_of_hook(h, e, types, n, pointer && h->what.site >= 0);
    bool other = !f.fits && f.site && !h->what.site && names_one(&h->what);
    return other ? form_of_hook(h, e, types, n, false) : f;
}

cf_form cf_form_of(const cf_hook *h, const cf_happening *e) {
    LLVMTypeRef type = l_function_type(h->function), types[80], result = LLVMGetReturnType(type);
    unsigned n = LLVMCountParamTypes(type);
    cf_form f = {.context = cf_context_at(h->function)};
    if (!n || n > sizeof types / sizeof *types) return f;
    LLVMGetParamTypes(type, types);
    if (f.context >= n || !l_is_pointer_type(types[f.context])) return f;
    switch (h->kind) {
    case CF_HOOK_PRE_ANY: f.fits = n == 3 && l_is_void_type(result), f.site = true; return f;
    case CF_HOOK_POST_ANY: f.fits = n == 4 && l_is_void_type(result), f.site = true; return f;
    case CF_HOOK_ENTER: f.fits = n <= 2 && l_is_pointer_type(result), f.site = n == 2; return f;
    case CF_HOOK_OVERDUB: return choose_override(h, e, types, n);
    default: return choose_hook(h, e, types, n);
    }
}

/* The operands of arithmetic are all of one type, numbers or integers. */
static bool is_arithmetic(LLVMTypeRef *types, unsigned n, bool floating) {
    for (unsigned i = 0; i < n; i++) {
        LLVMTypeRef t = l_is_vector_type(types[i]) ? LLVMGetElementType(types[i]) : types[i];
        if (types[i] != types[0] || (floating ? !l_is_float_type(t) : !l_is_integer_type(t))) return false;
    }
    return true;
}

bool cf_hook_may_fit(const cf_hook *h) {
    unsigned classes = h->what.classes & ~(unsigned)CF_CLASS_OP;
    LLVMTypeRef types[80], type = l_function_type(h->function);
    if (h->kind != CF_HOOK_PRE && h->kind != CF_HOOK_POST && h->kind != CF_HOOK_OVERDUB) return true;
    if (classes & ~(unsigned)(CF_CLASS_FP | CF_CLASS_INT) || !classes ||
        LLVMCountParamTypes(type) > sizeof types / sizeof *types)
        return true;
    LLVMGetParamTypes(type, types);
    unsigned n = LLVMCountParamTypes(type), first = n > 1 && l_is_pointer_type(types[1]) ? 2 : 1;
    unsigned most = h->kind == CF_HOOK_POST ? 3 : 2;
    if (n > first + most || LLVMIsFunctionVarArg(type)) return false;
    return is_arithmetic(types + first, n - first, classes & CF_CLASS_FP);
}

void cf_report_unclear(cf_job *job, const cf_context *c, cf_hook *h, const cf_happening *e) {
    if (h->reported) return;
    h->reported = true;
    cf_report(
        job->sink, CF_ERROR, h->place, l_shown(h->function),
        "the second parameter of override `%s` of context `%s` may be the site, and may be the first "
        "operand of `%s`: say which by `site=yes` or `site=no`, as in CF_OVERDUB(%s, \"%s%s site=yes\")",
        l_shown(h->function), c->name, e->what, c->name, h->what.kind == CF_WHAT_FUNCTION ? "call " : "",
        h->what.text);
}

void cf_report_misfit(cf_job *job, const cf_context *c, cf_hook *h, const cf_happening *e) {
    if (h->reported) return;
    h->reported = true;
    char *type = LLVMPrintTypeToString(l_function_type(h->function));
    cf_report(
        job->sink, CF_ERROR, h->place, l_shown(h->function),
        "`%s` of context `%s` has the type `%s`, which does not fit `%s`: %s", l_shown(h->function), c->name,
        type, e->what,
        h->kind == CF_HOOK_OVERDUB
            ? "an override takes the context, the site if it wants it, and all operands, and returns the "
              "result"
            : "a hook takes the context, then the site if it wants it, then nothing more, or all operands (a "
              "post hook: the result and perhaps all operands)");
    LLVMDisposeMessage(type);
}

static const char *operand_types(cf_job *job, cf_context *c, const cf_happening *e, const char *before) {
    const char *text = before;
    for (unsigned i = 0; i < e->n; i++)
        text = cf_text(job->arena, "%s%s%s", text, *text ? ", " : "", cf_type_text(job, c, e->operand[i]));
    return *text ? text : "nothing";
}

void cf_note_miss(cf_job *job, cf_context *c, cf_hook *h, const cf_happening *e) {
    cf_arena *a = job->arena;
    bool gives = !l_is_void_type(e->result), post = h->kind == CF_HOOK_POST && gives;
    const char *result = gives ? cf_type_text(job, c, e->result) : "void", *line = "";
    cf_place place = e->at ? l_place(e->at) : (cf_place){NULL, 0, 0};
    if (place.file) line = cf_text(a, " (line %u)", place.line);
    const char *where =
        e->at ? cf_text(a, " in `%s`%s", cf_shown_name(job, c, l_function_of(e->at)), line) : "";
    const char *more = h->kind == CF_HOOK_OVERDUB ? cf_text(a, ", and it returns %s", result)
                       : post                     ? " (a post hook gets the result first)"
                                                  : "";
    h->missed = cf_text(a, "`%s`%s wants other parameters after the context (and the site): %s%s", e->what,
                        where, operand_types(job, c, e, post ? result : ""), more);
}
