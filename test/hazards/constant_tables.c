// RUN: %S/run.sh "%ad" %s %t
// Constant data that a callee puts where the caller finds it, in memory or as a result, has no shadow: nothing is added
// to it.
#include "hazard.h"

static const double table[4] = {5, 6, 7, 8}; /* read only: written to, it traps */
static const double other[4] = {1, 2, 3, 4};

/* As a result, beside an argument. */
APART const double *row(const double *x, int k, int n) { return n ? row(x, k, n - 1) : k & 1 ? x : table; }
static double as_result(const double *x) {
    double s = 0;
    for (int k = 0; k < 4; k++) {
        const double *p = row(x, k, 2);
        s += p[k] * p[k] * x[0];
    }
    return s;
}

/* In memory that the caller gives. */
struct model {
    const double *weight;
    double bias;
};
APART void choose(struct model *m, const double *x, int k, int n) {
    if (n) {
        choose(m, x, k, n - 1);
    } else {
        m->weight = k ? x : table;
        m->bias = x[3];
    }
}
static double in_memory(const double *x) {
    double s = 0;
    struct model m;
    for (int k = 0; k < 2; k++) {
        choose(&m, x, k, 1);
        s += m.weight[1] * m.weight[1] * m.bias;
    }
    return s;
}

/* In a global. */
static struct model global;
APART void set(const double *x, int k, int n) {
    if (n) {
        set(x, k, n - 1);
    } else {
        global.weight = k ? x : table;
        global.bias = x[3];
    }
}
APART double get(int n) { return n ? get(n - 1) : global.weight[1] * global.weight[1] * global.bias; }
static double in_global(const double *x) {
    set(x, 0, 1);
    double s = get(1);
    set(x, 1, 1);
    return s + get(2) + global.weight[0];
}

/* A table of tables, one of which changes. */
static double changes[4];
static const double *const rows[3] = {table, changes, other};
APART double take(int k, int n) { return n ? take(k, n - 1) : rows[k][1]; }
static double of_tables(const double *x) {
    changes[1] = x[0] * x[1];
    double s = 0;
    for (int k = 0; k < 3; k++) s += take(k, 1) * take(k, 1) * x[2];
    return s;
}

/* A struct with a pointer in it, by value. */
struct view {
    const double *at;
    long n;
};
APART struct view cut(struct view v, long from, int n) {
    if (n) return cut(v, from, n - 1);
    return from < 0 ? (struct view){table, 2} : (struct view){v.at + from, v.n - from};
}
static double by_value(const double *x) {
    double s = 0;
    for (long k = -1; k < 3; k++) {
        struct view v = cut((struct view){x, 4}, k, 1);
        for (long i = 0; i < v.n; i++) s += v.at[i] * v.at[i];
    }
    return s;
}

/* Memory that a callee makes. */
APART double *made(const double *x, int n, int deep) {
    if (deep) return made(x, n, deep - 1);
    double *p = malloc((size_t)n * sizeof *p);
    for (int i = 0; i < n; i++) p[i] = x ? x[i] : 1;
    return p;
}
static double handed_out(const double *x) {
    double *a = made(NULL, 4, 1), *b = made(x, 4, 1);
    for (int i = 0; i < 4; i++) a[i] *= b[i] * b[i];
    double s = a[0] + a[1] + a[2] * a[3];
    free(a), free(b);
    return s;
}

#define BOTH(k, f)                                                                                           \
    double r##k(const double *x, double *b), t##k(const double *x, const double *d);                         \
    CF_REVERSE(r##k, f, "dup");                                                                              \
    CF_FORWARD(t##k, f, "dup")
BOTH(1, as_result);
BOTH(2, in_memory);
BOTH(3, in_global);
BOTH(4, of_tables);
BOTH(5, by_value);
BOTH(6, handed_out);

int main(void) {
    const double x[4] = {1, 2, 3, 4}, d[4] = {1, 1, 1, 1};
    double b[4] = {0};
#define CLEAR memset(b, 0, sizeof b)
    for (int again = 0; again < 2; again++) {
        /* x0 (25 + x1^2 + 49 + x3^2) */
        WANT(r1(x, b), 94), WANT(b[0], 94), WANT(b[1], 4), WANT(b[3], 8), WANT(t1(x, d), 106), CLEAR;
        /* x3 (36 + x1^2) */
        WANT(r2(x, b), 160), WANT(b[1], 16), WANT(b[3], 40), WANT(t2(x, d), 56), CLEAR;
        WANT(r3(x, b), 161), WANT(b[0], 1), WANT(b[1], 16), WANT(b[3], 40), WANT(t3(x, d), 57), CLEAR;
        /* x2 (36 + x0^2 x1^2 + 4) */
        WANT(r4(x, b), 132), WANT(b[0], 24), WANT(b[1], 12), WANT(b[2], 44), WANT(t4(x, d), 80), CLEAR;
        /* 61 + x0^2 + 2 x1^2 + 3 x2^2 + 3 x3^2 */
        WANT(r5(x, b), 61 + 1 + 8 + 27 + 48), WANT(b[0], 2), WANT(b[1], 8), WANT(b[2], 18), WANT(b[3], 24);
        WANT(t5(x, d), 52), CLEAR;
        /* x0^2 + x1^2 + x2^2 x3^2 */
        WANT(r6(x, b), 149), WANT(b[0], 2), WANT(b[1], 4), WANT(b[2], 96), WANT(b[3], 72),
            WANT(t6(x, d), 174), CLEAR;
    }
    return wrong;
}
