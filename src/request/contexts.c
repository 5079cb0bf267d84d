/* Reads what the macros of <cofactor/context.h> leave: annotations of functions and tables, and the words of
 * CF_CONTEXT and CF_IN.
 *
 * In:     the user's module
 * Out:    contexts with their hooks, overrides and policy
 * Breaks: our entries of llvm.global.annotations, llvm.used and llvm.compiler.used; calls of __cf_recurse, at the end
 *
 * The text of an annotation is `cofactor KIND CONTEXT WHAT`, then a line feed and the unit. When units are linked into one
 * module, each has contexts of its own; those that come of one header are one. */
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "request/program.h"
#include <inttypes.h>

enum { A_VALUE, A_TEXT, A_FILE, A_LINE };
static const char annotations[] = "llvm.global.annotations";

static bool same_text(const char *x, const char *y) { return x == y || (x && y && !strcmp(x, y)); }

const char *cf_take_unit(cf_arena *a, const char **words) {
    const char *mark = strchr(*words, '\n');
    if (!mark) return NULL;
    *words = cf_copy_text(a, *words, (size_t)(mark - *words));
    return mark + 1;
}

static cf_context *context_of(cf_arena *a, cf_requests *all, const char *name, const char *unit) {
    for (size_t i = 0; i < all->context.n; i++)
        if (!strcmp(all->context.at[i]->name, name) && same_text(all->context.at[i]->unit, unit))
            return all->context.at[i];
    cf_context *c = CF_NEW(a, cf_context);
    c->name = name;
    c->unit = unit;
    cf_push(a, &all->context, c);
    return c;
}

cf_context *cf_context_meant(cf_requests *all, const char *name, const char *unit) {
    cf_context *any = NULL;
    for (size_t i = 0; i < all->context.n; i++) {
        cf_context *c = all->context.at[i];
        if (strcmp(c->name, name) != 0) continue;
        if (unit && same_text(c->unit, unit)) return c->first ? c->first : c;
        if (!any) any = c->first ? c->first : c;
    }
    return any;
}

/* ---- copies ---- */

/* When units are linked, local functions of one name get numbers behind it. */
static bool same_function(LLVMValueRef x, LLVMValueRef y) {
    if (!x || !y || x == y) return x == y;
    const char *s = l_shown(x), *t = l_shown(y);
    while (*s && *s == *t) s++, t++;
    if (*s == '.') s += 1 + strspn(s + 1, "0123456789");
    if (*t == '.') t += 1 + strspn(t + 1, "0123456789");
    return !*s && !*t && l_function_type(x) == l_function_type(y);
}

static bool same_hook(const cf_hook *x, const cf_hook *y) {
    return x->kind == y->kind && same_text(x->what.text, y->what.text) && x->place.line == y->place.line &&
           same_text(x->place.file, y->place.file) && same_function(x->function, y->function);
}

static bool is_copy(const cf_context *x, const cf_context *y) {
    if ((x->unit && l_begins(x->unit, CF_ALONE)) || (y->unit && l_begins(y->unit, CF_ALONE))) return false;
    if (strcmp(x->name, y->name) != 0 || x->hook.n != y->hook.n || !same_text(x->words, y->words))
        return false;
    for (size_t i = 0; i < x->hook.n; i++)
        if (!same_hook(&x->hook.at[i], &y->hook.at[i])) return false;
    return same_function(x->begin, y->begin) && same_function(x->end, y->end);
}

void cf_merge_contexts(cf_arena *a, cf_requests *all) {
    for (size_t i = 0; i < all->context.n; i++) {
        cf_context *c = all->context.at[i];
        for (size_t k = 0; k < i && !c->first; k++)
            if (!all->context.at[k]->first && is_copy(all->context.at[k], c)) c->first = all->context.at[k];
        if (!c->first) continue;
        for (size_t k = 0; k < c->table.n; k++) cf_push(a, &c->first->table, c->table.at[k]);
        c->table.n = 0;
    }
}

/* ---- annotations ---- */

typedef struct reader {
    cf_arena *arena;
    LLVMModuleRef module;
    cf_sink *sink;
    cf_requests *out;
    cf_map ours; /* functions and tables that are annotated */
    bool ok;
} reader;

