// C++: containers, virtual functions, lambdas; an exception that leaves a primal leaves the evaluation, and reaches the program
// once, from the call itself.
// RUN: for o in -O0 -O2 "-O3 -g"; do %adxx $o %s -o %t.a || exit 1; \
// RUN:   COFACTOR_CHECKED="calls=all verbose" %t.a >%t.out 2>%t.err || { cat %t.err; exit 1; }; \
// RUN:   %FileCheck %s --input-file %t.err && %FileCheck %s --check-prefix=OUT --input-file %t.out || exit 1; \
// RUN:   %t.a wrong 2>%t.err; test $? = 1 || exit 1; %FileCheck %s --check-prefix=WRONG --input-file %t.err || exit 1; done
#include <cmath>
#include <cofactor/ad.h>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

// CHECK: `grown_grad{{.*}} agrees in call 1
// CHECK: `grown_tan{{.*}} is not checked in call 1{{.*}}: the primal does not return
// CHECK: `grown_tan{{.*}} agrees in call 2
// OUT: caught
// OUT-NOT: caught
static double grown(const std::vector<double> &x) {
    if (x.size() > 5) throw std::length_error("many");
    std::vector<double> y(x.begin(), x.end());
    for (int i = 0; i < 9; i++) y.push_back(y.back() * y[i % y.size()] * 0.5);
    double s = 0;
    for (double v : y) s += std::sin(v);
    return s;
}
extern "C" double grown_grad(const std::vector<double> &x, std::vector<double> &x_bar);
CF_REVERSE(grown_grad, grown, "dup");
CF_CHECK(grown_grad);
extern "C" double grown_tan(const std::vector<double> &x, const std::vector<double> &x_dot);
CF_FORWARD(grown_tan, grown, "dup");
CF_CHECK(grown_tan);

// CHECK: `total_grad{{.*}} agrees in call 1
struct shape {
    virtual ~shape() = default;
    virtual double area() const = 0;
};
struct square : shape {
    double side = 2;
    double area() const override { return side * side; }
};
struct circle : shape {
    double radius = 1;
    std::function<double(double)> scaled = [](double r) { return 3.14 * r; };
    double area() const override { return scaled(radius) * radius; }
};
using shapes = std::vector<std::unique_ptr<shape>>;
static double total(const shapes &s) {
    double sum = 0;
    for (const auto &p : s) sum += p->area();
    return sum;
}
extern "C" double total_grad(const shapes &s, shapes &s_bar);
CF_REVERSE(total_grad, total, "dup");
CF_CHECK(total_grad);

// WRONG: cxx.cpp:[[# @LINE + 9]]: cofactor: `norm_grad`, the derivative of `{{.*}}norm{{.*}}`, is wrong in call 1
// WRONG-NEXT: by argument 1{{.*}}, through the pointer at byte 0, at byte 16: double number 2, from 0
// WRONG: Forward mode agrees with the program, reverse mode does not.
// WRONG-NEXT: {{.*}} has a rule of the program's for reverse mode
static double root(double x) { return std::sqrt(x); }
static void root_bar(double x, double *x_bar, double bar) { *x_bar += x > 0 ? bar / std::sqrt(x) : 0; }
CF_RULE_REVERSE(root, root_bar);
static double norm(const std::vector<double> &x) { return x[0] * x[1] + root(x[2]); }
extern "C" double norm_grad(const std::vector<double> &x, std::vector<double> &x_bar);
CF_REVERSE(norm_grad, norm, "dup");
CF_CHECK(norm_grad);

int main(int argc, char **) {
    std::vector<double> x{1, 2, 3}, x_bar(3), many(6), many_dot(6);
    if (argc > 1) return norm_grad(x, x_bar) > 0 ? 0 : 2;
    grown_grad(x, x_bar);
    try {
        grown_tan(many, many_dot);
    } catch (const std::length_error &) {
        std::puts("caught");
    }
    grown_tan(x, x_bar);
    shapes s, s_bar;
    s.emplace_back(new square), s.emplace_back(new circle);
    s_bar.emplace_back(new square), s_bar.emplace_back(new circle);
    static_cast<square &>(*s_bar[0]).side = 0, static_cast<circle &>(*s_bar[1]).radius = 0;
    total_grad(s, s_bar);
    return std::fabs(static_cast<square &>(*s_bar[0]).side - 4) > 1e-12;
}
