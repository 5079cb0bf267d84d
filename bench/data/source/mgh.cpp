// Sixteen problems of More', Garbow and Hillstrom (ACM Transactions on Mathematical Software 7, 1981), with the columns of
// numbers that the paper prints. Indices here count from 1, as there: x(1) is the first input.
#include "golden.h"
#include <sstream>

static quads column(const char *text) {
    std::istringstream words(text);
    quads out;
    for (std::string w; words >> w;) out.push_back(number(w.c_str()));
    return out;
}

static const quads bard_y = column(".14 .18 .22 .25 .29 .32 .35 .39 .37 .58 .73 .96 1.34 2.10 4.39");
static const quads kowalik_u = column("4 2 1 .5 .25 .167 .125 .1 .0833 .0714 .0625");
static const quads kowalik_y = column(".1957 .1947 .1735 .16 .0844 .0627 .0456 .0342 .0323 .0235 .0246");
static const quads meyer_y =
    column("34780 28610 23650 19630 16370 13720 11540 9744 8261 7030 6005 5147 4427 3820 3307 2872");
static const quads osborne1_y =
    column(".844 .908 .932 .936 .925 .908 .881 .850 .818 .784 .751 .718 .685 .658 .628 .603 .580 "
           ".558 .538 .522 .506 .490 .478 .467 .457 .448 .438 .431 .424 .420 .414 .411 .406");
static const quads osborne2_y =
    column("1.366 1.191 1.112 1.013 .991 .885 .831 .847 .786 .725 .746 .679 .608 .655 .616 .606 "
           ".602 .626 .651 .724 .649 .649 .694 .644 .624 .661 .612 .558 .533 .495 .500 .423 .395 "
           ".375 .372 .391 .396 .405 .428 .429 .523 .562 .607 .653 .672 .708 .633 .668 .645 .632 "
           ".591 .559 .597 .625 .739 .710 .729 .720 .636 .581 .428 .292 .162 .098 .054");

// The residuals of problem `number`, m of them.
template <class T> struct residuals {
    const std::vector<T> &in;
    int n, m;
    const T &x(int i) const { return in[i - 1]; }
    static T c(const char *decimal) { return T(::number(decimal)); }

    T power(quad t, int k) const { return T(powq(t, k)); }

    T bard(int i) const {
        int v = 16 - i, w = i < v ? i : v;
        return T(bard_y[i - 1]) - x(1) - T(i) / (T(v) * x(2) + T(w) * x(3));
    }
    T box3d(int i) const {
        quad t = quad(i) / 10;
        return exp(-T(t) * x(1)) - exp(-T(t) * x(2)) - x(3) * T(exp(-t) - exp(-10 * t));
    }
    T kowalik(int i) const {
        T u = T(kowalik_u[i - 1]);
        return T(kowalik_y[i - 1]) - x(1) * u * (u + x(2)) / (u * (u + x(3)) + x(4));
    }
    T brown_dennis(int i) const {
        quad t = quad(i) / 5;
        return square(x(1) + T(t) * x(2) - T(exp(t))) + square(x(3) + x(4) * T(sin(t)) - T(cos(t)));
    }
    T osborne1(int i) const {
        T t = T(10 * (i - 1));
        return T(osborne1_y[i - 1]) - (x(1) + x(2) * exp(-t * x(4)) + x(3) * exp(-t * x(5)));
    }
    T osborne2(int i) const {
        T t = T(quad(i - 1) / 10);
        return T(osborne2_y[i - 1]) -
               (x(1) * exp(-t * x(5)) + x(2) * exp(-square(t - x(9)) * x(6)) +
                x(3) * exp(-square(t - x(10)) * x(7)) + x(4) * exp(-square(t - x(11)) * x(8)));
    }
    T watson(int i) const {
        if (i == 30) return x(1);
        if (i == 31) return x(2) - square(x(1)) - T(1);
        quad t = quad(i) / 29;
        T slope = 0, sum = 0;
        for (int j = 1; j <= n; j++) {
            sum += x(j) * power(t, j - 1);
            if (j > 1) slope += T(j - 1) * x(j) * power(t, j - 2);
        }
        return slope - square(sum) - T(1);
    }
    T trigonometric(int i) const {
        T sum = T(n) + T(i) * (T(1) - cos(x(i))) - sin(x(i));
        for (int j = 1; j <= n; j++) sum -= cos(x(j));
        return sum;
    }
    T broyden(int i) const {
        T f = (T(3) - T(2) * x(i)) * x(i) + T(1);
        if (i > 1) f -= x(i - 1);
        if (i < n) f -= T(2) * x(i + 1);
        return f;
    }
    T chebyquad(int i) const {
        T sum = 0;
        for (int j = 1; j <= n; j++) {
            T y = T(2) * x(j) - T(1), before = T(1), now = y;
            for (int k = 1; k < i; k++) {
                T next = T(2) * y * now - before;
                before = now;
                now = next;
            }
            sum += now;
        }
        return sum / T(n) + (i % 2 ? T(0) : T(1) / T(i * i - 1));
    }

    T at(int problem, int i) const {
        switch (problem) {
        case 1: return i == 1 ? T(10) * (x(2) - square(x(1))) : T(1) - x(1);
        case 2:
            return i == 1 ? x(1) - T(13) + ((T(5) - x(2)) * x(2) - T(2)) * x(2)
                          : x(1) - T(29) + ((x(2) + T(1)) * x(2) - T(14)) * x(2);
        case 3: return i == 1 ? T(10000) * x(1) * x(2) - T(1) : exp(-x(1)) + exp(-x(2)) - c("1.0001");
        case 7:
            if (i == 1) return T(10) * (x(3) - T(5) * atan(x(2) / x(1)) / T(pi) - T(value(x(1)) < 0 ? 5 : 0));
            return i == 2 ? T(10) * (sqrt(square(x(1)) + square(x(2))) - T(1)) : x(3);
        case 8: return bard(i);
        case 10: return x(1) * exp(x(2) / (T(45 + 5 * i) + x(3))) - T(meyer_y[i - 1]);
        case 12: return box3d(i);
        case 13:
            if (i < 3) return i == 1 ? x(1) + T(10) * x(2) : T(sqrt(quad(5))) * (x(3) - x(4));
            return i == 3 ? square(x(2) - T(2) * x(3)) : T(sqrt(quad(10))) * square(x(1) - x(4));
        case 15: return kowalik(i);
        case 16: return brown_dennis(i);
        case 17: return osborne1(i);
        case 19: return osborne2(i);
        case 20: return watson(i);
        case 26: return trigonometric(i);
        case 30: return broyden(i);
        default: return chebyquad(i);
        }
    }
};

