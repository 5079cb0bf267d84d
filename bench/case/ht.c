#include "../bench.h"
#include "../ht.h"
#include <stdlib.h>
#include <string.h>
#pragma weak ht_simple_tan
#pragma weak ht_complicated_tan
#pragma weak ht_simple_grad
#pragma weak ht_complicated_grad

typedef struct data {
    ht_model model;
    int points, columns;
    int *vertex;
    real *measured, *u, *theta, *error, *J; /* u: NULL in the simple variant */
    real *u_dot, *theta_dot, *error_dot;
} data;

/* The next word, up to a colon or white space. */
static char *word(FILE *f) {
    static char buffer[64];
    if (fscanf(f, "%63[^:\n]", buffer) != 1) bench_fail("hand model", "ends early");
    int c = getc(f);
    (void)c;
    return buffer;
}

static matrix *read_matrix(FILE *f) {
    matrix *m = matrix_new(4, 4);
    for (int i = 0; i < 16; i++) m->data[i] = atof(word(f));
    return m;
}

static int count_lines(FILE *f) {
    int lines = 0, c, last = '\n';
    while ((c = getc(f)) != EOF) {
        lines += c == '\n';
        last = c;
    }
    rewind(f);
    return lines + (last != '\n');
}

static void read_bones(ht_model *m, const char *folder) {
    FILE *f = bench_open(folder, "bones");
    m->bones = count_lines(f);
    m->parent = bench_ints((size_t)m->bones);
    m->base = malloc((size_t)m->bones * sizeof *m->base);
    m->inverse = malloc((size_t)m->bones * sizeof *m->inverse);
    for (int b = 0; b < m->bones; b++) {
        word(f);
        m->parent[b] = atoi(word(f));
        m->base[b] = read_matrix(f);
        m->inverse[b] = read_matrix(f);
    }
    fclose(f);
}

static void read_vertices(ht_model *m, const char *folder) {
    FILE *f = bench_open(folder, "vertices");
    m->vertices = count_lines(f);
    m->positions = matrix_new(m->vertices, 4);
    m->weights = matrix_new(m->vertices, m->bones);
    for (int v = 0; v < m->vertices; v++) {
        for (int i = 0; i < 3; i++) m->positions->data[4 * v + i] = atof(word(f));
        m->positions->data[4 * v + 3] = 1;
        for (int i = 0; i < 5; i++) word(f);
        int pairs = atoi(word(f));
        for (int i = 0; i < pairs; i++) {
            int bone = atoi(word(f));
            m->weights->data[v * m->bones + bone] = atof(word(f));
        }
    }
    fclose(f);
}

/* Triangles of the model, three vertices each. */
static int *read_triangles(const char *folder, int *count) {
    FILE *f = bench_open(folder, "triangles");
    *count = count_lines(f);
    int *t = bench_ints(3 * (size_t)*count);
    for (int i = 0; i < 3 * *count; i++) t[i] = atoi(word(f));
    fclose(f);
    return t;
}

static void allocate_points(data *d, bool complicated) {
    size_t n = (size_t)d->points;
    d->vertex = bench_ints(3 * n);
    d->measured = bench_reals(3 * n);
    d->u = complicated ? bench_reals(2 * n) : NULL;
    d->theta = bench_reals(HT_PARAMS);
}

/* Point i belongs to a vertex or, in the complicated variant, to a triangle. */
static void belongs(data *d, int i, int at, const int *triangles) {
    if (triangles)
        memcpy(&d->vertex[3 * i], &triangles[3 * at], 3 * sizeof(int));
    else
        d->vertex[i] = at;
}

static void read_points(data *d, const char *file, bool complicated) {
    FILE *f = bench_open("ht", file);
    d->points = bench_integer(f);
    if (bench_integer(f) != HT_PARAMS) bench_fail("not a hand of 26 parameters", file);
    allocate_points(d, complicated);
    int count, *triangles = complicated ? read_triangles("ht/model", &count) : NULL;
    for (int i = 0; i < d->points; i++) {
        belongs(d, i, bench_integer(f), triangles);
        bench_numbers(f, &d->measured[3 * i], 3);
    }
    if (complicated) bench_numbers(f, d->u, 2 * (size_t)d->points);
    bench_numbers(f, d->theta, HT_PARAMS);
    free(triangles);
    fclose(f);
}

static void generate_points(data *d, uint64_t seed, bool complicated) {
    allocate_points(d, complicated);
    int count = d->model.vertices, *triangles = complicated ? read_triangles("hand", &count) : NULL;
    prng g = {seed};
    prng_fill_sym(&g, d->theta, HT_PARAMS, 1);
    for (int i = 0; i < d->points; i++) {
        belongs(d, i, prng_below(&g, count), triangles);
        prng_fill_sym(&g, &d->measured[3 * i], 3, 1);
    }
    if (complicated) prng_fill_range(&g, d->u, 2 * (size_t)d->points, 0, 0.5);
    free(triangles);
}

/* The points `times` times over, for the large case. */
static void repeat_points(data *d, size_t times) {
    size_t n = (size_t)d->points;
    int *vertex = bench_ints(3 * n * times);
    real *measured = bench_reals(3 * n * times), *u = bench_reals(2 * n * times);
    size_t per_point = d->u ? 3 : 1;
    for (size_t k = 0; k < times; k++) {
        memcpy(vertex + per_point * n * k, d->vertex, per_point * n * sizeof *vertex);
        memcpy(measured + 3 * n * k, d->measured, 3 * n * sizeof *measured);
        if (d->u) memcpy(u + 2 * n * k, d->u, 2 * n * sizeof *u);
    }
    d->vertex = vertex;
    d->measured = measured;
    if (d->u) d->u = u;
    d->points *= (int)times;
}

