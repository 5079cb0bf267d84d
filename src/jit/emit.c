/* From the program with its derivatives to files.
 *
 * In:     c->module after the requests
 * Out:    an object, IR text or bitcode, optimised, that appears under its name whole or not at all
 * Needs:  derivatives made                 Keeps: c->module, optimised once
 */
#include "jit/session.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include <errno.h>
#include <fcntl.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ---- */

/* A new file beside path, with the rights that the process gives to new files. */
static int open_beside(cofactor *c, cf_output *o) {
    static const int tries = 100;
    int fd = -1;
    for (int i = 0; fd < 0 && i < tries; i++) {
        o->temporary = cf_text(c->arena, "%s.%ld-%d.tmp", o->path, (long)getpid(), i);
        fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd < 0) o->temporary = NULL;
    return fd;
}

static bool write_all(int fd, const char *bytes, size_t n) {
    while (n) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

bool cf_output_write(cofactor *c, cf_output *o) {
    struct stat info;
    /* A device or a pipe, or a link to whatever it may be, is written itself. */
    bool special = !lstat(o->path, &info) && !S_ISREG(info.st_mode);
    if (special) o->temporary = o->path;
    int fd = special ? open(o->path, O_WRONLY | O_TRUNC | O_CLOEXEC) : open_beside(c, o);
    bool good = fd >= 0 && write_all(fd, o->bytes, o->size);
    int error = errno;
    if (fd >= 0 && close(fd) && good) {
        good = false;
        error = errno;
    }
    if (!good)
        cf_fail_at(c, COFACTOR_BAD_OUTPUT, (cf_place){o->path, 0, 0}, "cannot be written: %s",
                   strerror(error));
    return good;
}

bool cf_output_name(cofactor *c, cf_output *o) {
    if (o->temporary == o->path || !rename(o->temporary, o->path)) {
        o->temporary = NULL;
        return true;
    }
    cf_fail_at(c, COFACTOR_BAD_OUTPUT, (cf_place){o->path, 0, 0}, "cannot be written: %s", strerror(errno));
    return false;
}

void cf_output_end(cf_output *o) {
    if (o->temporary && o->temporary != o->path) unlink(o->temporary);
    free(o->bytes);
    o->temporary = NULL;
    o->bytes = NULL;
}

/* ---- code ---- */

LLVMTargetMachineRef cf_session_target(cofactor *c) {
    static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
                                                 LLVMCodeGenLevelDefault, LLVMCodeGenLevelAggressive};
    if (c->target) return c->target;
    LLVMTargetRef t = NULL;
    char *text = NULL;
    const char *triple = LLVMGetTarget(c->module);
    if (LLVMGetTargetFromTriple(triple, &t, &text)) {
        cf_fail(c, COFACTOR_BAD_OUTPUT, "no code can be generated for %s: %s", triple, text);
        LLVMDisposeMessage(text);
        return NULL;
    }
    c->target =
        LLVMCreateTargetMachine(t, triple, "", "", levels[c->level], LLVMRelocPIC, LLVMCodeModelDefault);
    cfx_use_init_array(c->target);
    return c->target;
}

cofactor_status cf_session_optimise(cofactor *c) {
    if (c->optimised) return COFACTOR_OK;
    LLVMTargetMachineRef target = cf_session_target(c);
    if (!target) return COFACTOR_BAD_OUTPUT;
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(o, c->level >= 2);
    LLVMPassBuilderOptionsSetSLPVectorization(o, c->level >= 2);
    LLVMPassBuilderOptionsSetLoopUnrolling(o, c->level >= 1);
    LLVMErrorRef e = LLVMRunPasses(c->module, cf_text(c->arena, "default<O%u>", c->level), target, o);
    LLVMDisposePassBuilderOptions(o);
    c->optimised = true;
    if (!e) return COFACTOR_OK;
    char *text = LLVMGetErrorMessage(e);
    cf_fail(c, COFACTOR_BAD_OUTPUT, "the code cannot be optimised: %s", text);
    LLVMDisposeErrorMessage(text);
    return COFACTOR_BAD_OUTPUT;
}

static bool everything(void *unused, LLVMValueRef v) {
    (void)unused, (void)v;
    return true;
}

/* LLVMCloneModule of LLVM 19 loses the addresses of labels in tables. */
LLVMModuleRef cf_session_copy(cofactor *c) { return cfx_clone_module(c->module, everything, NULL); }

/* A file with derivatives is linked with a program, which has its own main. */
static void drop_main(LLVMModuleRef m) {
    LLVMValueRef f = LLVMGetNamedFunction(m, "main");
    if (!f || LLVMIsDeclaration(f) || LLVMGetFirstUse(f)) return;
    LLVMDeleteFunction(f);
    char *text = l_run_passes(m, "globaldce");
    if (text) LLVMDisposeErrorMessage(text);
}

/* The value is the program's own and must come from elsewhere: true for what other objects see. */
static bool is_foreign(cofactor *c, LLVMValueRef v) {
    LLVMLinkage l = LLVMGetLinkage(v);
    return !LLVMIsDeclaration(v) && cf_names_get(&c->own, l_name(v)) &&
           (l == LLVMExternalLinkage || l == LLVMWeakAnyLinkage || l == LLVMCommonLinkage);
}

