/* Classical Runge-Kutta scheme on y_0' = x_0, y_i' = x_i y_{i-1} from y = 0 to time 2. */
#include "ode.h"
#include <cofactor/ad.h>
#include <stdlib.h>

static void slope(int n, const double *x, const double *y, double *k) {
    k[0] = x[0];
    for (int i = 1; i < n; i++) k[i] = x[i] * y[i - 1];
}

static void at(int n, const double *y, double h, const double *k, double *out) {
    for (int i = 0; i < n; i++) out[i] = y[i] + h * k[i];
}

void ode(int n, int steps, const double *x, double *y) {
    size_t size = (size_t)n * sizeof(double);
    double *k1 = malloc(size), *k2 = malloc(size), *k3 = malloc(size), *k4 = malloc(size), *z = malloc(size);
    double h = 2.0 / steps;
    for (int i = 0; i < n; i++) y[i] = 0;
    for (int s = 0; s < steps; s++) {
        slope(n, x, y, k1);
        at(n, y, h / 2, k1, z);
        slope(n, x, z, k2);
        at(n, y, h / 2, k2, z);
        slope(n, x, z, k3);
        at(n, y, h, k3, z);
        slope(n, x, z, k4);
        for (int i = 0; i < n; i++) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    free(k1);
    free(k2);
    free(k3);
    free(k4);
    free(z);
}

CF_REVERSE(ode_grad, ode, "const const dup dup");
CF_FORWARD(ode_tan, ode, "const const dup dup");
