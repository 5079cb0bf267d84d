/* Flow past a plate by a D2Q9 lattice Boltzmann scheme, periodic in both directions. Cell (x, y) has index y nx + x and
 * nine populations. */
#include "lbm.h"
#include <cofactor/ad.h>
#include <stdlib.h>

static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double weight[9] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

int lbm_solid(int nx, int ny, int x, int y) { return x == nx / 4 && y >= ny / 4 && y < ny / 4 + ny / 3; }

static double equilibrium(int i, double r, double ux, double uy) {
    double along = cx[i] * ux + cy[i] * uy;
    return weight[i] * r * (1 + 3 * along + 4.5 * along * along - 1.5 * (ux * ux + uy * uy));
}

static void moments(const double *f, double *r, double *ux, double *uy) {
    *r = *ux = *uy = 0;
    for (int i = 0; i < 9; i++) {
        *r += f[i];
        *ux += f[i] * cx[i];
        *uy += f[i] * cy[i];
    }
    *ux /= *r;
    *uy /= *r;
}

static void collide(int solid, const double *f, double omega, double *out) {
    if (solid) {
        for (int i = 0; i < 9; i++) out[i] = f[opposite[i]];
        return;
    }
    double r, ux, uy;
    moments(f, &r, &ux, &uy);
    for (int i = 0; i < 9; i++) out[i] = f[i] - omega * (f[i] - equilibrium(i, r, ux, uy));
}

static void step(int nx, int ny, const int *solid, const double *f, double omega, double *next) {
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            double out[9];
            int cell = y * nx + x;
            collide(solid[cell], &f[9 * cell], omega, out);
            for (int i = 0; i < 9; i++) {
                int to = (y + cy[i] + ny) % ny * nx + (x + cx[i] + nx) % nx;
                next[9 * to + i] = out[i];
            }
        }
}

static double energy(int cells, const int *solid, const double *f) {
    double sum = 0;
    for (int cell = 0; cell < cells; cell++) {
        if (solid[cell]) continue;
        double r, ux, uy;
        moments(&f[9 * cell], &r, &ux, &uy);
        sum += ux * ux + uy * uy;
    }
    return sum / 2;
}

double lbm(int nx, int ny, int steps, const double *u0, double omega) {
    int cells = nx * ny;
    int *solid = malloc((size_t)cells * sizeof *solid);
    double *f = malloc((size_t)cells * 9 * sizeof *f), *next = malloc((size_t)cells * 9 * sizeof *next);
    for (int cell = 0; cell < cells; cell++) {
        solid[cell] = lbm_solid(nx, ny, cell % nx, cell / nx);
        for (int i = 0; i < 9; i++) f[9 * cell + i] = equilibrium(i, 1, u0[cell], u0[cells + cell]);
    }
    for (int s = 0; s < steps; s++) {
        step(nx, ny, solid, f, omega, next);
        double *swap = f;
        f = next;
        next = swap;
    }
    double result = energy(cells, solid, f);
    free(solid);
    free(f);
    free(next);
    return result;
}

CF_REVERSE(lbm_grad, lbm, "const const const dup dup");
CF_FORWARD(lbm_tan, lbm, "const const const dup dup");
