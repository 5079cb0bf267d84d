/* cofactor check: are the derivatives of a function right?
 *
 * In:     files, a function, sizes and values of its parameters
 * Out:    a table on stdout; status 1 when two ways to the same number disagree
 *
 * Idea: everything is compiled in this process and called by callers with one signature. The calls are made in a
 * child process: a function that goes past its data ends the child, and the place of the fault tells which
 * parameter was too short.
 */
#include "cli/check.h"
#include "cli/cli.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEY_ARRAY = 3000, KEY_SET, KEY_SEED, KEY_WORDS, KEY_RANGE, KEY_MODE, KEY_DIRECTIONS, KEY_TOLERANCE };

typedef struct arguments {
    cf_inputs in;
    cf_plan plan;
    const char *function, *words;
    bool forward, reverse;
    unsigned directions, level;
    double tolerance; /* 0: by the precision of the numbers */
} arguments;

/* ---- arguments ---- */

/* NAME=N, NAME=TYPE:N */
static void take_array(arguments *a, struct argp_state *state, const char *arg) {
    const char *equals = strchr(arg, '='), *colon = equals ? strchr(equals, ':') : NULL;
    const char *number = colon ? colon + 1 : equals ? equals + 1 : "";
    char *end = NULL;
    errno = 0;
    unsigned long long n = strtoull(number, &end, 10);
    if (!equals || equals == arg || !*number || *end || errno || *number == '-' || n > UINT64_C(1) << 36)
        argp_error(state, "--array takes NAME=LENGTH or NAME=TYPE:LENGTH, not `%s`", arg);
    cf_setting s = {
        .name = cf_copy_text(a->in.arena, arg, (size_t)(equals - arg)), .count = n, .array = true};
    if (colon) s.type = cf_copy_text(a->in.arena, equals + 1, (size_t)(colon - equals - 1));
    cf_push(a->in.arena, &a->plan.settings, s);
}

static void take_set(arguments *a, struct argp_state *state, const char *arg) {
    const char *equals = strchr(arg, '=');
    char *end = NULL;
    double value = equals ? strtod(equals + 1, &end) : 0;
    if (!equals || equals == arg || end == equals + 1 || *end || !(fabs(value) < 9e15))
        argp_error(state, "--set takes NAME=NUMBER, not `%s`", arg);
    cf_setting s = {.name = cf_copy_text(a->in.arena, arg, (size_t)(equals - arg)), .value = value};
    cf_push(a->in.arena, &a->plan.settings, s);
}

static unsigned long take_number(struct argp_state *state, const char *option, const char *arg,
                                 unsigned long least) {
    char *end = NULL;
    errno = 0;
    unsigned long n = strtoul(arg, &end, 10);
    if (!*arg || *end || errno || *arg == '-' || n < least)
        argp_error(state, "%s takes a whole number from %lu, not `%s`", option, least, arg);
    return n;
}

static void take_range(arguments *a, struct argp_state *state, const char *arg) {
    char end;
    if (sscanf(arg, "%lf:%lf%c", &a->plan.low, &a->plan.high, &end) != 2 || !(a->plan.low <= a->plan.high))
        argp_error(state, "--range takes LOW:HIGH, not `%s`", arg);
}

