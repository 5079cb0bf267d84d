/* Non-linear diffusion on an n x n grid by explicit steps; half the squared distance to a target at the end. */
#include "heat.h"
#include <cofactor/ad.h>
#include <stdlib.h>
#include <string.h>

static double flux(double u, double e, double k0, double k1) {
    double m = (u + e) / 2;
    return (k0 + k1 * m * m) * (e - u) / 16;
}

static void step(int n, const double *u, double *next, double k0, double k1) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            const double *c = &u[i * n + j];
            next[i * n + j] = *c + flux(*c, c[-n], k0, k1) + flux(*c, c[n], k0, k1) +
                              flux(*c, c[-1], k0, k1) + flux(*c, c[1], k0, k1);
        }
}

double heat(int n, int steps, const double *u0, double k0, double k1, const double *target) {
    size_t size = (size_t)(n * n) * sizeof(double);
    double *u = malloc(size), *next = malloc(size);
    memcpy(u, u0, size);
    memcpy(next, u0, size);
    for (int s = 0; s < steps; s++) {
        step(n, u, next, k0, k1);
        double *swap = u;
        u = next;
        next = swap;
    }
    double sum = 0;
    for (int i = 0; i < n * n; i++) sum += (u[i] - target[i]) * (u[i] - target[i]);
    free(u);
    free(next);
    return sum / 2;
}

CF_REVERSE(heat_grad, heat, "const const dup dup dup const");
CF_FORWARD(heat_tan, heat, "const const dup dup dup const");