static const struct problem {
    int number, m;
    const char *name;
    std::vector<double> start;
} problems[] = {
    {1, 2, "mgh_01_rosenbrock", {-1.2, 1}},
    {2, 2, "mgh_02_freudenstein_roth", {0.5, -2}},
    {3, 2, "mgh_03_powell_badly_scaled", {0, 1}},
    {7, 3, "mgh_07_helical_valley", {-1, 0, 0}},
    {8, 15, "mgh_08_bard", {1, 1, 1}},
    {10, 16, "mgh_10_meyer", {0.02, 4000, 250}},
    {12, 10, "mgh_12_box3d", {0, 10, 20}},
    {13, 4, "mgh_13_powell_singular", {3, -1, 0, 1}},
    {15, 11, "mgh_15_kowalik_osborne", {0.25, 0.39, 0.415, 0.39}},
    {16, 20, "mgh_16_brown_dennis", {25, 5, -5, -1}},
    {17, 33, "mgh_17_osborne1", {0.5, 1.5, -1, 0.01, 0.02}},
    {19, 65, "mgh_19_osborne2", {1.3, .65, .65, .7, .6, 3, 5, 7, 2, 4.5, 5.5}},
    {20, 31, "mgh_20_watson", std::vector<double>(6, 0)},
    {26, 10, "mgh_26_trigonometric", std::vector<double>(10, 0.1)},
    {30, 10, "mgh_30_broyden_tridiagonal", std::vector<double>(10, -1)},
    {35, 8, "mgh_35_chebyquad", {1.0 / 9, 2.0 / 9, 3.0 / 9, 4.0 / 9, 5.0 / 9, 6.0 / 9, 7.0 / 9, 8.0 / 9}},
};

// At the start (k = 0), and where each input is moved by a sixteenth of it (k = 1).
static void write_point(golden &out, const problem &p, int k) {
    quads x;
    for (size_t j = 0; j < p.start.size(); j++) {
        double s = p.start[j], c = j % 2 ? -0.0625 : 0.0625, moved = s == 0 ? c : s * (1 + c);
        x.push_back(k ? moved : s);
    }
    jacobian j = differentiate(
        p.name,
        [&](const auto &a) {
            typedef typename std::decay<decltype(a[0])>::type T;
            residuals<T> r{a, (int)a.size(), p.m};
            std::vector<T> f;
            for (int i = 1; i <= p.m; i++) f.push_back(r.at(p.number, i));
            return f;
        },
        x);
    quad norm = 0;
    quads gradient(x.size());
    for (size_t i = 0; i < j.y.size(); i++) {
        norm += j.y[i] * j.y[i];
        for (size_t a = 0; a < x.size(); a++) gradient[a] += 2 * j.y[i] * j.J[i * x.size() + a];
    }
    std::string suffix = std::to_string(k);
    out.reals(("f" + suffix).c_str(), j.y);
    out.reals(("norm" + suffix).c_str(), {sqrt(norm)});
    out.reals(("J" + suffix).c_str(), j.J);
    out.reals(("gradF" + suffix).c_str(), gradient);
}

bool write_mgh(const std::string &name) {
    for (const problem &p : problems)
        if (name == p.name) {
            golden out(name);
            write_point(out, p, 0);
            write_point(out, p, 1);
            return true;
        }
    return false;
}
