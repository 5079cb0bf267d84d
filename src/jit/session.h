/* The session behind the library: one program on its way from files to code. Shared by the files of this folder and
 * by the command. */
#ifndef CF_SESSION_H
#define CF_SESSION_H
#include "cofactor/cofactor.h"
#include "ir/job.h"
#include "request/request.h"
#include "support/vec.h"
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>
#include <pthread.h>

typedef enum cf_stage {
    CF_STAGE_LOADING,
    CF_STAGE_REQUESTING,
    CF_STAGE_DONE,    /* derivatives are made */
    CF_STAGE_RUNNING, /* compiled in process */
    CF_STAGE_FAILED   /* derivatives could not be made */
} cf_stage;

/* One request made through cofactor_request. */
typedef struct cf_ask {
    cf_request request;
    const char *words, *name;
    const struct cf_prototype *primal; /* read when the request was made, while the program is as loaded */
    const char *const
        *context; /* n of them, the outermost first; then the request is a descriptor in the program */
    size_t n;
} cf_ask;

struct cofactor {
    pthread_mutex_t lock;
    cf_arena *arena;
    cofactor_report *report;
    void *user;
    cf_sink sink;
    LLVMOrcThreadSafeContextRef shared; /* owns context from LLVM 21 */
    LLVMContextRef context;
    LLVMModuleRef module; /* NULL until the first file */
    cf_stage stage;
    cf_options options;
    unsigned level;
    bool optimised;      /* LLVM's pipeline has run over module */
    bool no_primal;      /* what the program itself defines is left out of files */
    cf_names own;        /* names of what the program itself defined before derivatives were made */
    bool keep_debug;     /* somebody asked for debug information; else it is ours and not written */
    const char *current; /* the file that is being read, for messages of LLVM */
    const char *inputs;  /* names of what was added, for messages */
    CF_VEC(cf_ask) asks;
    bool as_written;               /* files are compiled as at the -O level asked for: what a context sees */
    bool whole;                    /* the program as a whole is wanted, with its main */
    CF_VEC(const char *) contexts; /* their names, in the order in which they were added */
    CF_VEC(const char *) libraries, folders; /* to be loaded before the program runs, and where they may be */
    LLVMTargetMachineRef target;
    LLVMOrcLLJITRef jit;
};

/* ---- for the files of this folder, which hold the lock ---- */

/* Reports an error without a place (or at `place`) and returns the status. */
cofactor_status cf_fail(cofactor *c, cofactor_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
cofactor_status cf_fail_at(cofactor *c, cofactor_status status, cf_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Verifies a module that was read from `name` and links it to the program; takes the module over. */
cofactor_status cf_session_link(cofactor *c, LLVMModuleRef m, const char *name);
/* IR in a file or in memory, parsed. NULL after a message. */
LLVMModuleRef cf_session_parse(cofactor *c, LLVMMemoryBufferRef buffer, const char *name);
LLVMModuleRef cf_session_read(cofactor *c, const char *path, const char *name);
/* A file of any kind that is taken. NULL after a message. */
LLVMModuleRef cf_session_open(cofactor *c, const char *path, const char *const *flags);
/* COFACTOR_BAD_CALL, with a message, for an argument that is NULL and must not be. */
cofactor_status cf_session_given(cofactor *c, const void *argument, const char *name);
/* Whether a file can be added now, and whether `name` is free for a function. */
cofactor_status cf_session_may_load(cofactor *c, const char *name);
cofactor_status cf_session_check_name(cofactor *c, const char *name);

/* Compiles source to bitcode in the new temporary file *out (its name in the session's arena). language NULL: by
 * the name of the file. name is used in messages. */
cofactor_status cf_session_clang(cofactor *c, const char *path, const char *language, const char *name,
                                 const char *const *flags, const char **out);

/* Links the object to a shared library by clang, which knows where libraries are. False after a message. */
bool cf_session_shared(cofactor *c, const char *object, bool cxx, const char *out);

/* Runs LLVM's pipeline once. Needs the derivatives. */
cofactor_status cf_session_optimise(cofactor *c);
/* A copy of the program, for the JIT or for the code generator. The caller owns it. */
LLVMModuleRef cf_session_copy(cofactor *c);
/* The machine to generate code for. NULL after a message. */
LLVMTargetMachineRef cf_session_target(cofactor *c);

/* cofactor_differentiate without taking the lock. */
cofactor_status cf_session_differentiate(cofactor *c);
/* cofactor_function without taking the lock. */
cofactor_any_function cf_session_function(cofactor *c, const char *name);

/* The function of that name in the program: its name in the IR, or else the one function with this name in the
 * source. NULL after a message. */
LLVMValueRef cf_session_find(cofactor *c, const char *name);
/* The request of this session that provides a function; NULL where none does. */
const cf_ask *cf_session_asked(cofactor *c, const char *name);
/* The program's main. NULL after a message. */
LLVMValueRef cf_session_main(cofactor *c);
/* The place of a request for this primal: that of the primal, or else the program's files. */
cf_place cf_session_place(cofactor *c, const struct cf_prototype *primal);

/* The program itself asks for derivatives. */
bool cf_session_has_requests(cofactor *c);

/* Makes `void name(void **slots)` in the program: it calls `function` with arguments from the memory that slots[0],
 * slots[1], … point to, and puts the result where the slot after them points. Call it when derivatives are made and
 * code is not. False after a message. */
bool cf_session_add_caller(cofactor *c, const char *function, const char *name);

/* For the JIT: libraries, and what the process does not export. cf_run_share: before the module is given away. */
void cf_run_share(LLVMModuleRef m);
bool cf_run_libraries(cofactor *c, LLVMOrcJITDylibRef main);
bool cf_run_define(cofactor *c, LLVMOrcLLJITRef jit, LLVMOrcJITDylibRef main);

/* ---- what comes with Cofactor (home.c); NULL where it is not found ---- */

const char *cf_home_headers(cf_arena *a);       /* the folder of <cofactor/ad.h> */
const char *cf_home_contexts(cf_arena *a);      /* the folder of the contexts that ship */
const char *cf_home_context_names(cf_arena *a); /* "`count`, `cover`"; "" where none is found */

/* ---- outputs: made in memory, then files that appear whole or not at all ---- */

typedef struct cf_output {
    const char *path;      /* as asked */
    const char *temporary; /* where it is written; the same as path for what is no plain file */
    char *bytes;           /* malloc */
    size_t size;
} cf_output;

/* Make the contents. */
cofactor_status cf_session_code(cofactor *c, cf_output *o, cofactor_format format);
cofactor_status cf_session_header(cofactor *c, cf_output *o);
/* Writes the contents to a new file beside `path`. False after a message. */
bool cf_output_write(cofactor *c, cf_output *o);
/* Gives it its name. False after a message. */
bool cf_output_name(cofactor *c, cf_output *o);
/* Frees the contents and removes what was written and not named. */
void cf_output_end(cf_output *o);

#endif
