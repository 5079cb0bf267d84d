/* Contexts of a session: files with hooks and overrides, and requests for programs inside of them.
 *
 * In:     files, names of functions and contexts
 * Out:    c->module with the contexts and with descriptors, which request/ reads like those of CF_IN and CF_PROGRAM
 * Needs:  a session in its first stages
 */
#include "ir/clone.h"
#include "jit/prototype.h"
#include "jit/session.h"
#include "llvm/l.h"
#include "request/program.h"

/* ---- finding the file ---- */

/* A context that comes with Cofactor, or NULL. */
static const char *shipped(cofactor *c, const char *name) {
    static const char *const endings[] = {".c", ".cpp", ".bc", ".ll"};
    const char *folder = cf_home_contexts(c->arena);
    for (size_t k = 0; folder && k < sizeof endings / sizeof *endings; k++) {
        const char *path = cf_text(c->arena, "%s/%s%s", folder, name, endings[k]);
        if (!access(path, R_OK)) return path;
    }
    return NULL;
}

/* A name without an ending is that of a context that ships, whatever lies in the working folder. NULL after a message. */
static const char *file_of(cofactor *c, const char *given) {
    if (strchr(given, '/') || strchr(given, '.')) return given;
    const char *path = shipped(c, given);
    if (!path)
        cf_fail(
            c, COFACTOR_BAD_INPUT,
            "there is no context `%s`: with Cofactor come %s; a file of your own is named with its ending",
            given, cf_home_context_names(c->arena));
    return path;
}

/* The flags, and the folder of the contexts that ship: their headers are for contexts of the user's, too. */
static const char *const *with_headers(cofactor *c, const char *const *flags) {
    const char *folder = cf_home_contexts(c->arena);
    size_t n = 0;
    while (flags && flags[n]) n++;
    const char **all = CF_ARRAY(c->arena, const char *, n + 3);
    if (n) memcpy(all, flags, n * sizeof *all);
    if (folder) all[n++] = "-idirafter", all[n++] = folder;
    all[n] = NULL;
    return all;
}

/* ---- the contexts of a file ---- */

/* Adds the second word of "kind NAME …" to the names. */
static void add_name(cofactor *c, cf_names *names, const char *text, size_t length) {
    const char *end = text + length, *space = memchr(text, ' ', length);
    if (!space) return;
    const char *s = space + 1, *stop = memchr(s, ' ', (size_t)(end - s));
    const char *name = cf_copy_text(c->arena, s, (size_t)((stop ? stop : end) - s));
    if (*name) cf_names_put(c->arena, names, name, c);
}

static void names_of_marks(cofactor *c, LLVMModuleRef m, cf_names *names) {
    static const char begin[] = "cofactor ";
    LLVMValueRef all = LLVMGetNamedGlobal(m, "llvm.global.annotations");
    LLVMValueRef init = all ? LLVMGetInitializer(all) : NULL;
    for (int i = 0, n = init ? LLVMGetNumOperands(init) : 0; i < n; i++) {
        size_t length;
        const char *s = l_text(LLVMGetOperand(LLVMGetOperand(init, (unsigned)i), 1), &length);
        if (s && length > strlen(begin) && !strncmp(s, begin, strlen(begin)))
            add_name(c, names, s + strlen(begin), length - strlen(begin));
    }
}

static void names_of_statements(cofactor *c, LLVMModuleRef m, cf_names *names) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
        size_t length;
        const char *text = cf_descriptor_words(g, "context", &length);
        if (text) add_name(c, names, cf_text(c->arena, "- %.*s", (int)length, text), length + 2);
    }
}

/* "dir/count.c" → "count" */
static const char *base_of(cofactor *c, const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    return cf_copy_text(c->arena, base, strcspn(base, "."));
}

