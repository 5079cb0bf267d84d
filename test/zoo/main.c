/* Runner of the zoo: checks each registered case in a child process, so that a crash counts as that case's
 * failure.
 *
 *     zoo [-q] [-l] [NAME...]     -q: print failures only; -l: list; NAME: a case, or a topic (file without
 * its suffix)
 *
 * Exit status 1 where a case failed, or where nothing was selected. */
#include "zoo.h"
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static zoo_case *cases;
static const zoo_case *current;
static int failures;

void zoo_register(zoo_case *c, const char *file, const char *name, const char *type) {
    c->file = file;
    c->name = name;
    c->type = type;
    c->next = cases;
    cases = c;
}

static const double *copy(const double *list, size_t size) {
    double *to = malloc(size);
    return to ? memcpy(to, list, size) : NULL;
}

void zoo_lists(zoo_case *c, const double *in, size_t in_size, const double *out, size_t out_size,
               const double *jac, size_t jac_size) {
    c->in = copy(in, in_size);
    c->out = copy(out, out_size);
    c->jac = copy(jac, jac_size);
    c->in_count = in_size / sizeof *in;
    c->out_count = out_size / sizeof *out;
    c->jac_count = jac_size / sizeof *jac;
}

void zoo_shape(zoo_case *c, int n, int m, int flags, zoo_adapter *primal, zoo_adapter *reverse,
               zoo_adapter *forward) {
    c->n = n;
    c->m = m;
    c->flags = flags;
    c->primal = primal;
    c->reverse = reverse;
    c->forward = forward;
}

void zoo_want(const char *what, double got, double want, double tolerance) {
    if (fabs(got - want) <= tolerance * (1 + fabs(want))) return;
    if (isinf(want) && got == want) return;
    if (failures++ < 8)
        printf("FAIL %s [%s]: %s: got %.15g, want %.15g\n", current->name, current->type, what, got, want);
}

static bool is_float(const zoo_case *c) { return (c->flags & ZOO_COARSE) || !strcmp(c->type, "float"); }

static int outputs(const zoo_case *c) {
    return ((c->flags & ZOO_RESULT) ? 1 : 0) + c->m + ((c->flags & ZOO_INPLACE) ? c->n : 0);
}

static void want(const char *part, int i, double got, double wanted) {
    char what[64];
    snprintf(what, sizeof what, "%s[%d]", part, i);
    zoo_want(what, got, wanted, is_float(current) ? 3e-5 : 1e-11);
}

enum { UNTOUCHED = 77 }; /* stands beyond the arrays, and in outputs before the call */

static void fill(const zoo_case *c, zoo_io *io) {
    for (int i = 0; i < ZOO_MAX; i++) {
        io->x[i] = i < c->n ? c->in[i] : UNTOUCHED;
        io->xs[i] = io->ys[i] = UNTOUCHED;
        io->y[i] = i < c->m ? 0.25 * (i + 1) : UNTOUCHED;
    }
    io->r = UNTOUCHED;
    io->rs = UNTOUCHED;
}

/* o: all outputs of a call in the order of the case's list */
static void gather(const zoo_case *c, const double *r, const double *x, const double *y, double *o) {
    if (c->flags & ZOO_RESULT) *o++ = *r;
    for (int i = 0; i < c->m; i++) *o++ = y[i];
    if (c->flags & ZOO_INPLACE)
        for (int i = 0; i < c->n; i++) *o++ = x[i];
}

