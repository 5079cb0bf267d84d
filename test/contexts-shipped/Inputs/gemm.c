#include <stdio.h>
#include <stdlib.h>

typedef float four __attribute__((vector_size(16)));

static void gemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j]; /* line 10 */
}

static four scale(four v, four by) {
    return v * by - by; /* line 14 */
}

int main(int argc, char **argv) {
    int n = argc + 5;
    (void)argv;
    size_t size = (size_t)(n * n) * sizeof(double);
    double *a = calloc(1, size), *b = calloc(1, size), *c = calloc(1, size);
    gemm(n, a, b, c);
    four v = {1, 2, 3, 4};
    for (int i = 0; i < 5; i++) v = scale(v, v);
    printf("%g\n", c[0] + v[0]);
    free(a), free(b), free(c);
    return 0;
}
