#include "../bench.h"
#include "../kmeans.h"
#include <string.h>
#pragma weak kmeans_grad
#pragma weak kmeans_tan

typedef struct data {
    int n, k, d;
    size_t count;
    real *points, *centroids, *bar, *dot, *diagonal, *dir, value;
} data;

static void *load(const char *name) {
    static data d;
    unsigned long long seed;
    if (sscanf(name, "kmeans_gen_k%d_d%d_n%d_s%llu", &d.k, &d.d, &d.n, &seed) != 4) bench_fail("case", name);
    d.count = (size_t)(d.k * d.d);
    d.points = bench_reals((size_t)(d.n * d.d));
    d.centroids = bench_reals(d.count);
    d.bar = bench_reals(d.count);
    d.dot = bench_reals(d.count);
    d.diagonal = bench_reals(d.count);
    d.dir = bench_reals(d.count);
    prng g = {seed};
    prng_fill_uni(&g, d.points, (size_t)(d.n * d.d));
    memcpy(d.centroids, d.points + (d.n - d.k) * d.d, d.count * sizeof(real));
    return &d;
}

static void primal(void *p) {
    data *d = p;
    d->value = kmeans(d->n, d->k, d->d, d->points, d->centroids);
}

static void program(void *p, bench_result *r) {
    data *d = p;
    primal(d);
    bench_emit(r, "value", &d->value, 1);
}

static void emit_gradient(data *d, bench_result *r) {
    bench_emit(r, "value", &d->value, 1);
    bench_emit(r, "gradient", d->bar, d->count);
}

static void reverse(void *p, bench_result *r) {
    data *d = p;
    bench_zero(d->bar, d->count);
    d->value = kmeans_grad(d->n, d->k, d->d, d->points, d->centroids, d->bar);
    emit_gradient(d, r);
}

static void hand(void *p, bench_result *r) {
    data *d = p;
    bench_zero(d->bar, d->count);
    bench_zero(d->diagonal, d->count);
    d->value = kmeans_hand(d->n, d->k, d->d, d->points, d->centroids, d->bar, d->diagonal);
    for (size_t i = 0; i < d->count; i++) d->dir[i] = d->bar[i] / d->diagonal[i];
    emit_gradient(d, r);
    bench_emit(r, "hessian_diag", d->diagonal, d->count);
    bench_emit(r, "dir", d->dir, d->count);
}

static void forward(void *p, bench_result *r) {
    data *d = p;
    for (int c = 0; c < r->combs; c++) {
        bench_comb(d->dot, d->count, r->combs, c);
        r->sum[c] = kmeans_tan(d->n, d->k, d->d, d->points, d->centroids, d->dot);
    }
    bench_emit_combs(r, "gradient");
}

const bench_problem bench_kmeans = {
    "kmeans",
    {{'s', "kmeans_gen_k5_d3_n60_s51"},
     {'s', "kmeans_gen_k10_d8_n1000_s52"},
     {'m', "kmeans_gen_k100_d16_n10000_s53"},
     {'l', "kmeans_gen_k1000_d16_n10000_s54"}},
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(kmeans_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(kmeans_tan)},
     {"value", "program", program, BENCH_NEEDS(kmeans)},
     {"reverse", "hand", hand, BENCH_NEEDS(kmeans_hand)}},
};
