// RUN: for l in -O0 -O1 -O2 -O3; do %adxx -std=c++17 $l -w %s -o %t && %t || exit 1; done
// RUN: %not %adxx -O2 -w -DUNKNOWN -c %s -o %t.o 2>&1 | grep 'the first argument must name the function'
// Calls in wrappers that take the function, the words and the arguments as parameters, and are always inlined.
#include <cmath>
#include <cstdio>

int enzyme_dup, enzyme_out;
template <typename R, typename... T> R __enzyme_autodiff(void *, T...);
template <typename R, typename... T> R __enzyme_fwddiff(void *, T...);
#define INLINED __attribute__((always_inline)) static inline
template <typename F, typename... T> INLINED double gradient(F *f, T... x) { return __enzyme_autodiff<double>((void *)f, x...); }
template <typename F> INLINED void with_words(F *f, const double *x, double *bar, int word) {
    __enzyme_autodiff<void>((void *)f, word, x, bar);
}
template <typename F> INLINED double along(F *f, double x, double d) { return __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, d); }
static double square(double x) { return x * x; }
static double product(const double *x) { return x[0] * x[1]; }

int main(int argc, char **) {
    double x[2] = {3, 5}, b[2] = {};
    with_words(product, x, b, enzyme_dup);
    bool right = gradient(square, 3.0) == 6 && b[0] == 5 && b[1] == 3 && along(square, 3, 2) == 12;
#ifdef UNKNOWN
    double (*f)(double) = argc > 5 ? square : (double (*)(double))std::fabs;
    right &= gradient(f, 3.0) == 6;
#endif
    return !right;
}
