/* Gradient of the Gaussian mixture. With w_ik = exp(beta_ik - lse_i), p_k = exp(alpha_k - lse(alpha)), c =
 * x_i - mu_k and v = Q_k c: dalpha_k = sum w - n p_k; dmu_k = sum w Q_k^T v; dq_kj = sum w (1 - v_j e^q_j
 * c_j) + m - gamma^2 e^2q_j; dl at (row, column) = - sum w v_row c_column - gamma^2 l. */
#include "../gmm.h"
#include <stdlib.h>

typedef struct work {
    int d, K, t;
    const real *alpha, *mu, *icf;
    real *alpha_bar, *mu_bar, *icf_bar;
    real *diagonal; /* K d */
    real *sum_q;    /* K */
    real *c, *v;    /* K d: of one point, all components */
    real *beta;     /* K */
} work;

/* Turns v into softmax(v) and returns log sum exp. */
static real softmax(int n, real *v) {
    real m = v[0], sum = 0;
    for (int i = 1; i < n; i++)
        if (v[i] > m) m = v[i];
    for (int i = 0; i < n; i++) {
        v[i] = exp(v[i] - m);
        sum += v[i];
    }
    for (int i = 0; i < n; i++) v[i] /= sum;
    return m + log(sum);
}

/* Fills c, v and beta for the point x. */
static void forward(work *w, const real *x) {
    int d = w->d;
    for (int k = 0; k < w->K; k++) {
        const real *l = &w->icf[k * w->t + d], *mu = &w->mu[k * d], *diagonal = &w->diagonal[k * d];
        real *c = &w->c[k * d], *v = &w->v[k * d], norm = 0;
        for (int j = 0; j < d; j++) {
            c[j] = x[j] - mu[j];
            v[j] = diagonal[j] * c[j];
        }
        for (int j = 0; j < d; j++)
            for (int i = j + 1; i < d; i++) v[i] += *l++ * c[j];
        for (int j = 0; j < d; j++) norm += v[j] * v[j];
        w->beta[k] = w->alpha[k] + w->sum_q[k] - norm / 2;
    }
}

/* Adds the derivative of one point's term; beta holds the weights. */
static void backward(work *w, real seed) {
    int d = w->d;
    for (int k = 0; k < w->K; k++) {
        const real *l = &w->icf[k * w->t + d], *c = &w->c[k * d], *v = &w->v[k * d],
                   *diagonal = &w->diagonal[k * d];
        real *mu_bar = &w->mu_bar[k * d], *q_bar = &w->icf_bar[k * w->t], *l_bar = q_bar + d;
        real weight = seed * w->beta[k];
        w->alpha_bar[k] += weight;
        for (int j = 0; j < d; j++) {
            mu_bar[j] += weight * diagonal[j] * v[j];
            q_bar[j] += weight * (1 - v[j] * diagonal[j] * c[j]);
        }
        for (int j = 0; j < d; j++)
            for (int i = j + 1; i < d; i++, l++, l_bar++) {
                mu_bar[j] += weight * *l * v[i];
                *l_bar -= weight * v[i] * c[j];
            }
    }
}

/* The prior's part of value (without constants) and gradient. */
static real prior(work *w, real gamma, int m, real seed) {
    int d = w->d;
    real sum = 0, g2 = gamma * gamma;
    for (int k = 0; k < w->K; k++) {
        const real *l = &w->icf[k * w->t];
        real *bar = &w->icf_bar[k * w->t], norm = 0;
        for (int j = 0; j < d; j++) {
            real e2 = w->diagonal[k * d + j] * w->diagonal[k * d + j];
            norm += e2;
            bar[j] += seed * ((real)m - g2 * e2);
        }
        for (int j = d; j < w->t; j++) {
            norm += l[j] * l[j];
            bar[j] -= seed * g2 * l[j];
        }
        sum += (real)m * w->sum_q[k] - g2 / 2 * norm;
    }
    return sum;
}

static real prior_constant(int d, int K, real gamma, int m) {
    const double pi = 3.14159265358979323846;
    int N = d + m + 1;
    real log_gamma = (real)(d * (d - 1) / 4.0 * log((real)pi));
    for (int j = 1; j <= d; j++) log_gamma += lgamma((real)(N / 2.0 + (1 - j) / 2.0));
    return (real)K * ((real)(N * d) * log(gamma / sqrt((real)2)) - log_gamma);
}

static void begin(work *w) {
    size_t K = (size_t)w->K, d = (size_t)w->d;
    w->diagonal = calloc(3 * K * d + 2 * K, sizeof(real));
    w->c = w->diagonal + K * d;
    w->v = w->c + K * d;
    w->sum_q = w->v + K * d;
    w->beta = w->sum_q + K;
    for (int k = 0; k < w->K; k++) {
        w->sum_q[k] = 0;
        for (int j = 0; j < w->d; j++) {
            w->sum_q[k] += w->icf[k * w->t + j];
            w->diagonal[k * w->d + j] = exp(w->icf[k * w->t + j]);
        }
    }
}

static void gradient(work w, int n, const real *x, real gamma, int m, real sign, real *f, real *f_bar) {
    real seed = *f_bar;
    begin(&w);
    for (int k = 0; k < w.K; k++) w.beta[k] = w.alpha[k];
    real sum = (real)-n * ((real)(0.5 * w.d * 1.83787706640934548356) + softmax(w.K, w.beta));
    for (int k = 0; k < w.K; k++) w.alpha_bar[k] -= seed * (real)n * w.beta[k];
    for (int i = 0; i < n; i++) {
        forward(&w, &x[i * w.d]);
        sum += softmax(w.K, w.beta);
        backward(&w, seed);
    }
    sum += sign * (prior(&w, gamma, m, sign * seed) + prior_constant(w.d, w.K, gamma, m));
    free(w.diagonal);
    *f = sum;
    *f_bar = 0;
}

static work problem(int d, int K, const real *alpha, real *alpha_bar, const real *mu, real *mu_bar,
                    const real *icf, real *icf_bar) {
    return (work){.d = d,
                  .K = K,
                  .t = d * (d + 1) / 2,
                  .alpha = alpha,
                  .mu = mu,
                  .icf = icf,
                  .alpha_bar = alpha_bar,
                  .mu_bar = mu_bar,
                  .icf_bar = icf_bar};
}

void gmm_hand(int d, int K, int n, const real *alpha, real *alpha_bar, const real *mu, real *mu_bar,
              const real *icf, real *icf_bar, const real *x, real gamma, int m, real *f, real *f_bar) {
    gradient(problem(d, K, alpha, alpha_bar, mu, mu_bar, icf, icf_bar), n, x, gamma, m, 1, f, f_bar);
}

void gmm_adbench_hand(int d, int K, int n, const real *alpha, real *alpha_bar, const real *mu, real *mu_bar,
                      const real *icf, real *icf_bar, const real *x, real gamma, int m, real *f,
                      real *f_bar) {
    gradient(problem(d, K, alpha, alpha_bar, mu, mu_bar, icf, icf_bar), n, x, gamma, m, -1, f, f_bar);
}
