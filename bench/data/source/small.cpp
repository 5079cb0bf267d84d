// lse, llsq, det, kmeans, ode.
#include "golden.h"

static void write_gradient(const std::string &name, const jacobian &j) {
    golden g(name);
    g.reals("value", j.y);
    g.reals("gradient", j.J);
}

template <class T> std::vector<T> lse(const std::vector<T> &x) {
    quad largest = value(x[0]);
    for (const T &e : x) largest = fmaxq(largest, value(e));
    T sum = 0; // the maximum is a constant here: it cancels
    for (const T &e : x) sum += exp(e - T(largest));
    return {T(largest) + log(sum)};
}

static bool write_lse(const std::string &name) {
    int n;
    char kind[8];
    unsigned long long seed;
    if (sscanf(name.c_str(), "lse_%7[a-z]_n%d_s%llu", kind, &n, &seed) != 3) return false;
    generator g{seed};
    quads x((size_t)n);
    if (std::string(kind) == "unit")
        fill_uni(g, x);
    else
        fill_range(g, x, -1024, 2048);
    write_gradient(name, differentiate(name.c_str(), [](const auto &a) { return lse(a); }, x));
    return true;
}

// By Horner's scheme, where the benchmark sums powers.
template <class T> std::vector<T> llsq(int n, const std::vector<T> &x) {
    T sum = 0;
    for (int i = 0; i < n; i++) {
        quad t = -1 + 2 * quad(i) / (n - 1), sign = (t > 0) - (t < 0);
        T p = 0;
        for (size_t j = x.size(); j-- > 0;) p = p * T(t) + x[j];
        sum += square(T(sign) - p);
    }
    return {sum / T(2)};
}

static bool write_llsq(const std::string &name) {
    int m, n;
    unsigned long long seed;
    if (sscanf(name.c_str(), "llsq_gen_m%d_n%d_s%llu", &m, &n, &seed) != 3) return false;
    generator g{seed};
    quads x((size_t)m);
    fill_uni(g, x);
    write_gradient(name, differentiate(name.c_str(), [n](const auto &a) { return llsq(n, a); }, x));
    return true;
}

// By elimination with pivots, where the benchmark expands in minors.
template <class T> std::vector<T> det(int n, std::vector<T> a) {
    T product = 1;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabsq(value(a[i * n + k])) > fabsq(value(a[pivot * n + k]))) pivot = i;
        if (pivot != k) product = -product;
        for (int j = 0; j < n; j++) std::swap(a[k * n + j], a[pivot * n + j]);
        product = product * a[k * n + k];
        for (int i = k + 1; i < n; i++) {
            T factor = a[i * n + k] / a[k * n + k];
            for (int j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return {product};
}

static bool write_det(const std::string &name) {
    int l;
    unsigned long long seed;
    if (sscanf(name.c_str(), "det_gen_l%d_s%llu", &l, &seed) != 2) return false;
    generator g{seed};
    quads x((size_t)(l * l));
    fill_sym(g, x, 1);
    write_gradient(name, differentiate(name.c_str(), [l](const auto &a) { return det(l, a); }, x));
    return true;
}

template <class T> std::vector<T> kmeans(int d, const quads &points, const std::vector<T> &c) {
    T cost = 0;
    for (size_t p = 0; p < points.size(); p += (size_t)d) {
        T nearest = 0;
        for (size_t j = 0; j < c.size(); j += (size_t)d) {
            T distance = 0;
            for (int i = 0; i < d; i++) distance += square(T(points[p + i]) - c[j + i]);
            if (j == 0 || value(distance) < value(nearest)) nearest = distance;
        }
        cost += nearest;
    }
    return {cost};
}

static bool write_kmeans(const std::string &name) {
    int k, d, n;
    unsigned long long seed;
    if (sscanf(name.c_str(), "kmeans_gen_k%d_d%d_n%d_s%llu", &k, &d, &n, &seed) != 4) return false;
    generator g{seed};
    quads points((size_t)(n * d));
    fill_uni(g, points);
    quads c(points.end() - k * d, points.end()), diagonal, dir;
    auto f = [&](const auto &a) { return kmeans(d, points, a); };
    jacobian j = differentiate(name.c_str(), f, c);
    // The Hessian is diagonal: twice the number of points of the centroid.
    for (size_t i = 0; i < c.size(); i++) diagonal.push_back(second(f, c, 0, i)[i]);
    for (size_t i = 0; i < c.size(); i++) {
        diagonal[i] = roundq(diagonal[i]);
        dir.push_back(j.J[i] / diagonal[i]);
    }
    golden out(name);
    out.reals("value", j.y);
    out.reals("gradient", j.J);
    out.reals("hessian_diag", diagonal);
    out.reals("dir", dir);
    return true;
}

// The classical scheme of Runge and Kutta on a chain.
template <class T> std::vector<T> ode(int steps, const std::vector<T> &x) {
    size_t n = x.size();
    std::vector<T> y(n, T(0));
    T h = T(quad(2) / steps);
    auto slope = [&](const std::vector<T> &at) {
        std::vector<T> k(n);
        for (size_t i = 0; i < n; i++) k[i] = i ? x[i] * at[i - 1] : x[0];
        return k;
    };
    auto moved = [&](const T &by, const std::vector<T> &k) {
        std::vector<T> at = y;
        for (size_t i = 0; i < n; i++) at[i] += by * k[i];
        return at;
    };
    for (int s = 0; s < steps; s++) {
        auto k1 = slope(y), k2 = slope(moved(h / T(2), k1)), k3 = slope(moved(h / T(2), k2)),
             k4 = slope(moved(h, k3));
        for (size_t i = 0; i < n; i++) y[i] += h * (k1[i] + T(2) * (k2[i] + k3[i]) + k4[i]) / T(6);
    }
    return y;
}

static bool write_ode(const std::string &name) {
    int n, steps;
    unsigned long long seed;
    if (sscanf(name.c_str(), "ode_gen_n%d_steps%d_s%llu", &n, &steps, &seed) != 3) return false;
    generator g{seed};
    quads x((size_t)n);
    fill_range(g, x, 0.5, 1);
    jacobian j = differentiate(name.c_str(), [steps](const auto &a) { return ode(steps, a); }, x);
    golden out(name);
    out.reals("value", j.y);
    out.reals("gradient", quads(j.J.end() - n, j.J.end()));
    out.reals("jacobian", j.J);
    return true;
}

bool write_small(const std::string &name) {
    return write_lse(name) || write_llsq(name) || write_det(name) || write_kmeans(name) || write_ode(name);
}
