/* What a program for Enzyme says about its functions and globals by other globals and by annotations.
 *
 * In:     the user's module, not optimised yet
 * Out:    CF_INACTIVE for functions that are said to be inactive; an error, with its place, for what would change derivatives
 *         and is not read
 * Keeps:  the module */
#include "llvm/l.h"
#include "request/enzyme.h"

typedef enum meaning { INACTIVE, HINT, REFUSED } meaning;

/* How names go on behind __enzyme_ (globals) or enzyme_ (annotations), what they mean, and what says the same. A HINT changes
 * no derivative. */
static const struct row {
    const char *begins;
    meaning meaning;
    const char *instead;
} rows[] = {
    {"inactivefn", INACTIVE, "CF_INACTIVE(function)"},
    {"inactive_global", REFUSED, "a local variable, or CF_INACTIVE for the function that writes the global"},
    {"inactive", INACTIVE, "CF_INACTIVE(function)"},
    {"nofree", HINT, NULL},
    {"shouldrecompute", HINT, NULL},
    {"register_derivative", REFUSED, "CF_RULE_FORWARD(function, rule)"},
    {"register_gradient", REFUSED, "CF_RULE_REVERSE(function, rule)"},
    {"register_splitderivative", REFUSED, "CF_RULE_FORWARD(function, rule)"},
    {"function_like", REFUSED, "CF_RULE_FORWARD and CF_RULE_REVERSE of the function"},
    {"allocation_like", REFUSED, "an allocator of the C library"},
    {"", REFUSED, "the macros of <cofactor/ad.h>"},
};

/* Attribute of functions that units said to be inactive: the linker drops a global that nothing uses. */
#define INACTIVE_FUNCTION "cf-inactive"

typedef struct reader {
    cf_arena *arena;
    cf_sink *sink;
    cf_requests *out;
    bool waits, ok;
} reader;

static const struct row *row_of(const char *rest) {
    const struct row *r = rows;
    while (!l_begins(rest, r->begins)) r++;
    return r;
}

static void refuse(reader *d, cf_place place, const char *name, const struct row *r) {
    cf_report(d->sink, CF_ERROR, place, NULL, "`%s` is not read; say %s", name, r->instead);
    d->ok = false;
}

static void make_inactive(reader *d, LLVMValueRef v, cf_place place, const char *name) {
    LLVMValueRef f = l_without_aliases(v);
    if (!LLVMIsAFunction(f)) {
        cf_report(d->sink, CF_ERROR, place, NULL, "`%s` must name functions", name);
        d->ok = false;
        return;
    }
    if (d->waits) {
        l_remove_f(f, "alwaysinline");
        l_add_f(f, "noinline"); /* its calls are still there when the program is linked */
        l_add_text(f, INACTIVE_FUNCTION, "");
    }
    cf_push(d->arena, &d->out->custom, ((cf_custom){CF_CUSTOM_INACTIVE, f, NULL, NULL, place}));
}

/* Without -g, the file is known. */
static cf_place place_of(reader *d, LLVMValueRef g) {
    cf_place place = l_place(g);
    size_t n;
    const char *file = LLVMGetSourceFileName(LLVMGetGlobalParent(g), &n);
    if (!place.file && n) place.file = cf_copy_text(d->arena, file, n);
    return place;
}

static void read_global(reader *d, LLVMValueRef g) {
    const char *rest = cf_enzyme_name(l_name(g));
    LLVMValueRef init = LLVMGetInitializer(g);
    if (!rest) return;
    const struct row *r = row_of(rest);
    const char *name = cf_text(d->arena, "__enzyme_%s", rest);
    if (r->meaning == REFUSED || (r->meaning == INACTIVE && !init)) refuse(d, place_of(d, g), name, r);
    if (r->meaning != INACTIVE || !init) return;
    if (!LLVMIsAConstantArray(init)) {
        make_inactive(d, init, place_of(d, g), name);
        return;
    }
    for (int i = 0; i < LLVMGetNumOperands(init); i++)
        make_inactive(d, LLVMGetOperand(init, (unsigned)i), place_of(d, g), name);
}

/* A row of llvm.global.annotations: what is annotated, text, file, line, arguments. */
static void read_annotation(reader *d, LLVMValueRef row) {
    if (LLVMGetNumOperands(row) < 4) return;
    const char *text = cf_constant_text(d->arena, LLVMGetOperand(row, 1));
    if (!text || !l_begins(text, "enzyme_")) return;
    cf_place place = {cf_constant_text(d->arena, LLVMGetOperand(row, 2)), 0, 0};
    if (LLVMIsAConstantInt(LLVMGetOperand(row, 3)))
        place.line = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(row, 3));
    const struct row *r = row_of(text + strlen("enzyme_"));
    LLVMValueRef what = l_without_aliases(LLVMGetOperand(row, 0));
    if (r->meaning == INACTIVE && LLVMIsAFunction(what))
        make_inactive(d, what, place, text);
    else if (r->meaning == INACTIVE)
        refuse(d, place, text, row_of("inactive_global"));
    else if (r->meaning == REFUSED)
        refuse(d, place, text, r);
}

bool cf_read_enzyme_globals(cf_arena *a, LLVMModuleRef m, cf_sink *sink, bool waits, cf_requests *out) {
    reader d = {a, sink, out, waits, true};
    LLVMValueRef all = LLVMGetNamedGlobal(m, "llvm.global.annotations"),
                 init = all ? LLVMGetInitializer(all) : NULL;
    for (int i = 0; init && i < LLVMGetNumOperands(init); i++)
        read_annotation(&d, LLVMGetOperand(init, (unsigned)i));
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) read_global(&d, g);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!waits && l_has_text(f, INACTIVE_FUNCTION)) make_inactive(&d, f, l_place(f), l_name(f));
    return d.ok;
}
