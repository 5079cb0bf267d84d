/* The Brusselator on a periodic square. Point (i, j) has index j N + i; u comes first, then v. */
#include "bruss.h"
#include <cofactor/ad.h>

static double laplacian(int N, int i, int j, const double *u) {
    int left = (i + N - 1) % N, right = (i + 1) % N, below = (j + N - 1) % N, above = (j + 1) % N;
    return u[j * N + left] + u[j * N + right] + u[below * N + i] + u[above * N + i] - 4 * u[j * N + i];
}

void bruss(int N, const double *w_old, const double *w, double *residual) {
    const double A = 3.4, B = 1, D = 0.002, dt = 1.0 / 64;
    double c = D * N * N;
    int n = N * N;
    const double *u = w, *v = w + n;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            int k = j * N + i;
            double uuv = u[k] * u[k] * v[k];
            residual[k] = (u[k] - w_old[k]) / dt - (c * laplacian(N, i, j, u) + B + uuv - (A + 1) * u[k]);
            residual[n + k] = (v[k] - w_old[n + k]) / dt - (c * laplacian(N, i, j, v) + A * u[k] - uuv);
        }
}

CF_REVERSE(bruss_grad, bruss, "const const dup dup");
CF_FORWARD(bruss_tan, bruss, "const const dup dup");
