/* Adjoint of the diffusion, edge by edge, with every state kept. Edges between two boundary points move nothing. */
#include "../heat.h"
#include <stdlib.h>
#include <string.h>

typedef struct adjoint {
    int n;
    double k0, k1, k0_bar, k1_bar;
    double *bar, *next; /* adjoints of the state after and before the step */
    double *inner;      /* bar with 0 on the boundary: there nothing is moved */
} adjoint;

static void step(int n, const double *u, double *next, double k0, double k1) {
    memcpy(next, u, (size_t)(n * n) * sizeof *u);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            const double *c = &u[i * n + j], *e[4] = {c - n, c + n, c - 1, c + 1};
            for (int a = 0; a < 4; a++) {
                double m = (*c + *e[a]) / 2;
                next[i * n + j] += (k0 + k1 * m * m) * (*e[a] - *c) / 16;
            }
        }
}

/* The edges (p, p + by) for `count` successive p. */
static void edges(adjoint *s, const double *u, int p, int count, int by) {
    double by_k0 = 0, by_k1 = 0;
    for (int end = p + count; p < end; p++) {
        double f = (s->inner[p] - s->inner[p + by]) / 16, d = u[p + by] - u[p], m = (u[p] + u[p + by]) / 2;
        double kappa = s->k0 + s->k1 * m * m, slope = s->k1 * m * d;
        s->next[p] += f * (slope - kappa);
        s->next[p + by] += f * (slope + kappa);
        by_k0 += f * d;
        by_k1 += f * d * m * m;
    }
    s->k0_bar += by_k0;
    s->k1_bar += by_k1;
}

static void step_adjoint(adjoint *s, const double *u) {
    int n = s->n;
    memcpy(s->next, s->bar, (size_t)(n * n) * sizeof *u);
    for (int i = 1; i < n - 1; i++)
        memcpy(s->inner + i * n + 1, s->bar + i * n + 1, (size_t)(n - 2) * sizeof *u);
    for (int i = 1; i < n - 1; i++) edges(s, u, i * n, n - 1, 1);
    for (int i = 0; i < n - 1; i++) edges(s, u, i * n + 1, n - 2, n);
    double *swap = s->bar;
    s->bar = s->next;
    s->next = swap;
}

double heat_hand(int n, int steps, const double *u0, double *u0_bar, double k0, double *k0_bar, double k1,
                 double *k1_bar, const double *target) {
    size_t cells = (size_t)(n * n), size = cells * sizeof(double);
    double *states = malloc(((size_t)steps + 1) * size), sum = 0;
    adjoint s = {.n = n,
                 .k0 = k0,
                 .k1 = k1,
                 .bar = malloc(size),
                 .next = malloc(size),
                 .inner = calloc(cells, sizeof(double))};
    memcpy(states, u0, size);
    for (int t = 0; t < steps; t++)
        step(n, states + (size_t)t * cells, states + (size_t)(t + 1) * cells, k0, k1);
    for (size_t i = 0; i < cells; i++) {
        s.bar[i] = states[(size_t)steps * cells + i] - target[i];
        sum += s.bar[i] * s.bar[i];
    }
    for (int t = steps - 1; t >= 0; t--) step_adjoint(&s, states + (size_t)t * cells);
    for (size_t i = 0; i < cells; i++) u0_bar[i] += s.bar[i];
    *k0_bar += s.k0_bar;
    *k1_bar += s.k1_bar;
    free(states);
    free(s.bar);
    free(s.next);
    free(s.inner);
    return sum / 2;
}
