/* The Jacobian is compressed by a colouring: columns that no row has both of share a direction, and rows a seed. */
#include "../bench.h"
#include "../bruss.h"
#include <stdlib.h>
#pragma weak bruss_grad
#pragma weak bruss_tan

typedef struct data {
    int N, n, colours;
    int *rows, *cols, *colour; /* a colour for column k and for row k: the pattern is symmetric */
    real *w, *w_old, *w_bar, *w_dot, *residual, *residual_bar, *vals;
} data;

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void pattern(data *d) {
    int N = d->N, n = N * N;
    for (int row = 0; row < d->n; row++) {
        int k = row % n, base = row - k, i = k % N, j = k / N, *c = &d->cols[6 * row];
        c[0] = row;
        c[1] = base + j * N + (i + 1) % N;
        c[2] = base + j * N + (i + N - 1) % N;
        c[3] = base + (j + 1) % N * N + i;
        c[4] = base + (j + N - 1) % N * N + i;
        c[5] = (row + n) % d->n;
        qsort(c, 6, sizeof *c, ascending);
        d->rows[row] = 6 * row;
    }
    d->rows[d->n] = 6 * d->n;
}

/* Greedy: the least colour that no neighbour of a neighbour has. Returns how many were used. */
static int paint(const data *d, int *colours) {
    int used = 0;
    for (int x = 0; x < d->n; x++) {
        unsigned long long taken = 0;
        for (int a = 6 * x; a < 6 * x + 6; a++)
            for (int b = 6 * d->cols[a]; b < 6 * d->cols[a] + 6; b++)
                if (d->cols[b] < x) taken |= 1ull << colours[d->cols[b]];
        int c = 0;
        while (taken >> c & 1) c++;
        colours[x] = c;
        if (c >= used) used = c + 1;
    }
    return used;
}

static void *load(const char *name) {
    static data d;
    unsigned long long seed;
    if (sscanf(name, "bruss_gen_n%d_s%llu", &d.N, &seed) != 2) bench_fail("case", name);
    d.n = 2 * d.N * d.N;
    size_t n = (size_t)d.n;
    d.rows = bench_ints(n + 1);
    d.cols = bench_ints(6 * n);
    d.colour = bench_ints(n);
    d.w = bench_reals(n);
    d.w_old = bench_reals(n);
    d.w_bar = bench_reals(n);
    d.w_dot = bench_reals(n);
    d.residual = bench_reals(n);
    d.residual_bar = bench_reals(n);
    d.vals = bench_reals(6 * n);
    prng g = {seed};
    prng_fill_range(&g, d.w, n, 0.5, 2);
    prng_fill_range(&g, d.w_old, n, 0.5, 2);
    pattern(&d);
    d.colours = paint(&d, d.colour);
    return &d;
}

static void primal(void *p) {
    data *d = p;
    bruss(d->N, d->w_old, d->w, d->residual);
}

static void program(void *p, bench_result *r) {
    data *d = p;
    primal(d);
    bench_emit(r, "residual", d->residual, (size_t)d->n);
}

static void jacobian(data *d, bench_result *r) {
    bench_emit(r, "residual", d->residual, (size_t)d->n);
    bench_emit_int(r, "rows", d->rows, (size_t)d->n + 1);
    bench_emit_int(r, "cols", d->cols, 6 * (size_t)d->n);
    bench_emit(r, "vals", d->vals, 6 * (size_t)d->n);
}

static void forward(void *p, bench_result *r) {
    data *d = p;
    for (int c = 0; c < d->colours; c++) {
        for (int j = 0; j < d->n; j++) d->w_dot[j] = d->colour[j] == c;
        bruss_tan(d->N, d->w_old, d->w, d->w_dot, d->residual, d->residual_bar);
        for (int a = 0; a < 6 * d->n; a++)
            if (d->colour[d->cols[a]] == c) d->vals[a] = d->residual_bar[a / 6];
    }
    jacobian(d, r);
}

static void reverse(void *p, bench_result *r) {
    data *d = p;
    for (int c = 0; c < d->colours; c++) {
        for (int i = 0; i < d->n; i++) d->residual_bar[i] = d->colour[i] == c;
        bench_zero(d->w_bar, (size_t)d->n);
        bruss_grad(d->N, d->w_old, d->w, d->w_bar, d->residual, d->residual_bar);
        for (int a = 0; a < 6 * d->n; a++)
            if (d->colour[a / 6] == c) d->vals[a] = d->w_bar[d->cols[a]];
    }
    jacobian(d, r);
}

static void hand(void *p, bench_result *r) {
    data *d = p;
    bruss_hand(d->N, d->w_old, d->w, d->cols, d->residual, d->vals);
    jacobian(d, r);
}

const bench_problem bench_bruss = {
    "bruss",
    {{'s', "bruss_gen_n4_s111"},
     {'s', "bruss_gen_n8_s112"},
     {'m', "bruss_gen_n64_s113"},
     {'l', "bruss_gen_n512_s114"}},
    load,
    primal,
    {{"forward", "cofactor", forward, BENCH_NEEDS(bruss_tan)},
     {"reverse", "cofactor", reverse, BENCH_NEEDS(bruss_grad)},
     {"value", "program", program, BENCH_NEEDS(bruss)},
     {"forward", "hand", hand, BENCH_NEEDS(bruss_hand)}},
};
