#include "../bench.h"
#include "../ba.h"
#include <string.h>
#pragma weak ba_reprojection_grad
#pragma weak ba_weight_grad
#pragma weak ba_reprojection_tan
#pragma weak ba_weight_tan

typedef struct data {
    int n, m, p;
    real *cameras, *points, *weights, *features, *reproj_err, *w_err, *vals;
    int *observation, *rows, *cols;
} data;

static void allocate(data *d) {
    size_t n = (size_t)d->n, m = (size_t)d->m, p = (size_t)d->p;
    d->cameras = bench_reals(11 * n);
    d->points = bench_reals(3 * m);
    d->weights = bench_reals(p);
    d->features = bench_reals(2 * p);
    d->reproj_err = bench_reals(2 * p);
    d->w_err = bench_reals(p);
    d->vals = bench_reals(31 * p);
    d->observation = bench_ints(2 * p);
    d->rows = bench_ints(3 * p + 1);
    d->cols = bench_ints(31 * p);
}

/* The structure of the Jacobian, known from the observations. */
static void pattern(data *d) {
    int at = 0, first_point = 11 * d->n, first_weight = first_point + 3 * d->m;
    for (int row = 0; row < 2 * d->p; row++) {
        const int *o = &d->observation[row / 2 * 2];
        d->rows[row] = at;
        for (int j = 0; j < 11; j++) d->cols[at++] = 11 * o[0] + j;
        for (int j = 0; j < 3; j++) d->cols[at++] = first_point + 3 * o[1] + j;
        d->cols[at++] = first_weight + row / 2;
    }
    for (int i = 0; i < d->p; i++) {
        d->rows[2 * d->p + i] = at;
        d->cols[at++] = first_weight + i;
    }
    d->rows[3 * d->p] = at;
}

static void repeat(real *a, int width, int count) {
    for (int i = width; i < width * count; i++) a[i] = a[i - width];
}

static void read_replicated(data *d, FILE *f) {
    bench_numbers(f, d->cameras, 11);
    bench_numbers(f, d->points, 3);
    bench_numbers(f, d->weights, 1);
    bench_numbers(f, d->features, 2);
    repeat(d->cameras, 11, d->n);
    repeat(d->points, 3, d->m);
    repeat(d->weights, 1, d->p);
    repeat(d->features, 2, d->p);
    for (int i = 0; i < d->p; i++) {
        d->observation[2 * i] = i % d->n;
        d->observation[2 * i + 1] = i % d->m;
    }
}

static void generate(data *d, uint64_t seed) {
    prng g = {seed};
    for (int i = 0; i < d->n; i++) {
        real *c = &d->cameras[11 * i];
        prng_fill_sym(&g, c, 3, 0.5);
        prng_fill_sym(&g, c + 3, 3, 1);
        prng_fill_range(&g, c + 6, 1, 256, 256);
        prng_fill_sym(&g, c + 7, 2, 8);
        prng_fill_sym(&g, c + 9, 1, 0.125);
        prng_fill_sym(&g, c + 10, 1, 0.015625);
    }
    bench_zero(d->cameras, 3);
    for (int i = 0; i < d->m; i++) {
        prng_fill_sym(&g, &d->points[3 * i], 2, 1);
        prng_fill_range(&g, &d->points[3 * i + 2], 1, 4, 4);
    }
    prng_fill_range(&g, d->weights, (size_t)d->p, 0.5, 1);
    for (int i = 0; i < d->p; i++) {
        d->observation[2 * i] = prng_below(&g, d->n);
        d->observation[2 * i + 1] = prng_below(&g, d->m);
    }
    prng_fill_sym(&g, d->features, 2 * (size_t)d->p, 64);
}

static void *load(const char *name) {
    static data d;
    unsigned long long seed;
    bool block = !strcmp(name, "ba_block");
    if (sscanf(name, "ba_gen_n%d_m%d_p%d_s%llu", &d.n, &d.m, &d.p, &seed) == 4) {
        allocate(&d);
        generate(&d, seed);
    } else {
        FILE *f = bench_open("ba", block ? "ba1_n49_m7776_p31843" : name);
        d.n = bench_integer(f);
        d.m = bench_integer(f);
        d.p = bench_integer(f);
        if (block) d.n = d.m = d.p = 1;
        allocate(&d);
        read_replicated(&d, f);
        fclose(f);
    }
    pattern(&d);
    return &d;
}

static void primal(void *p) {
    data *d = p;
    ba(d->p, d->cameras, d->points, d->weights, d->observation, d->features, d->reproj_err, d->w_err);
}

static void errors(data *d, bench_result *r) {
    bench_emit(r, "reproj_err", d->reproj_err, 2 * (size_t)d->p);
    bench_emit(r, "w_err", d->w_err, (size_t)d->p);
}

