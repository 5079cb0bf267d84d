/* cofactor grad: derivatives of functions as an object, LLVM IR or bitcode, and a header.
 *
 * In:     files, functions with words, names of outputs
 * Out:    the files, all or none
 *
 * Idea: a session of the library; both outputs are written to temporary names, and get their own when all is well.
 */
#include "cli/cli.h"

enum { KEY_NO_PRIMAL = 2000 };

typedef struct arguments {
    cf_inputs in;
    cf_outputs out;
    bool no_primal;
} arguments;

static error_t parse(int key, char *arg, struct argp_state *state) {
    arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = state->child_inputs[1] = &a->in; return 0;
    case KEY_NO_PRIMAL: a->no_primal = true; return 0;
    default: return cf_take_output(&a->out, key, arg, state);
    }
}

static const struct argp_option options[] = {
    {NULL, 'o', "FILE", 0,
     "what to write: .o an object, .so a shared library, .ll IR as text, .bc bitcode (default: FILE_grad.o)",
     1},
    {"header", CF_KEY_HEADER, "FILE", 0, "also write a C header with the prototypes of the derivatives", 1},
    {"no-primal", KEY_NO_PRIMAL, NULL, 0,
     "leave the program's own functions and variables out: link the result with the object that has them", 1},
    {NULL, 'O', "LEVEL", 0, "optimise as clang does, 0 to 3 (default 2)", 1},
    {0}};

static const char doc[] =
    "Makes derivatives of functions of C, C++ or LLVM IR files (.c, .cpp, .ll, .bc), and writes the program "
    "with "
    "them, without main.\v"
    "Requests in the files themselves (CF_REVERSE, CF_FORWARD of <cofactor/ad.h>) are fulfilled too; then -f "
    "is not "
    "needed. Words are described in cofactor-grad(1).\n\n"
    "Example: cofactor grad f.c -f f --reverse \"dup const\" -o f.o --header f_grad.h -- -DN=3";

static cofactor_status make(cofactor *c, arguments *a) {
    cofactor_status status = cf_load_inputs(c, &a->in);
    if (!status && !a->in.wishes.n && !cf_session_has_requests(c))
        status =
            cf_fail(c, COFACTOR_BAD_REQUEST,
                    "say which function: -f NAME (there is no CF_REVERSE or CF_FORWARD in %s)", c->inputs);
    if (!status) status = cofactor_optimise(c, a->out.level);
    if (!status) status = cf_request_wishes(c, &a->in);
    if (status) return status;
    c->no_primal = a->no_primal;
    cf_progress("differentiating");
    status = cofactor_differentiate(c);
    cf_progress(NULL);
    return status ? status : cf_write_outputs(c, &a->out);
}

int cf_command_grad(int argc, char **argv) {
    static const struct argp_child children[] = {
        {&cf_wishes_argp, 0, NULL, 0}, {&cf_files_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse, "FILE... [-- CLANG-FLAG...]", doc, children, NULL, NULL};
    arguments a = {.out.level = 2, .in.arena = cf_arena_new()};
    argc = cf_take_flags(&a.in, argc, argv);
    cf_parse(&argp, argc, argv, &a);
    cf_name_output(&a.out, &a.in, "grad");
    cofactor *c = cofactor_new(cf_print_report, NULL);
    cofactor_status status = make(c, &a);
    cofactor_free(c);
    cf_arena_free(a.in.arena);
    return status ? 1 : 0;
}
