// Bundle adjustment: residuals and their Jacobian in compressed rows.
#include "golden.h"

template <class T> using point = std::vector<T>;

template <class T> point<T> cross(const T *a, const T *b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T> T dot(const T *a, const T *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// v turned about r by its length: v cos + (r x v) sin/length + r (r.v) (1 - cos)/length^2.
template <class T> point<T> turned(const T *r, const T *v) {
    T length2 = dot(r, r);
    point<T> c = cross(r, v), out(v, v + 3);
    if (value(length2) == 0) {
        for (int i = 0; i < 3; i++) out[i] += c[i];
        return out;
    }
    T length = sqrt(length2), along = dot(r, v) * (T(1) - cos(length)) / length2;
    for (int i = 0; i < 3; i++) out[i] = v[i] * cos(length) + c[i] * sin(length) / length + r[i] * along;
    return out;
}

// x: camera (11), point (3), weight; gives the three residuals of one observation.
template <class T> std::vector<T> residuals(const quads &feature, const std::vector<T> &x) {
    T v[3] = {x[11] - x[3], x[12] - x[4], x[13] - x[5]};
    point<T> y = turned(x.data(), v);
    T px = y[0] / y[2], py = y[1] / y[2], s = px * px + py * py, L = T(1) + s * (x[9] + s * x[10]);
    return {x[14] * (x[6] * L * px + x[7] - T(feature[0])), x[14] * (x[6] * L * py + x[8] - T(feature[1])),
            T(1) - square(x[14])};
}

struct scene {
    int n, m, p;
    quads cameras, points, weights, features;
    std::vector<int> observation;
};

static scene generate(int n, int m, int p, uint64_t seed) {
    generator g{seed};
    scene s{n, m, p, {}, {}, {}, {}, {}};
    auto add = [](quads &a, double x) { a.push_back(x); };
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) add(s.cameras, g.sym(0.5));
        for (int k = 0; k < 3; k++) add(s.cameras, g.sym(1));
        add(s.cameras, g.range(256, 256));
        for (int k = 0; k < 2; k++) add(s.cameras, g.sym(8));
        add(s.cameras, g.sym(0.125));
        add(s.cameras, g.sym(0.015625));
    }
    for (int k = 0; k < 3; k++) s.cameras[k] = 0;
    for (int i = 0; i < m; i++) {
        add(s.points, g.sym(1));
        add(s.points, g.sym(1));
        add(s.points, g.range(4, 4));
    }
    for (int i = 0; i < p; i++) add(s.weights, g.range(0.5, 1));
    for (int i = 0; i < p; i++) {
        s.observation.push_back(g.below(n));
        s.observation.push_back(g.below(m));
    }
    for (int i = 0; i < 2 * p; i++) add(s.features, g.sym(64));
    return s;
}

bool write_ba(const std::string &name) {
    int n, m, p;
    unsigned long long seed;
    if (sscanf(name.c_str(), "ba_gen_n%d_m%d_p%d_s%llu", &n, &m, &p, &seed) != 4) return false;
    scene s = generate(n, m, p, seed);
    quads errors, weight_errors, vals, weight_vals;
    std::vector<int> rows{0}, cols, weight_cols;
    for (int i = 0; i < p; i++) {
        int camera = s.observation[2 * i], at = s.observation[2 * i + 1];
        quads x(s.cameras.begin() + 11 * camera, s.cameras.begin() + 11 * camera + 11);
        x.insert(x.end(), s.points.begin() + 3 * at, s.points.begin() + 3 * at + 3);
        x.push_back(s.weights[i]);
        quads feature{s.features[2 * i], s.features[2 * i + 1]};
        jacobian j = differentiate(name.c_str(), [&](const auto &a) { return residuals(feature, a); }, x);
        errors.insert(errors.end(), {j.y[0], j.y[1]});
        weight_errors.push_back(j.y[2]);
        vals.insert(vals.end(), j.J.begin(), j.J.begin() + 30);
        weight_vals.push_back(j.J[44]);
        for (int row = 0; row < 2; row++) {
            for (int k = 0; k < 11; k++) cols.push_back(11 * camera + k);
            for (int k = 0; k < 3; k++) cols.push_back(11 * n + 3 * at + k);
            cols.push_back(11 * n + 3 * m + i);
            rows.push_back((int)cols.size());
        }
        weight_cols.push_back(11 * n + 3 * m + i);
    }
    for (int i = 0; i < p; i++) rows.push_back(30 * p + i + 1);
    cols.insert(cols.end(), weight_cols.begin(), weight_cols.end());
    vals.insert(vals.end(), weight_vals.begin(), weight_vals.end());
    golden out(name);
    out.reals("reproj_err", errors);
    out.reals("w_err", weight_errors);
    out.ints("rows", rows);
    out.ints("cols", cols);
    out.reals("vals", vals);
    return true;
}