static void *load(const char *name) {
    static data d;
    char file[64];
    unsigned long long seed;
    bool complicated = strstr(name, "complicated") != NULL, generated = strstr(name, "_gen_") != NULL;
    const char *folder = generated ? "hand" : "ht/model";
    snprintf(file, sizeof file, "%.*s", (int)strcspn(name, "@"), name);
    read_bones(&d.model, folder);
    read_vertices(&d.model, folder);
    if (!generated)
        read_points(&d, file, complicated);
    else if (sscanf(name, "ht_gen_%*[a-z]_n%d_s%llu", &d.points, &seed) == 2)
        generate_points(&d, seed, complicated);
    else
        bench_fail("case", name);
    if (strchr(name, '@')) repeat_points(&d, (size_t)atoi(strchr(name, '@') + 1));
    size_t rows = 3 * (size_t)d.points;
    d.columns = complicated ? HT_PARAMS + 2 : HT_PARAMS;
    d.error = bench_reals(rows);
    d.error_dot = bench_reals(rows);
    d.J = bench_reals(rows * (size_t)d.columns);
    d.u_dot = bench_reals(rows);
    d.theta_dot = bench_reals(HT_PARAMS);
    return &d;
}

static void primal(void *p) {
    data *d = p;
    if (d->u)
        ht_complicated(&d->model, d->points, d->vertex, d->measured, d->u, d->theta, d->error);
    else
        ht_simple(&d->model, d->points, d->vertex, d->measured, d->theta, d->error);
}

static void program(void *p, bench_result *r) {
    data *d = p;
    primal(d);
    bench_emit(r, "residual", d->error, 3 * (size_t)d->points);
}

static void jacobian(data *d, bench_result *r) {
    bench_emit(r, "residual", d->error, 3 * (size_t)d->points);
    bench_emit(r, "jacobian", d->J, 3 * (size_t)(d->points * d->columns));
}

/* A direction per column; all u together, all v together. */
static void forward(void *p, bench_result *r) {
    data *d = p;
    int first = d->u ? 2 : 0;
    for (int j = 0; j < d->columns; j++) {
        bench_zero(d->theta_dot, HT_PARAMS);
        if (j >= first) d->theta_dot[j - first] = 1;
        for (int i = 0; i < 2 * d->points; i++) d->u_dot[i] = j < first && i % 2 == j;
        if (d->u)
            ht_complicated_tan(&d->model, d->points, d->vertex, d->measured, d->u, d->u_dot, d->theta,
                               d->theta_dot, d->error, d->error_dot);
        else
            ht_simple_tan(&d->model, d->points, d->vertex, d->measured, d->theta, d->theta_dot, d->error,
                          d->error_dot);
        for (int i = 0; i < 3 * d->points; i++) d->J[i * d->columns + j] = d->error_dot[i];
    }
    jacobian(d, r);
}

/* A seed per row: for the smallest cases, where it is a check. */
static void reverse(void *p, bench_result *r) {
    data *d = p;
    r->skip = d->points > 10;
    if (r->skip) return;
    bench_zero(d->J, 3 * (size_t)(d->points * d->columns));
    for (int i = 0; i < 3 * d->points; i++) {
        real *row = d->J + i * d->columns;
        bench_zero(d->error_dot, 3 * (size_t)d->points);
        d->error_dot[i] = 1;
        if (d->u) {
            bench_zero(d->u_dot, 2 * (size_t)d->points);
            ht_complicated_grad(&d->model, d->points, d->vertex, d->measured, d->u, d->u_dot, d->theta,
                                row + 2, d->error, d->error_dot);
            memcpy(row, &d->u_dot[2 * (i / 3)], 2 * sizeof *row);
        } else {
            ht_simple_grad(&d->model, d->points, d->vertex, d->measured, d->theta, row, d->error,
                           d->error_dot);
        }
    }
    jacobian(d, r);
}

static void hand(void *p, bench_result *r) {
    data *d = p;
    ht_hand(&d->model, d->points, d->vertex, d->measured, d->u, d->theta, d->error, d->J);
    jacobian(d, r);
}

const bench_problem bench_ht = {
    "ht",
    {{'s', "ht_test_simple"},
     {'s', "ht_test_complicated"},
     {'s', "ht_simple_hand1"},
     {'s', "ht_complicated_hand1"},
     {'s', "ht_gen_simple_n2_s151"},
     {'s', "ht_gen_complicated_n2_s152"},
     {'s', "ht_gen_simple_n20_s153"},
     {'s', "ht_gen_complicated_n20_s154"},
     {'m', "ht_simple_hand5"},
     {'m', "ht_complicated_hand5"},
     {'l', "ht_simple_hand5@16"},
     {'l', "ht_complicated_hand5@16"}},
    load,
    primal,
    {{"forward", "cofactor", forward, BENCH_NEEDS(ht_simple_tan)},
     {"reverse", "cofactor", reverse, BENCH_NEEDS(ht_simple_grad)},
     {"value", "program", program, BENCH_NEEDS(ht_simple)},
     {"forward", "hand", hand, BENCH_NEEDS(ht_hand)}},
};
