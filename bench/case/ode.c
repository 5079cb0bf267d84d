#include "../bench.h"
#include "../ode.h"
#pragma weak ode_grad
#pragma weak ode_tan

typedef struct data {
    int steps;
    size_t n;
    real *x, *x_bar, *x_dot, *y, *y_bar, *y_dot, *jacobian;
} data;

static void *load(const char *name) {
    static data d;
    unsigned long long seed;
    int n;
    if (sscanf(name, "ode_gen_n%d_steps%d_s%llu", &n, &d.steps, &seed) != 3) bench_fail("case", name);
    d.n = (size_t)n;
    d.x = bench_reals(d.n);
    d.x_bar = bench_reals(d.n);
    d.x_dot = bench_reals(d.n);
    d.y = bench_reals(d.n);
    d.y_bar = bench_reals(d.n);
    d.y_dot = bench_reals(d.n);
    d.jacobian = bench_reals(n <= 100 ? d.n * d.n : 1);
    prng g = {seed};
    prng_fill_range(&g, d.x, d.n, 0.5, 1);
    return &d;
}

static void primal(void *p) {
    data *d = p;
    ode((int)d->n, d->steps, d->x, d->y);
}

/* The seed: the last output; where that is 0, all outputs. */
static void seed(data *d) {
    bool all = d->n > 4 * (size_t)d->steps;
    for (size_t i = 0; i < d->n; i++) d->y_bar[i] = all || i + 1 == d->n ? 1 : 0;
}

static void gradient(data *d, bench_result *r,
                     void (*f)(int, int, const double *, double *, double *, double *)) {
    seed(d);
    bench_zero(d->x_bar, d->n);
    f((int)d->n, d->steps, d->x, d->x_bar, d->y, d->y_bar);
    bench_emit(r, "value", d->y, d->n);
    bench_emit(r, "gradient", d->x_bar, d->n);
}

static void reverse(void *p, bench_result *r) { gradient(p, r, ode_grad); }

static void hand(void *p, bench_result *r) { gradient(p, r, ode_hand); }

/* The derivative of the seeded sum along combs. */
static void forward(void *p, bench_result *r) {
    data *d = p;
    seed(d);
    for (int c = 0; c < r->combs; c++) {
        bench_comb(d->x_dot, d->n, r->combs, c);
        ode_tan((int)d->n, d->steps, d->x, d->x_dot, d->y, d->y_dot);
        r->sum[c] = 0;
        for (size_t i = 0; i < d->n; i++) r->sum[c] += d->y_bar[i] * d->y_dot[i];
    }
    bench_emit(r, "value", d->y, d->n);
    bench_emit_combs(r, "gradient");
}

/* The Jacobian: a column per direction, or a row per seed; for the small cases. */
static void columns(void *p, bench_result *r) {
    data *d = p;
    if (d->n > 100) {
        forward(p, r);
        return;
    }
    for (size_t j = 0; j < d->n; j++) {
        for (size_t i = 0; i < d->n; i++) d->x_dot[i] = i == j;
        ode_tan((int)d->n, d->steps, d->x, d->x_dot, d->y, d->y_dot);
        for (size_t i = 0; i < d->n; i++) d->jacobian[i * d->n + j] = d->y_dot[i];
    }
    bench_emit(r, "value", d->y, d->n);
    bench_emit(r, "jacobian", d->jacobian, d->n * d->n);
}

static void rows_by(data *d, bench_result *r,
                    void (*f)(int, int, const double *, double *, double *, double *)) {
    if (d->n > 100) {
        gradient(d, r, f);
        return;
    }
    bench_zero(d->jacobian, d->n * d->n);
    for (size_t i = 0; i < d->n; i++) {
        bench_zero(d->y_bar, d->n);
        d->y_bar[i] = 1;
        f((int)d->n, d->steps, d->x, d->jacobian + i * d->n, d->y, d->y_bar);
    }
    bench_emit(r, "value", d->y, d->n);
    bench_emit(r, "jacobian", d->jacobian, d->n * d->n);
}

static void rows(void *p, bench_result *r) { rows_by(p, r, ode_grad); }

static void rows_hand(void *p, bench_result *r) { rows_by(p, r, ode_hand); }

const bench_problem bench_ode = {
    "ode",
    {{'s', "ode_gen_n6_steps4_s81"},
     {'s', "ode_gen_n12_steps10_s82"},
     {'m', "ode_gen_n1000_steps10_s83"},
     {'l', "ode_gen_n10000_steps100_s84"}},
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(ode_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(ode_tan)},
     {"jacobian-forward", "cofactor", columns, BENCH_NEEDS(ode_tan)},
     {"jacobian-reverse", "cofactor", rows, BENCH_NEEDS(ode_grad)},
     {"reverse", "hand", hand, BENCH_NEEDS(ode_hand)},
     {"jacobian-reverse", "hand", rows_hand, BENCH_NEEDS(ode_hand)}},
};
