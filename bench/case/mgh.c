/* Two points per problem. The long tridiagonal case has its Jacobian in three columns: entry (i, j) in column j mod 3. */
#include "../bench.h"
#include "../mgh.h"
#include <string.h>
#define WEAK(number, name, n, m)                                                                             \
    extern mgh_reverse_fn name##_grad __attribute__((weak));                                                 \
    extern mgh_forward_fn name##_tan __attribute__((weak));
MGH_PROBLEMS(WEAK)

static const struct entry {
    const char *name;
    int n, m;
    mgh_fn *f;
    mgh_reverse_fn *reverse;
    mgh_forward_fn *forward;
    mgh_hand_fn *hand;
} entries[] = {
#define ENTRY(number, name, n, m)                                                                            \
    {"mgh_" #number "_" #name, n, m, name, name##_grad, name##_tan, name##_hand},
    MGH_PROBLEMS(ENTRY)};

static const double starts[][11] = {{-1.2, 1},
                                    {0.5, -2},
                                    {0, 1},
                                    {-1},
                                    {1, 1, 1},
                                    {0.02, 4000, 250},
                                    {0, 10, 20},
                                    {3, -1, 0, 1},
                                    {0.25, 0.39, 0.415, 0.39},
                                    {25, 5, -5, -1},
                                    {0.5, 1.5, -1, 0.01, 0.02},
                                    {1.3, .65, .65, .7, .6, 3, 5, 7, 2, 4.5, 5.5},
                                    {0}};

typedef struct point {
    real *x, *f, *J, *gradient, norm;
} point;

typedef struct data {
    const struct entry *e;
    int n, m, columns; /* columns: n, or 3 where J is compressed */
    point at[2];
    real *x_bar, *x_dot, *f_bar, *f_dot;
} data;

static double start(const struct entry *e, int n, int j) {
    size_t problem = (size_t)(e - entries);
    if (problem < sizeof starts / sizeof *starts) return j < 11 ? starts[problem][j] : 0;
    if (!strcmp(e->name, "mgh_26_trigonometric")) return 1.0 / n;
    if (!strcmp(e->name, "mgh_35_chebyquad")) return (j + 1.0) / (n + 1);
    return -1;
}

static const struct entry *find(const char *name) {
    for (const struct entry *e = entries; e < entries + sizeof entries / sizeof *entries; e++)
        if (!strncmp(name, e->name, strlen(e->name))) return e;
    bench_fail("case", name);
}

static void *load(const char *name) {
    static data d;
    const struct entry *e = find(name);
    d = (data){.e = e, .n = e->n, .m = e->m};
    if (sscanf(name + strlen(e->name), "_n%d", &d.n) == 1 && e->m == e->n) d.m = d.n;
    d.columns = d.n > 5000 ? 3 : d.n;
    size_t n = (size_t)d.n, m = (size_t)d.m;
    for (int k = 0; k < 2; k++) {
        point *p = &d.at[k];
        p->x = bench_reals(n);
        p->f = bench_reals(m);
        p->J = bench_reals(m * (size_t)d.columns);
        p->gradient = bench_reals(n);
        for (int j = 0; j < d.n; j++) {
            double s = start(e, d.n, j), c = j % 2 ? -0.0625 : 0.0625;
            p->x[j] = k == 0 ? s : s == 0 ? c : s * (1 + c);
        }
    }
    d.x_bar = bench_reals(n);
    d.x_dot = bench_reals(n);
    d.f_bar = bench_reals(m);
    d.f_dot = bench_reals(m);
    return &d;
}

static void primal(void *ptr) {
    data *d = ptr;
    for (int k = 0; k < 2; k++) d->e->f(d->n, d->m, d->at[k].x, d->at[k].f);
}

static void values(data *d, bench_result *r) {
    static const char *const names[2][2] = {{"f0", "norm0"}, {"f1", "norm1"}};
    for (int k = 0; k < 2; k++) {
        point *p = &d->at[k];
        p->norm = 0;
        for (int i = 0; i < d->m; i++) p->norm += p->f[i] * p->f[i];
        p->norm = sqrt(p->norm);
        bench_emit(r, names[k][0], p->f, (size_t)d->m);
        bench_emit(r, names[k][1], &p->norm, 1);
    }
}

static void jacobians(data *d, bench_result *r) {
    values(d, r);
    bench_emit(r, "J0", d->at[0].J, (size_t)(d->m * d->columns));
    bench_emit(r, "J1", d->at[1].J, (size_t)(d->m * d->columns));
}

static void program(void *p, bench_result *r) {
    primal(p);
    values(p, r);
}

static void row(data *d, point *p, int i) {
    real *J = p->J + i * d->n;
    bench_zero(J, (size_t)d->n);
    bench_zero(d->f_bar, (size_t)d->m);
    d->f_bar[i] = 1;
    d->e->reverse(d->n, d->m, p->x, J, p->f, d->f_bar);
}

/* The rows c, c + 3, ... together: they have no column in common. */
static void compressed_rows(data *d, point *p, int c) {
    bench_zero(d->x_bar, (size_t)d->n);
    bench_comb(d->f_bar, (size_t)d->m, 3, c);
    d->e->reverse(d->n, d->m, p->x, d->x_bar, p->f, d->f_bar);
    for (int i = c; i < d->m; i += 3)
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < d->n; j++) p->J[3 * i + j % 3] = d->x_bar[j];
}

