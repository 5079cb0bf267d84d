// Hand tracking: a model of a hand, and the residuals of points measured on it with their Jacobian.
#include "golden.h"
#include <fstream>
#include <sstream>
#include <sys/stat.h>

template <class T> struct transform { // 3 x 4: rotation, translation
    T a[3][4];
};

template <class T> transform<T> identity() {
    transform<T> t;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) t.a[i][j] = T(i == j);
    return t;
}

template <class T> transform<T> operator*(const transform<T> &l, const transform<T> &r) {
    transform<T> t;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            t.a[i][j] = j == 3 ? l.a[i][3] : T(0);
            for (int k = 0; k < 3; k++) t.a[i][j] += l.a[i][k] * r.a[k][j];
        }
    return t;
}

// A turn in the plane of the axes i and j.
template <class T> transform<T> turn(int i, int j, const T &c, const T &s) {
    transform<T> t = identity<T>();
    t.a[i][i] = t.a[j][j] = c;
    t.a[i][j] = -s;
    t.a[j][i] = s;
    return t;
}

template <class T> std::vector<T> apply(const transform<T> &t, const T *p) {
    std::vector<T> out;
    for (int i = 0; i < 3; i++)
        out.push_back(t.a[i][0] * p[0] + t.a[i][1] * p[1] + t.a[i][2] * p[2] + t.a[i][3]);
    return out;
}

static transform<quad> inverse_of(const transform<quad> &t) {
    transform<quad> r;
    for (int i = 0; i < 3; i++) {
        r.a[i][3] = 0;
        for (int j = 0; j < 3; j++) {
            r.a[i][j] = t.a[j][i];
            r.a[i][3] -= t.a[j][i] * t.a[j][3];
        }
    }
    return r;
}

enum { BONES = 22, RINGS = 6 };
static int parent(int b) { return b == 0 ? -1 : b == 21 || b % 4 == 1 ? 0 : b - 1; }

// Turned by 2 atan(q) in a plane, moved by (x, y, 0).
static transform<quad> placed(int i, int j, quad q, quad x, quad y) {
    transform<quad> t = turn<quad>(i, j, (1 - q * q) / (1 + q * q), 2 * q / (1 + q * q));
    t.a[0][3] = x;
    t.a[1][3] = y;
    return t;
}

// The base pose: a wrist, five fingers of four bones side by side, slightly bent, and a forearm. Lengths in metres.
static transform<quad> base(int b) {
    if (b == 0) return identity<quad>();
    if (b == 21) return placed(0, 1, 8, -0.03125, 0);
    int finger = (b - 1) / 4 - 2;
    if (b % 4 == 1) return placed(0, 1, quad(finger) / 8, 0.03125, quad(finger) / 64);
    return placed(0, 2, quad(1) / (10 + b), b % 4 == 2 ? 0.09375 : 0.03125, 0);
}

struct model {
    std::vector<int> parents;
    std::vector<transform<quad>> bases, inverses;
    quads positions, weights; // 3 and BONES numbers a vertex
    std::vector<int> triangles;
};

static void print(FILE *f, const transform<quad> &t) {
    for (int i = 0; i < 16; i++) fprintf(f, ":%.17g", i < 12 ? (double)t.a[i / 4][i % 4] : i == 15);
}

static FILE *create(const char *name) {
    FILE *f = fopen((folder + "/hand/" + name + ".txt").c_str(), "w");
    if (!f) {
        perror(name);
        exit(1);
    }
    return f;
}

