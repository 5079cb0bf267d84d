/* Row k: 1/dt + 4c - 2 u v + A + 1 on the diagonal, -c at the neighbours, -u^2 at N^2 + k. Row N^2 + k: 1/dt + 4c + u^2,
 * -c, and -(A - 2 u v) at column k. */
#include "../bruss.h"

void bruss_hand(int N, const double *w_old, const double *w, const int *cols, double *residual,
                double *vals) {
    const double A = 3.4, dt = 1.0 / 64;
    double c = 0.002 * N * N;
    int n = N * N;
    bruss(N, w_old, w, residual);
    for (int row = 0; row < 2 * n; row++) {
        double u = w[row % n], v = w[n + row % n];
        for (int a = 6 * row; a < 6 * row + 6; a++) {
            if (cols[a] == row)
                vals[a] = 1 / dt + 4 * c + (row < n ? A + 1 - 2 * u * v : u * u);
            else if (cols[a] % n == row % n)
                vals[a] = row < n ? -u * u : 2 * u * v - A;
            else
                vals[a] = -c;
        }
    }
}
