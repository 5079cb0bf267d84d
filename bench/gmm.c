/* Log posterior of a Gaussian mixture with K components for n points in d dimensions. Component k has weight
 * alpha[k], mean mu[k] and the lower triangle of an inverse covariance factor in icf[k]: the logarithms of
 * the diagonal, then what lies below it, column by column. */
#include "gmm.h"
#include <cofactor/ad.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static real largest(int n, const real *v) {
    real m = v[0];
    for (int i = 1; i < n; i++)
        if (v[i] > m) m = v[i];
    return m;
}

static real log_sum_exp(int n, const real *v) {
    real m = largest(n, v), sum = 0;
    for (int i = 0; i < n; i++) sum += exp(v[i] - m);
    return m + log(sum);
}

static real log_gamma_distribution(real a, int d) {
    real sum = (real)(d * (d - 1) * 0.25 * log((real)pi));
    for (int j = 1; j <= d; j++) sum += lgamma(a + (real)(0.5 * (1 - j)));
    return sum;
}

static real square_norm(int n, const real *v) {
    real sum = 0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    return sum;
}

/* Per component: exponentials of the diagonal and the sum of their logarithms. */
static void diagonals(int d, int K, const real *icf, real *diagonal, real *sum_q) {
    int t = d * (d + 1) / 2;
    for (int k = 0; k < K; k++) {
        sum_q[k] = 0;
        for (int j = 0; j < d; j++) {
            real q = icf[k * t + j];
            sum_q[k] += q;
            diagonal[k * d + j] = exp(q);
        }
    }
}

static void subtract(int d, const real *x, const real *y, real *out) {
    for (int j = 0; j < d; j++) out[j] = x[j] - y[j];
}

/* out = Q v, Q given by its diagonal and by l, the columns below it. */
static void triangle_times(int d, const real *diagonal, const real *l, const real *v, real *out) {
    for (int j = 0; j < d; j++) out[j] = diagonal[j] * v[j];
    int at = 0;
    for (int j = 0; j < d; j++)
        for (int i = j + 1; i < d; i++) {
            out[i] += l[at] * v[j];
            at++;
        }
}

static real prior(int d, int K, const real *icf, const real *diagonal, const real *sum_q, real gamma, int m) {
    int t = d * (d + 1) / 2, N = d + m + 1;
    real constant =
        (real)(N * d) * log(gamma / sqrt((real)2)) - log_gamma_distribution((real)0.5 * (real)N, d);
    real sum = 0;
    for (int k = 0; k < K; k++) {
        real frobenius = square_norm(d, &diagonal[k * d]) + square_norm(t - d, &icf[k * t + d]);
        sum += (real)m * sum_q[k] - (real)0.5 * gamma * gamma * frobenius;
    }
    return (real)K * constant + sum;
}

static real likelihood(int d, int K, int n, const real *alpha, const real *mu, const real *icf, const real *x,
                       const real *diagonal, const real *sum_q) {
    int t = d * (d + 1) / 2;
    real *centred = malloc((size_t)d * sizeof *centred);
    real *product = malloc((size_t)d * sizeof *product);
    real *beta = malloc((size_t)K * sizeof *beta);
    real sum = (real)-n * ((real)(0.5 * d) * log((real)(2 * pi)) + log_sum_exp(K, alpha));
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < K; k++) {
            subtract(d, &x[i * d], &mu[k * d], centred);
            triangle_times(d, &diagonal[k * d], &icf[k * t + d], centred, product);
            beta[k] = alpha[k] + sum_q[k] - (real)0.5 * square_norm(d, product);
        }
        sum += log_sum_exp(K, beta);
    }
    free(centred);
    free(product);
    free(beta);
    return sum;
}

static real posterior(int d, int K, int n, const real *alpha, const real *mu, const real *icf, const real *x,
                      real gamma, int m, real prior_sign) {
    real *diagonal = malloc((size_t)(K * d) * sizeof *diagonal);
    real *sum_q = malloc((size_t)K * sizeof *sum_q);
    diagonals(d, K, icf, diagonal, sum_q);
    real f = likelihood(d, K, n, alpha, mu, icf, x, diagonal, sum_q);
    f += prior_sign * prior(d, K, icf, diagonal, sum_q, gamma, m);
    free(diagonal);
    free(sum_q);
    return f;
}

void gmm(int d, int K, int n, const real *alpha, const real *mu, const real *icf, const real *x, real gamma,
         int m, real *f) {
    *f = posterior(d, K, n, alpha, mu, icf, x, gamma, m, 1);
}

void gmm_adbench(int d, int K, int n, const real *alpha, const real *mu, const real *icf, const real *x,
                 real gamma, int m, real *f) {
    *f = posterior(d, K, n, alpha, mu, icf, x, gamma, m, -1);
}

CF_REVERSE(gmm_grad, gmm, "const const const dup dup dup const const const dup");
CF_REVERSE(gmm_adbench_grad, gmm_adbench, "const const const dup dup dup const const const dup");
CF_FORWARD(gmm_tan, gmm, "const const const dup dup dup const const const dup");
CF_FORWARD(gmm_adbench_tan, gmm_adbench, "const const const dup dup dup const const const dup");