void write_hand_model() {
    mkdir((folder + "/hand").c_str(), 0777);
    FILE *bones = create("bones"), *vertices = create("vertices"), *triangles = create("triangles");
    generator g{150};
    std::vector<transform<quad>> absolute;
    for (int b = 0; b < BONES; b++) {
        int p = parent(b);
        absolute.push_back(p < 0 ? base(b) : absolute[p] * base(b));
        fprintf(bones, "bone%d:%d", b, p);
        print(bones, base(b));
        print(bones, inverse_of(absolute[b]));
        fputc('\n', bones);
        for (int k = 0; k < RINGS; k++) {
            quad local[3] = {quad(k) / 128, g.sym(0.015625), g.sym(0.015625)};
            std::vector<quad> at = apply(absolute[b], local);
            double own = p < 0 ? 1 : g.range(0.5, 0.5);
            fprintf(vertices, "%.9g:%.9g:%.9g:0:0:0:0:0", (double)at[0], (double)at[1], (double)at[2]);
            if (p < 0)
                fprintf(vertices, ":1:%d:1\n", b);
            else
                fprintf(vertices, ":2:%d:%.17g:%d:%.17g\n", b, own, p, 1 - own);
            if (k >= 2) fprintf(triangles, "%d:%d:%d\n", RINGS * b + k - 2, RINGS * b + k - 1, RINGS * b + k);
        }
    }
    fclose(bones);
    fclose(vertices);
    fclose(triangles);
}

// The lines of a model's file, split at the colons.
static std::vector<std::vector<std::string>> lines_of(const char *name) {
    std::vector<std::vector<std::string>> all;
    std::ifstream in(folder + "/hand/" + name + ".txt");
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        all.emplace_back();
        for (std::string w; std::getline(words, w, ':');) all.back().push_back(w);
    }
    return all;
}

static transform<quad> transform_at(const std::vector<std::string> &words, size_t from) {
    transform<quad> t;
    for (size_t i = 0; i < 12; i++) t.a[i / 4][i % 4] = strtod(words[from + i].c_str(), nullptr);
    return t;
}

static model read_model() {
    model m;
    for (auto &w : lines_of("bones")) {
        m.parents.push_back(atoi(w[1].c_str()));
        m.bases.push_back(transform_at(w, 2));
        m.inverses.push_back(transform_at(w, 18));
    }
    for (auto &w : lines_of("vertices")) {
        for (int i = 0; i < 3; i++) m.positions.push_back(strtod(w[i].c_str(), nullptr));
        quads weights(m.parents.size());
        for (int i = 0; i < atoi(w[8].c_str()); i++)
            weights[(size_t)atoi(w[9 + 2 * i].c_str())] = strtod(w[10 + 2 * i].c_str(), nullptr);
        m.weights.insert(m.weights.end(), weights.begin(), weights.end());
    }
    for (auto &w : lines_of("triangles"))
        for (int i = 0; i < 3; i++) m.triangles.push_back(atoi(w[i].c_str()));
    return m;
}

template <class T> transform<T> lifted(const transform<quad> &t) {
    transform<T> out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) out.a[i][j] = T(t.a[i][j]);
    return out;
}

// theta: rotation vector (3), translation (3), four angles per finger.
template <class T> std::vector<transform<T>> posed(const model &m, const T *theta) {
    std::vector<transform<T>> absolute, out;
    for (int b = 0; b < (int)m.parents.size(); b++) {
        transform<T> t = lifted<T>(m.bases[b]);
        int finger = (b - 1) / 4, joint = (b - 1) % 4; // joint 0 is in the palm: it does not move
        if (b > 0 && finger < 5 && joint > 0) {
            const T *angle = theta + 6 + 4 * finger;
            if (joint == 1) t = t * turn<T>(0, 1, cos(angle[1]), sin(angle[1]));
            const T &bend = angle[joint == 1 ? 0 : joint];
            t = t * turn<T>(1, 2, cos(bend), sin(bend));
        }
        absolute.push_back(m.parents[b] < 0 ? t : absolute[m.parents[b]] * t);
        out.push_back(absolute[b] * lifted<T>(m.inverses[b]));
    }
    return out;
}

