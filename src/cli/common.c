/* What the subcommands share. See cli.h. */
#include "cli/cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- messages and progress ---- */

void cf_progress(const char *format, ...) {
    if (!isatty(STDERR_FILENO)) return;
    fputs("\r\033[K", stderr);
    if (format) {
        va_list args;
        va_start(args, format);
        vfprintf(stderr, format, args);
        va_end(args);
    }
    fflush(stderr);
}

void cf_print_report(void *unused, const cofactor_message *m) {
    static const cf_severity severities[] = {CF_ERROR, CF_WARNING, CF_REMARK, CF_NOTE};
    cf_message out = {severities[m->severity], {m->file, m->line, m->column}, m->function, m->text};
    cf_progress(NULL);
    cf_print_message(unused, &out);
}

/* ---- arguments ---- */

enum { KEY_LINK = 1000, KEY_REVERSE, KEY_FORWARD, KEY_NAME };

int cf_take_flags(cf_inputs *in, int argc, char **argv) {
    static const char *const none[] = {NULL};
    in->flags = none;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") != 0) continue;
        in->flags = (const char *const *)(argv + i + 1);
        argv[i] = NULL;
        return i;
    }
    return argc;
}

void cf_parse(const struct argp *argp, int argc, char **argv, void *input) {
    if (argp_parse(argp, argc, argv, 0, NULL, input)) exit(1);
}

