/* Sessions: the library's public calls, in the order in which a program goes through them.
 *
 * In:     calls of <cofactor/cofactor.h>
 * Out:    statuses; messages to the session's report function
 * Needs:  nothing                         Keeps: sessions apart: nothing is shared between them
 *
 * Idea: each public function takes the lock, checks that the session is at a stage where the call makes sense, and
 * hands the work to the file that knows it: load.c, clang.c, emit.c, engine.c, header.c.
 */
#include "jit/session.h"
#include "jit/prototype.h"
#include "llvm/l.h"
#include <llvm-c/Target.h>
#include <stdio.h>
#include <unistd.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *cofactor_version(void) {
    return CF_VERSION
        " (LLVM " TEXT(LLVM_VERSION_MAJOR) "." TEXT(LLVM_VERSION_MINOR) "." TEXT(LLVM_VERSION_PATCH) ")";
}

/* ---- messages ---- */

/* The session's sink: hands a message on in the library's own struct. */
static void to_user(void *user, const cf_message *m) {
    cofactor *c = user;
    static const cofactor_severity severities[] = {COFACTOR_ERROR, COFACTOR_WARNING, COFACTOR_REMARK,
                                                   COFACTOR_NOTE};
    cofactor_message out = {severities[m->severity], m->place.file, m->place.line,
                            m->place.column,         m->function,   m->text};
    c->report(c->user, &out);
}

static void print(void *unused, const cofactor_message *m) {
    static const cf_severity severities[] = {CF_ERROR, CF_WARNING, CF_REMARK, CF_NOTE};
    cf_message out = {severities[m->severity], {m->file, m->line, m->column}, m->function, m->text};
    cf_print_message(unused, &out);
}

static cofactor_status fail(cofactor *c, cofactor_status status, cf_place place, const char *format,
                            va_list args) {
    cf_arena *a = cf_arena_new();
    cf_report(&c->sink, CF_ERROR, place, NULL, "%s", cf_vtext(a, format, args));
    cf_arena_free(a);
    return status;
}

cofactor_status cf_fail(cofactor *c, cofactor_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fail(c, status, (cf_place){NULL, 0, 0}, format, args);
    va_end(args);
    return status;
}

cofactor_status cf_fail_at(cofactor *c, cofactor_status status, cf_place place, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fail(c, status, place, format, args);
    va_end(args);
    return status;
}

/* What LLVM says about this context's modules (linker, bitcode reader, code generator). */
static void from_llvm(LLVMDiagnosticInfoRef info, void *user) {
    cofactor *c = user;
    static const cf_severity severities[] = {CF_ERROR, CF_WARNING, CF_REMARK, CF_NOTE};
    unsigned severity = (unsigned)LLVMGetDiagInfoSeverity(info);
    if (severity >= LLVMDSRemark) return;
    char *text = LLVMGetDiagInfoDescription(info);
    cf_report(&c->sink, severities[severity], (cf_place){c->current, 0, 0}, NULL, "%s", text);
    LLVMDisposeMessage(text);
}

/* ---- beginning and end ---- */

static void initialise_targets(void) {
    LLVMInitializeAllTargetInfos();
    LLVMInitializeAllTargets();
    LLVMInitializeAllTargetMCs();
    LLVMInitializeAllAsmPrinters();
    LLVMInitializeAllAsmParsers();
}

cofactor *cofactor_new(cofactor_report *report, void *user) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialise_targets);
    cofactor *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    pthread_mutex_init(&c->lock, NULL);
    c->arena = cf_arena_new();
    c->report = report ? report : print;
    c->user = user;
    c->sink = (cf_sink){to_user, c, 0};
    c->level = 2;
    c->shared = l_shared_context(&c->context);
    LLVMContextSetDiagnosticHandler(c->context, from_llvm, c);
    return c;
}

void cofactor_free(cofactor *c) {
    if (!c) return;
    if (c->jit) {
        LLVMErrorRef e = LLVMOrcDisposeLLJIT(c->jit);
        if (e) LLVMConsumeError(e);
    }
    if (c->module) LLVMDisposeModule(c->module);
    if (c->target) LLVMDisposeTargetMachine(c->target);
    LLVMOrcDisposeThreadSafeContext(c->shared);
    cf_arena_free(c->arena);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

/* ---- adding ---- */

static bool is_source(const char *path) {
    const char *dot = strrchr(path, '.');
    static const char *const endings[] = {".c", ".cpp", ".cc", ".cxx", ".C", ".c++"};
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(dot, endings[i])) return true;
    return false;
}