static int kind_of(const char *word) {
    static const char *const kinds[] = {"pre", "post", "pre-any", "post-any", "overdub", "enter"};
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++)
        if (!strcmp(kinds[i], word)) return i;
    return -1;
}

static void refuse_two(reader *r, const cf_context *c, const cf_hook *h, const cf_hook *other) {
    cf_report(r->sink, CF_ERROR, h->place, l_shown(h->function),
              "context `%s` has two overrides for `%s`: `%s` and `%s` (%s:%u)", c->name, h->what.text,
              l_shown(other->function), l_shown(h->function), other->place.file, other->place.line);
    r->ok = false;
}

static void add_hook(reader *r, cf_context *c, cf_hook h) {
    LLVMTypeRef type = l_function_type(h.function);
    for (size_t i = 0; i < c->hook.n; i++)
        if (same_hook(&c->hook.at[i], &h)) { /* the unit was linked in twice */
            cf_push(r->arena, &c->spare, h.function);
            return;
        }
    for (size_t i = 0; h.kind == CF_HOOK_OVERDUB && i < c->hook.n; i++) {
        cf_hook *other = &c->hook.at[i];
        if (other->kind == h.kind && !strcmp(other->what.text, h.what.text) &&
            l_function_type(other->function) == type)
            refuse_two(r, c, &h, other);
    }
    unsigned at = cf_context_at(h.function);
    if (LLVMCountParams(h.function) <= at || !l_is_pointer_type(LLVMTypeOf(LLVMGetParam(h.function, at)))) {
        cf_report(r->sink, CF_ERROR, h.place, l_shown(h.function),
                  "the first parameter of `%s` is to be a pointer to the context: struct %s *",
                  l_shown(h.function), c->name);
        r->ok = false;
        return;
    }
    if (!cf_hook_may_fit(&h)) {
        char *text = LLVMPrintTypeToString(type);
        cf_report(r->sink, CF_ERROR, h.place, l_shown(h.function),
                  "`%s` of context `%s` has the type `%s`, which no `%s` can fit: after the context, and the "
                  "site, come all "
                  "operands, of one type (for a post hook first the result)",
                  l_shown(h.function), c->name, text, h.what.text);
        LLVMDisposeMessage(text);
        r->ok = false;
        return;
    }
    cf_push(r->arena, &c->hook, h);
}

static void add_function(reader *r, cf_context *c, const char *kind, const char *what, LLVMValueRef f,
                         cf_place place) {
    if (!strcmp(kind, "begin"))
        c->begin = c->begin ? c->begin : f;
    else if (!strcmp(kind, "end"))
        c->end = c->end ? c->end : f;
    else {
        cf_hook h = {.kind = (cf_hook_kind)kind_of(kind), .function = f, .place = place};
        const char *wrong = cf_what_read(r->arena, what, &h.what);
        bool post = h.kind == CF_HOOK_POST || h.kind == CF_HOOK_POST_ANY;
        if (!wrong && post && cf_what_ends_block(&h.what))
            wrong = "the program goes elsewhere there, and nothing can run behind it: use a pre hook";
        if (wrong) {
            cf_report(r->sink, CF_ERROR, place, l_shown(f),
                      "`%s`, what `%s` of context `%s` is for, cannot be read: %s", what, l_shown(f), c->name,
                      wrong);
            r->ok = false;
            return;
        }
        add_hook(r, c, h);
    }
}

/* False when the text is not ours. */
static bool read_text(reader *r, LLVMValueRef of, const char *text, cf_place place) {
    static const char ours[] = "cofactor ";
    if (!l_begins(text, ours)) return false;
    const char *words = text + strlen(ours), *unit = cf_take_unit(r->arena, &words);
    char *copy = cf_copy_text(r->arena, words, strlen(words)), *rest = NULL;
    const char *kind = strtok_r(copy, " ", &rest), *name = strtok_r(NULL, " ", &rest), *what = rest;
    if (!kind || !name || !what) return false;
    bool table = !strcmp(kind, "sites"), known = table || !strcmp(kind, "begin") || !strcmp(kind, "end");
    if (!known && kind_of(kind) < 0) return false;
    cf_context *c = context_of(r->arena, r->out, name, unit);
    if (!c->place.file) c->place = place;
    cf_map_put(r->arena, &r->ours, of, of);
    if (table && LLVMIsAGlobalVariable(of)) {
        cf_push(r->arena, &c->table, of);
    } else if (!table && LLVMIsAFunction(of)) {
        c->declared = true;
        add_function(r, c, kind, what, of, place);
    }
    return true;
}

