/* Driver of the benchmarks. Each case runs in a process of its own, so that peak memory is that of the case.
 *
 *     bench check   [--tool T] [--mode M] [--size s] [PROBLEM...]     every way against golden numbers, a
 * line per case bench measure [--tool T] [--size s] [--seconds X] [--samples N] [PROBLEM...]     a
 * JSON line per case
 *     bench demo     gradients of three problems, to read
 *
 * Exit status: 0 all good, 1 a result is wrong or a way is missing, 2 usage or input. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The largest size of the tape, where the program was built with Cofactor: gradients call this (cofactor/tape.h). */
void cofactor_tape_ended(size_t peak_bytes);
static size_t largest_tape;
void cofactor_tape_ended(size_t peak_bytes) {
    if (peak_bytes > largest_tape) largest_tape = peak_bytes;
}

#ifdef BENCH_FLOAT
static const double tolerance = 1e-4;
#else
static const double tolerance = 1e-9;
#endif

typedef struct options {
    bool check;
    const char *tool, *mode; /* NULL: all */
    char size;
    double seconds;
    int samples, combs;
    char **problems;
    int n_problems;
} options;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct job {
    const bench_problem *problem;
    const bench_way *way; /* NULL: the primal */
    const char *name;
    bool small; /* has golden numbers */
    void *data;
    bench_result result;
} job;

static void run_once(void *p) {
    job *j = p;
    j->result.n = 0;
    if (j->way)
        j->way->run(j->data, &j->result);
    else
        j->problem->primal(j->data);
}

double bench_time(void (*f)(void *data), void *data, double seconds, int samples) {
    double best = INFINITY;
    for (int s = 0; s < samples; s++) {
        double start = now(), spent;
        long calls = 0;
        do {
            f(data);
            calls++;
            spent = now() - start;
        } while (spent < seconds);
        best = fmin(best, spent / (double)calls);
    }
    return best;
}

static double measure(job *j, const options *o) { return bench_time(run_once, j, o->seconds, o->samples); }

void bench_poison(bench_result *r) {
    for (int i = 0; i < r->n; i++) {
        bench_section *s = &r->section[i];
        for (size_t k = 0; s->reals && k < s->count; k++) s->reals[k] = (real)NAN;
    }
}

static void run_for_value(job *j) {
    run_once(j);
    bench_poison(&j->result);
    run_once(j);
}

/* The derivative by hand that a way is compared with: of the same mode, or else the first. */
static const bench_way *reference(const bench_problem *p, const char *mode) {
    const bench_way *first = NULL;
    for (const bench_way *w = p->ways; w->mode; w++) {
        if (strcmp(w->tool, "hand")) continue;
        if (!strcmp(w->mode, mode)) return w;
        if (!first) first = w;
    }
    return first;
}

void bench_detach(bench_result *r) {
    for (int i = 0; i < r->n; i++) {
        bench_section *s = &r->section[i];
        if (!s->reals) continue;
        real *copy = bench_reals(s->count);
        memcpy(copy, s->reals, s->count * sizeof *copy);
        s->reals = copy;
    }
}

static bench_error judge(const job *j) {
    if (j->small || bench_has("golden", j->name)) return golden_compare(j->name, &j->result);
    const bench_way *hand = reference(j->problem, j->way->mode);
    if (!hand || hand == j->way)
        return (bench_error){.section = "(nothing to compare with)", .unchecked = true};
    job expected = *j;
    bench_result mine = j->result;
    bench_detach(&mine);
    expected.way = hand;
    run_for_value(&expected);
    return result_compare(&expected.result, &mine);
}

static bool good(bench_error e) { return !e.missing && e.rho <= tolerance && e.rel <= tolerance; }

static double worse(bench_error e) { return fmax(e.rho, e.rel); }

static int report_check(job *j) {
    run_for_value(j);
    if (j->result.skip) return 0;
    bench_error e = judge(j);
    printf("%-4s %-6s %-16s %-8s %s: rho %.1e rel %.1e (worst in %s%s)\n", good(e) ? "ok" : "FAIL",
           j->problem->name, j->way->mode, j->way->tool, j->name, e.rho, e.rel, e.section,
           e.missing ? ": missing or other shape" : "");
    return good(e) ? 0 : 1;
}

static int report_measure(job *j, const options *o) {
    job primal = *j;
    primal.way = NULL;
    run_once(&primal);
    double t_primal = measure(&primal, o), t = measure(j, o);
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    j->result.combs = o->combs;
    run_for_value(j);
    if (j->result.skip) return 0;
    bench_error e = judge(j);
    char error[32] = "null";
    if (!e.unchecked) snprintf(error, sizeof error, "%.2g", e.missing ? 1e308 : fmin(worse(e), 1e308));
    printf("{\"problem\": \"%s\", \"case\": \"%s\", \"size\": \"%s\", \"mode\": \"%s\", \"tool\": \"%s\", "
           "\"primal_s\": %.4g, \"derivative_s\": %.4g, \"ratio\": %.3f, \"peak_rss_mib\": %.1f, "
           "\"tape_bytes\": %zu, \"worst_error\": %s}\n",
           j->problem->name, j->name,
           o->size == 's'   ? "small"
           : o->size == 'm' ? "medium"
                            : "large",
           j->way->mode, j->way->tool, t_primal, t, t / t_primal, (double)use.ru_maxrss / 1024, largest_tape,
           error);
    return good(e) ? 0 : 1;
}

