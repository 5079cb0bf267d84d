// RUN: for l in 0 1 2 3; do %adxx -O$l -Wall -Wextra -Wpedantic -Werror %s -o %t && %t || exit 1; done
// An overload is named by a cast, a template by its arguments; a function pointer that is a constant will do as well.
#include <cofactor/ad.h>
#include <cmath>

static double over(double x) { return x * x; }
static double over(double x, double y) { return x * y; }
static float over(float x) { return 3 * x; }
template <class T> static T power(T x, int n) { return n ? x * power(x, n - 1) : T(1); }
namespace inner { double f(double x) { return std::sin(x); } }
constexpr double (*named)(double) = inner::f;

double one(double x, double *x_bar);
CF_REVERSE(one, static_cast<double (*)(double)>(over), "dup");
double two(double x, double *x_bar, double y, double *y_bar);
CF_REVERSE(two, static_cast<double (*)(double, double)>(over), "dup dup");
float three(float x, float x_dot);
CF_FORWARD(three, static_cast<float (*)(float)>(over), "dup");
double four(double x, double *x_bar, int n);
CF_REVERSE(four, power<double>, "dup const");
double five(double x, double *x_bar);
CF_REVERSE(five, named, "dup");

int main() {
    double a = 0, b = 0, c = 0, d = 0, e = 0;
    if (one(3, &a) != 9 || a != 6) return 1;
    if (two(3, &b, 5, &c) != 15 || b != 5 || c != 3) return 2;
    if (three(2, 7) != 21) return 3;
    if (four(2, &d, 5) != 32 || d != 80) return 4;
    if (five(0.5, &e) != std::sin(0.5) || std::fabs(e - std::cos(0.5)) > 1e-15) return 5;
    return 0;
}