static void reverse(void *ptr, bench_result *r) {
    data *d = ptr;
    for (int k = 0; k < 2; k++) {
        if (d->columns < d->n) bench_zero(d->at[k].J, 3 * (size_t)d->m);
        if (d->columns < d->n)
            for (int c = 0; c < 3; c++) compressed_rows(d, &d->at[k], c);
        else
            for (int i = 0; i < d->m; i++) row(d, &d->at[k], i);
    }
    jacobians(d, r);
}

static void forward(void *ptr, bench_result *r) {
    data *d = ptr;
    for (int k = 0; k < 2; k++) {
        point *p = &d->at[k];
        for (int j = 0; j < d->columns; j++) {
            bench_comb(d->x_dot, (size_t)d->n, d->columns, j);
            d->e->forward(d->n, d->m, p->x, d->x_dot, p->f, d->f_dot);
            for (int i = 0; i < d->m; i++) p->J[i * d->columns + j] = d->f_dot[i];
        }
    }
    jacobians(d, r);
}

/* The gradient of the sum of squares, J^T 2f, by one seed. */
static void gradient(void *ptr, bench_result *r) {
    data *d = ptr;
    primal(d);
    for (int k = 0; k < 2; k++) {
        point *p = &d->at[k];
        for (int i = 0; i < d->m; i++) d->f_bar[i] = 2 * p->f[i];
        bench_zero(p->gradient, (size_t)d->n);
        d->e->reverse(d->n, d->m, p->x, p->gradient, p->f, d->f_bar);
    }
    values(d, r);
    bench_emit(r, "gradF0", d->at[0].gradient, (size_t)d->n);
    bench_emit(r, "gradF1", d->at[1].gradient, (size_t)d->n);
}

static void hand_compressed(data *d, point *p) {
    bench_zero(p->J, 3 * (size_t)d->m);
    for (int i = 0; i < d->m; i++) {
        p->J[3 * i + i % 3] = 3 - 4 * p->x[i];
        if (i > 0) p->J[3 * i + (i - 1) % 3] = -1;
        if (i + 1 < d->n) p->J[3 * i + (i + 1) % 3] = -2;
    }
}

static void hand(void *ptr, bench_result *r) {
    data *d = ptr;
    primal(d);
    for (int k = 0; k < 2; k++) {
        point *p = &d->at[k];
        if (d->columns < d->n) {
            hand_compressed(d, p);
        } else {
            bench_zero(p->J, (size_t)(d->m * d->n));
            d->e->hand(d->n, d->m, p->x, p->J);
        }
    }
    jacobians(d, r);
}

static void gradient_hand(void *ptr, bench_result *r) {
    data *d = ptr;
    primal(d);
    for (int k = 0; k < 2; k++) {
        point *p = &d->at[k];
        bench_zero(p->gradient, (size_t)d->n);
        if (d->columns < d->n) {
            hand_compressed(d, p);
            for (int i = 0; i < d->m; i++)
                for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < d->n; j++)
                    p->gradient[j] += 2 * p->f[i] * p->J[3 * i + j % 3];
            continue;
        }
        bench_zero(p->J, (size_t)(d->m * d->n));
        d->e->hand(d->n, d->m, p->x, p->J);
        for (int i = 0; i < d->m; i++)
            for (int j = 0; j < d->n; j++) p->gradient[j] += 2 * p->f[i] * p->J[i * d->n + j];
    }
    values(d, r);
    bench_emit(r, "gradF0", d->at[0].gradient, (size_t)d->n);
    bench_emit(r, "gradF1", d->at[1].gradient, (size_t)d->n);
}

const bench_problem bench_mgh = {
    "mgh",
    {
#define CASE(number, name, n, m) {'s', "mgh_" #number "_" #name},
        MGH_PROBLEMS(CASE){'m', "mgh_20_watson_n12"},
        {'m', "mgh_26_trigonometric_n1000"},
        {'m', "mgh_30_broyden_tridiagonal_n1000"},
        {'m', "mgh_35_chebyquad_n64"},
        {'l', "mgh_30_broyden_tridiagonal_n100000"}},
    load,
    primal,
    {{"reverse", "cofactor", reverse, BENCH_NEEDS(rosenbrock_grad)},
     {"forward", "cofactor", forward, BENCH_NEEDS(rosenbrock_tan)},
     {"gradient", "cofactor", gradient, BENCH_NEEDS(rosenbrock_grad)},
     {"value", "program", program, BENCH_NEEDS(rosenbrock)},
     {"reverse", "hand", hand, BENCH_NEEDS(rosenbrock_hand)},
     {"gradient", "hand", gradient_hand, BENCH_NEEDS(rosenbrock_hand)}},
};
