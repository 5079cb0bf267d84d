// Golden values by a method that has nothing in common with Cofactor: the formula of each problem once more, over numbers
// of 113 bits; derivatives from a list of the operations that were done (a tape), swept backwards.
//
// Gives:  quad, var (a quad that is on the tape), the generator of inputs, files of golden numbers
// Needs:  g++ and libquadmath
// Holds:  each gradient and Jacobian is compared along one direction with a central difference of the formula itself before
//         it is written; the program ends with status 1 where they differ by more than 1e-15 of it.
#ifndef GOLDEN_H
#define GOLDEN_H
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <quadmath.h>
#include <string>
#include <vector>

typedef __float128 quad;
typedef std::vector<quad> quads;

inline quad exp(quad x) { return expq(x); }
inline quad log(quad x) { return logq(x); }
inline quad sqrt(quad x) { return sqrtq(x); }
inline quad sin(quad x) { return sinq(x); }
inline quad cos(quad x) { return cosq(x); }
inline quad tanh(quad x) { return tanhq(x); }
inline quad atan(quad x) { return atanq(x); }
inline quad erfc(quad x) { return erfcq(x); }
inline quad number(const char *decimal) {
    return strtoflt128(decimal, nullptr);
} // a decimal constant is the real number
static const quad pi = number("3.14159265358979323846264338327950288419716939937510");

// A number on the tape: its value and the place of its operation, or -1 where it depends on no input.
struct var {
    quad v;
    int at;
    var(quad value = 0) : v(value), at(-1) {}
    var(double value) : v(value), at(-1) {}
    var(int value) : v(value), at(-1) {}
};

// An operation: its operands and the partial derivatives by them.
struct operation {
    int a, b;
    quad da, db;
};
extern std::vector<operation> tape;

inline var put(quad v, const var &a, quad da, const var &b, quad db) {
    var r(v);
    if (a.at < 0 && b.at < 0) return r;
    r.at = (int)tape.size();
    tape.push_back({a.at, b.at, da, db});
    return r;
}
inline var put(quad v, const var &a, quad da) { return put(v, a, da, var(0), 0); }

inline var operator+(const var &a, const var &b) { return put(a.v + b.v, a, 1, b, 1); }
inline var operator-(const var &a, const var &b) { return put(a.v - b.v, a, 1, b, -1); }
inline var operator*(const var &a, const var &b) { return put(a.v * b.v, a, b.v, b, a.v); }
inline var operator/(const var &a, const var &b) { return put(a.v / b.v, a, 1 / b.v, b, -a.v / (b.v * b.v)); }
inline var operator-(const var &a) { return put(-a.v, a, -1); }
inline var &operator+=(var &a, const var &b) { return a = a + b; }
inline var &operator-=(var &a, const var &b) { return a = a - b; }
inline var exp(const var &x) {
    quad e = expq(x.v);
    return put(e, x, e);
}
inline var log(const var &x) { return put(logq(x.v), x, 1 / x.v); }
inline var sqrt(const var &x) {
    quad s = sqrtq(x.v);
    return put(s, x, 1 / (2 * s));
}
inline var sin(const var &x) { return put(sinq(x.v), x, cosq(x.v)); }
inline var cos(const var &x) { return put(cosq(x.v), x, -sinq(x.v)); }
inline var tanh(const var &x) {
    quad t = tanhq(x.v);
    return put(t, x, 1 - t * t);
}
inline var atan(const var &x) { return put(atanq(x.v), x, 1 / (1 + x.v * x.v)); }
inline var erfc(const var &x) { return put(erfcq(x.v), x, -2 / sqrtq(pi) * expq(-x.v * x.v)); }
inline quad value(quad x) { return x; }
inline quad value(const var &x) { return x.v; }
template <class T> T square(const T &x) { return x * x; }

typedef std::vector<var> vars;

// Derivatives of the outputs y of f by its inputs x, row by row. f takes a vector of T and gives one, for T = quad and var.
struct jacobian {
    quads y, J; // J: y.size() rows of x.size()
};
void sweep(const var &y, size_t inputs, quad *row);
vars begin_tape(const quads &x);
void compare_along(const char *name, const jacobian &j, const quads &x, const quads &above,
                   const quads &below, const quads &direction, quad h);
quads direction_for(size_t n);

template <class F> jacobian differentiate(const char *name, F f, const quads &x) {
    vars in = begin_tape(x), out = f(in);
    jacobian j;
    j.y.resize(out.size());
    j.J.resize(out.size() * x.size());
    for (size_t i = 0; i < out.size(); i++) {
        j.y[i] = out[i].v;
        sweep(out[i], x.size(), &j.J[i * x.size()]);
    }
    quad h = 1 / quad(uint64_t(1) << 37);
    quads v = direction_for(x.size()), above = x, below = x;
    for (size_t i = 0; i < x.size(); i++) {
        above[i] += h * v[i];
        below[i] -= h * v[i];
    }
    compare_along(name, j, x, f(above), f(below), v, h);
    return j;
}

// Second derivatives: row `output` of the Jacobian, differenced centrally by input k. Good to 20 digits.
template <class F> quads second(F f, const quads &x, size_t output, size_t k) {
    quad h = 1 / quad(uint64_t(1) << 40);
    quads out(x.size()), row(x.size());
    for (int sign = 1; sign >= -1; sign -= 2) {
        quads at = x;
        at[k] += sign * h;
        vars y = f(begin_tape(at));
        sweep(y[output], x.size(), row.data());
        for (size_t i = 0; i < x.size(); i++) out[i] += sign * row[i] / (2 * h);
    }
    return out;
}

// splitmix64; see README.md for what each draw is.
struct generator {
    uint64_t state;
    uint64_t next();
    int below(int n) { return (int)(next() % (uint64_t)n); }
    double uni() { return (double)(next() >> 11) * 0x1p-53; }
    double sym(double s) { return s * (2 * uni() - 1); }
    double range(double lo, double w) { return lo + w * uni(); }
};
template <class V> void fill_uni(generator &g, V &a) {
    for (auto &x : a) x = g.uni();
}
template <class V> void fill_sym(generator &g, V &a, double s) {
    for (auto &x : a) x = g.sym(s);
}
template <class V> void fill_range(generator &g, V &a, double lo, double w) {
    for (auto &x : a) x = g.range(lo, w);
}

// A file of golden numbers, FOLDER/golden/NAME.txt.
struct golden {
    FILE *f;
    explicit golden(const std::string &name);
    ~golden();
    void reals(const char *section, const quads &a);
    void ints(const char *section, const std::vector<int> &a);
};
extern std::string folder; // where files go

// One function per problem: writes the case when its name is one of the problem's, else returns false.
bool write_small(const std::string &name); // lse, llsq, det, kmeans, ode
bool write_gmm(const std::string &name);
bool write_lstm(const std::string &name);
bool write_gpt2(const std::string &name);
bool write_ba(const std::string &name);
bool write_ht(const std::string &name);
bool write_grid(const std::string &name);    // heat, lbm, bruss
bool write_physics(const std::string &name); // lj, bs
bool write_mgh(const std::string &name);
void write_hand_model();

#endif