/* One way of one case, in a child. */
static int run_case(const bench_problem *p, const bench_way *w, const char *name, const options *o) {
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) bench_fail("cannot fork", name);
    if (child == 0) {
        job j = {.problem = p, .way = w, .name = name, .small = o->size == 's'};
        j.data = p->load(name);
        j.result.combs = o->check ? o->combs : 1;
        int status = o->check ? report_check(&j) : report_measure(&j, o);
        fflush(stdout);
        _exit(status);
    }
    int status;
    if (waitpid(child, &status, 0) != child) bench_fail("lost a child", name);
    if (WIFEXITED(status) && WEXITSTATUS(status) < 2) return WEXITSTATUS(status);
    if (WIFEXITED(status)) {
        printf("FAIL %-6s %-16s %-8s %s: not run\n", p->name, w->mode, w->tool, name);
        return 1;
    }
    printf("FAIL %-6s %-16s %-8s %s: killed by signal %d\n", p->name, w->mode, w->tool, name,
           WTERMSIG(status));
    return 1;
}

/* The case to run for NAME; NULL: none, its inputs are not here. */
static const char *at_hand(const char *name) {
    for (const bench_file *f = bench_files; f->name; f++)
        if (!strcmp(f->name, name)) return bench_has(f->folder, f->file) ? name : f->instead;
    return name;
}

static int run_way(const bench_problem *p, const bench_way *w, const options *o) {
    if (o->tool && strcmp(o->tool, w->tool)) return 0;
    if (o->mode && strcmp(o->mode, w->mode)) return 0;
    if (!o->check && !strcmp(w->tool, "program")) return 0;
    if (!o->tool && !strcmp(w->tool, "differences")) return 0;
    if (!w->needs) {
        if (!o->tool) return 0; /* a build without Cofactor, and nobody insists */
        printf("FAIL %-6s %-16s %-8s not in this program\n", p->name, w->mode, w->tool);
        return 1;
    }
    int status = 0;
    for (const bench_case *c = p->cases; c->name; c++)
        if (c->size == o->size && at_hand(c->name)) status |= run_case(p, w, at_hand(c->name), o);
    return status;
}

static bool wanted(const bench_problem *p, const options *o) {
    for (int i = 0; i < o->n_problems; i++)
        if (!strcmp(o->problems[i], p->name)) return true;
    return o->n_problems == 0;
}

static _Noreturn void usage(void) {
    fprintf(stderr,
            "usage: bench check|measure [--tool cofactor|hand|differences] [--mode M]\n"
            "             [--size small|medium|large] [--seconds X] [--samples N] [--combs N] [PROBLEM...]\n"
            "       bench demo\n");
    exit(2);
}

static options parse(int argc, char **argv) {
    options o = {.size = 's', .seconds = 0.5, .samples = 3, .combs = BENCH_COMBS};
    if (argc < 2 || (strcmp(argv[1], "check") && strcmp(argv[1], "measure"))) usage();
    o.check = !strcmp(argv[1], "check");
    int i = 2;
    for (; i < argc && argv[i][0] == '-'; i++) {
        const char *a = argv[i];
        if (++i == argc) usage();
        if (!strcmp(a, "--tool"))
            o.tool = argv[i];
        else if (!strcmp(a, "--mode"))
            o.mode = argv[i];
        else if (!strcmp(a, "--size"))
            o.size = argv[i][0];
        else if (!strcmp(a, "--seconds"))
            o.seconds = atof(argv[i]);
        else if (!strcmp(a, "--samples"))
            o.samples = atoi(argv[i]);
        else if (!strcmp(a, "--combs"))
            o.combs = atoi(argv[i]);
        else
            usage();
    }
    if (o.combs < 1 || o.combs > BENCH_COMBS) usage();
    o.problems = argv + i;
    o.n_problems = argc - i;
    return o;
}

static void known(const options *o) {
    for (int i = 0; i < o->n_problems; i++) {
        bool found = false;
        for (int k = 0; bench_problems[k]; k++) found |= !strcmp(bench_problems[k]->name, o->problems[i]);
        if (!found) bench_fail("no such problem", o->problems[i]);
    }
}

/* A data folder that is named and not there is a mistake, not a wish for bench/data. */
static void named_folder(void) {
    const char *folder = getenv("COFACTOR_BENCH_DATA");
    if (folder && *folder && access(folder, X_OK)) bench_fail("COFACTOR_BENCH_DATA names no folder", folder);
}

int main(int argc, char **argv) {
    named_folder();
    if (argc == 2 && !strcmp(argv[1], "demo")) return bench_demo();
    options o = parse(argc, argv);
    known(&o);
    int status = 0;
    for (int k = 0; bench_problems[k]; k++)
        for (const bench_way *w = bench_problems[k]->ways; w->mode && wanted(bench_problems[k], &o); w++)
            status |= run_way(bench_problems[k], w, &o);
    return status;
}
