#include "../bench.h"
#include "../lj.h"
#include <string.h>
#pragma weak lj_cluster_grad
#pragma weak lj_cluster_tan
#pragma weak lj_box_grad
#pragma weak lj_box_tan

typedef struct data {
    int n;
    double side; /* 0: cluster */
    size_t count;
    real *x, *bar, *dot, *hessian, value; /* bar, dot: 3n positions, eps, sigma */
} data;

static const double eps = 1, sigma = 1;

static void *load(const char *name) {
    static data d;
    unsigned long long seed;
    char kind[16];
    if (sscanf(name, "lj_%15[a-z]_n%d_s%llu", kind, &d.n, &seed) != 3) bench_fail("case", name);
    bool box = !strcmp(kind, "box");
    int side = box ? 1 : 2;
    while (side * side * side < d.n) side++;
    d.count = (size_t)(3 * d.n);
    d.x = bench_reals(d.count);
    d.bar = bench_reals(d.count + 2);
    d.dot = bench_reals(d.count + 2);
    d.hessian = box ? NULL : bench_reals(d.count * d.count);
    d.side = box ? 1.625 * side : 0;
    prng g = {seed};
    for (int i = 0; i < d.n; i++) {
        int at[3] = {i % side, i / side % side, i / (side * side)};
        for (int a = 0; a < 3; a++)
            d.x[3 * i + a] = (box ? 1.625 : 1.125) * at[a] + prng_sym(&g, box ? 0.125 : 0.0625);
    }
    return &d;
}

static void primal(void *p) {
    data *d = p;
    d->value = d->side > 0 ? lj_box(d->n, d->side, d->x, eps, sigma) : lj_cluster(d->n, d->x, eps, sigma);
}

static void program(void *p, bench_result *r) {
    data *d = p;
    primal(d);
    bench_emit(r, "value", &d->value, 1);
}

static void emit_gradient(data *d, bench_result *r) {
    bench_emit(r, "value", &d->value, 1);
    bench_emit(r, "d_eps", &d->bar[d->count], 1);
    bench_emit(r, "d_sigma", &d->bar[d->count + 1], 1);
    bench_emit(r, "forces", d->bar, d->count);
}

static void reverse(void *p, bench_result *r) {
    data *d = p;
    double *by_eps = &d->bar[d->count], *by_sigma = by_eps + 1;
    bench_zero(d->bar, d->count + 2);
    if (d->side > 0)
        d->value = lj_box_grad(d->n, d->side, d->x, d->bar, eps, by_eps, sigma, by_sigma);
    else
        d->value = lj_cluster_grad(d->n, d->x, d->bar, eps, by_eps, sigma, by_sigma);
    for (size_t i = 0; i < d->count; i++) d->bar[i] = -d->bar[i];
    emit_gradient(d, r);
}

static double directional(data *d) {
    double eps_dot = d->dot[d->count], sigma_dot = d->dot[d->count + 1];
    if (d->side > 0) return lj_box_tan(d->n, d->side, d->x, d->dot, eps, eps_dot, sigma, sigma_dot);
    return lj_cluster_tan(d->n, d->x, d->dot, eps, eps_dot, sigma, sigma_dot);
}

static void forward(void *p, bench_result *r) {
    data *d = p;
    for (int c = 0; c < r->combs; c++) {
        bench_zero(d->dot, d->count + 2);
        bench_comb(d->dot, d->count, r->combs, c);
        r->sum[c] = -directional(d);
    }
    for (int e = 0; e < 2; e++) {
        bench_zero(d->dot, d->count + 2);
        d->dot[d->count + (size_t)e] = 1;
        d->bar[d->count + (size_t)e] = directional(d);
    }
    bench_emit(r, "d_eps", &d->bar[d->count], 1);
    bench_emit(r, "d_sigma", &d->bar[d->count + 1], 1);
    bench_emit_combs(r, "forces");
}

static void hand(void *p, bench_result *r) {
    data *d = p;
    bench_zero(d->bar, d->count + 2);
    d->value = lj_hand(d->n, d->side, d->x, d->bar, eps, &d->bar[d->count], sigma, &d->bar[d->count + 1]);
    emit_gradient(d, r);
}

static void hessian_hand(void *p, bench_result *r) {
    data *d = p;
    r->skip = d->side > 0;
    if (r->skip) return;
    bench_zero(d->hessian, d->count * d->count);
    lj_cluster_hessian(d->n, d->x, eps, sigma, d->hessian);
    bench_emit(r, "hessian", d->hessian, d->count * d->count);
}

const bench_problem bench_lj = {
    "lj",
    {{'s', "lj_cluster_n7_s121"},
     {'s', "lj_box_n64_s122"},
     {'m', "lj_box_n512_s123"},
     {'l', "lj_box_n4096_s124"}},
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(lj_box_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(lj_box_tan)},
     {"value", "program", program, BENCH_NEEDS(lj_box)},
     {"reverse", "hand", hand, BENCH_NEEDS(lj_hand)},
     {"hessian", "hand", hessian_hand, BENCH_NEEDS(lj_cluster_hessian)}},
};
