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

bool cf_output_begin(cofactor *c, cf_output *o, const char *path) {
    struct stat info;
    o->path = o->temporary = path;
    if (!stat(path, &info) && !S_ISREG(info.st_mode)) {
        if (!S_ISDIR(info.st_mode)) return true;
        cf_fail_at(c, COFACTOR_BAD_OUTPUT, (cf_place){path, 0, 0}, "is a folder; name a file to write");
        return false;
    }
    char *name = cf_text(c->arena, "%s.XXXXXX", path);
    int fd = mkstemp(name);
    if (fd < 0) {
        cf_fail_at(c, COFACTOR_BAD_OUTPUT, (cf_place){path, 0, 0}, "cannot be written: %s", strerror(errno));
        return false;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    close(fd);
    o->temporary = name;
    return true;
}

bool cf_output_end(cofactor *c, cf_output *o) {
    if (o->temporary == o->path || !rename(o->temporary, o->path)) return true;
    cf_fail_at(c, COFACTOR_BAD_OUTPUT, (cf_place){o->path, 0, 0}, "cannot be written: %s", strerror(errno));
    cf_output_drop(o);
    return false;
}

void cf_output_drop(cf_output *o) {
    if (o->temporary != o->path) unlink(o->temporary);
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
    return c->target = LLVMCreateTargetMachine(t, triple, "", "", levels[c->level], LLVMRelocPIC,
                                               LLVMCodeModelDefault);
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
    LLVMLinkage l = LLVMGetLinkage(g);
    return (l == LLVMInternalLinkage || l == LLVMPrivateLinkage) && !LLVMIsGlobalConstant(g) &&
           cf_names_get(&c->own, l_name(g));
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

static bool write_code(cofactor *c, LLVMModuleRef m, const char *path, cofactor_format format, char **text) {
    if (format == COFACTOR_LL) return !LLVMPrintModuleToFile(m, path, text);
    if (format == COFACTOR_BC) return !LLVMWriteBitcodeToFile(m, path);
    LLVMTargetMachineRef target = cf_session_target(c);
    return target && !LLVMTargetMachineEmitToFile(target, m, (char *)(uintptr_t)path, LLVMObjectFile, text);
}

cofactor_status cf_session_write(cofactor *c, cf_output *o, cofactor_format format) {
    if (format > COFACTOR_BC) return cf_fail(c, COFACTOR_BAD_CALL, "the format %d is not known", (int)format);
    cofactor_status status = cf_session_optimise(c);
    if (status) return status;
    LLVMModuleRef m = LLVMCloneModule(c->module);
    drop_main(m);
    if (c->no_primal && !drop_primal(c, m)) {
        LLVMDisposeModule(m);
        return COFACTOR_BAD_REQUEST;
    }
    if (!c->keep_debug) LLVMStripModuleDebugInfo(m);
    char *text = NULL;
    unsigned before = c->sink.errors;
    bool good = write_code(c, m, o->temporary, format, &text);
    if (!good && c->sink.errors == before)
        cf_fail_at(c, COFACTOR_BAD_OUTPUT, (cf_place){o->path, 0, 0}, "cannot be written: %s",
                   text ? text : strerror(errno));
    LLVMDisposeMessage(text);
    LLVMDisposeModule(m);
    return good && c->sink.errors == before ? COFACTOR_OK : COFACTOR_BAD_OUTPUT;
}