static void program(void *p, bench_result *r) {
    primal(p);
    errors(p, r);
}

static void jacobian(data *d, bench_result *r) {
    errors(d, r);
    bench_emit_int(r, "rows", d->rows, 3 * (size_t)d->p + 1);
    bench_emit_int(r, "cols", d->cols, 31 * (size_t)d->p);
    bench_emit(r, "vals", d->vals, 31 * (size_t)d->p);
}

/* Two seeds per block. */
static void reverse(void *ptr, bench_result *r) {
    data *d = ptr;
    bench_zero(d->vals, 31 * (size_t)d->p);
    for (int row = 0; row < 2 * d->p; row++) {
        int i = row / 2;
        real *v = &d->vals[15 * row], e_bar[2] = {row % 2 == 0, row % 2 == 1};
        ba_reprojection_grad(&d->cameras[11 * d->observation[2 * i]], v,
                             &d->points[3 * d->observation[2 * i + 1]], v + 11, d->weights[i], v + 14,
                             &d->features[2 * i], &d->reproj_err[2 * i], e_bar);
    }
    for (int i = 0; i < d->p; i++) d->w_err[i] = ba_weight_grad(d->weights[i], &d->vals[30 * d->p + i]);
    jacobian(d, r);
}

static void observe(const data *d, int i, const real *x, real *e) {
    ba_reprojection(x, x + 11, x[14], &d->features[2 * i], e);
    e[2] = ba_weight_error(x[14]);
}

/* Two observations per input of a block; no block is seen again for the inputs of another. */
static void differences(void *ptr, bench_result *r) {
    data *d = ptr;
    primal(d);
    for (int i = 0; i < d->p; i++) {
        real x[15], above[3], below[3];
        memcpy(x, &d->cameras[11 * d->observation[2 * i]], 11 * sizeof *x);
        memcpy(x + 11, &d->points[3 * d->observation[2 * i + 1]], 3 * sizeof *x);
        x[14] = d->weights[i];
        for (int j = 0; j < 15; j++) {
            real at = x[j], h = (real)6e-6 * fmax(1, fabs(at));
            x[j] = at + h;
            observe(d, i, x, above);
            x[j] = at - h;
            observe(d, i, x, below);
            x[j] = at;
            for (int k = 0; k < 2; k++) d->vals[30 * i + 15 * k + j] = (above[k] - below[k]) / (2 * h);
            if (j == 14) d->vals[30 * d->p + i] = (above[2] - below[2]) / (2 * h);
        }
    }
    jacobian(d, r);
}

/* Fifteen directions per block. */
static void forward(void *ptr, bench_result *r) {
    data *d = ptr;
    for (int i = 0; i < d->p; i++) {
        const real *camera = &d->cameras[11 * d->observation[2 * i]],
                   *X = &d->points[3 * d->observation[2 * i + 1]];
        for (int j = 0; j < 15; j++) {
            real dot[15] = {0}, e_dot[2];
            dot[j] = 1;
            ba_reprojection_tan(camera, dot, X, dot + 11, d->weights[i], dot[14], &d->features[2 * i],
                                &d->reproj_err[2 * i], e_dot);
            d->vals[30 * i + j] = e_dot[0];
            d->vals[30 * i + 15 + j] = e_dot[1];
        }
        d->w_err[i] = ba_weight_error(d->weights[i]);
        d->vals[30 * d->p + i] = ba_weight_tan(d->weights[i], 1);
    }
    jacobian(d, r);
}

static void hand(void *ptr, bench_result *r) {
    data *d = ptr;
    for (int i = 0; i < d->p; i++) {
        ba_hand(&d->cameras[11 * d->observation[2 * i]], &d->points[3 * d->observation[2 * i + 1]],
                d->weights[i], &d->features[2 * i], &d->reproj_err[2 * i], &d->vals[30 * i]);
        d->w_err[i] = 1 - d->weights[i] * d->weights[i];
        d->vals[30 * d->p + i] = -2 * d->weights[i];
    }
    jacobian(d, r);
}

const bench_problem bench_ba = {
    "ba",
    {{'s', "ba_test"},
     {'s', "ba_block"},
     {'s', "ba_gen_n2_m3_p4_s20"},
     {'s', "ba_gen_n5_m20_p40_s21"},
     {'m', "ba1_n49_m7776_p31843"},
     {'l', "ba5_n257_m65132_p225911"}},
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(ba_reprojection_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(ba_reprojection_tan)},
     {"value", "program", program, BENCH_NEEDS(ba)},
     {"reverse", "hand", hand, BENCH_NEEDS(ba_hand)},
     {"reverse", "differences", differences, BENCH_NEEDS(ba)}},
};