/* The context that a file is about: the only one in it, or the one called like the file. NULL after a message. */
static const char *context_in(cofactor *c, LLVMModuleRef m, const char *file) {
    cf_names names = {0};
    names_of_marks(c, m, &names);
    names_of_statements(c, m, &names);
    const char *base = base_of(c, file), *all = "", *last = NULL;
    if (cf_names_get(&names, base)) return base;
    for (size_t i = 0; i < names.capacity; i++) {
        if (!names.keys[i]) continue;
        last = names.keys[i];
        all = cf_text(c->arena, "%s%s`%s`", all, *all ? ", " : "", last);
    }
    if (names.n == 1) return last;
    cf_place place = {file, 0, 0};
    if (!names.n)
        cf_fail_at(
            c, COFACTOR_BAD_INPUT, place,
            "there is no context in this file: no hook, override or CF_CONTEXT of <cofactor/context.h>");
    else
        cf_fail_at(c, COFACTOR_BAD_INPUT, place,
                   "there are several contexts in this file, and none is called like it: %s", all);
    return NULL;
}

/* Constructors of the context's own objects are no part of the program. */
static void keep_constructors(LLVMModuleRef m) {
    static const char *const lists[] = {"llvm.global_ctors", "llvm.global_dtors"};
    for (int k = 0; k < 2; k++) {
        LLVMValueRef list = LLVMGetNamedGlobal(m, lists[k]);
        LLVMValueRef init = list ? LLVMGetInitializer(list) : NULL;
        for (int i = 0, n = init ? LLVMGetNumOperands(init) : 0; i < n; i++) {
            LLVMValueRef f = LLVMGetOperand(LLVMGetOperand(init, (unsigned)i), 1);
            if (LLVMIsAFunction(f)) l_add_text(f, CF_OUTSIDE, "");
        }
    }
}

/* Each file with a context is a unit of its own, even if it is given twice. */
static const char *unit_of(cofactor *c, size_t i) { return cf_text(c->arena, CF_ALONE "%zu", i); }

static cofactor_status add_context(cofactor *c, const char *given, const char *const *flags) {
    const char *file = file_of(c, given);
    if (!file) return COFACTOR_BAD_INPUT;
    c->as_written = true;
    LLVMModuleRef m = cf_session_open(c, file, with_headers(c, flags));
    if (!m) return COFACTOR_BAD_INPUT;
    const char *name = context_in(c, m, file);
    if (!name) return LLVMDisposeModule(m), COFACTOR_BAD_INPUT;
    keep_constructors(m);
    cf_descriptors_set_unit(m, unit_of(c, c->contexts.n));
    cofactor_status status = cf_session_link(c, m, file);
    if (!status) cf_push(c->arena, &c->contexts, name);
    return status;
}

cofactor_status cofactor_add_context(cofactor *c, const char *file_or_name, const char *const *flags) {
    pthread_mutex_lock(&c->lock);
    cofactor_status status = cf_session_given(c, file_or_name, "file_or_name");
    if (!status) status = cf_session_may_load(c, file_or_name);
    if (!status) status = add_context(c, file_or_name, flags);
    pthread_mutex_unlock(&c->lock);
    return status;
}

/* ---- requests ---- */

/* The context that a request means, and the words by which it is known. NULL after a message. */
static const char *chosen(cofactor *c, const char *context, const char *words, const char **all) {
    size_t i = c->contexts.n;
    if (!context && !i) {
        cf_fail(c, COFACTOR_BAD_REQUEST, "say which context: no file with one was added");
        return NULL;
    }
    if (!context) context = c->contexts.at[i - 1];
    for (size_t k = c->contexts.n; k-- > 0;)
        if (context == c->contexts.at[k] || (i == c->contexts.n && !strcmp(context, c->contexts.at[k])))
            i = k;
    *all = cf_text(c->arena, "%s%s%s", context, *words ? " " : "", words);
    if (i < c->contexts.n) *all = cf_text(c->arena, "%s\n%s", *all, unit_of(c, i));
    return context;
}

