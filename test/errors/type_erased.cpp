// RUN: rm -f %t.o
// RUN: %not %ad -std=c++17 -fno-exceptions -O0 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// Without optimisation nothing tells whether the bytes that std::function moves are numbers or pointers.
#include <cofactor/ad.h>
#include <functional>

static double f(double x, double y) {
    std::function<double(double)> g = [y](double v) { return v * v * y; };
    std::function<double(double)> h = y > 0 ? g : [](double v) { return v; };
    return g(h(x));
}
// CHECK: error: {{.*}}floating numbers and which are pointers
double f_grad(double x, double *xb, double y, double *yb);
CF_REVERSE(f_grad, f, "dup dup");
