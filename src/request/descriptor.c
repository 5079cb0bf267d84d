/* Reads the descriptors that the macros of <cofactor/ad.h> leave in section `cofactor`, and deletes them.
 *
 * In:     the user's module
 * Out:    requests and rules of the user's
 * Breaks: the descriptors, their strings, and their entries in llvm.used and llvm.compiler.used
 *
 * A descriptor is a constant {version, line, kind, words, file, primal, request}. */
#include "known/known.h"
#include "known/rules.h"
#include "ir/ctype.h"
#include "ir/reach.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "request/enzyme.h"
#include "request/program.h"

enum { F_VERSION, F_LINE, F_KIND, F_WORDS, F_FILE, F_PRIMAL, F_REQUEST, F_COUNT };

static bool is_descriptor(LLVMValueRef g) {
    const char *section = LLVMGetSection(g);
    return section && (!strcmp(section, "cofactor") || !strcmp(section, "__DATA,cofactor")) &&
           LLVMGetInitializer(g);
}

bool cf_has_requests(LLVMModuleRef m) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
        if (is_descriptor(g) || (cf_enzyme_name(l_name(g)) && cf_awaits_link(m))) return true;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (cf_is_enzyme(f)) return true;
    return cf_has_contexts(m);
}

const char *cf_constant_text(cf_arena *a, LLVMValueRef p) {
    size_t n;
    const char *s = l_text(p, &n);
    return s ? cf_copy_text(a, s, n) : NULL;
}

static LLVMValueRef function_of(LLVMValueRef v) {
    v = l_without_aliases(v);
    return LLVMIsAFunction(v) ? v : NULL;
}

typedef struct fields {
    const char *kind, *words;
    cf_place place;
    LLVMValueRef primal, request;
} fields;

/* False when the constant is no descriptor of this version. */
static bool read_fields(cf_arena *a, LLVMValueRef g, fields *out) {
    LLVMValueRef c = LLVMGetInitializer(g);
    if (!LLVMIsAConstantStruct(c) || LLVMGetNumOperands(c) != F_COUNT) return false;
    LLVMValueRef version = LLVMGetOperand(c, F_VERSION), line = LLVMGetOperand(c, F_LINE);
    if (!LLVMIsAConstantInt(version) || !LLVMIsAConstantInt(line)) return false;
    if (LLVMConstIntGetZExtValue(version) != 1) return false;
    out->kind = cf_constant_text(a, LLVMGetOperand(c, F_KIND));
    out->words = cf_constant_text(a, LLVMGetOperand(c, F_WORDS));
    out->place.file = cf_constant_text(a, LLVMGetOperand(c, F_FILE));
    out->place.line = (unsigned)LLVMConstIntGetZExtValue(line);
    out->place.column = 0;
    out->primal = function_of(LLVMGetOperand(c, F_PRIMAL));
    out->request = function_of(LLVMGetOperand(c, F_REQUEST));
    bool statement = out->kind && (!strcmp(out->kind, "context") || !strcmp(out->kind, "program"));
    if (out->kind && !strcmp(out->kind, "kept"))
        out->primal = out->request = l_without_aliases(LLVMGetOperand(c, F_PRIMAL));
    return out->kind && out->words && out->place.file && (statement || (out->primal && out->request));
}

bool cf_is_requested(LLVMValueRef f) {
    bool found = false;
    cf_arena *a = cf_arena_new();
    for (LLVMValueRef g = LLVMGetFirstGlobal(LLVMGetGlobalParent(f)); g && !found; g = LLVMGetNextGlobal(g)) {
        fields d = {0};
        found = is_descriptor(g) && read_fields(a, g, &d) && d.request == f && d.primal != f &&
                strncmp(d.kind, "rule-", 5) != 0;
    }
    cf_arena_free(a);
    return found;
}

typedef struct reader {
    cf_arena *arena;
    LLVMModuleRef module;
    cf_sink *sink;
    const cf_options *options;
    cf_requests *out;
    cf_map asked;                /* functions that some request of the module provides */
    cf_map custom;               /* functions with a rule of the user's */
    cf_names ruled;              /* functions with a built-in rule; filled when asked for */
    CF_VEC(LLVMValueRef) checks; /* CF_CHECK */
    cf_map checked;              /* functions that these name */
    cf_map done;                 /* descriptors to delete, and their aliases (which map to them) */
    bool ok;
} reader;

/* A C++ name of internal linkage: _ZL…, or _ZN12_GLOBAL__N_1… */
static bool is_internal_name(const char *name) {
    return l_begins(name, "_ZL") || strstr(name, "12_GLOBAL__N_1") != NULL;
}

