/* Black-Scholes prices of European options. */
#include "bs.h"
#include <cofactor/ad.h>
#include <math.h>

static double normal(double x) { return erfc(-x / sqrt(2.0)) / 2; }

double bs_price(double S, double K, double r, double sigma, double T, int put) {
    double spread = sigma * sqrt(T);
    double d1 = (log(S / K) + (r + sigma * sigma / 2) * T) / spread, d2 = d1 - spread;
    double D = K * exp(-r * T);
    if (put) return D * normal(-d2) - S * normal(-d1);
    return S * normal(d1) - D * normal(d2);
}

double bs_sum(int n, const int *put, const double *inputs, double *price) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const double *o = &inputs[5 * i];
        price[i] = bs_price(o[0], o[1], o[2], o[3], o[4], put[i]);
        sum += price[i];
    }
    return sum;
}

CF_REVERSE(bs_sum_grad, bs_sum, "const const dup dup");
CF_FORWARD(bs_price_tan, bs_price, "dup dup dup dup dup const");
