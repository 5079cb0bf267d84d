/* Reading IR: files and memory to the one module of a session.
 *
 * In:     LLVM IR as text or bitcode
 * Out:    c->module with everything that was added, verified
 * Needs:  a session in its first stage     Keeps: c->module valid; a file that is refused changes nothing
 *
 * Idea: nothing is trusted. What the parser lets through goes through LLVM's verifier before anything else looks at it.
 */
#include "jit/prototype.h"
#include "jit/session.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include <errno.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <sys/stat.h>

/* ---- parsing ---- */

static bool is_bitcode(LLVMMemoryBufferRef buffer) {
    const unsigned char *s = (const unsigned char *)LLVMGetBufferStart(buffer);
    static const unsigned char raw[] = {'B', 'C', 0xc0, 0xde}, wrapped[] = {0xde, 0xc0, 0x17, 0x0b};
    return LLVMGetBufferSize(buffer) >= 4 && (!memcmp(s, raw, 4) || !memcmp(s, wrapped, 4));
}

/* The parser's text is `name:line:column: error: what`, then the line and a caret, which the sink prints itself. */
static void report_parse_error(cofactor *c, const char *text, const char *name, bool bitcode) {
    cf_place place = {name, 0, 0};
    const char *what = strstr(text, "error: ");
    size_t n = strlen(name);
    if (!strncmp(text, name, n) && text[n] == ':') sscanf(text + n, ":%u:%u", &place.line, &place.column);
    what = what ? what + strlen("error: ") : text;
    int length = (int)strcspn(what, "\n");
    if (bitcode)
        cf_fail_at(
            c, COFACTOR_BAD_INPUT, place,
            "broken bitcode, or bitcode of an LLVM newer than %d, which this Cofactor is built with: %.*s",
            LLVM_VERSION_MAJOR, length, what);
    else
        cf_fail_at(c, COFACTOR_BAD_INPUT, place, "%.*s (this Cofactor reads the IR of LLVM %d and older)",
                   length, what, LLVM_VERSION_MAJOR);
}

LLVMModuleRef cf_session_parse(cofactor *c, LLVMMemoryBufferRef buffer, const char *name) {
    bool bitcode = is_bitcode(buffer);
    size_t n = strlen(name);
    if (!bitcode && n > 3 && !strcmp(name + n - 3, ".bc")) {
        LLVMDisposeMemoryBuffer(buffer);
        cf_fail_at(c, COFACTOR_BAD_INPUT, (cf_place){name, 0, 0},
                   "this is no LLVM bitcode; if it is the text form of IR, call it .ll");
        return NULL;
    }
    unsigned before = c->sink.errors;
    LLVMModuleRef m = NULL;
    char *text = NULL;
    c->current = name;
    bool broken = LLVMParseIRInContext(c->context, buffer, &m, &text);
    c->current = NULL;
    if (!broken) return m;
    if (c->sink.errors == before) report_parse_error(c, text ? text : "it cannot be read", name, bitcode);
    LLVMDisposeMessage(text);
    return NULL;
}

LLVMModuleRef cf_session_read(cofactor *c, const char *path, const char *name) {
    LLVMMemoryBufferRef buffer = NULL;
    char *text = NULL;
    struct stat info;
    cf_place place = {name, 0, 0};
    if (stat(path, &info)) {
        cf_fail_at(c, COFACTOR_BAD_INPUT, place, "cannot be read: %s", strerror(errno));
        return NULL;
    }
    if (S_ISDIR(info.st_mode)) {
        cf_fail_at(c, COFACTOR_BAD_INPUT, place, "is a folder, not a file");
        return NULL;
    }
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &text)) {
        cf_fail_at(c, COFACTOR_BAD_INPUT, place, "cannot be read: %s", text ? text : strerror(errno));
        LLVMDisposeMessage(text);
        return NULL;
    }
    return cf_session_parse(c, buffer, name);
}

/* ---- linking ---- */

/* IR without a target is for the machine that we run on. */
static void fill_target(LLVMModuleRef m) {
    if (!*LLVMGetTarget(m)) {
        char *triple = LLVMGetDefaultTargetTriple();
        LLVMSetTarget(m, triple);
        LLVMDisposeMessage(triple);
    }
    LLVMTargetRef t = NULL;
    char *text = NULL;
    if (*LLVMGetDataLayoutStr(m) || LLVMGetTargetFromTriple(LLVMGetTarget(m), &t, &text)) {
        LLVMDisposeMessage(text);
        return;
    }
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
        t, LLVMGetTarget(m), "", "", LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(m, layout);
    LLVMDisposeTargetData(layout);
    LLVMDisposeTargetMachine(machine);
}

