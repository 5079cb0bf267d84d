/* What the benchmark problems share: inputs, comparison with golden numbers, the table of problems.
 *
 * A problem is three files. bench/NAME.c is the program and its requests, plain C as a user would write it.
 * bench/hand/NAME.c has derivatives by hand. bench/case/NAME.c knows the cases: it reads or generates inputs
 * and calls the others. Only bench/NAME.c meets Cofactor. */
#ifndef BENCH_H
#define BENCH_H
#include "real.h"
#undef sqrt /* here and in what includes this, math.h is that of double */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* input.c: the generator of inputs, splitmix64. */
typedef struct prng {
    uint64_t state; /* starts as the seed */
} prng;

uint64_t prng_next(prng *g);
int prng_below(prng *g, int n);
double prng_uni(prng *g);
double prng_sym(prng *g, double s);
double prng_range(prng *g, double lo, double w);
void prng_fill_uni(prng *g, real *a, size_t n);
void prng_fill_sym(prng *g, real *a, size_t n, double s);
void prng_fill_range(prng *g, real *a, size_t n, double lo, double w);

/* input.c: files and memory. A failure ends the process with a message: there is nothing to measure then. */
/* FOLDER/NAME.txt of the folder that COFACTOR_BENCH_DATA names or, where that has none, of bench/data. */
FILE *bench_open(const char *folder, const char *name);
bool bench_has(const char *folder, const char *name);
double bench_number(FILE *f);
int bench_integer(FILE *f);
void bench_numbers(FILE *f, real *a, size_t n);
real *bench_reals(size_t n); /* zeroed */
int *bench_ints(size_t n);   /* zeroed */
void bench_zero(real *a, size_t n);
_Noreturn void bench_fail(const char *what, const char *which);
/* gradient[n] of the number that primal(data) leaves in *value, by central differences of x[n]. */
void bench_differences(real *x, size_t n, void (*primal)(void *data), void *data, const real *value,
                       real *gradient);
/* v_i = 1 where i mod combs == c, else 0: directions that together touch each entry once. */
void bench_comb(real *v, size_t n, int combs, int c);

/* What a way of differentiating delivers: pointers to arrays that belong to the case. */
typedef struct bench_section {
    const char *name; /* of the golden section */
    real *reals;      /* or NULL */
    const int *ints;  /* or NULL */
    size_t count;
    int combs; /* 0, or: entry c holds the sum of the golden entries i with i mod combs == c */
} bench_section;

#define BENCH_COMBS 64
typedef struct bench_result {
    int combs; /* in: how many directions a forward way takes of a gradient, at most BENCH_COMBS (1 when
                  timed) */
    real sum[BENCH_COMBS]; /* the derivatives along them */
    bool skip;             /* out: this case has no numbers for this way */
    int n;
    bench_section section[32];
} bench_result;

void bench_emit(bench_result *r, const char *name, real *a, size_t count);
void bench_emit_int(bench_result *r, const char *name, const int *a, size_t count);
void bench_emit_combs(bench_result *r, const char *name); /* delivers r->sum */

/* golden.c */
typedef struct bench_error {
    double rho, rel; /* the two measures of the problems' specification */
    const char *section;
    bool missing;   /* no section to compare with, or another shape */
    bool unchecked; /* nothing to compare with at all: neither golden numbers nor another way */
} bench_error;

/* Worst error over the sections of r, against the golden file. */
bench_error golden_compare(const char *name, const bench_result *r);
/* The same against another result, which holds the full sections. */
bench_error result_compare(const bench_result *expected, const bench_result *r);

/* One way to get the derivative of a problem. */
typedef struct bench_way {
    const char *mode; /* reverse, forward, ... */
    /* cofactor; hand; program: its value alone; differences: only where asked for, it is no exact way */
    const char *tool;
    void (*run)(void *data, bench_result *r);
    void (*needs)(void); /* a function that this way calls; NULL in a build that lacks it */
} bench_way;

#define BENCH_NEEDS(f) ((void (*)(void))(f))

typedef struct bench_case {
    char size; /* s, m or l */
    const char *name;
} bench_case;

typedef struct bench_problem {
    const char *name;
    bench_case cases[24];
    void *(*load)(const char *case_name);
    void (*primal)(void *data);
    bench_way ways[8];
} bench_problem;

extern const bench_problem *const bench_problems[]; /* ends with NULL */

/* A case whose inputs are a file that does not come with the benchmarks. */
typedef struct bench_file {
    const char *name, *folder, *file; /* of the case; of its inputs */
    const char *instead;              /* the case that is run where there is no such file, or NULL: none */
} bench_file;
extern const bench_file bench_files[]; /* ends with NULL */

/* Seconds of one call of f(data): the least over samples, each of which calls it for at least as many seconds. */
double bench_time(void (*f)(void *data), void *data, double seconds, int samples);

/* Poisons the results that f left, so that an entry that nobody writes is seen. */
void bench_poison(bench_result *r);

/* Copies the numbers of r, so that the next run of the case does not overwrite them. */
void bench_detach(bench_result *r);

/* demo.c: gradients of a few problems, a picture to read. Exit status. */
int bench_demo(void);

#endif
