// Enzyme's names in C++: templates whose mangled names contain them, and a call that may unwind.
// RUN: %adxx -O0 %s -o %t0 && %t0 | %FileCheck %s
// RUN: %adxx -O2 %s -o %t2 && %t2 | %FileCheck %s
// RUN: %adxx -O2 -g %s -o %t2g && %t2g | %FileCheck %s
#include <cstdio>
extern int enzyme_dup, enzyme_out, enzyme_const;
int enzyme_dup, enzyme_out, enzyme_const;
template <typename R, typename... A> R __enzyme_autodiff(void *, A...);
template <typename R, typename... A> R __enzyme_fwddiff(R (*)(double), A...);

namespace m {
static double cube(double x) { return x * x * x; }
} // namespace m
struct guard {
    const char *text;
    ~guard() { std::puts(text); }
};

int main() {
    guard g{"done"};
    // CHECK: cube 12
    std::printf("cube %.3g\n", __enzyme_autodiff<double>((void *)m::cube, enzyme_out, 2.0));
    // CHECK: forward 24
    std::printf("forward %.3g\n", __enzyme_fwddiff<double>(m::cube, enzyme_dup, 2.0, 2.0));
    // CHECK: done
}