bool cf_awaits_link(LLVMModuleRef m) {
    return LLVMGetModuleFlag(m, "ThinLTO", 7) && LLVMGetModuleFlag(m, "EnableSplitLTOUnit", 18);
}

/* The primal is only declared in this unit. True when the descriptor stays for the link. */
static bool not_here(reader *r, const fields *f) {
    const char *name = l_name(f->primal);
    if (!r->options->whole_program && cf_awaits_link(r->module)) return true;
    if (r->options->whole_program && LLVMIsDeclaration(f->request)) {
        cf_report(r->sink, CF_ERROR, f->place, name,
                  "no unit of the program defines `%s`, which `%s` asks for", name, l_name(f->request));
        r->ok = false;
    } else if (is_internal_name(l_name(f->request))) {
        cf_report(r->sink, CF_ERROR, f->place, name,
                  "`%s` is not defined in this unit, so only another unit can provide `%s`, but that is "
                  "static here: "
                  "define `%s` here (`static inline` in a header) or give the request external linkage",
                  name, l_name(f->request), name);
        r->ok = false;
    }
    return false;
}

/* Before the link of full LTO. What stands in the place of a checked derivative cannot be differentiated: it comes last, when all
 * else is made. */
static bool waits_for_check(const reader *r, LLVMValueRef request) {
    if (r->options->whole_program || !cf_awaits_link(r->module)) return false;
    if (r->options->check != CF_CHECK_AS_SAID) return r->options->check == CF_CHECK_ALL;
    return cf_map_get(&r->checked, request) != NULL;
}

/* Whether a function that is only declared here has all that a derivative needs. */
static bool is_known(reader *r, LLVMValueRef f) {
    const char *name = l_name(f);
    if (!LLVMIsDeclaration(f) || l_is_intrinsic(f) || cf_known_name(name)) return true;
    if (cf_map_get(&r->asked, f)) return !waits_for_check(r, f);
    if (cf_map_get(&r->custom, f)) return true;
    if (!r->ruled.n) cf_rules_names(r->arena, LLVMGetModuleContext(r->module), &r->ruled);
    return cf_names_get(&r->ruled, name) != NULL;
}

/* Why only the link knows the body of a function; NULL: it is known here. */
static const char *unknown_here(reader *r, LLVMValueRef f) {
    if (LLVMIsAGlobalAlias(f) || (LLVMIsAFunction(f) && !LLVMIsDeclaration(f)))
        return l_is_replaceable(f) ? "weak" : NULL;
    return LLVMIsAFunction(f) && !is_known(r, f) ? "not defined in this unit" : NULL;
}

/* Before the link of full LTO: whether the primal reaches a function that only another unit can have. */
static bool needs_other_units(reader *r, const fields *f) {
    if (r->options->whole_program || !cf_awaits_link(r->module)) return false;
    cf_map reached = {0};
    const void *v;
    void *same;
    cf_reach(r->arena, f->primal, &reached);
    for (size_t i = 0; cf_map_next(&reached, &i, &v, &same);) {
        const char *why = unknown_here(r, same);
        if (!why) continue;
        cf_report(r->sink, CF_NOTE, f->place, l_name(f->primal),
                  "`%s` is provided when the program is linked, because `%s` is %s: the "
                  "linker needs the plugin, too (-fuse-ld=lld -Wl,--load-pass-plugin=…)",
                  l_name(f->request), l_name(same), why);
        return true;
    }
    return false;
}

static bool add_request(reader *r, LLVMValueRef g, const fields *f, cf_mode mode) {
    if (LLVMIsDeclaration(f->primal) && !cf_map_get(&r->asked, f->primal)) return !not_here(r, f);
    bool derivative = mode == CF_MODE_FORWARD || mode == CF_MODE_REVERSE;
    if (derivative && waits_for_check(r, f->request)) return false;
    if (derivative && needs_other_units(r, f)) return false;
    if (!LLVMIsDeclaration(f->request)) {
        if (r->options->whole_program) return true; /* another unit has provided it */
        cf_report(r->sink, CF_ERROR, f->place, l_name(f->primal),
                  "`%s` has a body already: a request is a declaration, its body comes from Cofactor",
                  l_name(f->request));
        return r->ok = false, true;
    }
    cf_request q = {.mode = mode, .primal = f->primal, .provided = f->request, .place = f->place};
    bool ok = mode == CF_MODE_CONTEXT ? cf_read_in_words(r->arena, r->sink, r->out, f->words, &q)
                                      : cf_parse_words(r->arena, r->sink, f->words, &q) &&
                                            cf_check_request(r->arena, r->sink, &q, g);
    if (!ok)
        r->ok = false;
    else
        cf_push(r->arena, &r->out->request, q);
    return true;
}

