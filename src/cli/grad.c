/* cofactor grad: derivatives of functions as an object, LLVM IR or bitcode, and a header.
 *
 * In:     files, functions with words, names of outputs
 * Out:    the files, all or none
 *
 * Idea: a session of the library; both outputs are written to temporary names, and get their own when all is well.
 */
#include "cli/cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_HEADER = 2000, KEY_NO_PRIMAL };

typedef struct arguments {
    cf_inputs in;
    const char *out, *header;
    unsigned level;
    bool no_primal;
} arguments;

static const char *file_of(const char *arg) { return strcmp(arg, "-") != 0 ? arg : "/dev/stdout"; }

static error_t parse(int key, char *arg, struct argp_state *state) {
    arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = state->child_inputs[1] = &a->in; return 0;
    case 'o': a->out = file_of(arg); return 0;
    case KEY_HEADER: a->header = file_of(arg); return 0;
    case KEY_NO_PRIMAL: a->no_primal = true; return 0;
    case 'O':
        if (strlen(arg) != 1 || *arg < '0' || *arg > '3')
            argp_error(state, "-O takes 0, 1, 2 or 3, not `%s`", arg);
        a->level = (unsigned)(*arg - '0');
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {NULL, 'o', "FILE", 0, "what to write: .o an object, .ll IR as text, .bc bitcode (default: FILE_grad.o)",
     1},
    {"header", KEY_HEADER, "FILE", 0, "also write a C header with the prototypes of the derivatives", 1},
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

static cofactor_format format_of(const char *path) {
    const char *dot = strrchr(path, '.');
    if (dot && !strcmp(dot, ".ll")) return COFACTOR_LL;
    if (dot && !strcmp(dot, ".bc")) return COFACTOR_BC;
    return COFACTOR_OBJECT;
}

/* dir/f.c -> f_grad.o */
static const char *default_output(arguments *a) {
    const char *file = a->in.files.at[0], *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    return cf_text(a->in.arena, "%.*s_grad.o", (int)strcspn(base, "."), base);
}

/* Makes both outputs, writes both, then names both. */
static cofactor_status write_outputs(cofactor *c, const arguments *a) {
    cf_output code = {.path = a->out}, header = {.path = a->header};
    cf_progress("compiling %s", a->out);
    cofactor_status status = cf_session_code(c, &code, format_of(a->out));
    if (!status && a->header) status = cf_session_header(c, &header);
    cf_progress(NULL);
    if (!status && !(cf_output_write(c, &code) && (!a->header || cf_output_write(c, &header)) &&
                     cf_output_name(c, &code) && (!a->header || cf_output_name(c, &header))))
        status = COFACTOR_BAD_OUTPUT;
    cf_output_end(&code);
    cf_output_end(&header);
    return status;
}

static cofactor_status make(cofactor *c, arguments *a) {
    cofactor_status status = cf_load_inputs(c, &a->in);
    if (!status && !a->in.wishes.n && !cf_session_has_requests(c))
        status =
            cf_fail(c, COFACTOR_BAD_REQUEST,
                    "say which function: -f NAME (there is no CF_REVERSE or CF_FORWARD in %s)", c->inputs);
    if (!status) status = cofactor_optimise(c, a->level);
    if (!status) status = cf_request_wishes(c, &a->in);
    if (status) return status;
    c->no_primal = a->no_primal;
    cf_progress("differentiating");
    status = cofactor_differentiate(c);
    cf_progress(NULL);
    return status ? status : write_outputs(c, a);
}

int cf_command_grad(int argc, char **argv) {
    static const struct argp_child children[] = {
        {&cf_wishes_argp, 0, NULL, 0}, {&cf_files_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse, "FILE... [-- CLANG-FLAG...]", doc, children, NULL, NULL};
    arguments a = {.level = 2, .in.arena = cf_arena_new()};
    argc = cf_take_flags(&a.in, argc, argv);
    cf_parse(&argp, argc, argv, &a);
    if (!a.out) a.out = default_output(&a);
    cofactor *c = cofactor_new(cf_print_report, NULL);
    cofactor_status status = make(c, &a);
    cofactor_free(c);
    cf_arena_free(a.in.arena);
    return status ? 1 : 0;
}
