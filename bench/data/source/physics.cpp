// lj: energy of atoms; bs: prices of options.
#include "golden.h"

// x: positions, eps, sigma. W: side of the periodic box, 0 for a cluster.
template <class T> std::vector<T> energy(int n, quad W, const std::vector<T> &x) {
    const T &eps = x[3 * n], &sigma = x[3 * n + 1];
    auto pair = [&](const T &rho2) {
        T p = square(sigma) / rho2, p3 = p * p * p;
        return T(4) * eps * p3 * (p3 - T(1));
    };
    T cut2 = T(6.25), sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            T rho2 = 0;
            for (int a = 0; a < 3; a++) {
                T d = x[3 * i + a] - x[3 * j + a];
                if (W > 0) d -= T(W * roundq(value(d) / W));
                rho2 += square(d);
            }
            if (W == 0)
                sum += pair(rho2);
            else if (value(rho2) < value(cut2))
                sum += pair(rho2) - pair(cut2);
        }
    return {sum};
}

static bool write_lj(const std::string &name) {
    int n, side = 1;
    char kind[16];
    unsigned long long seed;
    if (sscanf(name.c_str(), "lj_%15[a-z]_n%d_s%llu", kind, &n, &seed) != 3) return false;
    bool box = std::string(kind) == "box";
    while (side * side * side < n || (!box && side < 2)) side++;
    generator g{seed};
    quads x;
    for (int i = 0; i < n; i++) {
        int at[3] = {i % side, i / side % side, i / (side * side)};
        for (int a : at) x.push_back((box ? 1.625 : 1.125) * a + g.sym(box ? 0.125 : 0.0625));
    }
    x.push_back(1); // eps
    x.push_back(1); // sigma
    auto f = [&](const auto &a) { return energy(n, box ? quad(1.625) * side : quad(0), a); };
    jacobian j = differentiate(name.c_str(), f, x);
    quads forces, hessian;
    for (int i = 0; i < 3 * n; i++) forces.push_back(-j.J[i]);
    for (int i = 0; i < 3 * n && !box; i++) {
        quads row = second(f, x, 0, i);
        hessian.insert(hessian.end(), row.begin(), row.begin() + 3 * n);
    }
    golden out(name);
    out.reals("value", j.y);
    out.reals("forces", forces);
    out.reals("d_eps", {j.J[3 * n]});
    out.reals("d_sigma", {j.J[3 * n + 1]});
    if (!box) out.reals("hessian", hessian);
    return true;
}

// A put by parity: put = call - S + D, where the benchmark has a formula of its own for it.
template <class T> std::vector<T> price(int put, const std::vector<T> &x) {
    T root = x[3] * sqrt(x[4]), D = x[1] * exp(-x[2] * x[4]);
    T d1 = (log(x[0]) - log(x[1]) + (x[2] + square(x[3]) / T(2)) * x[4]) / root, d2 = d1 - root;
    auto Phi = [](const T &d) { return erfc(-d / T(sqrt(quad(2)))) / T(2); };
    T call = x[0] * Phi(d1) - D * Phi(d2);
    return {put ? call - x[0] + D : call};
}

static bool write_bs(const std::string &name) {
    int n;
    unsigned long long seed;
    if (sscanf(name.c_str(), "bs_gen_n%d_s%llu", &n, &seed) != 2) return false;
    generator g{seed};
    quads prices, greeks, seconds;
    for (int i = 0; i < n; i++) {
        quads x(5);
        x[0] = g.range(64, 128);
        x[1] = g.range(64, 128);
        x[2] = g.range(0.015625, 0.0625);
        x[3] = g.range(0.125, 0.5);
        x[4] = g.range(0.125, 2);
        int put = g.below(2);
        auto f = [&](const auto &a) { return price(put, a); };
        jacobian j = differentiate(name.c_str(), f, x);
        quads by_S = second(f, x, 0, 0), by_sigma = second(f, x, 0, 3);
        prices.push_back(j.y[0]);
        greeks.insert(greeks.end(), j.J.begin(), j.J.end());
        seconds.insert(seconds.end(), {by_S[0], by_S[3], by_sigma[3]});
    }
    golden out(name);
    out.reals("price", prices);
    out.reals("greeks", greeks);
    out.reals("second", seconds);
    return true;
}

bool write_physics(const std::string &name) { return write_lj(name) || write_bs(name); }
