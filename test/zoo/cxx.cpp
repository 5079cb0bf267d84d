// C++: references, templates, lambdas, operators, virtual functions, namespaces, members, destructors.
// ZOO_FLAGS: -fno-exceptions
#include "zoo.h"
#include <cmath>

static void halve(double &v) { v /= 2; }
static double references(double x, double y) {
    double &r = x, s = y;
    halve(r);
    halve(s);
    return x * s;
}
/* xy / 4 */
ZOO_NUM2(references, (2, 3), (1.5), (0.75, 0.5));

template <class N, int power> static N raised(N x) {
    if constexpr (power == 0)
        return N(1);
    else
        return x * raised<N, power - 1>(x);
}
static double templates(double x) { return raised<double, 5>(x) + raised<float, 1>(2); }
ZOO_NUM1(templates, (1.5), (std::pow(1.5, 5) + 2), (5 * std::pow(1.5, 4)));

static double lambdas(double x, double y) {
    auto by = [&y](double v) { return v * y; };
    auto twice = [](auto f, double v) { return f(f(v)); };
    y += 1;
    return twice(by, x);
}
/* x (y + 1)^2 */
ZOO_NUM2(lambdas, (2, 3), (32), (16, 16));

struct vec3 {
    double x, y, z;
    vec3 operator+(const vec3 &o) const { return {x + o.x, y + o.y, z + o.z}; }
    vec3 operator*(double k) const { return {x * k, y * k, z * k}; }
    vec3 &operator+=(const vec3 &o) { return *this = *this + o; }
    double operator*(const vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
    double &operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
};
static double operators(const double *x, int n) {
    vec3 a{x[0], x[1], x[2]}, b{x[2], 1, x[0]};
    a += b * 2;
    a[1] *= a[0];
    (void)n;
    return a * b;
}
/* a = (a + 2c, (b + 2)(a + 2c), c + 2a); times (c, 1, a): ac + 2c^2 + (b + 2)(a + 2c) + ac + 2a^2 */
ZOO_OF(operators, 3, (2, 3, 5), (10 + 50 + 60 + 10 + 8), (5 + 5 + 5 + 8, 12, 2 + 20 + 10 + 2));

namespace {
struct shape {
    double k = 1;
    virtual double area() const = 0;
    virtual void grow(double f) { k *= f; }
    virtual ~shape() = default;
};
struct disc final : shape {
    double r;
    explicit disc(double v) : r(v) {}
    double area() const override { return 3 * r * r * k; }
};
struct box : shape {
    double a, b;
    box(double v, double w) : a(v), b(w) {}
    double area() const override { return a * b * k; }
    void grow(double f) override { a *= f; }
};
struct tall_box final : box {
    using box::box;
    double area() const override { return box::area() + b; }
};
} // namespace
static double total(shape *const *s, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += s[i]->area();
    return sum;
}
static double virtual_calls(const double *x, int n) {
    disc d(x[0]);
    box b(x[1], 2);
    tall_box t(x[0], x[1]);
    shape *all[] = {&d, &b, &t};
    for (shape *s : all) s->grow(x[n - 1]);
    return total(all, 3);
}
/* 3 a^2 c + 2 b c + ab c + b */
ZOO_OF(virtual_calls, 3, (2, 3, 5), (60 + 30 + 30 + 3), (60 + 15, 10 + 10 + 1, 12 + 6 + 6));

namespace deep::inside {
static double in_namespace(double x) { return x * x * x; }
#ifndef ZOO_NUMERIC
ZOO_R(double in_namespace_rev(double x, double *xb); CF_REVERSE(in_namespace_rev, in_namespace, "dup");)
ZOO_F(double in_namespace_fwd(double x, double xd); CF_FORWARD(in_namespace_fwd, in_namespace, "dup");)
#endif
} // namespace deep::inside
static void namespaced_P(zoo_io *io) { io->r = deep::inside::in_namespace(io->x[0]); }
ZOO_R(static void namespaced_R(zoo_io *io) { io->r = deep::inside::in_namespace_rev(io->x[0], io->xs); })
ZOO_F(static void namespaced_F(zoo_io *io) { io->rs = deep::inside::in_namespace_fwd(io->x[0], io->xs[0]); })
ZOO_CASE(namespaced, ZOO_RESULT, 1, 0, (2), (8), (12));

extern "C" {
double zoo_c_linkage(double x);
double zoo_c_linkage(double x) { return x * x * 2; }
ZOO_R(double zoo_c_linkage_rev(double x, double *xb); CF_REVERSE(zoo_c_linkage_rev, zoo_c_linkage, "dup");)
ZOO_F(double zoo_c_linkage_fwd(double x, double xd); CF_FORWARD(zoo_c_linkage_fwd, zoo_c_linkage, "dup");)
}
static void c_linkage_P(zoo_io *io) { io->r = zoo_c_linkage(io->x[0]); }
ZOO_R(static void c_linkage_R(zoo_io *io) { io->r = zoo_c_linkage_rev(io->x[0], io->xs); })
ZOO_F(static void c_linkage_F(zoo_io *io) { io->rs = zoo_c_linkage_fwd(io->x[0], io->xs[0]); })
ZOO_CASE(c_linkage, ZOO_RESULT, 1, 0, (3), (18), (12));

/* An overload is chosen by a cast; the primal is inline, so its bodies may stand in several units. */
inline double overloaded(double x) { return x * x; }
inline double overloaded(int i) { return i; }
ZOO_R(double overloaded_rev(double x, double *xb);
      CF_REVERSE(overloaded_rev, static_cast<double (&)(double)>(overloaded), "dup");)
ZOO_F(double overloaded_fwd(double x, double xd);
      CF_FORWARD(overloaded_fwd, static_cast<double (&)(double)>(overloaded), "dup");)
static void overloads_P(zoo_io *io) { io->r = overloaded(io->x[0]) + overloaded(0); }
ZOO_R(static void overloads_R(zoo_io *io) { io->r = overloaded_rev(io->x[0], io->xs); })
ZOO_F(static void overloads_F(zoo_io *io) { io->rs = overloaded_fwd(io->x[0], io->xs[0]); })
ZOO_CASE(overloads, ZOO_RESULT, 1, 0, (3), (9), (6));

struct counter {
    static int made;
    double *where;
    explicit counter(double *p) : where(p) { made++; }
    ~counter() { *where *= 2; }
};
int counter::made = 0;
static double destructors(double x) {
    double v = x * x;
    {
        counter a(&v);
        counter b(&v);
        v += x;
    }
    return v * x;
}
/* 4 (x^2 + x) x */
ZOO_NUM1(destructors, (2), (48), (12 * 4 + 8 * 2));

struct accumulator {
    double sum = 0;
    accumulator &add(double v) {
        sum += v * v;
        return *this;
    }
};
static double member_pointers(double x, double y) {
    accumulator &(accumulator::*how)(double) = &accumulator::add;
    double accumulator::*what = &accumulator::sum;
    accumulator a;
    (a.*how)(x).add(y);
    return a.*what * x;
}
/* (x^2 + y^2) x */
ZOO_NUM2(member_pointers, (2, 3), (26), (12 + 9, 12));