/* A variable of the file's own: a second copy of it would be a second state. */
static bool is_private_state(cofactor *c, LLVMValueRef g) {
    return l_is_local(g) && !LLVMIsGlobalConstant(g) && cf_names_get(&c->own, l_name(g));
}

/* Leaves derivatives and what is private to the files. False after a message. */
static bool drop_primal(cofactor *c, LLVMModuleRef m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (is_foreign(c, f)) cfx_make_declaration(f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(m), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (is_foreign(c, g)) cfx_make_declaration(g);
    }
    char *text = l_run_passes(m, "globaldce");
    if (text) LLVMDisposeErrorMessage(text);
    bool good = true;
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
        if (!is_private_state(c, g)) continue;
        cf_fail(c, COFACTOR_BAD_REQUEST,
                "the derivatives use the static variable `%s`, of which there must be one only; do not leave "
                "the program out",
                l_name(g));
        good = false;
    }
    return good;
}

/* Takes a copy of LLVM's bytes. */
static bool keep(cf_output *o, const char *bytes, size_t n) {
    o->bytes = malloc(n + 1);
    if (!o->bytes) return false;
    memcpy(o->bytes, bytes, n);
    o->size = n;
    return true;
}

static bool keep_buffer(cf_output *o, LLVMMemoryBufferRef buffer) {
    bool good = keep(o, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    return good;
}

static bool make_code(cofactor *c, LLVMModuleRef m, cf_output *o, cofactor_format format) {
    if (format == COFACTOR_BC) return keep_buffer(o, LLVMWriteBitcodeToMemoryBuffer(m));
    char *text = NULL;
    if (format == COFACTOR_LL) {
        text = LLVMPrintModuleToString(m);
        bool good = keep(o, text, strlen(text));
        LLVMDisposeMessage(text);
        return good;
    }
    LLVMTargetMachineRef target = cf_session_target(c);
    LLVMMemoryBufferRef buffer = NULL;
    if (!target) return false;
    if (!LLVMTargetMachineEmitToMemoryBuffer(target, m, LLVMObjectFile, &text, &buffer))
        return keep_buffer(o, buffer);
    cf_fail(c, COFACTOR_BAD_OUTPUT, "no code can be generated: %s", text ? text : "LLVM does not say why");
    LLVMDisposeMessage(text);
    return false;
}

/* Whether C++'s own library is called: its names are those of C++, or of its runtime. */
static bool needs_cxx(LLVMModuleRef m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) &&
            (l_begins(l_name(f), "_Z") || l_begins(l_name(f), "__cxa_") || l_begins(l_name(f), "__gxx_")))
            return true;
    return false;
}

/* An empty file for the linker. NULL after a message. */
static const char *temporary_file(cofactor *c) {
    const char *folder = getenv("TMPDIR");
    char *path = cf_text(c->arena, "%s/cofactor-XXXXXX.o", folder && *folder ? folder : "/tmp");
    int fd = mkstemps(path, 2);
    if (fd >= 0) return close(fd), path;
    cf_fail(c, COFACTOR_BAD_OUTPUT, "cannot make a temporary file like %s: %s", path, strerror(errno));
    return NULL;
}

static bool put_file(const char *path, const cf_output *o) {
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    bool good = fd >= 0 && write_all(fd, o->bytes, o->size);
    return fd < 0 || close(fd) ? false : good;
}

static bool take_file(const char *path, cf_output *o) {
    LLVMMemoryBufferRef buffer = NULL;
    char *text = NULL;
    free(o->bytes);
    o->bytes = NULL;
    if (!LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &text)) return keep_buffer(o, buffer);
    LLVMDisposeMessage(text);
    return false;
}

/* The object in o becomes a shared library. False after a message. */
static bool link_shared(cofactor *c, bool cxx, cf_output *o) {
    const char *object = temporary_file(c), *library = object ? temporary_file(c) : NULL;
    bool good = library != NULL;
    if (good && !put_file(object, o))
        good = !cf_fail(c, COFACTOR_BAD_OUTPUT, "cannot write the temporary file %s", object);
    good = good && cf_session_shared(c, object, cxx, library);
    if (good && !take_file(library, o))
        good = !cf_fail(c, COFACTOR_BAD_OUTPUT, "cannot read the temporary file %s", library);
    if (object) unlink(object);
    if (library) unlink(library);
    return good;
}

cofactor_status cf_session_code(cofactor *c, cf_output *o, cofactor_format format) {
    if (format > COFACTOR_SHARED)
        return cf_fail(c, COFACTOR_BAD_CALL, "the format %d is not known", (int)format);
    cofactor_status status = cf_session_optimise(c);
    if (status) return status;
    LLVMModuleRef m = cf_session_copy(c);
    if (!c->whole) drop_main(m);
    if (!c->keep_debug) LLVMStripModuleDebugInfo(m);
    unsigned before = c->sink.errors;
    bool good = (!c->no_primal || drop_primal(c, m)) && make_code(c, m, o, format) &&
                (format != COFACTOR_SHARED || link_shared(c, needs_cxx(m), o));
    LLVMDisposeModule(m);
    return good && c->sink.errors == before ? COFACTOR_OK : COFACTOR_BAD_OUTPUT;
}
