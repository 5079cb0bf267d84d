#include "../bench.h"
#include "../lstm.h"
#pragma weak lstm_grad
#pragma weak lstm_tan

typedef real reverse_fn(int, int, int, const real *, real *, const real *, real *, const real *,
                        const real *);

typedef struct data {
    int l, c, b;
    size_t n_weights, n; /* n: weights and extra, consecutive */
    real *weights, *extra, *state, *sequence, *bar, *dot, value;
} data;

static void allocate(data *d) {
    d->n_weights = (size_t)(8 * d->l * d->b);
    d->n = d->n_weights + (size_t)(3 * d->b);
    d->weights = bench_reals(d->n);
    d->extra = d->weights + d->n_weights;
    d->state = bench_reals((size_t)(2 * d->l * d->b));
    d->sequence = bench_reals((size_t)(d->c * d->b));
    d->bar = bench_reals(d->n);
    d->dot = bench_reals(d->n);
}

static void *load(const char *name) {
    static data d;
    unsigned long long seed;
    size_t n_sequence;
    if (sscanf(name, "lstm_gen_l%d_c%d_b%d_s%llu", &d.l, &d.c, &d.b, &seed) == 4) {
        allocate(&d);
        prng g = {seed};
        prng_fill_uni(&g, d.weights, d.n);
        prng_fill_uni(&g, d.state, (size_t)(2 * d.l * d.b));
        n_sequence = (size_t)(d.c * d.b);
        for (size_t i = 0; i < n_sequence; i++) d.sequence[i] = (real)prng_below(&g, 2);
        return &d;
    }
    FILE *f = bench_open("lstm", name);
    d.l = bench_integer(f);
    d.c = bench_integer(f);
    d.b = bench_integer(f);
    allocate(&d);
    bench_numbers(f, d.weights, d.n);
    bench_numbers(f, d.state, (size_t)(2 * d.l * d.b));
    bench_numbers(f, d.sequence, (size_t)(d.c * d.b));
    fclose(f);
    return &d;
}

static void primal(void *p) {
    data *d = p;
    d->value = lstm(d->l, d->c, d->b, d->weights, d->extra, d->state, d->sequence);
}

static void program(void *p, bench_result *r) {
    data *d = p;
    primal(d);
    bench_emit(r, "value", &d->value, 1);
}

static void gradient(data *d, bench_result *r, reverse_fn *f) {
    bench_zero(d->bar, d->n);
    d->value =
        f(d->l, d->c, d->b, d->weights, d->bar, d->extra, d->bar + d->n_weights, d->state, d->sequence);
    bench_emit(r, "value", &d->value, 1);
    bench_emit(r, "gradient", d->bar, d->n);
}

static void reverse(void *p, bench_result *r) { gradient(p, r, lstm_grad); }

static void hand(void *p, bench_result *r) { gradient(p, r, lstm_hand); }

static void forward(void *p, bench_result *r) {
    data *d = p;
    for (int c = 0; c < r->combs; c++) {
        bench_comb(d->dot, d->n, r->combs, c);
        r->sum[c] = lstm_tan(d->l, d->c, d->b, d->weights, d->dot, d->extra, d->dot + d->n_weights, d->state,
                             d->sequence);
    }
    bench_emit_combs(r, "gradient");
}

const bench_problem bench_lstm = {
    "lstm",
    {{'s', "lstm_gen_l2_c8_b4_s31"},
     {'s', "lstm_gen_l2_c1024_b14_s32"},
     {'s', "lstm_l2_c1024"},
     {'m', "lstm_l4_c1024"},
     {'l', "lstm_l4_c4096"}},
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(lstm_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(lstm_tan)},
     {"value", "program", program, BENCH_NEEDS(lstm)},
     {"reverse", "hand", hand, BENCH_NEEDS(lstm_hand)}},
};
