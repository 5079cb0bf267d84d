#include "../bench.h"
#include "../bs.h"
#pragma weak bs_sum_grad
#pragma weak bs_price_tan

typedef struct data {
    size_t n;
    int *put;
    real *inputs, *price, *price_bar, *greeks, *second;
} data;

static void *load(const char *name) {
    static data d;
    unsigned long long seed;
    if (sscanf(name, "bs_gen_n%zu_s%llu", &d.n, &seed) != 2) bench_fail("case", name);
    d.put = bench_ints(d.n);
    d.inputs = bench_reals(5 * d.n);
    d.price = bench_reals(d.n);
    d.price_bar = bench_reals(d.n);
    d.greeks = bench_reals(5 * d.n);
    d.second = bench_reals(3 * d.n);
    prng g = {seed};
    for (size_t i = 0; i < d.n; i++) {
        prng_fill_range(&g, &d.inputs[5 * i], 2, 64, 128);
        prng_fill_range(&g, &d.inputs[5 * i + 2], 1, 0.015625, 0.0625);
        prng_fill_range(&g, &d.inputs[5 * i + 3], 1, 0.125, 0.5);
        prng_fill_range(&g, &d.inputs[5 * i + 4], 1, 0.125, 2);
        d.put[i] = prng_below(&g, 2);
    }
    return &d;
}

static void primal(void *p) {
    data *d = p;
    bs_sum((int)d->n, d->put, d->inputs, d->price);
}

static void program(void *p, bench_result *r) {
    data *d = p;
    primal(d);
    bench_emit(r, "price", d->price, d->n);
}

static void gradient(data *d, bench_result *r) {
    bench_emit(r, "price", d->price, d->n);
    bench_emit(r, "greeks", d->greeks, 5 * d->n);
}

static void reverse(void *p, bench_result *r) {
    data *d = p;
    bench_zero(d->greeks, 5 * d->n);
    bench_zero(d->price_bar, d->n);
    bs_sum_grad((int)d->n, d->put, d->inputs, d->greeks, d->price, d->price_bar);
    gradient(d, r);
}

static void forward(void *p, bench_result *r) {
    data *d = p;
    for (size_t i = 0; i < 5 * d->n; i++) {
        const real *o = &d->inputs[i / 5 * 5];
        real dot[5] = {0};
        dot[i % 5] = 1;
        d->greeks[i] =
            bs_price_tan(o[0], dot[0], o[1], dot[1], o[2], dot[2], o[3], dot[3], o[4], dot[4], d->put[i / 5]);
    }
    bench_emit(r, "greeks", d->greeks, 5 * d->n);
}

static void hand(void *p, bench_result *r) {
    data *d = p;
    bs_hand((int)d->n, d->put, d->inputs, d->price, d->greeks, d->second);
    gradient(d, r);
    bench_emit(r, "second", d->second, 3 * d->n);
}

const bench_problem bench_bs = {
    "bs",
    {{'s', "bs_gen_n12_s131"}, {'m', "bs_gen_n10000_s132"}, {'l', "bs_gen_n1000000_s133"}},
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(bs_sum_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(bs_price_tan)},
     {"value", "program", program, BENCH_NEEDS(bs_sum)},
     {"reverse", "hand", hand, BENCH_NEEDS(bs_hand)}},
};
