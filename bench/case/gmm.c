#include "../bench.h"
#include "../gmm.h"
#pragma weak gmm_grad
#pragma weak gmm_adbench_grad
#pragma weak gmm_tan
#pragma weak gmm_adbench_tan

typedef struct data {
    int d, K, n, m;
    bool from_file;
    size_t count;                  /* of all parameters */
    real *alpha, *mu, *icf;        /* consecutive */
    real *bar, *adbench_bar, *dot; /* laid out like alpha, mu, icf */
    real *x, gamma, value, adbench_value;
} data;

static void allocate(data *d) {
    size_t K = (size_t)d->K, n = (size_t)d->n, dim = (size_t)d->d;
    d->count = K * (1 + dim + dim * (dim + 1) / 2);
    d->alpha = bench_reals(d->count);
    d->mu = d->alpha + K;
    d->icf = d->mu + K * dim;
    d->bar = bench_reals(d->count);
    d->adbench_bar = bench_reals(d->count);
    d->dot = bench_reals(d->count);
    d->x = bench_reals(n * dim);
}

static void generate(data *d, uint64_t seed) {
    size_t K = (size_t)d->K, dim = (size_t)d->d;
    prng g = {seed};
    prng_fill_sym(&g, d->alpha, K, 2);
    prng_fill_uni(&g, d->mu, K * dim);
    prng_fill_sym(&g, d->icf, d->count - K - K * dim, 1);
    prng_fill_sym(&g, d->x, (size_t)d->n * dim, 4);
    d->gamma = 1.5;
    d->m = 2;
}

static void *load(const char *name) {
    static data d;
    unsigned long long seed;
    if (sscanf(name, "gmm_gen_d%d_K%d_n%d_s%llu", &d.d, &d.K, &d.n, &seed) == 4) {
        allocate(&d);
        generate(&d, seed);
        return &d;
    }
    d.from_file = true;
    FILE *f = bench_open("gmm", name);
    d.d = bench_integer(f);
    d.K = bench_integer(f);
    d.n = bench_integer(f);
    allocate(&d);
    bench_numbers(f, d.alpha, d.count);
    bench_numbers(f, d.x, (size_t)d.n * (size_t)d.d);
    d.gamma = (real)bench_number(f);
    d.m = bench_integer(f);
    fclose(f);
    return &d;
}

static void primal(void *p) {
    data *d = p;
    gmm(d->d, d->K, d->n, d->alpha, d->mu, d->icf, d->x, d->gamma, d->m, &d->value);
}

static void call(data *d, gmm_reverse_fn *f, real *bar, real *value) {
    size_t K = (size_t)d->K;
    real *mu_bar = bar + K, *icf_bar = mu_bar + K * (size_t)d->d, seed = 1;
    bench_zero(bar, d->count);
    f(d->d, d->K, d->n, d->alpha, bar, d->mu, mu_bar, d->icf, icf_bar, d->x, d->gamma, d->m, value, &seed);
}

static void program(void *p, bench_result *r) {
    data *d = p;
    primal(d);
    bench_emit(r, "value", &d->value, 1);
}

static void gradient(data *d, bench_result *r, gmm_reverse_fn *f) {
    call(d, f, d->bar, &d->value);
    bench_emit(r, "value", &d->value, 1);
    bench_emit(r, "gradient", d->bar, d->count);
}

static void reverse(void *p, bench_result *r) { gradient(p, r, gmm_grad); }

static void hand(void *p, bench_result *r) { gradient(p, r, gmm_hand); }

static void adbench_gradient(data *d, bench_result *r, gmm_reverse_fn *f) {
    call(d, f, d->adbench_bar, &d->adbench_value);
    /* The golden file of gmm_d10_K25 holds the plain sign alone. */
    r->skip = d->from_file && d->d == 10 && d->K == 25;
    bench_emit(r, "value_adbench", &d->adbench_value, 1);
    bench_emit(r, "gradient_adbench", d->adbench_bar, d->count);
}

static void adbench(void *p, bench_result *r) { adbench_gradient(p, r, gmm_adbench_grad); }

static void adbench_hand(void *p, bench_result *r) { adbench_gradient(p, r, gmm_adbench_hand); }

static void differences(void *p, bench_result *r) {
    data *d = p;
    bench_differences(d->alpha, d->count, primal, d, &d->value, d->bar);
    bench_emit(r, "value", &d->value, 1);
    bench_emit(r, "gradient", d->bar, d->count);
}

static void forward(void *p, bench_result *r) {
    data *d = p;
    size_t K = (size_t)d->K;
    const real *mu_dot = d->dot + K, *icf_dot = mu_dot + K * (size_t)d->d;
    for (int c = 0; c < r->combs; c++) {
        bench_comb(d->dot, d->count, r->combs, c);
        gmm_tan(d->d, d->K, d->n, d->alpha, d->dot, d->mu, mu_dot, d->icf, icf_dot, d->x, d->gamma, d->m,
                &d->value, &r->sum[c]);
    }
    bench_emit(r, "value", &d->value, 1);
    bench_emit_combs(r, "gradient");
}

const bench_problem bench_gmm = {
    "gmm",
    {{'s', "gmm_test"},
     {'s', "gmm_gen_d2_K3_n1_s10"},
     {'s', "gmm_gen_d3_K4_n20_s11"},
     {'s', "gmm_gen_d10_K5_n1000_s13"},
     {'s', "gmm_d2_K5"},
     {'s', "gmm_d10_K5"},
     {'m', "gmm_d10_K25"},
     {'m', "gmm_d20_K10"},
     {'l', "gmm_gen_d64_K25_n1000_s12"}},
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(gmm_grad)},
     {"adbench", "cofactor", adbench, BENCH_NEEDS(gmm_adbench_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(gmm_tan)},
     {"value", "program", program, BENCH_NEEDS(gmm)},
     {"reverse", "hand", hand, BENCH_NEEDS(gmm_hand)},
     {"adbench", "hand", adbench_hand, BENCH_NEEDS(gmm_adbench_hand)},
     {"reverse", "differences", differences, BENCH_NEEDS(gmm)}},
};