static bool read_annotation(reader *r, LLVMValueRef entry) {
    if (!LLVMIsAConstantStruct(entry) || LLVMGetNumOperands(entry) < 4) return false;
    LLVMValueRef of = LLVMGetOperand(entry, A_VALUE), line = LLVMGetOperand(entry, A_LINE);
    const char *text = cf_constant_text(r->arena, LLVMGetOperand(entry, A_TEXT));
    const char *file = cf_constant_text(r->arena, LLVMGetOperand(entry, A_FILE));
    cf_place place = {file, LLVMIsAConstantInt(line) ? (unsigned)LLVMConstIntGetZExtValue(line) : 0, 0};
    return text && read_text(r, of, text, place);
}

/* The list without our entries. */
static void rebuild(reader *r, LLVMValueRef list, LLVMValueRef *kept, unsigned n) {
    LLVMTypeRef entry = LLVMGetElementType(LLVMTypeOf(LLVMGetInitializer(list)));
    l_set_name(list, "");
    if (n) {
        LLVMValueRef init = LLVMConstArray2(entry, kept, n);
        LLVMValueRef made = LLVMAddGlobal(r->module, LLVMTypeOf(init), annotations);
        LLVMSetInitializer(made, init);
        LLVMSetLinkage(made, LLVMAppendingLinkage);
        LLVMSetSection(made, "llvm.metadata");
    }
    LLVMDeleteGlobal(list);
}

static bool is_ours(void *user, LLVMValueRef v) { return cf_map_get(&((reader *)user)->ours, v) != NULL; }

bool cf_read_contexts(cf_arena *a, LLVMModuleRef m, cf_sink *sink, cf_requests *out) {
    reader r = {.arena = a, .module = m, .sink = sink, .out = out, .ok = true};
    LLVMValueRef list = LLVMGetNamedGlobal(m, annotations), init = list ? LLVMGetInitializer(list) : NULL;
    if (!init || !LLVMIsAConstantArray(init)) return true;
    unsigned n = (unsigned)LLVMGetNumOperands(init), kept = 0;
    LLVMValueRef *rest = CF_ARRAY(a, LLVMValueRef, n + 1);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef entry = LLVMGetOperand(init, i);
        if (!read_annotation(&r, entry)) rest[kept++] = entry;
    }
    if (kept == n) return r.ok;
    rebuild(&r, list, rest, kept);
    cfx_drop_used(m, is_ours, &r);
    return r.ok;
}

bool cf_has_contexts(LLVMModuleRef m) {
    LLVMValueRef list = LLVMGetNamedGlobal(m, annotations), init = list ? LLVMGetInitializer(list) : NULL;
    cf_arena *a = cf_arena_new();
    bool any = false;
    for (int i = 0; init && !any && i < LLVMGetNumOperands(init); i++) {
        LLVMValueRef entry = LLVMGetOperand(init, (unsigned)i);
        const char *text =
            LLVMIsAConstantStruct(entry) ? cf_constant_text(a, LLVMGetOperand(entry, A_TEXT)) : NULL;
        any = text && l_begins(text, "cofactor ");
    }
    cf_arena_free(a);
    return any;
}

/* ---- policy ---- */

static bool read_number(const char *text, uint64_t most, uint64_t *out) {
    char *end;
    *out = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *out <= most;
}

