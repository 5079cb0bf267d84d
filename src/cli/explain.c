/* cofactor explain: what was active, cached, reloaded, recomputed and logged, beside the source lines.
 *
 * In:     files, functions with words
 * Out:    text on stdout, in the order of the source
 *
 * Idea: the remarks of a session that explains, sorted by place; lines of the source are printed once.
 */
#include "cli/cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct remark {
    const char *file, *function, *text;
    unsigned line, column;
    size_t order;
} remark;

typedef struct collection {
    cf_arena *arena;
    CF_VEC(remark) remarks;
} collection;

static const char *copy(cf_arena *a, const char *s) { return s ? cf_copy_text(a, s, strlen(s)) : NULL; }

/* A report function: keeps remarks, prints the rest. */
static void collect(void *user, const cofactor_message *m) {
    collection *c = user;
    if (m->severity != COFACTOR_REMARK) {
        cf_print_report(NULL, m);
        return;
    }
    remark r = {copy(c->arena, m->file),
                copy(c->arena, m->function),
                copy(c->arena, m->text),
                m->line,
                m->column,
                c->remarks.n};
    cf_push(c->arena, &c->remarks, r);
}

static int compare_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

/* By function in order of first place, then by place, then as they came. */
static int compare(const void *x, const void *y) {
    const remark *a = x, *b = y;
    int files = compare_text(a->file, b->file);
    if (files) return files;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    if (a->column != b->column) return a->column < b->column ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* Prints line `line` of a file; nothing when it cannot be read. */
static void print_line(const char *file, unsigned line) {
    FILE *in = file ? fopen(file, "r") : NULL;
    char text[512];
    unsigned at = 0;
    while (in && at < line && fgets(text, sizeof text, in)) at += strchr(text, '\n') != NULL;
    if (in) fclose(in);
    if (!in || at != line || !line) {
        if (line) printf("%6u |\n", line);
        return;
    }
    text[strcspn(text, "\n")] = 0;
    printf("%6u | %s\n", line, text);
}

static void print_remarks(collection *c) {
    const remark *last = NULL;
    if (c->remarks.n) qsort(c->remarks.at, c->remarks.n, sizeof *c->remarks.at, compare);
    for (size_t i = 0; i < c->remarks.n; i++) {
        const remark *r = &c->remarks.at[i];
        if (!last || compare_text(last->file, r->file) != 0)
            printf("%s%s\n", last ? "\n" : "", r->file ? r->file : "(no place)");
        if (!last || compare_text(last->file, r->file) != 0 || last->line != r->line)
            print_line(r->file, r->line);
        printf("       %s", r->line && r->column ? "" : "  ");
        if (r->line && r->column) printf("%3u: ", r->column);
        printf("%s%s%s%s\n", r->text, r->function ? " (in " : "", r->function ? r->function : "",
               r->function ? ")" : "");
        last = r;
    }
    if (!c->remarks.n) puts("Nothing had to be kept, and nothing else is worth a remark.");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    (void)arg;
    if (key != ARGP_KEY_INIT) return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = state->child_inputs[1] = state->input;
    return 0;
}

static const char doc[] = "Differentiates like `cofactor grad`, writes nothing, and says what was active, "
                          "cached, reloaded, recomputed and "
                          "logged, beside the lines of the source.\v"
                          "Remarks have places where the program has debug information: .c and .cpp always, "
                          ".ll and .bc when they were made "
                          "with -g.";

int cf_command_explain(int argc, char **argv) {
    static const struct argp_child children[] = {
        {&cf_wishes_argp, 0, NULL, 0}, {&cf_files_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {NULL, parse, "FILE... -f NAME [-- CLANG-FLAG...]", doc, children,
                                     NULL, NULL};
    cf_inputs in = {.arena = cf_arena_new()};
    collection all = {.arena = in.arena};
    argc = cf_take_flags(&in, argc, argv);
    cf_parse(&argp, argc, argv, &in);
    cofactor *c = cofactor_new(collect, &all);
    cofactor_explain(c);
    cofactor_status status = cf_load_inputs(c, &in);
    if (!status && !in.wishes.n && !cf_session_has_requests(c))
        status = cf_fail(c, COFACTOR_BAD_REQUEST, "say which function: -f NAME");
    if (!status) status = cf_request_wishes(c, &in);
    cf_progress("differentiating");
    if (!status) status = cofactor_differentiate(c);
    cf_progress(NULL);
    if (!status) print_remarks(&all);
    cofactor_free(c);
    cf_arena_free(in.arena);
    return status ? 1 : 0;
}
