// RUN: for l in -O0 -O2; do %adxx $l %s -lm -o %t && %t || exit 1; done
// C++: exceptions that carry no number, virtual functions, lambdas, std::vector, atomics.
#include <atomic>
#include <cmath>
#include <cofactor/ad.h>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

static int wrong;
static void want(const char *what, double got, double expected) {
    if (std::fabs(got - expected) <= 1e-12 * (1 + std::fabs(expected))) return;
    std::printf("%s: got %.17g, want %.17g\n", what, got, expected);
    wrong = 1;
}
#define WANT(got, expected) want(#got, got, expected)

struct shape {
    virtual double area(double) const = 0;
    virtual ~shape() {}
};
struct square : shape {
    double k;
    square(double k) : k(k) {}
    double area(double x) const override { return k * x * x; }
};
struct disc : shape {
    double area(double x) const override { return 3 * x * x * x; }
};
static double shapes(double x) {
    std::vector<std::unique_ptr<shape>> all;
    all.push_back(std::make_unique<square>(x));
    all.push_back(std::make_unique<disc>());
    double s = 0;
    for (auto &p : all) s += p->area(x);
    return s;
}
double shapes_tan(double x, double xd);
CF_FORWARD(shapes_tan, shapes, "dup");

static double vectors(const double *x, int n) {
    std::vector<double> v;
    for (int i = 0; i < n; i++) v.push_back(x[i] * x[i]);
    auto sum = [&](double w) {
        double s = 0;
        for (double a : v) s += w * a;
        return s;
    };
    return sum(x[0]);
}
double vectors_tan(const double *x, const double *xd, int n);
CF_FORWARD(vectors_tan, vectors, "dup const");

__attribute__((noinline)) static double checked(double x, int i) {
    if (i > 2) throw i;
    return x * i;
}
static double caught(double x) {
    double s = 0;
    for (int i = 0; i < 5; i++) try {
            s += checked(x * x, i);
        } catch (int e) {
            s += x * e;
        }
    return s;
}
double caught_tan(double x, double xd);
CF_FORWARD(caught_tan, caught, "dup");

static double atomic(double x) {
    std::atomic<double> a{x};
    double old = a.load(), next;
    do next = old * x;
    while (!a.compare_exchange_weak(old, next));
    double before = a.exchange(3 * x);
    return a.load() * before;
}
double atomic_tan(double x, double xd);
CF_FORWARD(atomic_tan, atomic, "dup");

static double called(const double *x) {
    std::function<double(double)> f = [=](double y) { return y * x[0]; };
    std::function<double(double)> g = [f](double y) { return f(y) * y; };
    return g(x[1]);
}
double called_tan(const double *x, const double *xd);
CF_FORWARD(called_tan, called, "dup");

int main() {
    double x[3] = {2, 3, 4}, d[3] = {1, 0, 0};
    WANT(shapes_tan(2, 1), 3 * 4 + 9 * 4);
    WANT(vectors_tan(x, d, 3), 29 + 2 * 4);
    WANT(caught_tan(5, 1), 2 * 5 * 3 + 7);
    WANT(atomic_tan(2, 1), 9 * 4);
    WANT(called_tan(x, d), 9);
    return wrong;
}
