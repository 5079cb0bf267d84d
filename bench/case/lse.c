#include "../bench.h"
#include "../lse.h"
#include <string.h>
#pragma weak lse_grad
#pragma weak lse_tan

typedef struct data {
    int n;
    real *x, *x_bar, *x_dot, value;
} data;

static void *load(const char *name) {
    static data d;
    char kind[8];
    unsigned long long seed;
    if (sscanf(name, "lse_%4[a-z]_n%d_s%llu", kind, &d.n, &seed) != 3) bench_fail("case", name);
    size_t n = (size_t)d.n;
    d.x = bench_reals(n);
    d.x_bar = bench_reals(n);
    d.x_dot = bench_reals(n);
    prng g = {seed};
    if (!strcmp(kind, "wide"))
        prng_fill_range(&g, d.x, n, -1024, 2048);
    else
        prng_fill_uni(&g, d.x, n);
    return &d;
}

static void primal(void *p) {
    data *d = p;
    d->value = lse(d->n, d->x);
}

static void gradient(data *d, bench_result *r) {
    bench_emit(r, "value", &d->value, 1);
    bench_emit(r, "gradient", d->x_bar, (size_t)d->n);
}

static void reverse(void *p, bench_result *r) {
    data *d = p;
    bench_zero(d->x_bar, (size_t)d->n);
    d->value = lse_grad(d->n, d->x, d->x_bar);
    gradient(d, r);
}

static void forward(void *p, bench_result *r) {
    data *d = p;
    for (int c = 0; c < r->combs; c++) {
        bench_comb(d->x_dot, (size_t)d->n, r->combs, c);
        r->sum[c] = lse_tan(d->n, d->x, d->x_dot);
    }
    bench_emit_combs(r, "gradient");
}

static void hand(void *p, bench_result *r) {
    data *d = p;
    bench_zero(d->x_bar, (size_t)d->n);
    primal(d);
    lse_hand(d->n, d->x, d->x_bar);
    gradient(d, r);
}

const bench_problem bench_lse = {
    "lse",
    {{'s', "lse_unit_n100_s71"},
     {'s', "lse_wide_n40_s72"},
     {'m', "lse_unit_n100000_s73"},
     {'l', "lse_unit_n1280000_s74"}},
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(lse_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(lse_tan)},
     {"reverse", "hand", hand, BENCH_NEEDS(lse_hand)}},
};
