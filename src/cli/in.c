/* cofactor in: a program, or functions of it, inside a context, as an object, LLVM IR or bitcode, and a header.
 *
 * In:     contexts, files, functions, names of outputs
 * Out:    the files, all or none
 */
#include "cli/cli.h"

enum { KEY_CONTEXT = 2000, KEY_AS, KEY_WORDS };

typedef struct wish {
    const char *function, *name, *words;
} wish;

typedef struct arguments {
    cf_inputs in;
    CF_VEC(const char *) contexts;
    CF_VEC(wish) wishes;
    cf_outputs out;
} arguments;

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
    default: return cf_take_output(&a->out, key, arg, state);
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
    {NULL, 'o', "FILE", 0,
     "what to write: .o an object, .so a shared library, .ll IR as text, .bc bitcode (default: FILE_in.o)",
     1},
    {"header", CF_KEY_HEADER, "FILE", 0, "also write a C header with the prototypes of what -f asks for", 1},
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

static cofactor_status load(cofactor *c, arguments *a) {
    cofactor_status worst = cf_load_contexts(c, a->out.level, a->contexts.at, a->contexts.n, a->in.flags);
    cofactor_status status = cf_load_inputs(c, &a->in);
    return status ? status : worst;
}

/* A function inside the first context, this inside the second, and so on; only the last has the name asked for. */
static cofactor_status ask_function(cofactor *c, const wish *w) {
    const char *name = w->name ? w->name : cf_text(c->arena, "%s_in", w->function);
    const char *inner = w->function;
    for (size_t k = 0; k < c->contexts.n; k++) {
        const char *outer =
            k + 1 < c->contexts.n ? cf_text(c->arena, "%s_%s", name, c->contexts.at[k]) : name;
        cofactor_status status = cofactor_in(c, inner, c->contexts.at[k], w->words, outer);
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
    if (!a->wishes.n) return cf_ask_program(c);
    cofactor_status status = COFACTOR_OK;
    for (size_t i = 0; i < a->wishes.n && !status; i++) status = ask_function(c, &a->wishes.at[i]);
    return status;
}

int cf_command_in(int argc, char **argv) {
    static const struct argp_child children[] = {{&cf_files_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse, "FILE... [-- CLANG-FLAG...]", doc, children, NULL, NULL};
    arguments a = {.out.level = 2, .in.arena = cf_arena_new()};
    argc = cf_take_flags(&a.in, argc, argv);
    cf_parse(&argp, argc, argv, &a);
    cf_name_output(&a.out, &a.in, "in");
    cofactor *c = cofactor_new(cf_print_report, NULL);
    cofactor_status status = load(c, &a);
    if (!status) status = ask(c, &a);
    if (!status) status = cofactor_differentiate(c);
    if (!status) status = cf_write_outputs(c, &a.out);
    cofactor_free(c);
    cf_arena_free(a.in.arena);
    return status ? 1 : 0;
}
