/* The Greeks in closed form. */
#include "../bs.h"
#include <math.h>

static double normal(double x) { return erfc(-x * 0.70710678118654752440) / 2; }

static double density(double x) { return 0.39894228040143267794 * exp(-x * x / 2); }

static void option(int put, const double *o, double *price, double *greeks, double *second) {
    double S = o[0], K = o[1], r = o[2], sigma = o[3], T = o[4], root = sqrt(T), sign = put ? -1 : 1;
    double d1 = (log(S / K) + (r + sigma * sigma / 2) * T) / (sigma * root), d2 = d1 - sigma * root;
    double D = K * exp(-r * T), N1 = sign * normal(sign * d1), N2 = sign * normal(sign * d2),
           phi = density(d1);
    double vega = S * phi * root;
    *price = S * N1 - D * N2;
    greeks[0] = N1;
    greeks[1] = -D / K * N2;
    greeks[2] = T * D * N2;
    greeks[3] = vega;
    greeks[4] = S * phi * sigma / (2 * root) + r * D * N2;
    second[0] = phi / (S * sigma * root);
    second[1] = -phi * d2 / sigma;
    second[2] = vega * d1 * d2 / sigma;
}

void bs_hand(int n, const int *put, const double *inputs, double *price, double *greeks, double *second) {
    for (int i = 0; i < n; i++) option(put[i], &inputs[5 * i], &price[i], &greeks[5 * i], &second[3 * i]);
}