// The rotation about r by its length, of p: as in ba.cpp, by its own formula.
template <class T> std::vector<T> rotated(const T *r, const std::vector<T> &p) {
    T length = sqrt(square(r[0]) + square(r[1]) + square(r[2])), s = sin(length) / length;
    T c = (T(1) - cos(length)) / square(length);
    T w[3] = {r[1] * p[2] - r[2] * p[1], r[2] * p[0] - r[0] * p[2], r[0] * p[1] - r[1] * p[0]};
    T ww[3] = {r[1] * w[2] - r[2] * w[1], r[2] * w[0] - r[0] * w[2], r[0] * w[1] - r[1] * w[0]};
    return {p[0] + s * w[0] + c * ww[0], p[1] + s * w[1] + c * ww[1], p[2] + s * w[2] + c * ww[2]};
}

template <class T>
std::vector<T> placed(const model &m, const std::vector<transform<T>> &pose, const T *theta, int vertex) {
    std::vector<T> sum(3, T(0));
    for (size_t b = 0; b < pose.size(); b++) {
        quad weight = m.weights[(size_t)vertex * pose.size() + b];
        if (weight == 0) continue;
        T p[3] = {T(m.positions[3 * vertex]), T(m.positions[3 * vertex + 1]), T(m.positions[3 * vertex + 2])};
        std::vector<T> at = apply(pose[b], p);
        for (int i = 0; i < 3; i++) sum[i] += T(weight) * at[i];
    }
    std::vector<T> out = rotated(theta, sum);
    for (int i = 0; i < 3; i++) out[i] += theta[3 + i];
    return out;
}

struct measured {
    int points;
    bool complicated;
    std::vector<int> at; // vertex or triangle of each point
    quads x;             // its place
};

// in: u, v of each point (complicated only), then theta.
template <class T> std::vector<T> residuals(const model &m, const measured &d, const std::vector<T> &in) {
    const T *theta = &in[d.complicated ? 2 * d.points : 0];
    auto pose = posed(m, theta);
    std::vector<T> out;
    for (int i = 0; i < d.points; i++) {
        std::vector<T> p(3, T(0));
        if (!d.complicated) p = placed(m, pose, theta, d.at[i]);
        for (int k = 0; k < 3 && d.complicated; k++) {
            std::vector<T> corner = placed(m, pose, theta, m.triangles[3 * d.at[i] + k]);
            T share = k < 2 ? in[2 * i + k] : T(1) - in[2 * i] - in[2 * i + 1];
            for (int c = 0; c < 3; c++) p[c] += share * corner[c];
        }
        for (int c = 0; c < 3; c++) out.push_back(T(d.x[3 * i + c]) - p[c]);
    }
    return out;
}

bool write_ht(const std::string &name) {
    measured d;
    char kind[16];
    unsigned long long seed;
    if (sscanf(name.c_str(), "ht_gen_%15[a-z]_n%d_s%llu", kind, &d.points, &seed) != 3) return false;
    d.complicated = std::string(kind) == "complicated";
    model m = read_model();
    int choices = (int)(d.complicated ? m.triangles.size() : m.positions.size()) / 3;
    generator g{seed};
    quads theta(26), in;
    fill_sym(g, theta, 1);
    for (int i = 0; i < d.points; i++) {
        d.at.push_back(g.below(choices));
        for (int k = 0; k < 3; k++) d.x.push_back(g.sym(1));
    }
    for (int i = 0; i < 2 * d.points && d.complicated; i++) in.push_back(g.range(0, 0.5));
    in.insert(in.end(), theta.begin(), theta.end());
    jacobian j = differentiate(name.c_str(), [&](const auto &a) { return residuals(m, d, a); }, in);
    // Of u and v a row has only those of its own point.
    quads J;
    for (int row = 0; row < 3 * d.points; row++) {
        auto at = j.J.begin() + row * (long)in.size();
        if (d.complicated) J.insert(J.end(), at + row / 3 * 2, at + row / 3 * 2 + 2);
        J.insert(J.end(), at + (long)in.size() - 26, at + (long)in.size());
    }
    golden out(name);
    out.reals("residual", j.y);
    out.reals("jacobian", J);
    return true;
}
