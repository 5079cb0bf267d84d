/* C and C++ source to bitcode, by the clang of the same major version in a child process.
 *
 * In:     a source file and the user's flags for clang
 * Out:    a temporary bitcode file
 * Needs:  clang-N in PATH, or COFACTOR_CLANG in the environment
 *
 * Idea: the front end's IR is wanted with all that optimisation may use later, but not yet optimised: hence -O1
 * without LLVM passes. A context sees what clang makes of the program at the -O level that the user chose. Debug
 * information is always asked for: it carries the C prototypes. What clang says goes to stderr as it is.
 */
#include "jit/session.h"
#include "llvm/l.h"
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *temporary_name(cofactor *c) {
    const char *directory = getenv("TMPDIR");
    char *path = cf_text(c->arena, "%s/cofactor-XXXXXX.bc", directory && *directory ? directory : "/tmp");
    int fd = mkstemps(path, 3);
    if (fd < 0) {
        cf_fail(c, COFACTOR_BAD_INPUT, "cannot make a temporary file like %s: %s", path, strerror(errno));
        return NULL;
    }
    close(fd);
    return path;
}

/* Runs a program and waits; its exit status, or -1 with errno when it cannot be run. */
static int run(char *const *arguments) {
    pid_t child;
    int error = posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ);
    if (error) return errno = error, -1;
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static char **arguments_of(cofactor *c, const char *clang, const char *path, const char *language,
                           const char *const *flags, const char *out) {
    CF_VEC(char *) v = {0};
    const char *level = c->as_written ? cf_text(c->arena, "-O%u", c->level) : "-O1";
    const char *const first[] = {clang, "-g", "-fPIC"};
    const char *const last[] = {level, "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-o", out};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        cf_push(c->arena, &v, (char *)(uintptr_t)first[i]);
    for (; flags && *flags; flags++) cf_push(c->arena, &v, (char *)(uintptr_t)*flags);
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) cf_push(c->arena, &v, (char *)(uintptr_t)last[i]);
    const char *headers = cf_home_headers(c->arena);
    if (headers) {
        cf_push(c->arena, &v, (char *)(uintptr_t)"-idirafter");
        cf_push(c->arena, &v, (char *)(uintptr_t)headers);
    }
    if (language) {
        cf_push(c->arena, &v, (char *)(uintptr_t)"-x");
        cf_push(c->arena, &v, (char *)(uintptr_t)language);
    }
    cf_push(c->arena, &v, (char *)(uintptr_t)path);
    cf_push(c->arena, &v, NULL);
    return v.at;
}

static const char *the_clang(cofactor *c) {
    const char *chosen = getenv("COFACTOR_CLANG");
    return chosen && *chosen ? chosen : cf_text(c->arena, "clang-%d", LLVM_VERSION_MAJOR);
}

cofactor_status cf_session_clang(cofactor *c, const char *path, const char *language, const char *name,
                                 const char *const *flags, const char **out) {
    cf_place place = {name, 0, 0};
    if (access(path, R_OK))
        return cf_fail_at(c, COFACTOR_BAD_INPUT, place, "cannot be read: %s", strerror(errno));
    const char *clang = the_clang(c);
    *out = temporary_name(c);
    if (!*out) return COFACTOR_BAD_INPUT;
    int status = run(arguments_of(c, clang, path, language, flags, *out));
    if (!status) return COFACTOR_OK;
    unlink(*out);
    if (status < 0)
        return cf_fail(c, COFACTOR_BAD_INPUT,
                       "cannot run %s, which compiles C: %s (install it, or name it in COFACTOR_CLANG)",
                       clang, strerror(errno));
    return cf_fail_at(c, COFACTOR_BAD_INPUT, place, "does not compile (%s ended with status %d)", clang,
                      status);
}

bool cf_session_shared(cofactor *c, const char *object, bool cxx, const char *out) {
    const char *clang = the_clang(c);
    const char *words[] = {clang, "-shared", "-o", out, object, "-lm", cxx ? "--driver-mode=g++" : NULL,
                           NULL};
    char *arguments[sizeof words / sizeof *words];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) arguments[i] = (char *)(uintptr_t)words[i];
    int status = run(arguments);
    if (status < 0)
        cf_fail(c, COFACTOR_BAD_OUTPUT,
                "cannot run %s, which links the library: %s (install it, or name it in COFACTOR_CLANG)",
                clang, strerror(errno));
    else if (status)
        cf_fail(c, COFACTOR_BAD_OUTPUT, "the shared library cannot be linked (%s ended with status %d)",
                clang, status);
    return !status;
}
