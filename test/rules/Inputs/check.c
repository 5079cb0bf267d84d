/* Runs the rows and kinks of check.h. usage: check [-v]: errors by row; check --kinks: docs/kinks.md's table */
#include "check.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BITS = 600, STEP = 120, RANDOM = 40, RANDOM_MANY = 10 };

static const char *const names[] = {"double", "float", "long double"};
static const int digits[] = {53, 24, 64};
static const long double smallest[] = {DBL_MIN, FLT_MIN, LDBL_MIN}, largest[] = {DBL_MAX, FLT_MAX, LDBL_MAX};

static long double rounded(long double x, int p) {
    return p == DOUBLE ? (long double)(double)x : p == FLOAT ? (long double)(float)x : x;
}
static long double from(mpfr_t x, int p) {
    return p == DOUBLE  ? mpfr_get_d(x, MPFR_RNDN)
           : p == FLOAT ? mpfr_get_flt(x, MPFR_RNDN)
                        : mpfr_get_ld(x, MPFR_RNDN);
}

/* ---- points ---- */

static uint64_t draw(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 11;
}

/* Point i of a grid; false after the last one. */
static bool point(const grid *g, int i, int random, uint64_t *state, long double *x) {
    int n = 0;
    while (!isnan(g->point[n])) n++;
    if (i < n) return *x = g->point[i], true;
    if (i >= n + random) return false;
    long double u = (long double)draw(state) / 0x1p53L;
    *x = g->log ? g->low * powl(g->high / g->low, u) : g->low + u * (g->high - g->low);
    if (g->whole) *x = roundl(*x);
    return true;
}

/* ---- one row ---- */

typedef struct scratch {
    mpfr_t a[3], r, want, h, keep;
} scratch;

/* s->want: the derivative by argument k, by a central difference. */
static void difference(const row *row, scratch *s, const long double *a) {
    for (int i = 0; i < row->n; i++) mpfr_set_ld(s->a[i], a[i], MPFR_RNDN);
    row->f(s->r, s->a);
    mpfr_set_ld(s->h, a[row->k] == 0 ? 1 : a[row->k], MPFR_RNDN);
    mpfr_mul_2si(s->h, s->h, -STEP, MPFR_RNDN);
    mpfr_set(s->keep, s->a[row->k], MPFR_RNDN);
    mpfr_add(s->a[row->k], s->keep, s->h, MPFR_RNDN);
    row->f(s->want, s->a);
    mpfr_sub(s->a[row->k], s->keep, s->h, MPFR_RNDN);
    row->f(s->keep, s->a);
    mpfr_sub(s->want, s->want, s->keep, MPFR_RNDN);
    mpfr_div(s->want, s->want, s->h, MPFR_RNDN);
    mpfr_div_2ui(s->want, s->want, 1, MPFR_RNDN);
}

