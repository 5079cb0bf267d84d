/* Adjoint of the diffusion, edge by edge, with every state kept. */
#include "../heat.h"
#include <stdlib.h>
#include <string.h>

typedef struct coefficients {
    double k0, k1, k0_bar, k1_bar;
} coefficients;

static int interior(int n, int i, int j) { return i > 0 && j > 0 && i < n - 1 && j < n - 1; }

/* Moves phi over the edge (p, q) in the new state. */
static void edge(const double *u, double *next, int p, int q, int p_in, int q_in, const coefficients *k) {
    double m = (u[p] + u[q]) / 2, phi = (k->k0 + k->k1 * m * m) * (u[q] - u[p]) / 16;
    if (p_in) next[p] += phi;
    if (q_in) next[q] -= phi;
}

static void edge_adjoint(const double *u, const double *old_bar, double *bar, int p, int q, int p_in,
                         int q_in, coefficients *k) {
    double f = (p_in ? old_bar[p] : 0) - (q_in ? old_bar[q] : 0);
    double d = u[q] - u[p], m = (u[p] + u[q]) / 2, kappa = k->k0 + k->k1 * m * m;
    bar[p] += f / 16 * (k->k1 * m * d - kappa);
    bar[q] += f / 16 * (k->k1 * m * d + kappa);
    k->k0_bar += f * d / 16;
    k->k1_bar += f * d * m * m / 16;
}

static void step(int n, const double *u, double *next, const coefficients *k) {
    memcpy(next, u, (size_t)(n * n) * sizeof *u);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int p = i * n + j, in = interior(n, i, j);
            if (j + 1 < n) edge(u, next, p, p + 1, in, interior(n, i, j + 1), k);
            if (i + 1 < n) edge(u, next, p, p + n, in, interior(n, i + 1, j), k);
        }
}

static void step_adjoint(int n, const double *u, const double *old_bar, double *bar, coefficients *k) {
    memcpy(bar, old_bar, (size_t)(n * n) * sizeof *bar);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int p = i * n + j, in = interior(n, i, j);
            if (j + 1 < n) edge_adjoint(u, old_bar, bar, p, p + 1, in, interior(n, i, j + 1), k);
            if (i + 1 < n) edge_adjoint(u, old_bar, bar, p, p + n, in, interior(n, i + 1, j), k);
        }
}

double heat_hand(int n, int steps, const double *u0, double *u0_bar, double k0, double *k0_bar, double k1,
                 double *k1_bar, const double *target) {
    size_t cells = (size_t)(n * n), size = cells * sizeof(double);
    double *states = malloc(((size_t)steps + 1) * size), *bar = malloc(size), *next = malloc(size), sum = 0;
    coefficients k = {.k0 = k0, .k1 = k1};
    memcpy(states, u0, size);
    for (int s = 0; s < steps; s++) step(n, states + (size_t)s * cells, states + (size_t)(s + 1) * cells, &k);
    for (size_t i = 0; i < cells; i++) {
        bar[i] = states[(size_t)steps * cells + i] - target[i];
        sum += bar[i] * bar[i];
    }
    for (int s = steps - 1; s >= 0; s--) {
        step_adjoint(n, states + (size_t)s * cells, bar, next, &k);
        double *swap = bar;
        bar = next;
        next = swap;
    }
    for (size_t i = 0; i < cells; i++) u0_bar[i] += bar[i];
    *k0_bar += k.k0_bar;
    *k1_bar += k.k1_bar;
    free(states);
    free(bar);
    free(next);
    return sum / 2;
}
