/* Inputs of the benchmark problems: generator, files, memory. */
#include "bench.h"
#include <stdlib.h>
#include <string.h>

uint64_t prng_next(prng *g) {
    uint64_t z = g->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

int prng_below(prng *g, int n) { return (int)(prng_next(g) % (uint64_t)n); }

double prng_uni(prng *g) { return (double)(prng_next(g) >> 11) * 0x1p-53; }

double prng_sym(prng *g, double s) { return s * (2 * prng_uni(g) - 1); }

double prng_range(prng *g, double lo, double w) { return lo + w * prng_uni(g); }

void prng_fill_uni(prng *g, real *a, size_t n) {
    for (size_t i = 0; i < n; i++) a[i] = (real)prng_uni(g);
}

void prng_fill_sym(prng *g, real *a, size_t n, double s) {
    for (size_t i = 0; i < n; i++) a[i] = (real)prng_sym(g, s);
}

void prng_fill_range(prng *g, real *a, size_t n, double lo, double w) {
    for (size_t i = 0; i < n; i++) a[i] = (real)prng_range(g, lo, w);
}

_Noreturn void bench_fail(const char *what, const char *which) {
    fprintf(stderr, "bench: %s: %s\n", what, which);
    exit(2);
}

static FILE *open_in(const char *root, const char *folder, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s/%s.txt", root, folder, name);
    return fopen(path, "r");
}

/* NULL where there is no such file. BENCH_DATA: bench/data, from the Makefile. */
static FILE *open_any(const char *folder, const char *name) {
    const char *given = getenv("COFACTOR_BENCH_DATA");
    FILE *f = given && *given ? open_in(given, folder, name) : NULL;
    return f ? f : open_in(BENCH_DATA, folder, name);
}

FILE *bench_open(const char *folder, const char *name) {
    FILE *f = open_any(folder, name);
    if (!f) bench_fail("neither bench/data nor the folder COFACTOR_BENCH_DATA has the file of", name);
    return f;
}

bool bench_has(const char *folder, const char *name) {
    FILE *f = open_any(folder, name);
    if (f) fclose(f);
    return f != NULL;
}

double bench_number(FILE *f) {
    char word[64];
    if (fscanf(f, "%63s", word) != 1) bench_fail("input ends early", "number expected");
    char *end;
    double x = strtod(word, &end);
    if (*end) bench_fail("number expected", word);
    return x;
}

int bench_integer(FILE *f) {
    int i;
    if (fscanf(f, "%d", &i) != 1) bench_fail("input ends early", "integer expected");
    return i;
}

void bench_numbers(FILE *f, real *a, size_t n) {
    for (size_t i = 0; i < n; i++) a[i] = (real)bench_number(f);
}

static void *zeroed(size_t n, size_t size) {
    void *p = calloc(n ? n : 1, size);
    if (!p) bench_fail("out of memory", "inputs");
    return p;
}

real *bench_reals(size_t n) { return zeroed(n, sizeof(real)); }

int *bench_ints(size_t n) { return zeroed(n, sizeof(int)); }

void bench_zero(real *a, size_t n) { memset(a, 0, n * sizeof *a); }

void bench_differences(real *x, size_t n, void (*primal)(void *data), void *data, const real *value,
                       real *gradient) {
    const double relative = sizeof(real) == sizeof(float) ? 5e-3 : 6e-6; /* the cube root of an ulp */
    for (size_t i = 0; i < n; i++) {
        real at = x[i], h = (real)(relative * fmax(1, fabs((double)at)));
        x[i] = at + h;
        primal(data);
        real above = *value;
        x[i] = at - h;
        primal(data);
        gradient[i] = (above - *value) / (2 * h);
        x[i] = at;
    }
    primal(data);
}

void bench_comb(real *v, size_t n, int combs, int c) {
    for (size_t i = 0; i < n; i++) v[i] = (size_t)c == i % (size_t)combs ? 1 : 0;
}

static bench_section *emit(bench_result *r, const char *name, size_t count) {
    if (r->n == (int)(sizeof r->section / sizeof *r->section)) bench_fail("too many sections", name);
    bench_section *s = &r->section[r->n++];
    *s = (bench_section){.name = name, .count = count};
    return s;
}

void bench_emit(bench_result *r, const char *name, real *a, size_t count) { emit(r, name, count)->reals = a; }

void bench_emit_int(bench_result *r, const char *name, const int *a, size_t count) {
    emit(r, name, count)->ints = a;
}

void bench_emit_combs(bench_result *r, const char *name) {
    bench_section *s = emit(r, name, (size_t)r->combs);
    s->reals = r->sum;
    s->combs = r->combs;
}
