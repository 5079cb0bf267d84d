/* Comparison of results with golden numbers (text files with the true values) or with another result. */
#include "bench.h"
#include <stdlib.h>
#include <string.h>

/* Folds expected values into combs sums, in place. Returns the new count. */
static size_t fold(double *a, size_t count, int combs) {
    size_t n = (size_t)combs;
    if (!combs || n >= count) return count;
    for (size_t i = n; i < count; i++) a[i % n] += a[i];
    return n;
}

static double entry(const bench_section *s, size_t i) { return s->reals ? (double)s->reals[i] : s->ints[i]; }

/* The error of one section; shapes and integers must agree exactly, and NaN never passes. */
static bench_error section_error(const bench_section *s, double *expected, size_t count) {
    bench_error e = {.section = s->name};
    count = fold(expected, count, s->combs);
    double worst = 0, scale = 0;
    e.missing = count > s->count || (count < s->count && !s->combs);
    for (size_t i = 0; i < s->count && !e.missing; i++) {
        double a = entry(s, i), b = i < count ? expected[i] : 0, difference = fabs(a - b);
        double rho = difference / fmax(1, fabs(a) + fabs(b));
        if (isnan(rho) || (s->ints && a != b)) rho = difference = INFINITY;
        e.rho = fmax(e.rho, rho);
        worst = fmax(worst, difference);
        scale = fmax(scale, fabs(b));
    }
    e.rel = scale > 0 ? worst / scale : worst;
    return e;
}

static void keep_worst(bench_error *worst, bench_error e) {
    if (e.missing && !worst->missing) *worst = e;
    if (worst->missing || fmax(e.rho, e.rel) < fmax(worst->rho, worst->rel)) return;
    double rho = fmax(e.rho, worst->rho), rel = fmax(e.rel, worst->rel);
    *worst = e;
    worst->rho = rho;
    worst->rel = rel;
}

static const bench_section *find(const bench_result *r, const char *name) {
    for (int i = 0; i < r->n; i++)
        if (!strcmp(r->section[i].name, name)) return &r->section[i];
    return NULL;
}

/* Reads `KIND NAME COUNT`; false at the end of the file. */
static bool header(FILE *f, char *name, size_t *count) {
    char kind[64];
    while (fscanf(f, "%63s", kind) == 1) {
        if (kind[0] == '#') {
            if (fscanf(f, "%*[^\n]") == EOF) return false;
            continue;
        }
        return fscanf(f, "%63s %zu", name, count) == 2;
    }
    return false;
}

static double *numbers(FILE *f, size_t count) {
    double *a = malloc((count + 1) * sizeof *a);
    if (!a) bench_fail("out of memory", "golden numbers");
    for (size_t i = 0; i < count; i++) a[i] = bench_number(f);
    return a;
}

bench_error golden_compare(const char *name, const bench_result *r) {
    bench_error worst = {.section = r->n ? r->section[0].name : "nothing", .missing = r->n == 0};
    FILE *f = bench_open("golden", name);
    char section[64];
    size_t count;
    int compared = 0;
    while (header(f, section, &count)) {
        double *expected = numbers(f, count);
        const bench_section *s = find(r, section);
        if (s) keep_worst(&worst, section_error(s, expected, count));
        compared += s != NULL;
        free(expected);
    }
    fclose(f);
    if (compared != r->n && !worst.missing)
        worst = (bench_error){.section = "(no golden section)", .missing = true};
    return worst;
}

bench_error result_compare(const bench_result *expected, const bench_result *r) {
    bench_error worst = {.section = r->n ? r->section[0].name : "nothing", .missing = r->n == 0};
    for (int i = 0; i < r->n; i++) {
        const bench_section *s = &r->section[i], *e = find(expected, s->name);
        if (!e || (e->combs && e->combs != s->combs)) {
            keep_worst(&worst, (bench_error){.section = s->name, .missing = true});
            continue;
        }
        double *copy = malloc((e->count + 1) * sizeof *copy);
        if (!copy) bench_fail("out of memory", s->name);
        for (size_t k = 0; k < e->count; k++) copy[k] = entry(e, k);
        keep_worst(&worst, section_error(s, copy, e->count));
        free(copy);
    }
    return worst;
}