/* `R name(context, parameters of f)`; a struct that is returned in memory stays the first parameter. */
static LLVMValueRef declare(cofactor *c, LLVMValueRef f, const char *name) {
    LLVMTypeRef type = l_function_type(f);
    unsigned n = LLVMCountParams(f), at = n && l_has(f, 1, "sret") ? 1 : 0;
    LLVMTypeRef *t = CF_ARRAY(c->arena, LLVMTypeRef, n + 1);
    LLVMGetParamTypes(type, t);
    memmove(t + at + 1, t + at, (n - at) * sizeof *t);
    t[at] = LLVMPointerTypeInContext(c->context, 0);
    LLVMTypeRef to = LLVMFunctionType(LLVMGetReturnType(type), t, n + 1, LLVMIsFunctionVarArg(type));
    LLVMValueRef made = LLVMAddFunction(c->module, name, to);
    LLVMSetFunctionCallConv(made, LLVMGetFunctionCallConv(f));
    cf_keep_attributes(f, 0, made, 0);
    for (unsigned i = 0; i < n; i++) cf_keep_attributes(f, i + 1, made, i + 1 + (i >= at));
    return made;
}

/* The request that provides a function inside a context, or NULL. */
static const cf_ask *ask_for(cofactor *c, const char *name) {
    const cf_ask *ask = cf_session_asked(c, name);
    return ask && ask->n ? ask : NULL;
}

/* The contexts of a request: one around those of what it is asked for. */
static void set_contexts(cofactor *c, cf_ask *ask, const cf_ask *inner, const char *context) {
    ask->n = inner ? inner->n + 1 : 1;
    const char **all = CF_ARRAY(c->arena, const char *, ask->n);
    all[0] = cf_text(c->arena, "%s", context);
    if (inner) memcpy(all + 1, inner->context, inner->n * sizeof *all);
    ask->context = all;
}

static cofactor_status request_in(cofactor *c, const char *function, const char *context, const char *words,
                                  const char *name) {
    const cf_ask *inner = ask_for(c, function);
    LLVMValueRef f = inner ? LLVMGetNamedFunction(c->module, function) : cf_session_find(c, function);
    const char *all;
    if (!f || !(context = chosen(c, context, words ? words : "", &all))) return COFACTOR_BAD_REQUEST;
    cf_ask ask = {.primal = inner ? inner->primal : cf_source_prototype(c->arena, f)};
    set_contexts(c, &ask, inner, context);
    ask.name = cf_text(c->arena, "%s", name ? name : cf_text(c->arena, "%s_in", ask.primal->shown));
    ask.words = all;
    cofactor_status status = cf_session_check_name(c, ask.name);
    if (status) return status;
    cf_place place = cf_session_place(c, ask.primal);
    cf_descriptor_add(c->module, "in", ask.words, place, f, declare(c, f, ask.name));
    cf_push(c->arena, &c->asks, ask);
    c->stage = CF_STAGE_REQUESTING;
    return COFACTOR_OK;
}

static cofactor_status request_program(cofactor *c, const char *context) {
    const char *words;
    if (!chosen(c, context, "", &words)) return COFACTOR_BAD_REQUEST;
    LLVMValueRef f = cf_session_main(c);
    if (!f) return COFACTOR_BAD_REQUEST;
    cf_place place = l_place(f);
    if (!place.file) place = (cf_place){c->inputs, 0, 0};
    cf_descriptor_add(c->module, "program", words, place, NULL, NULL);
    c->whole = true;
    c->stage = CF_STAGE_REQUESTING;
    return COFACTOR_OK;
}

static cofactor_status may_request(cofactor *c) {
    if (c->stage <= CF_STAGE_REQUESTING) return COFACTOR_OK;
    return cf_fail(c, COFACTOR_BAD_CALL, "this request comes too late: the program was already made");
}

cofactor_status cofactor_in(cofactor *c, const char *function, const char *context, const char *words,
                            const char *name) {
    pthread_mutex_lock(&c->lock);
    cofactor_status status = cf_session_given(c, function, "function");
    if (!status) status = may_request(c);
    if (!status) status = request_in(c, function, context, words, name);
    pthread_mutex_unlock(&c->lock);
    return status;
}

cofactor_status cofactor_in_program(cofactor *c, const char *context) {
    pthread_mutex_lock(&c->lock);
    cofactor_status status = may_request(c);
    if (!status) status = request_program(c, context);
    pthread_mutex_unlock(&c->lock);
    return status;
}