static error_t parse_files(int key, char *arg, struct argp_state *state) {
    cf_inputs *in = state->input;
    switch (key) {
    case KEY_LINK:
    case ARGP_KEY_ARG: cf_push(in->arena, &in->files, arg); return 0;
    case ARGP_KEY_END:
        if (!in->files.n) argp_error(state, "name at least one file (.c, .cpp, .ll or .bc)");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option file_options[] = {
    {"link", KEY_LINK, "FILE", 0, "a further file with functions that the program calls; may be repeated", 0},
    {0}};

const struct argp cf_files_argp = {file_options, parse_files, NULL, NULL, NULL, NULL, NULL};

static cf_wish *last_wish(cf_inputs *in, struct argp_state *state, const char *option) {
    if (!in->wishes.n) argp_error(state, "%s belongs to a function: say -f NAME before it", option);
    return &in->wishes.at[in->wishes.n - 1];
}

/* A second mode for the same function is a second request. */
static void set_mode(cf_inputs *in, struct argp_state *state, cofactor_mode mode, const char *words) {
    cf_wish *w = last_wish(in, state, mode == COFACTOR_REVERSE ? "--reverse" : "--forward");
    cf_wish filled = {mode, w->function, strcmp(words, "auto") != 0 ? words : NULL, w->plain ? w->name : NULL,
                      false};
    if (w->plain)
        *w = filled;
    else
        cf_push(in->arena, &in->wishes, filled);
}

static error_t parse_wishes(int key, char *arg, struct argp_state *state) {
    cf_inputs *in = state->input;
    switch (key) {
    case 'f': cf_push(in->arena, &in->wishes, (cf_wish){COFACTOR_REVERSE, arg, NULL, NULL, true}); return 0;
    case KEY_REVERSE: set_mode(in, state, COFACTOR_REVERSE, arg); return 0;
    case KEY_FORWARD: set_mode(in, state, COFACTOR_FORWARD, arg); return 0;
    case KEY_NAME: last_wish(in, state, "--name")->name = arg; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option wish_options[] = {
    {"function", 'f', "NAME", 0,
     "the function to differentiate; may be repeated. Options below are about the -f before them", 0},
    {"reverse", KEY_REVERSE, "WORDS", 0,
     "its gradient (reverse mode, the default). WORDS: dup or const for each parameter, then seed, width=N, "
     "consume; "
     "or auto",
     0},
    {"forward", KEY_FORWARD, "WORDS", 0,
     "its directional derivative (forward mode). WORDS: the same, with value", 0},
    {"name", KEY_NAME, "NAME", 0, "the name of the derivative; NAME_grad and NAME_tan are the defaults", 0},
    {0}};

const struct argp cf_wishes_argp = {wish_options, parse_wishes, NULL, NULL, NULL, NULL, NULL};

/* ---- sessions ---- */

cofactor_status cf_load_inputs(cofactor *c, const cf_inputs *in) {
    cofactor_status worst = COFACTOR_OK;
    for (size_t i = 0; i < in->files.n; i++) {
        cf_progress("reading %s", in->files.at[i]);
        cofactor_status status = cofactor_add_file(c, in->files.at[i], in->flags);
        if (status) worst = status;
    }
    cf_progress(NULL);
    return worst;
}

cofactor_status cf_request_wishes(cofactor *c, const cf_inputs *in) {
    cofactor_status worst = COFACTOR_OK;
    for (size_t i = 0; i < in->wishes.n; i++) {
        const cf_wish *w = &in->wishes.at[i];
        cofactor_status status = cofactor_request(c, w->mode, w->function, w->words, w->name);
        if (status) worst = status;
    }
    return worst;
}

/* ---- contexts ---- */

cofactor_status cf_load_contexts(cofactor *c, unsigned level, const char *const *contexts, size_t n,
                                 const char *const *flags) {
    cofactor_status worst = cofactor_optimise(c, level), status;
    c->as_written = true;
    for (size_t i = 0; i < n; i++)
        if ((status = cofactor_add_context(c, contexts[i], flags))) worst = status;
    return worst;
}

cofactor_status cf_ask_program(cofactor *c) {
    cofactor_status status = COFACTOR_OK;
    for (size_t i = 0; i < c->contexts.n && !status; i++) status = cofactor_in_program(c, c->contexts.at[i]);
    return status;
}

/* ---- outputs ---- */

bool cf_read_level(const char *text, unsigned *level) {
    if (strlen(text) != 1 || *text < '0' || *text > '3') return false;
    *level = (unsigned)(*text - '0');
    return true;
}

static const char *file_of(const char *arg) { return strcmp(arg, "-") != 0 ? arg : "/dev/stdout"; }

error_t cf_take_output(cf_outputs *o, int key, char *arg, struct argp_state *state) {
    switch (key) {
    case 'o': o->code = file_of(arg); return 0;
    case CF_KEY_HEADER: o->header = file_of(arg); return 0;
    case 'O':
        if (!cf_read_level(arg, &o->level)) argp_error(state, "-O takes 0, 1, 2 or 3, not `%s`", arg);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

void cf_name_output(cf_outputs *o, const cf_inputs *in, const char *ending) {
    const char *file = in->files.at[0], *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    if (!o->code) o->code = cf_text(in->arena, "%.*s_%s.o", (int)strcspn(base, "."), base, ending);
}

/* What a file is to hold, by the ending of its name. A name without one (a device, too) is an object. */
static bool format_of(const char *path, cofactor_format *out) {
    static const struct ending {
        const char *text;
        cofactor_format format;
    } endings[] = {{".o", COFACTOR_OBJECT},
                   {".obj", COFACTOR_OBJECT},
                   {".ll", COFACTOR_LL},
                   {".bc", COFACTOR_BC},
                   {".so", COFACTOR_SHARED}};
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    *out = strstr(base, ".so.") ? COFACTOR_SHARED : COFACTOR_OBJECT;
    if (!dot || *out == COFACTOR_SHARED) return true;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(dot, endings[i].text)) return *out = endings[i].format, true;
    return false;
}

cofactor_status cf_write_outputs(cofactor *c, const cf_outputs *o) {
    cf_output code = {.path = o->code}, header = {.path = o->header};
    cofactor_format format;
    if (!format_of(o->code, &format))
        return cf_fail_at(
            c, COFACTOR_BAD_OUTPUT, (cf_place){o->code, 0, 0},
            "what is to be written there? The ending says it: .o an object, .so a shared library, .ll IR "
            "as text, .bc bitcode");
    cf_progress("compiling %s", o->code);
    cofactor_status status = cf_session_code(c, &code, format);
    if (!status && o->header) status = cf_session_header(c, &header);
    cf_progress(NULL);
    if (!status && !(cf_output_write(c, &code) && (!o->header || cf_output_write(c, &header)) &&
                     cf_output_name(c, &code) && (!o->header || cf_output_name(c, &header))))
        status = COFACTOR_BAD_OUTPUT;
    cf_output_end(&code);
    cf_output_end(&header);
    return status;
}