static bool read_policy(cf_context *c, const char *word) {
    static const struct {
        const char *key;
        size_t offset;
    } texts[] = {
        {"exclude=", offsetof(cf_context, exclude)}, {"exclude-file=", offsetof(cf_context, exclude_file)},
        {"only=", offsetof(cf_context, only)},       {"only-file=", offsetof(cf_context, only_file)},
        {"from=", offsetof(cf_context, from)},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t n = strlen(texts[i].key);
        if (strncmp(word, texts[i].key, n) || !word[n]) continue;
        const char *value = word + n;
        memcpy((char *)c + texts[i].offset, &value, sizeof value);
        return true;
    }
    uint64_t number;
    if (!strcmp(word, "strict")) return c->strict = true;
    if (!strcmp(word, "optional")) return c->optional = true;
    if (!strcmp(word, "bodyless=error")) return c->bodyless_error = true;
    if (!strcmp(word, "bodyless=native")) return true;
    if (l_begins(word, "depth=") && read_number(word + 6, 190, &number) && number)
        return c->depth = (unsigned)number, true;
    if (l_begins(word, "size=") && read_number(word + 5, UINT32_MAX, &number)) return c->size = number, true;
    return false;
}

bool cf_read_policy(cf_arena *a, cf_sink *sink, cf_requests *all, const char *words, cf_place place) {
    const char *unit = cf_take_unit(a, &words);
    char *copy = cf_copy_text(a, words, strlen(words)), *rest = NULL;
    const char *name = strtok_r(copy, " ", &rest);
    if (!name) return false;
    cf_context *c = context_of(a, all, name, unit);
    c->words = words;
    c->declared = true;
    c->place = place;
    bool ok = true;
    for (char *word; (word = strtok_r(NULL, " ", &rest));) {
        if (read_policy(c, word)) continue;
        cf_report(sink, CF_ERROR, place, NULL,
                  "`%s` is no word for context `%s`: bodyless=native, bodyless=error, depth=N (1 to 190), "
                  "exclude=, "
                  "exclude-file=, only=, only-file=, from= (names or globs, separated by commas), strict, "
                  "optional, size=N",
                  word, name);
        ok = false;
    }
    return ok;
}

bool cf_read_in_words(cf_arena *a, cf_sink *sink, cf_requests *all, const char *words, cf_request *r) {
    const char *unit = cf_take_unit(a, &words);
    char *copy = cf_copy_text(a, words, strlen(words)), *rest = NULL;
    const char *name = strtok_r(copy, " ", &rest);
    r->context = name ? cf_context_meant(all, name, unit) : NULL;
    if (!r->context || !r->context->declared) {
        cf_report(
            sink, CF_ERROR, r->place, l_shown(r->primal),
            "no context `%s` is defined in this unit: it has neither hooks (CF_PREHOOK, CF_POSTHOOK) nor "
            "overrides (CF_OVERDUB); CF_CONTEXT(%s, \"\") makes an empty one",
            name ? name : "", name ? name : "");
        return false;
    }
    bool ok = true;
    for (char *word; (word = strtok_r(NULL, " ", &rest));) {
        if (!strcmp(word, "entry")) {
            r->entry = true;
        } else if (!strcmp(word, "nohooks")) {
            r->nohooks = true;
        } else {
            cf_report(sink, CF_ERROR, r->place, l_shown(r->primal),
                      "`%s` is no word for CF_IN: entry, nohooks", word);
            ok = false;
        }
    }
    r->context->asked |= !r->nohooks;
    return ok;
}

/* ---- the end ---- */

static void report_unmatched(cf_sink *sink, LLVMModuleRef m, const cf_context *c, const cf_hook *h) {
    const char *why = "nothing of the kind is in what is run inside it";
    if (h->what.kind == CF_WHAT_FUNCTION && !LLVMGetNamedFunction(m, h->what.name))
        why = "no function of this name is called here";
    if (h->what.kind == CF_WHAT_LINE) why = "there are no lines without -g";
    if (h->missed) why = h->missed;
    cf_report(sink, CF_WARNING, h->place, l_shown(h->function),
              "`%s` of context `%s` is for `%s`, which matches nothing: %s", l_shown(h->function), c->name,
              h->what.text, why);
}

/* Outside of a context, cf_recurse(f) is f, and there is nothing that cf_next could be: calling it ends the program. */
static LLVMValueRef outside(LLVMModuleRef m, LLVMValueRef mark) {
    unsigned n = LLVMGetNumArgOperands(mark);
    if (n) return LLVMGetOperand(mark, n - 1);
    LLVMTypeRef nothing = LLVMVoidTypeInContext(LLVMGetModuleContext(m));
    LLVMValueRef f = LLVMGetNamedFunction(m, "abort");
    return f ? f : LLVMAddFunction(m, "abort", LLVMFunctionType(nothing, NULL, 0, false));
}

