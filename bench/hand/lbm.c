/* Adjoint of the lattice Boltzmann scheme with every state kept. Streaming backwards is a gather. */
#include "../lbm.h"
#include <stdlib.h>

static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double weight[9] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

typedef struct flow {
    double r, x, y;
} flow;

static flow moments(const double *f) {
    flow u = {0, 0, 0};
    for (int i = 0; i < 9; i++) {
        u.r += f[i];
        u.x += f[i] * cx[i];
        u.y += f[i] * cy[i];
    }
    u.x /= u.r;
    u.y /= u.r;
    return u;
}

static void equilibrium(flow u, double *out) {
    for (int i = 0; i < 9; i++) {
        double a = cx[i] * u.x + cy[i] * u.y;
        out[i] = weight[i] * u.r * (1 + 3 * a + 4.5 * a * a - 1.5 * (u.x * u.x + u.y * u.y));
    }
}

/* The adjoint of moments by that of feq. */
static flow equilibrium_adjoint(flow u, const double *e) {
    flow bar = {0, 0, 0};
    for (int i = 0; i < 9; i++) {
        double a = cx[i] * u.x + cy[i] * u.y, t = weight[i] * e[i], slope = 3 + 9 * a;
        bar.r += t * (1 + 3 * a + 4.5 * a * a - 1.5 * (u.x * u.x + u.y * u.y));
        bar.x += t * u.r * (slope * cx[i] - 3 * u.x);
        bar.y += t * u.r * (slope * cy[i] - 3 * u.y);
    }
    return bar;
}

static void moments_adjoint(flow u, flow bar, double *f_bar) {
    for (int i = 0; i < 9; i++) f_bar[i] += bar.r + ((cx[i] - u.x) * bar.x + (cy[i] - u.y) * bar.y) / u.r;
}

typedef struct grid {
    int nx, ny;
    double omega, omega_bar;
} grid;

static int target(const grid *g, int x, int y, int i) {
    return (y + cy[i] + g->ny) % g->ny * g->nx + (x + cx[i] + g->nx) % g->nx;
}

static void step(const grid *g, const double *f, double *next) {
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++, f += 9) {
            double feq[9];
            int solid = lbm_solid(g->nx, g->ny, x, y);
            if (!solid) equilibrium(moments(f), feq);
            for (int i = 0; i < 9; i++)
                next[9 * target(g, x, y, i) + i] = solid ? f[opposite[i]] : f[i] - g->omega * (f[i] - feq[i]);
        }
}

static void cell_adjoint(grid *g, const double *f, const double *out_bar, double *bar) {
    double feq[9], e[9];
    flow u = moments(f);
    equilibrium(u, feq);
    for (int i = 0; i < 9; i++) {
        bar[i] = (1 - g->omega) * out_bar[i];
        e[i] = g->omega * out_bar[i];
        g->omega_bar += out_bar[i] * (feq[i] - f[i]);
    }
    moments_adjoint(u, equilibrium_adjoint(u, e), bar);
}

static void step_adjoint(grid *g, const double *f, const double *next_bar, double *bar) {
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++, f += 9, bar += 9) {
            double out_bar[9];
            for (int i = 0; i < 9; i++) out_bar[i] = next_bar[9 * target(g, x, y, i) + i];
            if (lbm_solid(g->nx, g->ny, x, y))
                for (int i = 0; i < 9; i++) bar[opposite[i]] = out_bar[i];
            else
                cell_adjoint(g, f, out_bar, bar);
        }
}

static double energy_adjoint(const grid *g, const double *f, double *bar) {
    double sum = 0;
    for (int y = 0; y < g->ny; y++)
        for (int x = 0; x < g->nx; x++, f += 9, bar += 9) {
            flow u = moments(f);
            for (int i = 0; i < 9; i++) bar[i] = 0;
            if (lbm_solid(g->nx, g->ny, x, y)) continue;
            moments_adjoint(u, (flow){0, u.x, u.y}, bar);
            sum += u.x * u.x + u.y * u.y;
        }
    return sum / 2;
}

double lbm_hand(int nx, int ny, int steps, const double *u0, double *u0_bar, double omega,
                double *omega_bar) {
    size_t cells = (size_t)(nx * ny), state = 9 * cells;
    grid g = {nx, ny, omega, 0};
    double *f = malloc(((size_t)steps + 1) * state * sizeof *f), *bar = malloc(state * sizeof *bar);
    double *next = malloc(state * sizeof *next);
    for (size_t c = 0; c < cells; c++) equilibrium((flow){1, u0[c], u0[cells + c]}, &f[9 * c]);
    for (int s = 0; s < steps; s++) step(&g, f + (size_t)s * state, f + (size_t)(s + 1) * state);
    double value = energy_adjoint(&g, f + (size_t)steps * state, bar);
    for (int s = steps - 1; s >= 0; s--) {
        step_adjoint(&g, f + (size_t)s * state, bar, next);
        double *swap = bar;
        bar = next;
        next = swap;
    }
    for (size_t c = 0; c < cells; c++) {
        flow u = equilibrium_adjoint((flow){1, u0[c], u0[cells + c]}, &bar[9 * c]);
        u0_bar[c] += u.x;
        u0_bar[cells + c] += u.y;
    }
    *omega_bar += g.omega_bar;
    free(f);
    free(bar);
    free(next);
    return value;
}