static void take_mode(arguments *a, struct argp_state *state, const char *arg) {
    a->forward = strcmp(arg, "reverse") != 0;
    a->reverse = strcmp(arg, "forward") != 0;
    if (a->forward && a->reverse && strcmp(arg, "both") != 0)
        argp_error(state, "--mode takes forward, reverse or both, not `%s`", arg);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->in; return 0;
    case 'f':
        if (a->function) argp_error(state, "one function at a time is checked: one -f");
        a->function = arg;
        return 0;
    case KEY_WORDS: a->words = strcmp(arg, "auto") != 0 ? arg : NULL; return 0;
    case KEY_ARRAY: take_array(a, state, arg); return 0;
    case KEY_SET: take_set(a, state, arg); return 0;
    case KEY_SEED: a->plan.seed = take_number(state, "--seed", arg, 0); return 0;
    case KEY_RANGE: take_range(a, state, arg); return 0;
    case KEY_MODE: take_mode(a, state, arg); return 0;
    case KEY_DIRECTIONS: a->directions = (unsigned)take_number(state, "--directions", arg, 1); return 0;
    case KEY_TOLERANCE:
        if (sscanf(arg, "%lf", &a->tolerance) != 1 || !(a->tolerance > 0))
            argp_error(state, "--tolerance takes a positive number, not `%s`", arg);
        return 0;
    case 'O': a->level = (unsigned)take_number(state, "-O", arg, 0); return 0;
    case ARGP_KEY_END:
        if (!a->function) argp_error(state, "say which function: -f NAME");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {NULL, 'f', "NAME", 0, "the function to check", 1},
    {"words", KEY_WORDS, "WORDS", 0, "dup or const for each parameter (default: by its type)", 1},
    {"array", KEY_ARRAY, "NAME=LENGTH", 0,
     "elements behind the pointer NAME (default: 16, or the largest integer that was set). NAME=TYPE:LENGTH "
     "says the type "
     "too, where there is no debug information",
     1},
    {"set", KEY_SET, "NAME=NUMBER", 0,
     "the value of a number, or of all elements behind a pointer (integers: 16)", 1},
    {"range", KEY_RANGE, "LOW:HIGH", 0, "where random numbers are drawn from (default 0.5:1.5)", 1},
    {"seed", KEY_SEED, "N", 0, "where random numbers begin (default 1)", 1},
    {"mode", KEY_MODE, "MODE", 0, "forward, reverse or both (default)", 1},
    {"directions", KEY_DIRECTIONS, "N", 0, "how many random directions are tried (default 3)", 1},
    {"tolerance", KEY_TOLERANCE, "X", 0, "relative difference between forward and reverse that is allowed",
     1},
    {NULL, 'O', "LEVEL", 0, "optimise as clang does, 0 to 3 (default 2)", 1},
    {0}};

static const char doc[] = "Compiles a function and its derivatives in this process, calls them with random "
                          "data, and compares forward mode, "
                          "reverse mode and extrapolated differences. Status 1 when they disagree.\v"
                          "Parameters are called as in the source where there is debug information (.c and "
                          ".cpp), else p0, p1, …\n\n"
                          "Example: cofactor check f.c -f f --set n=10 --array x=10";

/* ---- what is called ---- */

#define PRIMAL "__cf_check_primal"
#define FORWARD "__cf_check_forward"
#define REVERSE "__cf_check_reverse"

static cofactor_status request(cofactor *c, const arguments *a, const char *words, const cf_ctype *result) {
    cofactor_status status = COFACTOR_OK;
    const char *seeded = result->kind == CF_C_FLOAT ? cf_text(a->in.arena, "%s seed", words) : words;
    if (a->forward) status = cofactor_request(c, COFACTOR_FORWARD, a->function, words, "__cf_check_tan");
    if (!status && a->reverse)
        status = cofactor_request(c, COFACTOR_REVERSE, a->function, seeded, "__cf_check_grad");
    return status;
}

/* Adds all callers first: the first function that is asked for ends the making of code. */
static bool compile(cofactor *c, const arguments *a, const char *primal, cf_trial *t) {
    if (cofactor_differentiate(c) || !cf_session_add_caller(c, primal, PRIMAL)) return false;
    if (a->forward && !cf_session_add_caller(c, "__cf_check_tan", FORWARD)) return false;
    if (a->reverse && !cf_session_add_caller(c, "__cf_check_grad", REVERSE)) return false;
    t->primal = (cf_caller *)cofactor_function(c, PRIMAL);
    if (t->primal && a->forward) t->forward = (cf_caller *)cofactor_function(c, FORWARD);
    if (t->primal && a->reverse) t->reverse = (cf_caller *)cofactor_function(c, REVERSE);
    return t->primal && (!a->forward || t->forward) && (!a->reverse || t->reverse);
}

static const cf_prototype *prototype(cofactor *c, const arguments *a) {
    LLVMValueRef f = cf_session_find(c, a->function);
    const cf_prototype *p = f ? cf_prototype_of(c->arena, f) : NULL;
    bool plain = !p || p->result->kind == CF_C_VOID || p->result->kind == CF_C_FLOAT ||
                 p->result->kind == CF_C_INTEGER || p->result->kind == CF_C_POINTER;
    if (plain) return p;
    cf_fail_at(c, COFACTOR_BAD_REQUEST, (cf_place){p->file, p->line, 0},
               "check knows results that are one number; `%s` returns something else (write a small function "
               "around it)",
               p->shown);
    return NULL;
}