static void drop_marks(LLVMModuleRef m, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    if (!f) return;
    for (LLVMUseRef u = LLVMGetFirstUse(f), next; u; u = next) {
        next = LLVMGetNextUse(u);
        LLVMValueRef call = LLVMGetUser(u);
        if (!LLVMIsACallInst(call)) continue;
        LLVMReplaceAllUsesWith(call, outside(m, call));
        LLVMInstructionEraseFromParent(call);
    }
    if (!LLVMGetFirstUse(f)) LLVMDeleteFunction(f);
}

static bool is_hook(const cf_requests *all, LLVMValueRef f) {
    for (size_t i = 0; i < all->context.n; i++)
        if (cf_is_hook(all->context.at[i], f)) return true;
    return false;
}

/* A mark in a function that is no hook means nothing. */
static void check_marks(LLVMModuleRef m, cf_sink *sink, const cf_requests *all, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    for (LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if (!LLVMIsACallInst(call) || is_hook(all, l_function_of(call))) continue;
        cf_report(sink, CF_ERROR, l_place(call), l_shown(l_function_of(call)),
                  "%s stands in `%s`, which is neither a hook nor an override: declare the program "
                  "inside the "
                  "context with CF_IN, and call that",
                  name + strlen("__"), l_shown(l_function_of(call)));
    }
}

static void warn_of_self_call(cf_sink *sink, const cf_context *c, const cf_hook *h) {
    for (LLVMUseRef u = LLVMGetFirstUse(h->function); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if ((!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call)) || l_callee(call) != h->function ||
            l_function_of(call) != h->function)
            continue;
        cf_place place = l_place(call);
        cf_report(
            sink, CF_WARNING, place.file ? place : h->place, l_shown(h->function),
            "override `%s` of context `%s` calls itself, past hooks and overrides: cf_recurse(%s)(…) goes on "
            "inside the context",
            l_shown(h->function), c->name, h->what.text);
        return;
    }
}

void cf_check_contexts(LLVMModuleRef m, cf_sink *sink, const cf_requests *all) {
    check_marks(m, sink, all, "__cf_recurse");
    check_marks(m, sink, all, "__cf_recurse_in");
    check_marks(m, sink, all, "__cf_next");
    for (size_t i = 0; i < all->context.n; i++)
        for (size_t k = 0; k < all->context.at[i]->hook.n; k++)
            if (all->context.at[i]->hook.at[k].kind == CF_HOOK_OVERDUB)
                warn_of_self_call(sink, all->context.at[i], &all->context.at[i]->hook.at[k]);
}

/* Hooks and overrides that are inside now as clones alone would bring what they call along. */
static void remove_unused(cf_job *job, LLVMValueRef f, cf_map *seen) {
    if (cf_map_get(seen, f)) return;
    cf_map_put(job->arena, seen, f, f);
    if (l_is_local(f) && cfx_is_unused(f)) LLVMDeleteFunction(f);
}

static void remove_functions(cf_job *job, const cf_requests *all) {
    cf_map seen = {0};
    for (size_t i = 0; i < all->context.n; i++) {
        const cf_context *c = all->context.at[i];
        for (size_t k = 0; k < c->hook.n; k++) remove_unused(job, c->hook.at[k].function, &seen);
        for (size_t k = 0; k < c->spare.n; k++) remove_unused(job, c->spare.at[k], &seen);
    }
}

void cf_finish_contexts(cf_job *job, cf_requests *all) {
    for (size_t i = 0; i < all->context.n; i++) {
        cf_context *c = all->context.at[i];
        if (c->first) continue;
        for (size_t k = 0; c->asked && k < c->hook.n; k++)
            if (!c->hook.at[k].matched && !c->hook.at[k].reported && !c->optional)
                report_unmatched(job->sink, job->module, c, &c->hook.at[k]);
        cf_sites_finish(job, c);
    }
    drop_marks(job->module, "__cf_recurse");
    drop_marks(job->module, "__cf_recurse_in");
    drop_marks(job->module, "__cf_next");
    remove_functions(job, all);
}
