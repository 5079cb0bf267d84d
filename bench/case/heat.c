#include "../bench.h"
#include "../heat.h"
#pragma weak heat_grad
#pragma weak heat_tan

typedef double reverse_fn(int, int, const double *, double *, double, double *, double, double *,
                          const double *);

typedef struct data {
    int n, steps;
    size_t cells;
    real *u0, *target, *bar, *dot, value; /* bar, dot: cells, k0, k1 */
} data;

static const double k0 = 1, k1 = 0.5;

static void *load(const char *name) {
    static data d;
    unsigned long long seed;
    if (sscanf(name, "heat_gen_n%d_steps%d_s%llu", &d.n, &d.steps, &seed) != 3) bench_fail("case", name);
    d.cells = (size_t)(d.n * d.n);
    d.u0 = bench_reals(d.cells);
    d.target = bench_reals(d.cells);
    d.bar = bench_reals(d.cells + 2);
    d.dot = bench_reals(d.cells + 2);
    prng g = {seed};
    prng_fill_uni(&g, d.u0, d.cells);
    prng_fill_uni(&g, d.target, d.cells);
    return &d;
}

static void primal(void *p) {
    data *d = p;
    d->value = heat(d->n, d->steps, d->u0, k0, k1, d->target);
}

static void program(void *p, bench_result *r) {
    data *d = p;
    primal(d);
    bench_emit(r, "value", &d->value, 1);
}

static void gradient(data *d, bench_result *r, reverse_fn *f) {
    bench_zero(d->bar, d->cells + 2);
    d->value = f(d->n, d->steps, d->u0, d->bar, k0, &d->bar[d->cells], k1, &d->bar[d->cells + 1], d->target);
    bench_emit(r, "value", &d->value, 1);
    bench_emit(r, "gradient", d->bar, d->cells + 2);
}

static void reverse(void *p, bench_result *r) { gradient(p, r, heat_grad); }

static void hand(void *p, bench_result *r) { gradient(p, r, heat_hand); }

static void forward(void *p, bench_result *r) {
    data *d = p;
    for (int c = 0; c < r->combs; c++) {
        bench_comb(d->dot, d->cells + 2, r->combs, c);
        r->sum[c] = heat_tan(d->n, d->steps, d->u0, d->dot, k0, d->dot[d->cells], k1, d->dot[d->cells + 1],
                             d->target);
    }
    bench_emit_combs(r, "gradient");
}

/* Larger grids and longer runs need checkpoints: keeping every state of 256 x 256 over 10000 steps takes 5.2 GB. */
const bench_problem bench_heat = {
    "heat",
    {{'s', "heat_gen_n8_steps20_s91"},
     {'s', "heat_gen_n16_steps100_s92"},
     {'m', "heat_gen_n64_steps1000_s93"}},
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(heat_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(heat_tan)},
     {"value", "program", program, BENCH_NEEDS(heat)},
     {"reverse", "hand", hand, BENCH_NEEDS(heat_hand)}},
};
