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

/* An override: the context, perhaps the site, all operands. */
static void form_of_override(cf_form *f, LLVMTypeRef *types, unsigned n, const cf_happening *e) {
    unsigned others = n - 1; /* than the context */
    f->site = others == e->n + 1 && f->context + 1 < n && l_is_pointer_type(types[f->context + 1]);
    f->n = e->n;
    f->fits = others == e->n + f->site;
    for (unsigned i = 0, at = 0; f->fits && i < e->n; i++, at++) {
        if (at == f->context) at += 1 + f->site;
        if (types[at] != e->operand[i]) f->fits = false;
    }
}

/* How many operands of a call the prototype of what it calls names, when an override takes n and more. */
static unsigned named_operands(const cf_happening *e, unsigned n) {
    LLVMTypeRef called = e->call && e->at ? LLVMGetCalledFunctionType(e->at) : NULL;
    if (!called || !LLVMIsFunctionVarArg(called)) return n <= e->n ? n : e->n;
    unsigned named = 0;
    for (unsigned i = 0; i < LLVMCountParamTypes(called); i++) named += !cf_is_hidden(e->at, i);
    return named;
}

cf_form cf_form_of(const cf_hook *h, const cf_happening *e) {
    LLVMTypeRef type = l_function_type(h->function), types[80];
    unsigned n = LLVMCountParamTypes(type);
    cf_form f = {.context = cf_context_at(h->function)};
    if (!n || n > sizeof types / sizeof *types) return f;
    LLVMGetParamTypes(type, types);
    if (f.context >= n || !l_is_pointer_type(types[f.context])) return f;
    LLVMTypeRef result = LLVMGetReturnType(type);
    bool is_void = l_is_void_type(e->result);
    switch (h->kind) {
    case CF_HOOK_PRE_ANY: f.fits = n == 3 && l_is_void_type(result), f.site = true; return f;
    case CF_HOOK_POST_ANY: f.fits = n == 4 && l_is_void_type(result), f.site = true; return f;
    case CF_HOOK_ENTER: f.fits = n <= 2 && l_is_pointer_type(result), f.site = n == 2; return f;
    case CF_HOOK_OVERDUB:
        if (LLVMIsFunctionVarArg(type)) { /* what a call has more than it is passed on */
            cf_happening fixed = *e;
            fixed.n = named_operands(e, n - 1);
            form_of_override(&f, types, n, &fixed);
        } else {
            form_of_override(&f, types, n, e);
        }
        if (e->classes & CF_CLASS_BRANCH || !strcmp(e->what, "ret"))
            f.fits &= e->n == 1 && result == e->operand[0];
        else
            f.fits &= result == e->result;
        return f;
    default: break;
    }
    f.site = n > 1 && l_is_pointer_type(types[1]);
    f.first = 1 + f.site;
    f.n = n - f.first;
    f.result = h->kind == CF_HOOK_POST && f.n && !is_void;
    f.fits = same_types(types, &f, e);
    if (!l_is_void_type(result)) f.fits &= h->kind == CF_HOOK_POST && result == e->result;
    return f;
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