static bool is_ir(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".ll") || !strcmp(dot, ".bc"));
}

/* The flags ask for debug information themselves. */
static bool wants_debug(const char *const *flags) {
    bool wants = false;
    for (; flags && *flags; flags++)
        if (!strncmp(*flags, "-g", 2)) wants = strcmp(*flags, "-g0") != 0;
    return wants;
}

cofactor_status cf_session_given(cofactor *c, const void *argument, const char *name) {
    return argument ? COFACTOR_OK : cf_fail(c, COFACTOR_BAD_CALL, "the argument `%s` is NULL", name);
}

cofactor_status cf_session_may_load(cofactor *c, const char *name) {
    if (c->stage == CF_STAGE_LOADING) return COFACTOR_OK;
    return cf_fail(c, COFACTOR_BAD_CALL,
                   "%s comes too late: derivatives of this program were already requested", name);
}

static LLVMModuleRef open_source(cofactor *c, const char *path, const char *language, const char *name,
                                 const char *const *flags) {
    const char *bitcode;
    if (cf_session_clang(c, path, language, name, flags, &bitcode)) return NULL;
    LLVMModuleRef m = cf_session_read(c, bitcode, name);
    unlink(bitcode);
    if (wants_debug(flags)) c->keep_debug = true;
    return m;
}

LLVMModuleRef cf_session_open(cofactor *c, const char *path, const char *const *flags) {
    if (is_source(path)) return open_source(c, path, NULL, path, flags);
    if (is_ir(path)) {
        c->keep_debug = true;
        return cf_session_read(c, path, path);
    }
    cf_fail_at(c, COFACTOR_BAD_INPUT, (cf_place){path, 0, 0},
               "unknown kind of file; .c, .cpp, .cc, .cxx, .ll and .bc are read");
    return NULL;
}

static cofactor_status link_opened(cofactor *c, LLVMModuleRef m, const char *name) {
    return m ? cf_session_link(c, m, name) : COFACTOR_BAD_INPUT;
}

cofactor_status cofactor_add_file(cofactor *c, const char *path, const char *const *flags) {
    pthread_mutex_lock(&c->lock);
    cofactor_status status = cf_session_given(c, path, "path");
    if (!status) status = cf_session_may_load(c, path);
    if (!status) status = link_opened(c, cf_session_open(c, path, flags), path);
    pthread_mutex_unlock(&c->lock);
    return status;
}

cofactor_status cofactor_add_ir(cofactor *c, const void *bytes, size_t size, const char *name) {
    pthread_mutex_lock(&c->lock);
    cofactor_status status = cf_session_given(c, bytes, "bytes");
    if (!status) status = cf_session_given(c, name, "name");
    if (!status) status = cf_session_may_load(c, name);
    if (!status) {
        LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, size, name);
        LLVMModuleRef m = cf_session_parse(c, buffer, name);
        status = link_opened(c, m, name);
        c->keep_debug = true;
    }
    pthread_mutex_unlock(&c->lock);
    return status;
}

/* Source text goes through a temporary file: clang then reports places in a file that is called like it. */
static cofactor_status add_text(cofactor *c, const char *text, const char *language, const char *name,
                                const char *const *flags) {
    if (strcmp(language, "c") != 0 && strcmp(language, "c++") != 0)
        return cf_fail(c, COFACTOR_BAD_CALL, "language `%s` is not known; c and c++ are", language);
    const char *directory = getenv("TMPDIR");
    char *path = cf_text(c->arena, "%s/cofactor-XXXXXX", directory && *directory ? directory : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0) return cf_fail(c, COFACTOR_BAD_INPUT, "cannot make a temporary file like %s", path);
    FILE *out = fdopen(fd, "w");
    bool good = out && fprintf(out, "#line 1 \"%s\"\n%s\n", name, text) >= 0;
    if (out && fclose(out)) good = false;
    cofactor_status status = good
                                 ? link_opened(c, open_source(c, path, language, name, flags), name)
                                 : cf_fail(c, COFACTOR_BAD_INPUT, "cannot write the temporary file %s", path);
    unlink(path);
    return status;
}