static bool add_program(reader *r, const fields *f) {
    const char *name = f->words, *unit = cf_take_unit(r->arena, &name);
    cf_context *c = cf_context_meant(r->out, name, unit);
    if (!c || !c->declared) {
        cf_report(r->sink, CF_ERROR, f->place, NULL, "no context `%s` is defined in this unit", name);
        return r->ok = false, true;
    }
    for (size_t i = 0; i < r->out->program.n; i++) {
        const cf_context *other = r->out->program.at[i];
        if (other == c) return true; /* another unit says the same */
        if (strcmp(other->name, name) != 0 || (unit && l_begins(unit, CF_ALONE))) continue;
        cf_report(r->sink, CF_ERROR, f->place, NULL,
                  "two units say CF_PROGRAM(%s), and their contexts of this name differ (%s, %s): CF_PROGRAM "
                  "belongs "
                  "into the unit that has main",
                  name, other->unit ? other->unit : "?", unit ? unit : "?");
        return r->ok = false, true;
    }
    c->asked = true;
    cf_push(r->arena, &r->out->program, c);
    r->out->program_place = f->place;
    return true;
}

/* Which parameters of the function are pointers to const, as the descriptor's debug information has it. */
static const char *pointers_to_const(reader *r, LLVMValueRef descriptor) {
    cf_ctypes types = {.arena = r->arena, .context = l_context(descriptor)};
    const cf_ctype *f = cf_ctype_member_function(cf_ctype_of_global(&types, descriptor), "primal");
    char *reads = f ? cf_alloc(r->arena, f->n + 1) : NULL;
    for (uint64_t i = 0; f && i < f->n; i++) {
        const cf_ctype *t = f->members[i].type;
        reads[i] = t->kind == CF_C_POINTER && t->of->is_const ? 'c' : '-';
    }
    return reads;
}

/* Calls of a function are still there when the program is linked. */
static void keep_calls(LLVMValueRef f) {
    l_remove_f(f, "alwaysinline");
    l_add_f(f, "noinline");
}

static bool add_custom(reader *r, LLVMValueRef g, const fields *f, cf_custom_kind kind) {
    bool inactive = kind == CF_CUSTOM_INACTIVE;
    cf_custom c = {kind, f->primal, inactive ? NULL : f->request, inactive ? pointers_to_const(r, g) : NULL,
                   f->place};
    if (cf_check_custom(r->arena, r->sink, &c))
        cf_push(r->arena, &r->out->custom, c);
    else
        r->ok = false;
    if (r->options->whole_program || !cf_awaits_link(r->module)) return true;
    keep_calls(f->primal);
    if (kind == CF_CUSTOM_ALLOCATOR) keep_calls(f->request);
    return false;
}

/* It holds for the link, too. */
static bool add_kept(reader *r, LLVMValueRef global) {
    if (LLVMIsAGlobalVariable(global)) cf_push(r->arena, &r->out->kept, global);
    return r->options->whole_program || !cf_awaits_link(r->module);
}

/* Once all requests are read. True when the descriptor is done with. */
static bool add_check(reader *r, LLVMValueRef g) {
    fields f = {0};
    read_fields(r->arena, g, &f);
    for (size_t i = 0; i < r->out->request.n; i++) {
        cf_request *q = &r->out->request.at[i];
        if (q->provided != f.request || q->mode == CF_MODE_CONTEXT) continue;
        q->checked = cf_text(r->arena, "%s", l_name(f.request));
        return true;
    }
    if (!cf_map_get(&r->asked, f.request)) {
        cf_report(
            r->sink, CF_ERROR, f.place, l_name(f.request),
            "CF_CHECK: no request of this unit asks for `%s`: write it where CF_FORWARD or CF_REVERSE stands",
            l_name(f.request));
        r->ok = false;
    }
    return r->options->whole_program || !cf_awaits_link(r->module);
}