cofactor_status cf_session_link(cofactor *c, LLVMModuleRef m, const char *name) {
    char *text = l_verify(m);
    cf_place place = {name, 0, 0};
    if (text) {
        cf_fail_at(c, COFACTOR_BAD_INPUT, place, "this IR is not valid: %.*s", (int)strcspn(text, "\n"),
                   text);
        LLVMDisposeMessage(text);
        LLVMDisposeModule(m);
        return COFACTOR_BAD_INPUT;
    }
    fill_target(m);
    c->inputs = c->inputs ? cf_text(c->arena, "%s, %s", c->inputs, name) : cf_text(c->arena, "%s", name);
    if (!c->module) {
        c->module = m;
        return COFACTOR_OK;
    }
    if (strcmp(LLVMGetTarget(c->module), LLVMGetTarget(m)) != 0) {
        cf_fail_at(c, COFACTOR_BAD_INPUT, place, "is for the machine %s, files before it are for %s",
                   LLVMGetTarget(m), LLVMGetTarget(c->module));
        LLVMDisposeModule(m);
        return COFACTOR_BAD_INPUT;
    }
    unsigned before = c->sink.errors;
    c->current = name;
    bool refused = LLVMLinkModules2(c->module, m);
    c->current = NULL;
    if (!refused) return COFACTOR_OK;
    c->stage = CF_STAGE_FAILED; /* half of the file may have been linked */
    if (c->sink.errors == before)
        cf_fail_at(c, COFACTOR_BAD_INPUT, place, "cannot be linked to the files before it");
    return COFACTOR_BAD_INPUT;
}

/* ---- finding functions ---- */

/* The name of a C++ function as it is written: `ns::f(double const*, int)`; NULL for others. */
static const char *plain_name(cofactor *c, LLVMValueRef f) {
    char *plain = l_begins(l_name(f), "_Z") ? cfx_demangle(l_name(f)) : NULL;
    const char *copy = plain ? cf_copy_text(c->arena, plain, strlen(plain)) : NULL;
    free(plain);
    return copy;
}

/* Whether `asked` is the name, with or without its parameters; spaces do not count. */
static bool is_called(const char *plain, const char *asked) {
    for (;; plain++, asked++) {
        plain += strspn(plain, " ");
        asked += strspn(asked, " ");
        if (!*asked) return !*plain || *plain == '(';
        if (*plain != *asked) return false;
    }
}

/* Functions of a library's templates are in every unit that uses them. */
static bool is_own(LLVMValueRef f) {
    LLVMLinkage l = LLVMGetLinkage(f);
    return l != LLVMLinkOnceAnyLinkage && l != LLVMLinkOnceODRLinkage && l != LLVMAvailableExternallyLinkage;
}

static bool has_own(cofactor *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && *l_name(f) && is_own(f)) return true;
    return false;
}

static const char *written_name(cofactor *c, LLVMValueRef f) {
    const char *plain = plain_name(c, f);
    return plain ? plain : l_name(f);
}

static cofactor_status report_unknown(cofactor *c, const char *name) {
    const char *known = "";
    unsigned n = 0;
    bool own = has_own(c);
    if (LLVMGetNamedGlobalIFunc(c->module, name, strlen(name)))
        return cf_fail(
            c, COFACTOR_BAD_REQUEST,
            "which function `%s` is, is decided when the program starts (ifunc): name one that it may be",
            name);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || l_is_intrinsic(f) || !*l_name(f) || is_own(f) != own || n++ >= 8)
            continue;
        known = cf_text(c->arena, "%s%s`%s`", known, *known ? ", " : "", written_name(c, f));
    }
    if (!n)
        return cf_fail(c, COFACTOR_BAD_REQUEST, "there is no function `%s` in %s, nor any other", name,
                       c->inputs);
    return cf_fail(c, COFACTOR_BAD_REQUEST, "there is no function `%s` in %s; there is %s%s", name, c->inputs,
                   known, n > 8 ? " and others" : "");
}

/* The function that an alias stands for, or NULL. */
static LLVMValueRef by_alias(LLVMModuleRef m, const char *name) {
    LLVMValueRef v = l_without_aliases(LLVMGetNamedGlobalAlias(m, name, strlen(name)));
    return v && LLVMIsAFunction(v) ? v : NULL;
}

LLVMValueRef cf_session_find(cofactor *c, const char *name) {
    if (!c->module) {
        cf_fail(c, COFACTOR_BAD_CALL, "no file was added");
        return NULL;
    }
    LLVMValueRef found = LLVMGetNamedFunction(c->module, name);
    if (!found) found = by_alias(c->module, name);
    const char *all = "";
    unsigned n = 0;
    LLVMValueRef last = NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && !found; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        const char *source = cf_source_name(c->arena, f), *plain = plain_name(c, f);
        if (!(source && !strcmp(source, name)) && !(plain && is_called(plain, name))) continue;
        all = cf_text(c->arena, "%s%s`%s`", all, n++ ? ", " : "", written_name(c, f));
        last = f;
    }
    if (n == 1) found = last;
    if (n > 1)
        cf_fail(c, COFACTOR_BAD_REQUEST, "there are several functions `%s`; say which: %s", name, all);
    else if (!found)
        report_unknown(c, name);
    if (found && LLVMIsDeclaration(found) && !cf_session_asked(c, l_name(found)) && !cf_is_requested(found)) {
        cf_fail(c, COFACTOR_BAD_REQUEST,
                "`%s` is only declared in %s; add the file that defines it (--link FILE)", name, c->inputs);
        return NULL;
    }
    return found;
}

LLVMValueRef cf_session_main(cofactor *c) {
    LLVMValueRef f = c->module ? LLVMGetNamedFunction(c->module, "main") : NULL;
    if (f && !LLVMIsDeclaration(f)) return f;
    if (!c->module)
        cf_fail(c, COFACTOR_BAD_CALL, "no file was added");
    else
        cf_fail(c, COFACTOR_BAD_REQUEST, "there is no `main` in %s", c->inputs);
    return NULL;
}
