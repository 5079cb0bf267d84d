/* cofactor in: a program, or functions of it, inside a context, as an object, LLVM IR or bitcode, and a header.
 *
 * In:     contexts, files, functions, names of outputs
 * Out:    the files, all or none
 */
#include "cli/cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_HEADER = 2000, KEY_CONTEXT, KEY_AS, KEY_WORDS, KEY_LINK };

typedef struct wish {
    const char *function, *name, *words;
} wish;

typedef struct arguments {
    cf_inputs in;
    CF_VEC(const char *) contexts;
    CF_VEC(wish) wishes;
    const char *out, *header;
    unsigned level;
} arguments;

static const char *file_of(const char *arg) { return strcmp(arg, "-") != 0 ? arg : "/dev/stdout"; }

static wish *last_wish(arguments *a, struct argp_state *state, const char *option) {
    if (!a->wishes.n) argp_error(state, "%s belongs to a function: say -f NAME before it", option);
    return &a->wishes.at[a->wishes.n - 1];
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->in; return 0;
    case KEY_CONTEXT: cf_push(a->in.arena, &a->contexts, arg); return 0;
    case 'f': cf_push(a->in.arena, &a->wishes, (wish){arg, NULL, NULL}); return 0;
    case KEY_AS: last_wish(a, state, "--as")->name = arg; return 0;
    case KEY_WORDS: last_wish(a, state, "--words")->words = arg; return 0;
    case 'o': a->out = file_of(arg); return 0;
    case KEY_HEADER: a->header = file_of(arg); return 0;
    case 'O':
        if (strlen(arg) != 1 || *arg < '0' || *arg > '3')
            argp_error(state, "-O takes 0, 1, 2 or 3, not `%s`", arg);
        a->level = (unsigned)(*arg - '0');
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"context", KEY_CONTEXT, "NAME|FILE", 0,
     "a file with hooks and overrides (<cofactor/context.h>), or the name of a context that comes with "
     "Cofactor; "
     "when repeated, the first is the innermost",
     0},
    {"function", 'f', "NAME", 0,
     "a function to have inside the context; may be repeated. Without it: the whole program, from main on",
     0},
    {"as", KEY_AS, "NAME", 0, "the name of the function before it inside the context (default: NAME_in)", 0},
    {"words", KEY_WORDS, "WORDS", 0, "words for the function before: entry, nohooks", 0},
    {NULL, 'o', "FILE", 0, "what to write: .o an object, .ll IR as text, .bc bitcode (default: FILE_in.o)",
     1},
    {"header", KEY_HEADER, "FILE", 0, "also write a C header with the prototypes of what -f asks for", 1},
    {NULL, 'O', "LEVEL", 0,
     "the context sees what clang makes of the program at this level, 0 to 3, and the result is optimised so "
     "far "
     "(default 2)",
     1},
    {0}};

static const char doc[] = "Brings a program of C, C++ or LLVM IR files (.c, .cpp, .ll, .bc) into a context, "
                          "or functions of it, and writes "
                          "the program with them.\v"
                          "Requests in the files themselves (CF_IN, CF_PROGRAM of <cofactor/context.h>) are "
                          "fulfilled too; then --context is "
                          "not needed. cofactor-in(1) says more.\n\n"
                          "Example: cofactor in prog.c --context count -o prog.o";

static cofactor_format format_of(const char *path) {
    const char *dot = strrchr(path, '.');
    if (dot && !strcmp(dot, ".ll")) return COFACTOR_LL;
    if (dot && !strcmp(dot, ".bc")) return COFACTOR_BC;
    return COFACTOR_OBJECT;
}

/* dir/f.c -> f_in.o */
static const char *default_output(arguments *a) {
    const char *file = a->in.files.at[0], *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    return cf_text(a->in.arena, "%.*s_in.o", (int)strcspn(base, "."), base);
}

static cofactor_status load(cofactor *c, arguments *a) {
    cofactor_status worst = cofactor_optimise(c, a->level), status;
    c->as_written = true;
    for (size_t i = 0; i < a->contexts.n; i++)
        if ((status = cofactor_add_context(c, a->contexts.at[i], a->in.flags))) worst = status;
    status = cf_load_inputs(c, &a->in);
    return status ? status : worst;
}

/* A function inside the first context, this inside the second, and so on; only the last has the name asked for. */
static cofactor_status ask_function(cofactor *c, const wish *w) {
    const char *name = w->name ? w->name : cf_text(c->arena, "%s_in", w->function);
    const char *inner = w->function;
    for (size_t k = 0; k < c->contexts.n; k++) {
        const char *outer =
            k + 1 < c->contexts.n ? cf_text(c->arena, "%s_%s", name, c->contexts.at[k].name) : name;
        cofactor_status status = cofactor_in(c, inner, c->contexts.at[k].name, w->words, outer);
        if (status) return status;
        inner = outer;
    }
    return COFACTOR_OK;
}

static cofactor_status ask(cofactor *c, arguments *a) {
    if (!a->contexts.n) {
        if (a->wishes.n) return cf_fail(c, COFACTOR_BAD_REQUEST, "say which context: --context NAME or FILE");
        if (!cf_session_has_requests(c))
            return cf_fail(
                c, COFACTOR_BAD_REQUEST,
                "say which context: --context NAME or FILE (there is no CF_IN or CF_PROGRAM in %s)",
                c->inputs);
        c->whole = true;
        return COFACTOR_OK;
    }
    cofactor_status status = COFACTOR_OK;
    for (size_t i = 0; i < a->wishes.n && !status; i++) status = ask_function(c, &a->wishes.at[i]);
    for (size_t i = 0; i < c->contexts.n && !a->wishes.n && !status; i++)
        status = cofactor_in_program(c, c->contexts.at[i].name);
    return status;
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

int cf_command_in(int argc, char **argv) {
    static const struct argp_child children[] = {{&cf_files_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse, "FILE... [-- CLANG-FLAG...]", doc, children, NULL, NULL};
    arguments a = {.level = 2, .in.arena = cf_arena_new()};
    argc = cf_take_flags(&a.in, argc, argv);
    cf_parse(&argp, argc, argv, &a);
    if (!a.out) a.out = default_output(&a);
    cofactor *c = cofactor_new(cf_print_report, NULL);
    cofactor_status status = load(c, &a);
    if (!status) status = ask(c, &a);
    if (!status) status = cofactor_differentiate(c);
    if (!status) status = write_outputs(c, &a);
    cofactor_free(c);
    cf_arena_free(a.in.arena);
    return status ? 1 : 0;
}