cofactor_status cofactor_add_source(cofactor *c, const char *text, const char *language, const char *name,
                                    const char *const *flags) {
    pthread_mutex_lock(&c->lock);
    cofactor_status status = cf_session_given(c, text, "text");
    if (!status) status = cf_session_given(c, language, "language");
    if (!status) status = cf_session_given(c, name, "name");
    if (!status) status = cf_session_may_load(c, name);
    if (!status) status = add_text(c, text, language, name, flags);
    pthread_mutex_unlock(&c->lock);
    return status;
}

/* ---- requesting ---- */

static bool is_name(const char *s) {
    return *s && !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.")] &&
           !(*s >= '0' && *s <= '9');
}

/* A name for the derivative that the program has not yet given to something else. */
cofactor_status cf_session_check_name(cofactor *c, const char *name) {
    if (!is_name(name)) return cf_fail(c, COFACTOR_BAD_CALL, "`%s` is no name for a function", name);
    LLVMValueRef other = LLVMGetNamedFunction(c->module, name);
    bool taken = other ? !LLVMIsDeclaration(other) : LLVMGetNamedGlobal(c->module, name) != NULL;
    for (size_t i = 0; i < c->asks.n; i++) taken |= !strcmp(c->asks.at[i].name, name);
    if (!taken) return COFACTOR_OK;
    return cf_fail(c, COFACTOR_BAD_REQUEST, "the name `%s` is already taken in the program; choose another",
                   name);
}

const cf_ask *cf_session_asked(cofactor *c, const char *name) {
    for (size_t i = 0; i < c->asks.n; i++)
        if (!strcmp(c->asks.at[i].name, name)) return &c->asks.at[i];
    return NULL;
}

cf_place cf_session_place(cofactor *c, const cf_prototype *p) {
    return p->file ? (cf_place){p->file, p->line, 0} : (cf_place){c->inputs, 0, 0};
}

static cofactor_status add_request(cofactor *c, cf_mode mode, const char *function, const char *words,
                                   const char *name) {
    LLVMValueRef f = cf_session_find(c, function);
    if (!f) return COFACTOR_BAD_REQUEST;
    const cf_ask *made = cf_session_asked(c, l_name(f));
    cf_ask ask = {.primal = made && !made->n ? cf_derivative_prototype(c->arena, made, f)
                                             : cf_prototype_of(c->arena, f)};
    const char *ending = mode == CF_MODE_REVERSE ? "grad" : "tan";
    ask.name = name ? cf_text(c->arena, "%s", name) : cf_text(c->arena, "%s_%s", ask.primal->shown, ending);
    ask.words = words ? cf_text(c->arena, "%s", words) : cf_default_words(c->arena, ask.primal);
    cofactor_status status = cf_session_check_name(c, ask.name);
    if (status) return status;
    cf_place place = cf_session_place(c, ask.primal);
    if (!cf_request_make(c->arena, &c->sink, mode, f, ask.words, ask.name, place, &ask.request))
        return COFACTOR_BAD_REQUEST;
    cf_push(c->arena, &c->asks, ask);
    c->stage = CF_STAGE_REQUESTING;
    return COFACTOR_OK;
}

cofactor_status cofactor_request(cofactor *c, cofactor_mode mode, const char *function, const char *words,
                                 const char *name) {
    pthread_mutex_lock(&c->lock);
    cofactor_status status = cf_session_given(c, function, "function");
    if (!status && mode != COFACTOR_FORWARD && mode != COFACTOR_REVERSE)
        status = cf_fail(c, COFACTOR_BAD_CALL, "the mode must be COFACTOR_FORWARD or COFACTOR_REVERSE");
    else if (!status && c->stage > CF_STAGE_REQUESTING)
        status = cf_fail(c, COFACTOR_BAD_CALL,
                         "the request for `%s` comes too late: derivatives were already made", function);
    if (!status)
        status = add_request(c, mode == COFACTOR_FORWARD ? CF_MODE_FORWARD : CF_MODE_REVERSE, function, words,
                             name);
    pthread_mutex_unlock(&c->lock);
    return status;
}

