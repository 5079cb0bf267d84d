// RUN: %ad -O2 -S -emit-llvm -I%S %s -o %t.ll
// RUN: python3 %S/Inputs/same_code.py %t.ll matmul matmul_1:1 matmul_2:2 matmul_3:3
// RUN: python3 %S/Inputs/same_code.py %t.ll relu relu_1:1 relu_2:2 relu_3:3
// RUN: python3 %S/Inputs/same_code.py %t.ll broadcast broadcast_1:1 broadcast_2:2 broadcast_3:3
// RUN: python3 %S/Inputs/same_code.py %t.ll tree tree_1:1 tree_2:2 tree_3:3
// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Kernels in empty contexts are optimised like the originals: matrix product, dense layer with relu, a broadcast, calls of a
// function that stays a function.
#include "events.h"
#include <math.h>

struct none { int unused; };
CF_CONTEXT(none, "");
struct other { int unused; };
CF_CONTEXT(other, "");
#define EMPTY(f, ...)                                                                                        \
    double f##_1(struct none *c1, __VA_ARGS__);                                                               \
    CF_IN(f##_1, f, none);                                                                                   \
    double f##_2(struct other *c2, struct none *c1, __VA_ARGS__);                                              \
    CF_IN(f##_2, f##_1, other);                                                                              \
    double f##_3(struct none *c3, struct other *c2, struct none *c1, __VA_ARGS__);                              \
    CF_IN(f##_3, f##_2, none)

double matmul(int n, const double *restrict a, const double *restrict b, double *restrict c) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    return c[0];
}
EMPTY(matmul, int n, const double *restrict a, const double *restrict b, double *restrict c);

static inline double positive(double x) { return x > 0 ? x : 0; }
double relu(int n, int m, const double *w, const double *x, const double *bias, double *y) {
    for (int i = 0; i < n; i++) {
        double s = bias[i];
        for (int j = 0; j < m; j++) s += w[i * m + j] * x[j];
        y[i] = positive(s);
    }
    return y[n - 1];
}
EMPTY(relu, int n, int m, const double *w, const double *x, const double *bias, double *y);

typedef double (*unary)(double);
static inline double apply(unary f, double x) { return f(x); }
static double half(double x) { return x / 2; }
double broadcast(int n, const float *x, double *y) {
    double s = 0;
    for (int i = 0; i < n; i++) y[i] = apply(half, x[i]) + sqrt(fabs((double)x[i])), s += y[i];
    return s;
}
EMPTY(broadcast, int n, const float *x, double *y);

APART double branch(int depth, double x) { return depth == 0 ? cos(x) : branch(depth - 1, x * 0.5) + branch(depth - 1, x + 1); }
double tree(int n, double x) {
    double s = 0;
    for (int i = 0; i < n; i++) s += branch(i, x);
    return s;
}
EMPTY(tree, int n, double x);

int main(void) {
    struct none c = {0};
    struct other d = {0};
    double a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, r[9] = {0}, y[2], z[3];
    float x[3] = {1, 4, 9};
    WANT(matmul_1(&c, 3, a, a, r), 30);
    WANT(matmul_2(&d, &c, 3, a, a, r), 60);
    WANT(matmul_3(&c, &d, &c, 3, a, a, r), 90);
    WANT(relu_1(&c, 2, 3, a, a + 3, a, y), 1 * 0 + 2 + 16 + 25 + 36), WANT(y[0], 1 + 4 + 10 + 18);
    WANT(relu_3(&c, &d, &c, 2, 3, a, a + 3, a, y), 79);
    WANT(broadcast_3(&c, &d, &c, 3, x, z), 1.5 + 4 + 7.5);
    WANT(tree_2(&d, &c, 4, 0.3), tree(4, 0.3));
    return wrong;
}