static const char *at(const row *row, const long double *a) {
    static char text[200];
    int n = 0;
    for (int i = 0; i < row->n; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%.21Lg", i ? ", " : "", a[i]);
    return text;
}

/* The error of the rule in units of what is allowed; 0 where the value cannot be had in this precision. */
static double check_point(const row *row, int p, scratch *s, const long double *a) {
    difference(row, s, a);
    long double r = from(s->r, p);
    if (mpfr_nan_p(s->want) || isnan(r)) return 0;
    long double want = from(s->want, p), got = row->rule[p](a, r);
    if (got == want || isinf(want) || isinf(r)) return 0;
    if (fabsl(want) < 4 * smallest[p] && fabsl(got) < 8 * smallest[p]) return 0;
    long double unit = ldexpl(1, 1 - digits[p]);
    mpfr_sub_d(s->keep, s->want, 0, MPFR_RNDN);
    mpfr_set_ld(s->h, got, MPFR_RNDN);
    mpfr_sub(s->keep, s->keep, s->h, MPFR_RNDN);
    long double error = fabsl(mpfr_get_ld(s->keep, MPFR_RNDN)) / unit;
    long double allowed = (long double)row->relative * fabsl(want) + (long double)row->absolute;
    double share = isnan(got) ? INFINITY : (double)(error / (allowed + LDBL_MIN));
    if (!(share <= 1))
        printf("%s, d%d, %s at (%s): %.21Lg, want %.21Lg\n", row->name, row->k, names[p], at(row, a), got,
               want);
    return share;
}

/* Whether a precision has such numbers. */
static bool exists(const long double *a, int n, int p) {
    for (int i = 0; i < n; i++)
        if (a[i] != 0 && (fabsl(a[i]) < smallest[p] || fabsl(a[i]) > largest[p])) return false;
    return true;
}

static int check_row(const row *row, int p, scratch *s, bool verbose) {
    uint64_t state = 1;
    long double a[3] = {0}, x[3] = {0};
    double worst = 0;
    int wrong = 0, points = 0;
    int random = row->n > 1 ? RANDOM_MANY : RANDOM;
    for (int i = 0; point(row->at[0], i, random, &state, &x[0]); i++)
        for (int j = 0; row->n < 2 ? j < 1 : point(row->at[1], j, random, &state, &x[1]); j++)
            for (int l = 0; row->n < 3 ? l < 1 : point(row->at[2], l, random, &state, &x[2]) && l < 4; l++) {
                if (!exists(x, row->n, p)) continue;
                for (int m = 0; m < row->n; m++) a[m] = rounded(x[m], p);
                double share = check_point(row, p, s, a);
                points++;
                if (share > worst) worst = share;
                wrong += !(share <= 1);
                if (wrong > 5) return wrong;
            }
    if (verbose)
        printf("%-14s d%d %-12s %5d points, worst %.3g of what is allowed\n", row->name, row->k, names[p],
               points, worst);
    if (points < 8) printf("%s, d%d, %s: %d points only\n", row->name, row->k, names[p], points), wrong++;
    return wrong;
}

/* ---- kinks ---- */

static bool same(long double got, long double want, int p) {
    if (isnan(want)) return isnan(got);
    return got == rounded(want, p) || fabsl(got - want) <= fabsl(want) * ldexpl(4, -digits[p]);
}

static int check_kink(const kink *k) {
    int wrong = 0;
    for (int p = 0; p < PRECISIONS; p++) {
        long double got = k->rule[p](k->a, k->r);
        if (same(got, k->want, p)) continue;
        printf("%s, d%d, %s, %s: %Lg, want %Lg\n", k->name, k->k, names[p], k->where, got, k->want);
        wrong++;
    }
    return wrong;
}

static void print_kinks(void) {
    puts("| function | at | by argument | derivative | why |\n|---|---|---|---|---|");
    for (int i = 0; i < kink_count; i++) {
        const kink *k = &kinks[i];
        char value[40];
        if (isnan(k->want))
            snprintf(value, sizeof value, "NaN");
        else if (isinf(k->want))
            snprintf(value, sizeof value, "%sinfinity", k->want < 0 ? "-" : "");
        else
            snprintf(value, sizeof value, "%.6Lg", k->want);
        printf("| %s | %s | %d | %s | %s |\n", k->name, k->where, k->k + 1, value, k->why);
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "--kinks")) return print_kinks(), 0;
    scratch s;
    mpfr_inits2(BITS, s.a[0], s.a[1], s.a[2], s.r, s.want, s.h, s.keep, (mpfr_ptr)NULL);
    bool verbose = argc > 1 && !strcmp(argv[1], "-v");
    int wrong = 0;
    for (int i = 0; i < row_count; i++)
        for (int p = 0; p < PRECISIONS; p++) wrong += check_row(&rows[i], p, &s, verbose);
    for (int i = 0; i < kink_count; i++) wrong += check_kink(&kinks[i]);
    mpfr_clears(s.a[0], s.a[1], s.a[2], s.r, s.want, s.h, s.keep, (mpfr_ptr)NULL);
    printf("%d rows, %d kinks, %d wrong\n", row_count, kink_count, wrong);
    return wrong > 0;
}
