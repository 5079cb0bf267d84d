#include "../bench.h"
#include "../det.h"
#pragma weak det_grad
#pragma weak det_tan

typedef struct data {
    int l;
    size_t n;
    real *A, *A_bar, *A_dot, value;
} data;

static void *load(const char *name) {
    static data d;
    unsigned long long seed;
    if (sscanf(name, "det_gen_l%d_s%llu", &d.l, &seed) != 2) bench_fail("case", name);
    d.n = (size_t)(d.l * d.l);
    d.A = bench_reals(d.n);
    d.A_bar = bench_reals(d.n);
    d.A_dot = bench_reals(d.n);
    prng g = {seed};
    prng_fill_sym(&g, d.A, d.n, 1);
    return &d;
}

static void primal(void *p) {
    data *d = p;
    d->value = det(d->l, d->A);
}

static void program(void *p, bench_result *r) {
    data *d = p;
    primal(d);
    bench_emit(r, "value", &d->value, 1);
}

static void gradient(data *d, bench_result *r, double (*f)(int, const double *, double *)) {
    bench_zero(d->A_bar, d->n);
    d->value = f(d->l, d->A, d->A_bar);
    bench_emit(r, "value", &d->value, 1);
    bench_emit(r, "gradient", d->A_bar, d->n);
}

static void reverse(void *p, bench_result *r) { gradient(p, r, det_grad); }

static void hand(void *p, bench_result *r) { gradient(p, r, det_hand); }

static void forward(void *p, bench_result *r) {
    data *d = p;
    for (int c = 0; c < r->combs; c++) {
        bench_comb(d->A_dot, d->n, r->combs, c);
        r->sum[c] = det_tan(d->l, d->A, d->A_dot);
    }
    bench_emit_combs(r, "gradient");
}

const bench_problem bench_det = {
    "det",
    {{'s', "det_gen_l5_s41"}, {'s', "det_gen_l7_s42"}, {'m', "det_gen_l8_s43"}, {'l', "det_gen_l10_s44"}},
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(det_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(det_tan)},
     {"value", "program", program, BENCH_NEEDS(det)},
     {"reverse", "hand", hand, BENCH_NEEDS(det_hand)}},
};