/* ---- comparing ---- */

typedef struct limits {
    real modes;       /* forward against reverse */
    real differences; /* both against differences */
    real step;        /* of slopes that tell a kink */
} limits;

/* By the coarsest numbers that take part. */
static limits limits_of(const arguments *a, const cf_trial *t) {
    bool coarse = t->has_result && t->result.kind == CF_CELL_FLOAT;
    for (unsigned i = 0; i < t->n; i++)
        for (size_t k = 0; k < t->data[i].n; k++)
            coarse |= t->data[i].dup && t->data[i].cells[k].kind == CF_CELL_FLOAT;
    limits l = coarse ? (limits){1e-3L, 2e-2L, 1e-2L} : (limits){1e-9L, 1e-6L, 1e-4L};
    if (a->tolerance > 0) l.modes = a->tolerance;
    return l;
}

typedef enum verdict { GOOD, BAD, UNSURE } verdict;

static real relative(real error, const cf_outcome *o) {
    return error == 0 ? 0 : fabsl(error) / fmaxl(o->scale, 1e-30L);
}

static verdict judge(const cf_trial *t, const cf_outcome *o, const limits *l) {
    real allowed = l->differences + relative(10 * o->uncertainty, o);
    bool settled = relative(o->uncertainty, o) < 1e-3L + l->differences && isfinite(o->difference);
    if (t->forward && !isfinite(o->forward)) return BAD;
    if (t->reverse && !isfinite(o->reverse)) return BAD;
    if (t->forward && t->reverse && !(relative(o->forward - o->reverse, o) <= l->modes)) return BAD;
    if (!settled) return UNSURE;
    bool apart = t->forward && !(relative(o->forward - o->difference, o) <= allowed);
    apart |= t->reverse && !(relative(o->reverse - o->difference, o) <= allowed);
    return !apart ? GOOD : o->kink ? UNSURE : BAD;
}

static void print_number(bool there, real value) {
    if (there)
        printf("  %22.15Le", value);
    else
        printf("  %22s", "-");
}

static verdict row(cf_trial *t, const char *label, const limits *l) {
    static const char *const words[] = {"ok", "WRONG", "unsure"};
    cf_outcome o = cf_try(t, l->step);
    verdict v = judge(t, &o, l);
    real apart = t->forward ? relative(o.forward - o.difference, &o) : 0;
    if (t->reverse) apart = fmaxl(apart, relative(o.reverse - o.difference, &o));
    printf("%-12.12s", label);
    print_number(t->forward, o.forward);
    print_number(t->reverse, o.reverse);
    print_number(true, o.difference);
    if (t->forward && t->reverse)
        printf("  %8.1Le", relative(o.forward - o.reverse, &o));
    else
        printf("  %8s", "-");
    printf("  %8.1Le  %s\n", apart, words[v]);
    fflush(stdout);
    return v;
}

/* After a mismatch: each parameter alone. */
static void print_parts(cf_trial *t, const limits *l, uint64_t *random) {
    unsigned active = 0;
    for (unsigned i = 0; i < t->n; i++) active += t->data[i].dup;
    for (unsigned i = 0; active > 1 && i < t->n; i++) {
        if (!t->data[i].dup) continue;
        char label[64];
        snprintf(label, sizeof label, "only %s", t->data[i].name);
        cf_draw(t, &t->data[i], random);
        row(t, label, l);
    }
}

/* Runs in the child. Returns its exit status. */
static int compare(const arguments *a, cf_trial *t, const char *shown, const char *words) {
    uint64_t random = a->plan.seed ^ UINT64_C(0x5851f42d4c957f2d);
    limits l = limits_of(a, t);
    unsigned bad = 0, unsure = 0;
    cf_draw(t, NULL, &random);
    if (!cf_is_finite_here(t)) {
        fprintf(stderr,
                "cofactor: error: `%s` is not finite for this data; say other values (--range, --set)\n",
                shown);
        return 1;
    }
    printf("%s, words \"%s\", seed %llu\n", shown, words, (unsigned long long)a->plan.seed);
    printf("%-12s  %22s  %22s  %22s  %8s  %8s\n", "direction", "forward", "reverse", "differences", "modes",
           "to diff");
    for (unsigned i = 0; i < a->directions; i++) {
        char label[16];
        snprintf(label, sizeof label, "%u", i + 1);
        if (i) cf_draw(t, NULL, &random);
        verdict v = row(t, label, &l);
        bad += v == BAD;
        unsure += v == UNSURE;
    }
    if (bad) print_parts(t, &l, &random);
    if (unsure)
        fprintf(stderr,
                "cofactor: warning: differences did not settle in %u of %u directions: `%s` may have kinks "
                "or jumps "
                "here; try another --seed or --range\n",
                unsure, a->directions, shown);
    if (bad) fprintf(stderr, "cofactor: error: derivatives of `%s` disagree\n", shown);
    return bad ? 1 : 0;
}

