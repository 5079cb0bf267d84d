/* cofactor run: a whole program inside a context, or as it is, in this process.
 *
 * In:     contexts, files, options of clang, libraries, the program's own arguments
 * Out:    the program's output and exit status; 125 when it cannot be run
 *
 * Idea: the command line is that of a compiler, so it is read like one: what is no option of ours goes to clang. */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

enum { CANNOT_RUN = 125 };

typedef CF_VEC(const char *) texts;

typedef struct arguments {
    cf_arena *arena;
    texts contexts, files, libraries, folders, flags, context_flags;
    unsigned level;
    char **rest; /* the program's arguments, ended by NULL */
    int n_rest;
} arguments;

static const char usage[] =
    "Usage: cofactor run [--context NAME|FILE]... [OPTION...] FILE... [-- ARGUMENT...]\n";

static void print_help(void) {
    printf("%s%s", usage,
           "Runs a program of C, C++ or LLVM IR files (.c, .cpp, .ll, .bc) inside a context, from its first\n"
           "constructor on, and ends with its exit status (125 when it cannot be run).\n\n"
           "      --context=NAME|FILE  a file with hooks and overrides (<cofactor/context.h>), or the name "
           "of a\n"
           "                           context that comes with Cofactor (count, trace, …). When repeated, "
           "the first\n"
           "                           is the innermost. Without it the program runs as it is.\n"
           "  -O LEVEL                 what clang makes of the program at -O0 to -O3 is what a context sees, "
           "and the\n"
           "                           result is optimised so far (default 0)\n"
           "  -l NAME, -L FOLDER       libraries, and where they may be\n"
           "  -I, -D, -std=… and all other options are clang's\n"
           "      --help               this text\n\n"
           "Example: cofactor run --context count -O2 prog.c -lm -- 100\n"
           "cofactor-run(1) says more.\n");
}

/* An option of clang that takes the next word too. */
static bool takes_word(const char *option) {
    static const char *const all[] = {
        "-I",       "-D",        "-U",      "-isystem", "-include",      "-idirafter",
        "-iquote",  "-x",        "-Xclang", "-target",  "-isysroot",     "-imacros",
        "-iprefix", "--sysroot", "-mllvm",  "-arch",    "-Xpreprocessor"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(option, all[i])) return true;
    return false;
}

/* Flags that make sense for a context, whatever language it is in. */
static bool is_common(const char *option) {
    static const char *const begin[] = {"-I", "-D", "-U", "-g", "-m", "-isystem", "-iquote", "-idirafter"};
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        if (!strncmp(option, begin[i], strlen(begin[i]))) return true;
    return false;
}

static bool fail(const char *text, const char *word) {
    fprintf(stderr, "cofactor run: %s%s%s%s\n%s", text, word ? " `" : "", word ? word : "", word ? "'" : "",
            usage);
    return false;
}

/* The value of option `name` in argv[*i]: joined to it, or the next word. NULL: it is another option. */
static const char *value_of(const char *name, char **argv, int *i) {
    size_t n = strlen(name);
    if (strncmp(argv[*i], name, n) != 0) return NULL;
    const char *rest = argv[*i] + n;
    if (n > 2 && *rest && *rest != '=') return NULL;
    if (*rest) return rest + (n > 2);
    return argv[*i + 1] ? argv[++*i] : "";
}

static void add_flag(arguments *a, char **argv, int *i) {
    bool common = is_common(argv[*i]);
    int n = takes_word(argv[*i]) && argv[*i + 1] ? 2 : 1;
    for (int k = 0; k < n; k++) {
        cf_push(a->arena, &a->flags, argv[*i + k]);
        if (common) cf_push(a->arena, &a->context_flags, argv[*i + k]);
    }
    *i += n - 1;
}

static bool take_option(arguments *a, char **argv, int *i) {
    const struct {
        const char *name;
        texts *values;
    } lists[] = {{"--context", &a->contexts}, {"-l", &a->libraries}, {"-L", &a->folders}};
    const char *option = argv[*i], *value;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        if (!(value = value_of(lists[k].name, argv, i))) continue;
        cf_push(a->arena, lists[k].values, value);
        return *value || fail("the option needs a value:", option);
    }
    if ((value = value_of("-O", argv, i)))
        return cf_read_level(value, &a->level) || fail("-O takes 0, 1, 2 or 3, not", value);
    add_flag(a, argv, i);
    return true;
}

static bool parse(arguments *a, int argc, char **argv) {
    static char *none[] = {NULL};
    a->rest = none;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--")) {
            a->rest = argv + i + 1;
            a->n_rest = argc - i - 1;
            break;
        }
        if (argv[i][0] != '-')
            cf_push(a->arena, &a->files, argv[i]);
        else if (!take_option(a, argv, &i))
            return false;
    }
    cf_push(a->arena, &a->flags, NULL);
    cf_push(a->arena, &a->context_flags, NULL);
    return a->files.n || fail("name at least one file (.c, .cpp, .ll or .bc)", NULL);
}

static cofactor_status load(cofactor *c, arguments *a) {
    cofactor_status worst = cf_load_contexts(c, a->level, a->contexts.at, a->contexts.n, a->context_flags.at);
    cofactor_status status;
    for (size_t i = 0; i < a->files.n; i++)
        if ((status = cofactor_add_file(c, a->files.at[i], a->flags.at))) worst = status;
    for (size_t i = 0; i < a->libraries.n; i++) cf_push(c->arena, &c->libraries, a->libraries.at[i]);
    for (size_t i = 0; i < a->folders.n; i++) cf_push(c->arena, &c->folders, a->folders.at[i]);
    return worst;
}

/* The program's argv: its first file's name, then what came after `--`. */
static cofactor_status run(cofactor *c, arguments *a, int *result) {
    char **argv = CF_ARRAY(c->arena, char *, a->n_rest + 2);
    argv[0] = cf_text(c->arena, "%s", a->files.at[0]);
    for (int i = 0; i < a->n_rest; i++) argv[i + 1] = a->rest[i];
    return cofactor_run(c, a->n_rest + 1, argv, result);
}

int cf_command_run(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "--help")) return print_help(), 0;
    arguments a = {.arena = cf_arena_new()};
    if (!parse(&a, argc, argv)) return CANNOT_RUN;
    cofactor *c = cofactor_new(cf_print_report, NULL);
    cofactor_status status = load(c, &a);
    if (!status) status = cf_ask_program(c);
    int result = 0;
    if (!status) status = run(c, &a, &result);
    /* The program may have left code that runs at the end of the process: the session stays. */
    return status ? CANNOT_RUN : result;
}
