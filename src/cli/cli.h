/* What the subcommands share: input files, requests, messages, progress. */
#ifndef CF_CLI_H
#define CF_CLI_H
#include "cofactor/cofactor.h"
#include "jit/session.h"
#include <argp.h>

/* A derivative that the command line asks for. */
typedef struct cf_wish {
    cofactor_mode mode;
    const char *function;
    const char *words; /* NULL: by the types of the parameters */
    const char *name;  /* NULL: function_grad, function_tan */
    bool plain;        /* nobody has yet said which mode or words */
} cf_wish;

typedef struct cf_inputs {
    cf_arena *arena;
    CF_VEC(const char *) files; /* positional, then those of --link, in order */
    const char *const *flags;   /* for clang, ended by NULL */
    CF_VEC(cf_wish) wishes;
    bool one_function; /* only -f FUNCTION is taken, once */
} cf_inputs;

/* The parsers for these: argp children, with a cf_inputs as input. */
extern const struct argp cf_files_argp;
extern const struct argp cf_wishes_argp;

/* Cuts argv at "--": what follows are flags for clang. Returns the new argc. */
int cf_take_flags(cf_inputs *in, int argc, char **argv);

/* Parses a subcommand's arguments. Ends the process with status 1 and a usage text when they are wrong. */
void cf_parse(const struct argp *argp, int argc, char **argv, void *input);

/* What is being done, on a line of its own, when stderr is a terminal. NULL: takes the line away. */
void cf_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints messages as `file:line:column: error: text`; a report function of the library. */
void cf_print_report(void *unused, const cofactor_message *m);

/* Adds all files and requests to a session. */
cofactor_status cf_load_inputs(cofactor *c, const cf_inputs *in);
cofactor_status cf_request_wishes(cofactor *c, const cf_inputs *in);

/* ---- contexts ---- */

/* Adds n contexts, files or names, to a new session, whose program is compiled as it is at this -O level. */
cofactor_status cf_load_contexts(cofactor *c, unsigned level, const char *const *contexts, size_t n,
                                 const char *const *flags);
/* Asks for the whole program inside all contexts that were added, the first innermost. */
cofactor_status cf_ask_program(cofactor *c);

/* ---- outputs ---- */

typedef struct cf_outputs {
    const char *code, *header; /* header: NULL when none is wanted */
    unsigned level;
} cf_outputs;

enum { CF_KEY_HEADER = 1500 };

/* The value of -O. False when it is none. */
bool cf_read_level(const char *text, unsigned *level);
/* Takes the options -o, --header (CF_KEY_HEADER) and -O. ARGP_ERR_UNKNOWN: it is another one. */
error_t cf_take_output(cf_outputs *o, int key, char *arg, struct argp_state *state);
/* Where nothing was said: dir/f.c -> f_ENDING.o */
void cf_name_output(cf_outputs *o, const cf_inputs *in, const char *ending);
/* Makes both outputs, writes both, then names both. */
cofactor_status cf_write_outputs(cofactor *c, const cf_outputs *o);

int cf_command_grad(int argc, char **argv);
int cf_command_check(int argc, char **argv);
int cf_command_explain(int argc, char **argv);
int cf_command_run(int argc, char **argv);
int cf_command_in(int argc, char **argv);

#endif