/* ---- the child ---- */

/* What the handler of a fault may read. Set in the child only, before the first call. */
static const cf_trial *faulting;

static void put(const char *s) {
    if (write(STDERR_FILENO, s, strlen(s)) < 0) _exit(1);
}

static bool behind(const char *guard, const char *address) {
    return guard && address >= guard && address < guard + 4096;
}

static void on_fault(int signal_number, siginfo_t *info, void *unused) {
    (void)unused;
    const char *at = info->si_addr;
    put("cofactor: error: the function stopped with a ");
    put(signal_number == SIGFPE ? "division error" : signal_number == SIGILL ? "trap" : "memory fault");
    for (unsigned i = 0; signal_number == SIGSEGV && i < faulting->n; i++) {
        const cf_data *d = &faulting->data[i];
        if (!behind(d->memory_guard, at) && !behind(d->shadow_guard, at)) continue;
        put(", past the end of `");
        put(d->name);
        put("`: say how long it is, --array ");
        put(d->name);
        put("=LENGTH\n");
        _exit(1);
    }
    put("; sizes and values may not fit (--array, --set)\n");
    _exit(1);
}

static void catch_faults(const cf_trial *t) {
    static char stack[64 << 10];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    faulting = t;
    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
}

static int run_child(const arguments *a, cf_trial *t, const char *shown, const char *words) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        catch_faults(t);
        int status = compare(a, t, shown, words);
        fflush(NULL);
        _exit(status);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child > 0 && WIFEXITED(status)) return WEXITSTATUS(status);
    fprintf(stderr, "cofactor: error: the check of `%s` %s\n", shown,
            child < 0 ? "cannot be run in a process of its own" : strsignal(WTERMSIG(status)));
    return 1;
}

static int check(cofactor *c, arguments *a) {
    if (cf_load_inputs(c, &a->in) || cofactor_optimise(c, a->level)) return 1;
    const cf_prototype *p = prototype(c, a);
    if (!p) return 1;
    const char *words = a->words ? a->words : cf_default_words(c->arena, p);
    cf_trial t = {.n = p->n};
    t.has_result = cf_result_cell(p->result, &t.result);
    const cf_words *w = cf_split_words(c->arena, words);
    if (w && (w->width > 1 || w->seed || w->value)) {
        cf_fail(c, COFACTOR_BAD_CALL, "the words of a check are dup and const only");
        return 1;
    }
    if (request(c, a, words, p->result) || !w) return 1;
    t.data = cf_make_data(c, &a->plan, p, w);
    t.slots = CF_ARRAY(c->arena, void *, 2 * p->n + 2);
    if (!t.data) return 1;
    cf_progress("differentiating and compiling");
    bool good = compile(c, a, p->name, &t);
    cf_progress(NULL);
    return good ? run_child(a, &t, p->shown, words) : 1;
}

int cf_command_check(int argc, char **argv) {
    static const struct argp_child children[] = {{&cf_files_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse, "FILE... -f NAME [-- CLANG-FLAG...]", doc, children,
                                     NULL,    NULL};
    arguments a = {.in.arena = cf_arena_new(), .forward = true, .reverse = true, .directions = 3, .level = 2};
    a.plan = (cf_plan){.arena = a.in.arena, .seed = 1, .low = 0.5, .high = 1.5};
    argc = cf_take_flags(&a.in, argc, argv);
    cf_parse(&argp, argc, argv, &a);
    cofactor *c = cofactor_new(cf_print_report, NULL);
    int status = check(c, &a);
    cofactor_free(c);
    cf_arena_free(a.in.arena);
    return status;
}