static void check_outputs(const zoo_case *c, const zoo_io *io, const char *part, bool result_too) {
    double o[2 * ZOO_MAX + 1];
    gather(c, &io->r, io->x, io->y, o);
    bool skip = (c->flags & ZOO_RESULT) && !result_too && io->r == UNTOUCHED;
    for (int k = skip ? 1 : 0; k < outputs(c); k++) want(part, k, o[k], c->out[k]);
    for (int i = 0; i < ZOO_MAX; i++) {
        if (!(c->flags & ZOO_INPLACE) && i < c->n) want("input after", i, io->x[i], c->in[i]);
        if (i >= c->n) want("beyond x", i, io->x[i], UNTOUCHED);
        if (i >= c->m) want("beyond y", i, io->y[i], UNTOUCHED);
        if (i >= c->n) want("beyond the shadow of x", i, io->xs[i], UNTOUCHED);
        if (i >= c->m) want("beyond the shadow of y", i, io->ys[i], UNTOUCHED);
    }
}

#ifndef ZOO_NUMERIC
static double bias(int i) { return 0.5 + 0.25 * i; }

/* One reverse call with weight w[k] on output k. */
static void check_reverse(const zoo_case *c, const double *w) {
    zoo_io io;
    bool result = c->flags & ZOO_RESULT, inplace = c->flags & ZOO_INPLACE;
    const double *wy = w + result, *wx = wy + c->m;
    fill(c, &io);
    for (int i = 0; i < c->n; i++) io.xs[i] = inplace ? wx[i] : bias(i);
    for (int i = 0; i < c->m; i++) io.ys[i] = wy[i];
    if (result) io.rs = w[0];
    c->reverse(&io);
    for (int j = 0; j < c->n; j++) {
        double sum = inplace ? 0 : bias(j);
        for (int k = 0; k < outputs(c); k++) sum += w[k] * c->jac[k * c->n + j];
        want("adjoint", j, io.xs[j], sum);
    }
    for (int i = 0; i < c->m; i++)
        want("adjoint of output", i, io.ys[i], (c->flags & ZOO_ACCUMULATES) ? wy[i] : 0);
    check_outputs(c, &io, "output of reverse", true);
}

static void check_forward(const zoo_case *c, const double *v) {
    zoo_io io;
    double o[2 * ZOO_MAX + 1];
    fill(c, &io);
    for (int i = 0; i < c->n; i++) io.xs[i] = v[i];
    for (int i = 0; i < c->m; i++) io.ys[i] = 0.5;
    c->forward(&io);
    gather(c, &io.rs, io.xs, io.ys, o);
    for (int k = 0; k < outputs(c); k++) {
        double sum = 0;
        for (int j = 0; j < c->n; j++) sum += c->jac[k * c->n + j] * v[j];
        int y = k - ((c->flags & ZOO_RESULT) ? 1 : 0);
        if ((c->flags & ZOO_ACCUMULATES) && y >= 0 && y < c->m) sum += 0.5;
        want("tangent", k, o[k], sum);
    }
    if (!(c->flags & ZOO_INPLACE))
        for (int i = 0; i < c->n; i++) want("tangent of input after", i, io.xs[i], v[i]);
    check_outputs(c, &io, "output of forward", false);
}

static void check_derivatives(const zoo_case *c) {
    double w[2 * ZOO_MAX + 1];
    bool fixed = (c->flags & ZOO_RESULT) && !(c->flags & ZOO_SEEDED); /* weight of the result is 1 */
    for (int k = 0; c->reverse && k <= outputs(c); k++) {
        for (int i = 0; i < outputs(c); i++) w[i] = k == outputs(c) ? 0.75 - 0.5 * i : i == k;
        if (fixed) w[0] = 1;
        check_reverse(c, w);
    }
    for (int k = 0; c->forward && k <= c->n; k++) {
        for (int i = 0; i < c->n; i++) w[i] = k == c->n ? 0.75 - 0.5 * i : i == k;
        check_forward(c, w);
    }
}

#else
static void primal_at(const zoo_case *c, int j, double dx, double *o) {
    zoo_io io;
    fill(c, &io);
    io.x[j] += dx;
    c->primal(&io);
    gather(c, &io.r, io.x, io.y, o);
}

