// heat, lbm, bruss: schemes on a grid.
#include "golden.h"

// Edge by edge: what flows over an edge leaves one end and arrives at the other, where that is inside.
template <class T> std::vector<T> heat(int n, int steps, const quads &target, const std::vector<T> &x) {
    std::vector<T> u(x.begin(), x.begin() + n * n);
    const T &k0 = x[n * n], &k1 = x[n * n + 1];
    auto inside = [n](int at) { return at / n > 0 && at / n < n - 1 && at % n > 0 && at % n < n - 1; };
    for (int s = 0; s < steps; s++) {
        std::vector<T> next = u;
        auto edge = [&](int a, int b) {
            if (!inside(a) && !inside(b)) return;
            T flow = (k0 + k1 * square((u[a] + u[b]) / T(2))) * (u[b] - u[a]) / T(16);
            if (inside(a)) next[a] += flow;
            if (inside(b)) next[b] -= flow;
        };
        for (int at = 0; at < n * n; at++) {
            if (at % n < n - 1) edge(at, at + 1);
            if (at / n < n - 1) edge(at, at + n);
        }
        u = next;
    }
    T sum = 0;
    for (int i = 0; i < n * n; i++) sum += square(u[i] - T(target[i]));
    return {sum / T(2)};
}

static bool write_heat(const std::string &name) {
    int n, steps;
    unsigned long long seed;
    if (sscanf(name.c_str(), "heat_gen_n%d_steps%d_s%llu", &n, &steps, &seed) != 3) return false;
    generator g{seed};
    quads x((size_t)(n * n)), target(x.size());
    fill_uni(g, x);
    fill_uni(g, target);
    x.push_back(1);   // k0
    x.push_back(0.5); // k1
    jacobian j = differentiate(name.c_str(), [&](const auto &a) { return heat(n, steps, target, a); }, x);
    golden out(name);
    out.reals("value", j.y);
    out.reals("gradient", j.J);
    return true;
}

static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};

static int opposite(int i) {
    for (int k = 0; k < 9; k++)
        if (cx[k] == -cx[i] && cy[k] == -cy[i]) return k;
    abort();
}

static quad weight(int i) {
    int length2 = cx[i] * cx[i] + cy[i] * cy[i];
    return quad(length2 == 0 ? 16 : length2 == 1 ? 4 : 1) / 36;
}

template <class T> T equilibrium(int i, const T &r, const T &ux, const T &uy) {
    T along = T(cx[i]) * ux + T(cy[i]) * uy;
    return T(weight(i)) * r *
           (T(1) + T(3) * along + T(4.5) * square(along) - T(1.5) * (square(ux) + square(uy)));
}

template <class T> void moments(const T *f, T &r, T &ux, T &uy) {
    r = ux = uy = T(0);
    for (int i = 0; i < 9; i++) {
        r += f[i];
        ux += T(cx[i]) * f[i];
        uy += T(cy[i]) * f[i];
    }
    ux = ux / r;
    uy = uy / r;
}

template <class T> std::vector<T> lbm(int nx, int ny, int steps, const std::vector<T> &x) {
    int cells = nx * ny;
    const T &omega = x[2 * cells];
    auto solid = [&](int at) { return at % nx == nx / 4 && at / nx >= ny / 4 && at / nx < ny / 4 + ny / 3; };
    std::vector<T> f(9 * cells), next(9 * cells);
    T r, ux, uy, sum = 0;
    for (int c = 0; c < cells; c++)
        for (int i = 0; i < 9; i++) f[9 * c + i] = equilibrium(i, T(1), x[c], x[cells + c]);
    for (int s = 0; s < steps; s++) {
        for (int c = 0; c < cells; c++) {
            if (!solid(c)) moments(&f[9 * c], r, ux, uy);
            for (int i = 0; i < 9; i++) {
                T old = f[9 * c + i];
                T out = solid(c) ? f[9 * c + opposite(i)] : old - omega * (old - equilibrium(i, r, ux, uy));
                next[9 * ((c / nx + cy[i] + ny) % ny * nx + (c % nx + cx[i] + nx) % nx) + i] = out;
            }
        }
        f.swap(next);
    }
    for (int c = 0; c < cells; c++) {
        if (solid(c)) continue;
        moments(&f[9 * c], r, ux, uy);
        sum += square(ux) + square(uy);
    }
    return {sum / T(2)};
}

static bool write_lbm(const std::string &name) {
    int nx, ny, steps;
    unsigned long long seed;
    if (sscanf(name.c_str(), "lbm_gen_nx%d_ny%d_steps%d_s%llu", &nx, &ny, &steps, &seed) != 4) return false;
    generator g{seed};
    quads x((size_t)(2 * nx * ny));
    fill_sym(g, x, 0.0625);
    x.push_back(1.25); // omega
    jacobian j = differentiate(name.c_str(), [&](const auto &a) { return lbm(nx, ny, steps, a); }, x);
    golden out(name);
    out.reals("value", j.y);
    out.reals("gradient", j.J);
    return true;
}

template <class T> std::vector<T> bruss(int N, const quads &old, const std::vector<T> &w) {
    int n = N * N;
    T A = T(number("3.4")), c = T(number("0.002") * n), dt = T(quad(1) / 64);
    std::vector<T> R(2 * n);
    for (int k = 0; k < n; k++) {
        int i = k % N, row = k - i;
        int around[4] = {row + (i + 1) % N, row + (i + N - 1) % N, (k + N) % n, (k + n - N) % n};
        T lu = T(0), lv = T(0), u = w[k], v = w[n + k];
        for (int e : around) {
            lu += w[e] - u;
            lv += w[n + e] - v;
        }
        T reaction = u * u * v;
        R[k] = (u - T(old[k])) / dt - (c * lu + T(1) + reaction - (A + T(1)) * u);
        R[n + k] = (v - T(old[n + k])) / dt - (c * lv + A * u - reaction);
    }
    return R;
}

static bool write_bruss(const std::string &name) {
    int N;
    unsigned long long seed;
    if (sscanf(name.c_str(), "bruss_gen_n%d_s%llu", &N, &seed) != 2) return false;
    generator g{seed};
    quads w((size_t)(2 * N * N)), old(w.size()), vals;
    fill_range(g, w, 0.5, 2);
    fill_range(g, old, 0.5, 2);
    jacobian j = differentiate(name.c_str(), [&](const auto &a) { return bruss(N, old, a); }, w);
    std::vector<int> rows{0}, cols;
    for (size_t i = 0; i < w.size(); i++) {
        for (size_t k = 0; k < w.size(); k++) {
            if (j.J[i * w.size() + k] == 0) continue;
            cols.push_back((int)k);
            vals.push_back(j.J[i * w.size() + k]);
        }
        rows.push_back((int)cols.size());
    }
    golden out(name);
    out.reals("residual", j.y);
    out.ints("rows", rows);
    out.ints("cols", cols);
    out.reals("vals", vals);
    return true;
}

bool write_grid(const std::string &name) { return write_heat(name) || write_lbm(name) || write_bruss(name); }