cofactor_status cofactor_explain(cofactor *c) {
    pthread_mutex_lock(&c->lock);
    c->options.explain = true;
    pthread_mutex_unlock(&c->lock);
    return COFACTOR_OK;
}

cofactor_status cofactor_optimise(cofactor *c, unsigned level) {
    pthread_mutex_lock(&c->lock);
    cofactor_status status = COFACTOR_OK;
    if (level > 3)
        status = cf_fail(c, COFACTOR_BAD_CALL, "optimisation level %u is not known; 0 to 3 are", level);
    else if (c->optimised)
        status = cf_fail(c, COFACTOR_BAD_CALL, "the code was already optimised");
    else
        c->level = level;
    pthread_mutex_unlock(&c->lock);
    return status;
}

/* ---- making ---- */

bool cf_session_has_requests(cofactor *c) { return c->module && cf_has_requests(c->module); }

/* What the program defines for others to see, so that it can be told from what is made. */
static void remember_own(cofactor *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) cf_names_put(c->arena, &c->own, l_name(f), c);
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g)) cf_names_put(c->arena, &c->own, l_name(g), c);
}

cofactor_status cf_session_differentiate(cofactor *c) {
    if (c->stage == CF_STAGE_FAILED)
        return cf_fail(c, COFACTOR_BAD_REQUEST, "the derivatives of this program could not be made");
    if (c->stage >= CF_STAGE_DONE) return COFACTOR_OK;
    if (!c->module) return cf_fail(c, COFACTOR_BAD_CALL, "no file was added");
    remember_own(c);
    cf_request *requests = CF_ARRAY(c->arena, cf_request, c->asks.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < c->asks.n; i++)
        if (!c->asks.at[i].n) requests[n++] = c->asks.at[i].request;
    unsigned before = c->sink.errors;
    bool made = cf_run_requests(c->module, &c->sink, &c->options, requests, n);
    /* Asked for from outside: to be seen from outside, also when the primal is static. */
    for (size_t i = 0; made && i < c->asks.n; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(c->module, c->asks.at[i].name);
        if (f && LLVMGetLinkage(f) == LLVMInternalLinkage) LLVMSetLinkage(f, LLVMExternalLinkage);
    }
    c->stage = made && c->sink.errors == before ? CF_STAGE_DONE : CF_STAGE_FAILED;
    if (c->stage == CF_STAGE_DONE) return COFACTOR_OK;
    if (c->sink.errors == before) cf_fail(c, COFACTOR_BAD_REQUEST, "the derivatives could not be made");
    return COFACTOR_BAD_REQUEST;
}

cofactor_status cofactor_differentiate(cofactor *c) {
    pthread_mutex_lock(&c->lock);
    cofactor_status status = cf_session_differentiate(c);
    pthread_mutex_unlock(&c->lock);
    return status;
}

cofactor_any_function cofactor_function(cofactor *c, const char *name) {
    pthread_mutex_lock(&c->lock);
    cofactor_any_function f = cf_session_given(c, name, "name") ? NULL : cf_session_function(c, name);
    pthread_mutex_unlock(&c->lock);
    return f;
}

/* Makes code (or the header, format -1), and the file. */
static cofactor_status write_whole(cofactor *c, const char *path, int format) {
    cf_output o = {.path = path};
    cofactor_status status = cf_session_given(c, path, "path");
    if (!status) status = cf_session_differentiate(c);
    if (!status)
        status = format < 0 ? cf_session_header(c, &o) : cf_session_code(c, &o, (cofactor_format)format);
    if (!status && !(cf_output_write(c, &o) && cf_output_name(c, &o))) status = COFACTOR_BAD_OUTPUT;
    cf_output_end(&o);
    return status;
}

cofactor_status cofactor_write(cofactor *c, const char *path, cofactor_format format) {
    pthread_mutex_lock(&c->lock);
    cofactor_status status = write_whole(c, path, (int)format);
    pthread_mutex_unlock(&c->lock);
    return status;
}

cofactor_status cofactor_write_header(cofactor *c, const char *path) {
    pthread_mutex_lock(&c->lock);
    cofactor_status status = write_whole(c, path, -1);
    pthread_mutex_unlock(&c->lock);
    return status;
}
