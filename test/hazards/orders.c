// RUN: %ad -O0 %s -lm -o %t && %t
// RUN: %ad -O2 -g %s -lm -o %t && %t
// RUN: env COFACTOR_NO_INLINE=1 %ad -O1 -DTO_SECOND %s -lm -o %t && %t
// Derivatives of derivatives, up to the third: each order of the two modes, through loops that count, loops that run until
// something is reached, recursion, calls through pointers, the heap and structs. All of these compute s^4 with s = c·x, so
// the derivatives along u, v, w are 4 s^3 (c·u), 12 s^2 (c·u)(c·v) and 24 s (c·u)(c·v)(c·w).
#include "hazard.h"

enum { N = 3 };
static const double c[N] = {1, -0.5, 2}, along[3][N] = {{1, 2, 0.5}, {-1, 1, 1}, {0.5, 0, 3}};

/* NAME(x, n): the derivative of f along direction k, by either mode. */
#define FORWARD(f, name, k)                                                                                  \
    double name##_tan(double *x, double *d, int n);                                                          \
    CF_FORWARD(name##_tan, f, "dup const");                                                                  \
    static double name(double *x, int n) {                                                                   \
        double d[N];                                                                                         \
        for (int i = 0; i < N; i++) d[i] = along[k][i];                                                      \
        return name##_tan(x, d, n);                                                                          \
    }
#define REVERSE(f, name, k)                                                                                  \
    double name##_grad(double *x, double *b, int n);                                                         \
    CF_REVERSE(name##_grad, f, "dup const");                                                                 \
    static double name(double *x, int n) {                                                                   \
        double b[N] = {0}, s = 0;                                                                            \
        name##_grad(x, b, n);                                                                                \
        for (int i = 0; i < N; i++) s += b[i] * along[k][i];                                                 \
        return s;                                                                                            \
    }
#define BOTH(f, k) FORWARD(f, f##F, k) REVERSE(f, f##R, k)
#define SECOND(f) BOTH(f, 0) BOTH(f##F, 1) BOTH(f##R, 1)
#ifdef TO_SECOND /* where no function is inlined, the memory of a tape is no variable whose contents are known */
#define THIRD SECOND
#define CHECK_THIRD CHECK_SECOND
#else
#define THIRD(f) SECOND(f) BOTH(f##FF, 2) BOTH(f##FR, 2) BOTH(f##RF, 2) BOTH(f##RR, 2)
#define CHECK_THIRD(f)                                                                                       \
    CHECK_SECOND(f), CHECK_BOTH(f##FF, 3), CHECK_BOTH(f##FR, 3), CHECK_BOTH(f##RF, 3), CHECK_BOTH(f##RR, 3)
#endif

static double counted(double *x, int n) {
    double s = 0, r = 1;
    for (int i = 0; i < n; i++) s += x[i] * c[i];
    for (int k = 0; k < 4; k++) r *= s;
    return r;
}
THIRD(counted)

APART double power(double s, int k) { return k ? s * power(s, k - 1) : 1; }
APART double sum(double *x, int i) { return i < 0 ? 0 : x[i] * c[i] + sum(x, i - 1); }
static double recursive(double *x, int n) { return power(sum(x, n - 1), 4); }
THIRD(recursive)

static double until(double *x, int n) {
    double s = 0, r = 1;
    int i = 0, k = 0;
    do s += x[i] * c[i];
    while (++i < n && x[i] < 100);
    while (r > -1) {
        r *= s;
        if (++k == 4) break;
    }
    return r;
}
THIRD(until)

static double times(double a, double b) { return a * b; }
static double plus(double a, double b) { return a + b; }
static double (*const operation[2])(double, double) = {times, plus};
static double through_pointers(double *x, int n) {
    double s = 0, r = 1;
    for (int i = 0; i < n; i++) s = operation[1](s, x[i] * c[i]);
    for (int k = 0; k < 4; k++) r = operation[0](r, s);
    return r;
}
SECOND(through_pointers)

static double heap(double *x, int n) {
    double *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b), s = 0;
    for (int i = 0; i < n; i++) a[i] = x[i] * c[i];
    memcpy(b, a, (size_t)n * sizeof *a);
    for (int i = 0; i < n; i++) s += b[i];
    free(a);
    b[0] = 1;
    for (int k = 0; k < 4; k++) b[0] *= s;
    s = b[0];
    free(b);
    return s;
}
SECOND(heap)

struct held {
    double a[3];
    double *p;
    int n;
};
static double total;
APART void add_up(struct held *v) {
    total = 0;
    for (int i = 0; i < v->n; i++) total += v->a[i] * v->p[i];
}
static double structs(double *x, int n) {
    double y[3];
    struct held v = {{1, -.5, 2}, y, n};
    for (int i = 0; i < n; i++) y[i] = x[i];
    add_up(&v);
    y[0] = total * total;
    v.p[1] = y[0];
    return y[0] * y[1];
}
SECOND(structs)

/* Memory of the caller's is overwritten, and back again at the end. */
static double overwritten(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) x[i] *= c[i];
    for (int i = 0; i < n; i++) s += x[i];
    for (int i = 0; i < n; i++) x[i] /= c[i];
    s = s * s;
    return s * s;
}
BOTH(overwritten, 0) BOTH(overwrittenF, 1) FORWARD(overwrittenR, overwrittenRF, 1)

typedef double derivative(double *x, int n);
static void check(const char *name, derivative *f, int order) {
    double x[N] = {0.7, 0.3, 1.1}, s = 0.7 - 0.15 + 2.2;
    double expected = order == 1 ? 4 * s * s * s : order == 2 ? 12 * s * s : 24 * s;
    for (int k = 0; k < order; k++) expected *= along[k][0] * c[0] + along[k][1] * c[1] + along[k][2] * c[2];
    for (int again = 0; again < 2; again++) want(name, f(x, N), expected, 1e-12);
    WANT(x[0], 0.7), WANT(x[1], 0.3), WANT(x[2], 1.1);
}
#define CHECK_BOTH(f, order) check(#f "F", f##F, order), check(#f "R", f##R, order)
#define CHECK_SECOND(f) CHECK_BOTH(f, 1), CHECK_BOTH(f##F, 2), CHECK_BOTH(f##R, 2)

/* The whole gradient of a gradient, with adjoints of its output and of its result. */
double cubes(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i] * x[i];
    return s;
}
double cubes_grad(const double *x, double *b, int n);
CF_REVERSE(cubes_grad, cubes, "dup const");
double cubes_twice(const double *x, double *x_bar, double *b, double *b_bar, int n);
CF_REVERSE(cubes_twice, cubes_grad, "dup dup const");

int main(void) {
    CHECK_THIRD(counted);
    CHECK_THIRD(recursive);
    CHECK_THIRD(until);
    CHECK_SECOND(through_pointers);
    CHECK_SECOND(heap);
    CHECK_SECOND(structs);
    CHECK_BOTH(overwritten, 1), CHECK_BOTH(overwrittenF, 2), check("overwrittenRF", overwrittenRF, 2);
    /* b = 3 x^2 is added, and the value's own adjoint is 1: 3 x^2 + 6 x b_bar; b_bar stays what it was */
    double x[3] = {1.2, 1, .8}, x_bar[3] = {0}, b[3] = {0}, b_bar[3] = {1, 0, -2};
    cubes_twice(x, x_bar, b, b_bar, 3);
    for (int i = 0; i < 3; i++) {
        double seed = i == 0 ? 1 : i == 1 ? 0 : -2;
        WANT(x_bar[i], 3 * x[i] * x[i] + 6 * x[i] * seed);
        WANT(b[i], 3 * x[i] * x[i]);
        WANT(b_bar[i], seed);
    }
    return wrong;
}
