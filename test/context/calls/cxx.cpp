// RUN: for l in -O0 -O2; do %adxx $l -std=c++17 -Wall -Wextra -Werror -I%S/.. %s -o %t && %t || exit 1; done
// C++: methods, virtual ones, constructors and destructors, lambdas, templates, std::function, operators, references. Names
// are those that a C++ programmer reads.
#include "events.h"
#include <functional>
#include <vector>

struct count { events e; long fmul, fadd; };
CF_PREHOOK(count, "fmul") static void on_mul(count *c) { c->fmul++; }
CF_PREHOOK(count, "fadd") static void on_add(count *c) { c->fadd++; }
CF_PREHOOK(count, "call *shapes::*") static void on_call(count *c, const cf_site *s) { note(&c->e, "%s;", s->what); }

namespace shapes {
struct shape {
    virtual double area() const = 0;
    virtual ~shape() {}
};
struct circle final : shape {
    double r;
    explicit circle(double x) : r(x) {}
    double area() const override { return 3 * r * r; }
};
struct square : shape {
    double a;
    explicit square(double x) : a(x) {}
    double area() const override { return a * a; }
};
template <class T> __attribute__((noinline)) T twice(T x) { return x + x; }
__attribute__((noinline)) double half(const double &x) { return x / 2; }
} // namespace shapes

static double by_virtual(int which) {
    shapes::circle c(2);
    shapes::square s(5);
    const shapes::shape *p = which ? static_cast<const shapes::shape *>(&c) : &s;
    return p->area();
}
static double by_lambda(double k) {
    auto f = [k](double x) { return k * x; };
    std::function<double(double)> g = [&f](double x) { return f(x) + 1; };
    return g(10);
}
static double by_template(double x) { return shapes::twice(x) + shapes::twice(3) + shapes::half(x); }
static double by_vector(int n) {
    std::vector<double> v;
    for (int i = 0; i < n; i++) v.push_back(i);
    double s = 0;
    for (double x : v) s += x * x;
    return s;
}
double by_virtual_in(count *c, int which);
CF_IN(by_virtual_in, by_virtual, count);
double by_lambda_in(count *c, double k);
CF_IN(by_lambda_in, by_lambda, count);
double by_template_in(count *c, double x);
CF_IN(by_template_in, by_template, count);
double by_vector_in(count *c, int n);
CF_IN(by_vector_in, by_vector, count);

int main() {
    static count c;
    WANT(by_virtual_in(&c, 1), 12), WANT(c.fmul, 2), c.fmul = 0;
    WANT(by_virtual_in(&c, 0), 25), WANT(c.fmul, 1), c.fmul = 0;
    c.e.used = 0;
    WANT(by_lambda_in(&c, 7), 71), WANT(c.fmul, 1), WANT(c.fadd, 1), c.fmul = c.fadd = 0;
    c.e.used = 0, c.e.text[0] = 0;
    WANT(by_template_in(&c, 5), 18.5);
    SAME(c.e, "double shapes::twice<double>(double); int shapes::twice<int>(int); shapes::half(double const&);");
    /* 5 + 5 in twice, two additions in by_template */
    WANT(c.fadd, 3), c.fadd = 0;
    WANT(by_vector_in(&c, 6), 55), WANT(c.fmul, 6), WANT(c.fadd, 6);
    return wrong;
}
