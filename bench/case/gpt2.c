#include "../bench.h"
#include "../gpt2.h"
#pragma weak gpt2_loss_grad
#pragma weak gpt2_loss_tan

typedef real reverse_fn(const gpt2_sizes *, const int *, const int *, real *, real *, real *, real *);

typedef struct data {
    gpt2_sizes z;
    size_t n_params, n_acts;
    int *input, *target;
    real *params, *params_bar, *acts, *acts_bar, value;
} data;

static size_t count_params(const gpt2_sizes *z) {
    size_t L = (size_t)z->L, C = (size_t)z->C;
    return ((size_t)z->P + (size_t)z->M) * C + L * (12 * C * C + 13 * C) + 2 * C;
}

static size_t count_acts(const gpt2_sizes *z) {
    size_t L = (size_t)z->L, C = (size_t)z->C, n = (size_t)(z->B * z->T), scores = n * (size_t)(z->H * z->T);
    return L * (18 * n * C + 4 * n + 2 * scores) + 2 * n * C + 3 * n + 2 * n * (size_t)z->P;
}

static void generate(data *d, uint64_t seed) {
    prng g = {seed};
    gpt2_params p;
    gpt2_acts a;
    if (gpt2_place_params(&d->z, d->params, &p) != d->n_params ||
        gpt2_place_acts(&d->z, d->acts, &a) != d->n_acts)
        bench_fail("layout", "gpt2");
    real *const starts[] = {p.wte,
                            p.wpe,
                            p.ln1w,
                            p.ln1b,
                            p.qkvw,
                            p.qkvb,
                            p.attw,
                            p.attb,
                            p.ln2w,
                            p.ln2b,
                            p.fcw,
                            p.fcb,
                            p.projw,
                            p.projb,
                            p.lnfw,
                            p.lnfb,
                            d->params + d->n_params};
    for (int t = 0; t < 16; t++) {
        size_t count = (size_t)(starts[t + 1] - starts[t]);
        if (t == 2 || t == 8 || t == 14)
            prng_fill_range(&g, starts[t], count, 0.875, 0.25);
        else
            prng_fill_sym(&g, starts[t], count, d->z.C >= 64 ? 0.0625 : 0.25);
    }
    for (int i = 0; i < d->z.B * d->z.T; i++) d->input[i] = prng_below(&g, d->z.V);
    for (int i = 0; i < d->z.B * d->z.T; i++) d->target[i] = prng_below(&g, d->z.V);
}

static void *load(const char *name) {
    static data d;
    unsigned long long seed;
    gpt2_sizes *z = &d.z;
    if (sscanf(name, "gpt2_gen_L%d_H%d_C%d_T%d_M%d_B%d_V%d_P%d_s%llu", &z->L, &z->H, &z->C, &z->T, &z->M,
               &z->B, &z->V, &z->P, &seed) != 9)
        bench_fail("case", name);
    d.n_params = count_params(z);
    d.n_acts = count_acts(z);
    d.input = bench_ints((size_t)(z->B * z->T));
    d.target = bench_ints((size_t)(z->B * z->T));
    d.params = bench_reals(d.n_params);
    d.params_bar = bench_reals(d.n_params);
    d.acts = bench_reals(d.n_acts);
    d.acts_bar = bench_reals(d.n_acts);
    generate(&d, seed);
    return &d;
}

static void primal(void *p) {
    data *d = p;
    d->value = gpt2_loss(&d->z, d->input, d->target, d->params, d->acts);
}

static void gradient(data *d, bench_result *r, reverse_fn *f) {
    bench_zero(d->params_bar, d->n_params);
    bench_zero(d->acts_bar, d->n_acts);
    d->value = f(&d->z, d->input, d->target, d->params, d->params_bar, d->acts, d->acts_bar);
    bench_emit(r, "value", &d->value, 1);
    bench_emit(r, "gradient", d->params_bar, d->n_params);
}

static void reverse(void *p, bench_result *r) { gradient(p, r, gpt2_loss_grad); }

static void hand(void *p, bench_result *r) { gradient(p, r, gpt2_loss_hand); }

static void differences(void *p, bench_result *r) {
    data *d = p;
    bench_differences(d->params, d->n_params, primal, d, &d->value, d->params_bar);
    bench_emit(r, "value", &d->value, 1);
    bench_emit(r, "gradient", d->params_bar, d->n_params);
}

static void forward(void *p, bench_result *r) {
    data *d = p;
    for (int c = 0; c < r->combs; c++) {
        bench_comb(d->params_bar, d->n_params, r->combs, c);
        r->sum[c] = gpt2_loss_tan(&d->z, d->input, d->target, d->params, d->params_bar, d->acts, d->acts_bar);
    }
    bench_emit_combs(r, "gradient");
}

const bench_problem bench_gpt2 = {
    "gpt2",
    {{'s', "gpt2_gen_L1_H2_C8_T5_M6_B2_V11_P16_s141"},
     {'s', "gpt2_gen_L2_H4_C16_T12_M16_B3_V27_P32_s142"},
     {'m', "gpt2_gen_L4_H4_C128_T64_M64_B4_V1000_P1024_s143"},
#ifdef BENCH_FLOAT
     {'l', "gpt2_gen_L12_H12_C768_T64_M64_B4_V50257_P50304_s144"}
#endif
    },
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(gpt2_loss_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(gpt2_loss_tan)},
     {"reverse", "hand", hand, BENCH_NEEDS(gpt2_loss_hand)},
     {"reverse", "differences", differences, BENCH_NEEDS(gpt2_loss)}},
};
