#include "../bench.h"
#include "../lbm.h"
#pragma weak lbm_grad
#pragma weak lbm_tan

typedef double reverse_fn(int, int, int, const double *, double *, double, double *);

typedef struct data {
    int nx, ny, steps;
    size_t n;                    /* numbers of u0 */
    real *u0, *bar, *dot, value; /* bar, dot: u0, omega */
} data;

static const double omega = 1.25;

static void *load(const char *name) {
    static data d;
    unsigned long long seed;
    if (sscanf(name, "lbm_gen_nx%d_ny%d_steps%d_s%llu", &d.nx, &d.ny, &d.steps, &seed) != 4)
        bench_fail("case", name);
    d.n = 2 * (size_t)(d.nx * d.ny);
    d.u0 = bench_reals(d.n);
    d.bar = bench_reals(d.n + 1);
    d.dot = bench_reals(d.n + 1);
    prng g = {seed};
    prng_fill_sym(&g, d.u0, d.n, 0.0625);
    return &d;
}

static void primal(void *p) {
    data *d = p;
    d->value = lbm(d->nx, d->ny, d->steps, d->u0, omega);
}

static void program(void *p, bench_result *r) {
    data *d = p;
    primal(d);
    bench_emit(r, "value", &d->value, 1);
}

static void gradient(data *d, bench_result *r, reverse_fn *f) {
    bench_zero(d->bar, d->n + 1);
    d->value = f(d->nx, d->ny, d->steps, d->u0, d->bar, omega, &d->bar[d->n]);
    bench_emit(r, "value", &d->value, 1);
    bench_emit(r, "gradient", d->bar, d->n + 1);
}

static void reverse(void *p, bench_result *r) { gradient(p, r, lbm_grad); }

static void hand(void *p, bench_result *r) { gradient(p, r, lbm_hand); }

static void forward(void *p, bench_result *r) {
    data *d = p;
    for (int c = 0; c < r->combs; c++) {
        bench_comb(d->dot, d->n + 1, r->combs, c);
        r->sum[c] = lbm_tan(d->nx, d->ny, d->steps, d->u0, d->dot, omega, d->dot[d->n]);
    }
    bench_emit_combs(r, "gradient");
}

/* Larger grids and longer runs need checkpoints: keeping every state of 256 x 128 over 5000 steps takes 11.8 GB. */
const bench_problem bench_lbm = {
    "lbm",
    {{'s', "lbm_gen_nx8_ny6_steps10_s101"},
     {'s', "lbm_gen_nx16_ny8_steps40_s102"},
     {'m', "lbm_gen_nx64_ny32_steps1000_s103"}},
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(lbm_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(lbm_tan)},
     {"value", "program", program, BENCH_NEEDS(lbm)},
     {"reverse", "hand", hand, BENCH_NEEDS(lbm_hand)}},
};
