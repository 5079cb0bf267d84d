#include "../bench.h"
#include "../llsq.h"
#pragma weak llsq_grad
#pragma weak llsq_tan

typedef struct data {
    int m, n;
    real *x, *x_bar, *x_dot, value;
} data;

static void *load(const char *name) {
    static data d;
    unsigned long long seed;
    if (sscanf(name, "llsq_gen_m%d_n%d_s%llu", &d.m, &d.n, &seed) != 3) bench_fail("case", name);
    size_t m = (size_t)d.m;
    d.x = bench_reals(m);
    d.x_bar = bench_reals(m);
    d.x_dot = bench_reals(m);
    prng g = {seed};
    prng_fill_uni(&g, d.x, m);
    return &d;
}

static void primal(void *p) {
    data *d = p;
    d->value = llsq(d->m, d->n, d->x);
}

static void program(void *p, bench_result *r) {
    data *d = p;
    primal(d);
    bench_emit(r, "value", &d->value, 1);
}

static void gradient(data *d, bench_result *r, double (*f)(int, int, const double *, double *)) {
    bench_zero(d->x_bar, (size_t)d->m);
    d->value = f(d->m, d->n, d->x, d->x_bar);
    bench_emit(r, "value", &d->value, 1);
    bench_emit(r, "gradient", d->x_bar, (size_t)d->m);
}

static void reverse(void *p, bench_result *r) { gradient(p, r, llsq_grad); }

static void hand(void *p, bench_result *r) { gradient(p, r, llsq_hand); }

static void forward(void *p, bench_result *r) {
    data *d = p;
    for (int c = 0; c < r->combs; c++) {
        bench_comb(d->x_dot, (size_t)d->m, r->combs, c);
        r->sum[c] = llsq_tan(d->m, d->n, d->x, d->x_dot);
    }
    bench_emit_combs(r, "gradient");
}

const bench_problem bench_llsq = {
    "llsq",
    {{'s', "llsq_gen_m6_n17_s61"},
     {'s', "llsq_gen_m32_n64_s62"},
     {'m', "llsq_gen_m128_n1024_s63"},
     {'l', "llsq_gen_m128_n16392_s64"}},
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(llsq_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(llsq_tan)},
     {"value", "program", program, BENCH_NEEDS(llsq)},
     {"reverse", "hand", hand, BENCH_NEEDS(llsq_hand)}},
};
