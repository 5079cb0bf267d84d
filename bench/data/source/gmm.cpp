// Gaussian mixture: log posterior, with both signs of the prior.
#include "golden.h"

struct shape {
    int d, K, n, m;
    quad gamma;
};

template <class T> T log_sum_exp(const std::vector<T> &v) {
    quad largest = value(v[0]);
    for (const T &e : v) largest = fmaxq(largest, value(e));
    T sum = 0;
    for (const T &e : v) sum += exp(e - T(largest));
    return T(largest) + log(sum);
}

// Constants of the Wishart prior.
static quad prior_constant(const shape &s) {
    int N = s.d + s.m + 1;
    quad gamma_d = quad(s.d * (s.d - 1)) / 4 * log(pi);
    for (int j = 1; j <= s.d; j++) gamma_d += lgammaq(quad(N + 1 - j) / 2);
    return quad(N * s.d) * log(s.gamma / sqrt(quad(2))) - gamma_d;
}

template <class T> struct component {
    T alpha, log_det;
    std::vector<T> mu, Q; // Q: d x d, lower triangle
};

template <class T> std::vector<component<T>> components(const shape &s, const std::vector<T> &x) {
    int d = s.d, t = d * (d + 1) / 2;
    std::vector<component<T>> all;
    for (int k = 0; k < s.K; k++) {
        const T *mu = &x[s.K + k * d], *icf = &x[s.K + s.K * d + k * t], *below = icf + d;
        component<T> c{x[k], T(0), std::vector<T>(mu, mu + d), std::vector<T>(d * d, T(0))};
        for (int j = 0; j < d; j++) {
            c.log_det += icf[j];
            c.Q[j * d + j] = exp(icf[j]);
            for (int i = j + 1; i < d; i++) c.Q[i * d + j] = *below++;
        }
        all.push_back(c);
    }
    return all;
}

// Both results: likelihood plus prior, likelihood less prior.
template <class T> std::vector<T> gmm(const shape &s, const quads &points, const std::vector<T> &x) {
    auto all = components(s, x);
    std::vector<T> alphas(x.begin(), x.begin() + s.K);
    T likelihood = T(-s.n) * (T(quad(s.d) / 2 * log(2 * pi)) + log_sum_exp(alphas));
    for (int i = 0; i < s.n; i++) {
        std::vector<T> beta;
        for (auto &c : all) {
            T norm = 0;
            for (int r = 0; r < s.d; r++) {
                T sum = 0;
                for (int j = 0; j <= r; j++) sum += c.Q[r * s.d + j] * (T(points[i * s.d + j]) - c.mu[j]);
                norm += square(sum);
            }
            beta.push_back(c.alpha + c.log_det - norm / T(2));
        }
        likelihood += log_sum_exp(beta);
    }
    T prior = T(s.K) * T(prior_constant(s));
    for (auto &c : all) {
        T frobenius = 0;
        for (auto &q : c.Q) frobenius += square(q);
        prior += T(s.m) * c.log_det - T(s.gamma * s.gamma / 2) * frobenius;
    }
    return {likelihood + prior, likelihood - prior};
}

bool write_gmm(const std::string &name) {
    shape s{0, 0, 0, 2, 1.5};
    unsigned long long seed;
    if (sscanf(name.c_str(), "gmm_gen_d%d_K%d_n%d_s%llu", &s.d, &s.K, &s.n, &seed) != 4) return false;
    size_t K = (size_t)s.K, d = (size_t)s.d, count = K * (1 + d + d * (d + 1) / 2);
    generator g{seed};
    quads x(count), points(d * (size_t)s.n);
    for (size_t i = 0; i < count; i++) x[i] = i < K ? g.sym(2) : i < K + K * d ? g.uni() : g.sym(1);
    fill_sym(g, points, 4);
    jacobian j = differentiate(name.c_str(), [&](const auto &a) { return gmm(s, points, a); }, x);
    auto half = j.J.begin() + (long)count;
    golden out(name);
    out.reals("value", {j.y[0]});
    out.reals("gradient", quads(j.J.begin(), half));
    out.reals("value_adbench", {j.y[1]});
    out.reals("gradient_adbench", quads(half, j.J.end()));
    return true;
}
