/* libcofactor: derivatives of compiled programs, made while a program runs or written to files.
 *
 *     cofactor *c = cofactor_new(NULL, NULL);
 *     cofactor_add_file(c, "f.c", NULL);
 *     cofactor_request(c, COFACTOR_REVERSE, "f", "dup const", "f_grad");
 *     double (*grad)(const double *, double *, int);
 *     grad = (double (*)(const double *, double *, int))cofactor_function(c, "f_grad");
 *     if (grad) grad(x, x_bar, n);
 *     cofactor_free(c);
 *
 * A session (`cofactor`) holds one program: files are added and linked, then derivatives are requested, then the
 * program is run or written. The first call of a later step ends the steps before it; a call that comes too late
 * is refused. A session may be used from several threads (its calls wait for each other), sessions know nothing of
 * each other, and the functions that cofactor_function returns may be called by any number of threads at once.
 *
 * Nothing ends the process on bad input: every call returns a status, and the details (place, cause, what to do) go
 * to the session's report function. */
#ifndef COFACTOR_COFACTOR_H
#define COFACTOR_COFACTOR_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cofactor cofactor;

typedef enum cofactor_status {
    COFACTOR_OK = 0,
    COFACTOR_BAD_INPUT, /* a file is missing, cannot be read, does not compile, does not link or is no valid IR */
    COFACTOR_BAD_REQUEST, /* unknown function, words that do not fit, or a program that cannot be differentiated */
    COFACTOR_BAD_OUTPUT, /* a file cannot be written, or code cannot be generated */
    COFACTOR_BAD_CALL    /* a call that comes too late, or an argument that makes no sense */
} cofactor_status;

typedef enum cofactor_severity {
    COFACTOR_ERROR,
    COFACTOR_WARNING,
    COFACTOR_REMARK,
    COFACTOR_NOTE
} cofactor_severity;

typedef struct cofactor_message {
    cofactor_severity severity;
    const char *file;      /* NULL: the place is not known */
    unsigned line, column; /* from 1; 0: not known */
    const char *function;  /* the function it is about, or NULL */
    const char *text;      /* one sentence without a newline */
} cofactor_message;

/* Takes one message, in the thread whose call caused it. The message lives until the function returns. It must not
 * call into the same session. */
typedef void cofactor_report(void *user, const cofactor_message *message);

typedef enum cofactor_mode { COFACTOR_FORWARD, COFACTOR_REVERSE } cofactor_mode;

typedef enum cofactor_format {
    COFACTOR_OBJECT,
    COFACTOR_LL,
    COFACTOR_BC,
    COFACTOR_SHARED /* a shared library, linked by clang with libm, and with the C++ library where it is used */
} cofactor_format;

/* Version of Cofactor and of its LLVM, for instance "0.1.0 (LLVM 22.1.8)". */
const char *cofactor_version(void);

/* A new session. report NULL: messages are printed to stderr as `file:line:column: error: text`. NULL when there is
 * no memory. */
cofactor *cofactor_new(cofactor_report *report, void *user);
/* Ends a session. Functions got from it must not be called afterwards. NULL is allowed. */
void cofactor_free(cofactor *c);

/* Adds a file and links it to what was added before. By its name: `.ll` and `.bc` are LLVM IR; `.c`, `.cpp`, `.cc`,
 * `.cxx` and `.C` are compiled by the clang of the same major version (a child process; its messages go to stderr
 * as they are). flags: further arguments for clang, ended by NULL, or NULL. The clang is `clang-N` in PATH, or what the
 * environment variable COFACTOR_CLANG names. */
cofactor_status cofactor_add_file(cofactor *c, const char *path, const char *const *flags);
/* Adds LLVM IR, text or bitcode, from memory. name is used in messages. */
cofactor_status cofactor_add_ir(cofactor *c, const void *bytes, size_t size, const char *name);
/* Adds C source text; language is "c" or "c++". */
cofactor_status cofactor_add_source(cofactor *c, const char *text, const char *language, const char *name,
                                    const char *const *flags);

/* Asks for the derivative of `function` as a new function `name`. words as in <cofactor/ad.h>; NULL means: pointers
 * to floating data and floating numbers `dup`, all else `const`. name NULL means function_grad or function_tan. A
 * function of C++ may be given as it is written ("ns::f"), with its parameters where there are several
 * ("f(double, int)"). Requests that the program itself
 * declares (CF_REVERSE, CF_FORWARD) are fulfilled without this call. */
cofactor_status cofactor_request(cofactor *c, cofactor_mode mode, const char *function, const char *words,
                                 const char *name);
/* Report what was active, cached, reloaded, recomputed and logged, as remarks. */
cofactor_status cofactor_explain(cofactor *c);

/* Makes all requested derivatives. The calls below do it when it was not done. */
cofactor_status cofactor_differentiate(cofactor *c);

/* How far code is optimised, 0 to 3 as for clang -O; 2 when not called. */
cofactor_status cofactor_optimise(cofactor *c, unsigned level);

/* The machine code of a function of the program (any, not only requested ones), compiled at the first call; static
 * constructors have run. Cast the result to the function's type. NULL after a message. The program may call
 * functions of the running process. */
typedef void (*cofactor_any_function)(void);
cofactor_any_function cofactor_function(cofactor *c, const char *name);

/* ---- contexts (<cofactor/context.h>) ---- */

/* Adds a context to the program: a file (as for cofactor_add_file), or the name of a context that comes with Cofactor
 * ("count"). It comes before the program's own files, which from now on are compiled as clang compiles them at the
 * level given to cofactor_optimise. Constructors of global objects in it stay outside of every context. */
cofactor_status cofactor_add_context(cofactor *c, const char *file_or_name, const char *const *flags);
/* Asks for `function` inside a context, as a new function `name` that takes the context's pointer in front of the
 * parameters. context NULL: the one that was added last. words: those of CF_IN ("entry", "nohooks"), or NULL. name NULL
 * means function_in. */
cofactor_status cofactor_in(cofactor *c, const char *function, const char *context, const char *words,
                            const char *name);
/* Asks for main and the constructors of global objects inside a context, as CF_PROGRAM does. When called for several
 * contexts, the first is the innermost. */
cofactor_status cofactor_in_program(cofactor *c, const char *context);
/* Runs the program: constructors and main, whose result goes to *result. What it registers for its end (atexit,
 * destructors of global objects) runs when the process ends, so the session must not be freed before; when the program
 * calls exit, the process ends. Once per session. */
cofactor_status cofactor_run(cofactor *c, int argc, char **argv, int *result);

/* Writes the program with its derivatives to a file, which appears whole or not at all. `main` is left out (the file
 * is meant to be linked with a program), unless cofactor_in_program has asked for it. */
cofactor_status cofactor_write(cofactor *c, const char *path, cofactor_format format);
/* Writes a C header with the prototypes of all functions asked for with cofactor_request and cofactor_in. */
cofactor_status cofactor_write_header(cofactor *c, const char *path);

#ifdef __cplusplus
}
#endif
#endif