/* Central differences with steps h, h/2, h/4, extrapolated twice: error of order h^6. */
static void check_numeric(const zoo_case *c) {
    double a[2 * ZOO_MAX + 1], b[2 * ZOO_MAX + 1], d[3][2 * ZOO_MAX + 1];
    for (int j = 0; j < c->n; j++) {
        double h = (is_float(c) ? 0x1p-5 : 0x1p-7) * fmin(1, fabs(c->in[j]) + 0.1);
        for (int s = 0; s < 3; s++, h /= 2) {
            primal_at(c, j, h, a);
            primal_at(c, j, -h, b);
            for (int k = 0; k < outputs(c); k++) d[s][k] = (a[k] - b[k]) / (2 * h);
        }
        for (int k = 0; k < outputs(c); k++) {
            double e0 = (4 * d[1][k] - d[0][k]) / 3, e1 = (4 * d[2][k] - d[1][k]) / 3;
            char what[96];
            snprintf(what, sizeof what, "hand value against differences, output %d by input %d", k, j);
            zoo_want(what, c->jac[k * c->n + j], (16 * e1 - e0) / 15, is_float(c) ? 3e-3 : 1e-8);
        }
    }
}
#endif

static void check_case(const zoo_case *c) {
    if (c->check) {
        c->check();
        return;
    }
    zoo_want("length of the list of inputs", (double)c->in_count, c->n, 0);
    zoo_want("length of the list of outputs", (double)c->out_count, outputs(c), 0);
    zoo_want("length of the Jacobian", (double)c->jac_count, outputs(c) * c->n, 0);
    if (failures) return;
    zoo_io io;
    fill(c, &io);
    c->primal(&io);
    check_outputs(c, &io, "output", true);
#ifdef ZOO_NUMERIC
    if (!(c->flags & ZOO_KINK)) check_numeric(c);
#else
    check_derivatives(c);
#endif
}

static bool in_topic(const zoo_case *c, const char *topic) {
    const char *base = strrchr(c->file, '/');
    base = base ? base + 1 : c->file;
    size_t n = strlen(topic);
    return !strncmp(base, topic, n) && base[n] == '.';
}

static bool selected(const zoo_case *c, int argc, char **argv) {
    bool any = false;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') continue;
        any = true;
        if (!strcmp(argv[i], c->name) || in_topic(c, argv[i])) return true;
    }
    return !any;
}

/* A derivative that runs away fails alone. Sanitizers need the whole address space. */
static void limit_memory(void) {
#if !defined __SANITIZE_ADDRESS__ && !defined ZOO_NO_LIMIT
    struct rlimit limit = {(rlim_t)4 << 30, (rlim_t)4 << 30};
    setrlimit(RLIMIT_AS, &limit);
#endif
}

/* Returns whether the case passed. */
static bool run(const zoo_case *c) {
    current = c;
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(30);
        limit_memory();
        failures = 0;
        check_case(c);
        fflush(stdout);
        _exit(failures != 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        printf("FAIL %s [%s]: signal %d\n", c->name, c->type, WTERMSIG(status));
    else if (WEXITSTATUS(status) > 1)
        printf("FAIL %s [%s]: exit status %d\n", c->name, c->type, WEXITSTATUS(status));
    return status == 0;
}

static bool flag(int argc, char **argv, const char *name) {
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], name)) return true;
    return false;
}

int main(int argc, char **argv) {
    int passed = 0, failed = 0;
    bool quiet = flag(argc, argv, "-q"), list = flag(argc, argv, "-l");
    for (const zoo_case *c = cases; c; c = c->next) {
        if (!selected(c, argc, argv)) continue;
        if (list) {
            printf("%s %s [%s]\n", c->file, c->name, c->type);
            passed++;
            continue;
        }
        bool ok = run(c);
        if (ok && !quiet) printf("ok %s [%s]\n", c->name, c->type);
        ok ? passed++ : failed++;
    }
    printf("zoo: %d passed, %d failed\n", passed, failed);
    return failed || !passed;
}
