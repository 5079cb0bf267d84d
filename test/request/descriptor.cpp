// Requests in C++17: in a namespace, of a static, an inline and an anonymous function, with overloads.
// RUN: %adxx -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Werror -O0 %s -o %t0 && %t0 | %FileCheck %s
// RUN: %adxx -std=c++17 -O2 %s -o %t2 && %t2 | %FileCheck %s
// RUN: %adxx -std=c++17 -O2 -g %s -o %t2g && %t2g | %FileCheck %s
// RUN: %adxx -O0 -S -emit-llvm %s -o %t.ll && %FileCheck --check-prefix=IR %s < %t.ll
#include <cofactor/ad.h>
#include <cstdio>

// IR-NOT: section "cofactor"
// IR-NOT: cf_request
// IR-DAG: define weak_odr {{.*}}double @_ZN5outer5inner6sq_tanEdd(
// IR-DAG: define internal {{.*}}double @_Z6st_tandd(
namespace outer {
namespace inner {
inline double sq(double x) { return x * x; }
double sq_tan(double x, double x_dot);
CF_FORWARD(sq_tan, sq, "dup");
} // namespace inner
} // namespace outer

static double st(double x) { return 2 * x * x; }
double st_tan(double x, double x_dot);
CF_FORWARD(st_tan, st, "dup");

namespace {
double hidden(double x) { return 3 * x * x; }
} // namespace
double hidden_tan(double x, double x_dot);
CF_FORWARD(hidden_tan, hidden, "dup");

double over(double x) { return 5 * x * x; }
int over(int x) { return x; }
double over_tan(double x, double x_dot);
CF_FORWARD(over_tan, static_cast<double (&)(double)>(over), "dup");

extern "C" {
double c_name(double x);
double c_name_tan(double x, double x_dot);
CF_FORWARD(c_name_tan, c_name, "dup");
double c_name(double x) { return 7 * x * x; }
}

int main() {
    // CHECK: 6 12 18 30 42
    std::printf("%g %g %g %g %g\n", outer::inner::sq_tan(3, 1), st_tan(3, 1), hidden_tan(3, 1), over_tan(3, 1),
                c_name_tan(3, 1));
}