/* True when the descriptor is done with. */
static bool read_one(reader *r, LLVMValueRef g) {
    fields f = {0};
    if (!read_fields(r->arena, g, &f)) {
        cf_report(r->sink, CF_ERROR, (cf_place){NULL, 0, 0}, NULL,
                  "`%s` in section `cofactor` is not a request that this version of Cofactor can read: use "
                  "the macros "
                  "of <cofactor/ad.h> of the same version, with functions that are not null",
                  l_name(g));
        return r->ok = false, true;
    }
    if (!strcmp(f.kind, "forward")) return add_request(r, g, &f, CF_MODE_FORWARD);
    if (!strcmp(f.kind, "reverse")) return add_request(r, g, &f, CF_MODE_REVERSE);
    if (!strcmp(f.kind, "identity")) return add_request(r, g, &f, CF_MODE_IDENTITY);
    if (!strcmp(f.kind, "in")) return add_request(r, g, &f, CF_MODE_CONTEXT);
    if (!strcmp(f.kind, "program")) return add_program(r, &f);
    if (!strcmp(f.kind, "context")) return true; /* read before */
    if (!strcmp(f.kind, "rule-forward")) return add_custom(r, g, &f, CF_CUSTOM_FORWARD);
    if (!strcmp(f.kind, "rule-reverse")) return add_custom(r, g, &f, CF_CUSTOM_REVERSE);
    if (!strcmp(f.kind, "kept")) return add_kept(r, f.primal);
    if (!strcmp(f.kind, "inactive")) return add_custom(r, g, &f, CF_CUSTOM_INACTIVE);
    if (!strcmp(f.kind, "allocator")) return add_custom(r, g, &f, CF_CUSTOM_ALLOCATOR);
    if (!strcmp(f.kind, "check")) {
        cf_push(r->arena, &r->checks, g);
        return false;
    }
    cf_report(r->sink, CF_ERROR, f.place, l_name(f.primal),
              "this version of Cofactor knows no request of kind `%s`", f.kind);
    return r->ok = false, true;
}

static bool is_done(void *user, LLVMValueRef v) { return cf_map_get(&((reader *)user)->done, v) != NULL; }

/* Clang gives a static variable within extern "C" its plain name by an alias. */
static void mark_aliases(reader *r) {
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(r->module); a; a = LLVMGetNextGlobalAlias(a)) {
        LLVMValueRef g = LLVMAliasGetAliasee(a);
        if (cf_map_get(&r->done, g)) cf_map_put(r->arena, &r->done, a, g);
    }
}

static void erase_aliases(reader *r) {
    LLVMValueRef next;
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(r->module); a; a = next) {
        next = LLVMGetNextGlobalAlias(a);
        if (cf_map_get(&r->done, a)) cfx_erase_global(a);
    }
}

static void erase(LLVMValueRef g) {
    LLVMValueRef c = LLVMGetInitializer(g), strings[3] = {NULL, NULL, NULL};
    if (LLVMIsAConstantStruct(c) && LLVMGetNumOperands(c) == F_COUNT)
        for (unsigned i = 0; i < 3; i++) strings[i] = LLVMGetOperand(c, F_KIND + i);
    LLVMDeleteGlobal(g);
    for (int i = 0; i < 3; i++) {
        LLVMValueRef s = strings[i];
        if (!s || !LLVMIsAGlobalVariable(s) || LLVMGetLinkage(s) != LLVMPrivateLinkage || !cfx_is_unused(s))
            continue;
        for (int k = i + 1; k < 3; k++) strings[k] = strings[k] == s ? NULL : strings[k];
        LLVMDeleteGlobal(s);
    }
}

bool cf_read_descriptors(cf_arena *a, LLVMModuleRef m, cf_sink *sink, const cf_options *options,
                         cf_requests *out) {
    reader r = {.arena = a, .module = m, .sink = sink, .options = options, .out = out, .ok = true};
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
        fields f;
        if (!is_descriptor(g) || !read_fields(a, g, &f)) continue;
        if (!strcmp(f.kind, "context")) r.ok &= cf_read_policy(a, sink, out, f.words, f.place);
        if (f.primal && !strcmp(f.kind, "check")) cf_map_put(a, &r.checked, f.request, g);
        if (!f.primal || !strcmp(f.kind, "check")) continue;
        bool allocator = !strcmp(f.kind, "allocator");
        bool rule = l_begins(f.kind, "rule-") || !strcmp(f.kind, "inactive") || allocator;
        cf_map_put(a, rule ? &r.custom : &r.asked, rule ? f.primal : f.request, g);
        if (allocator) cf_map_put(a, &r.custom, f.request, g);
    }
    cf_merge_contexts(a, out);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
        if (is_descriptor(g) && read_one(&r, g)) cf_map_put(a, &r.done, g, g);
    for (size_t i = 0; i < r.checks.n; i++)
        if (add_check(&r, r.checks.at[i])) cf_map_put(a, &r.done, r.checks.at[i], r.checks.at[i]);
    mark_aliases(&r);
    cfx_drop_used(m, is_done, &r);
    erase_aliases(&r);
    const void *g;
    void *unused;
    for (size_t i = 0; cf_map_next(&r.done, &i, &g, &unused);)
        if (g == unused) erase((LLVMValueRef)(uintptr_t)g);
    return r.ok;
}
