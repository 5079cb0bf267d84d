// RUN: for l in -O0 -O1 "-O2 -g" -O3; do %adxx $l %s -lm -o %t && %t 2> %t.txt && test "$(grep -c '^[(]x[)] 1$' %t.txt)" = 6 || exit 1; done
// The C++ library's objects call through their tables of functions: what clang inlines of them from -O1 on.
#include <cofactor/ad.h>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <locale>

static double lines(double x) {
    std::cerr << "(x) " << 1 << std::endl;
    return x * x;
}
static double letters(double x) {
    const auto &type = std::use_facet<std::ctype<char>>(std::locale::classic());
    double s = type.toupper('a') == 'A' ? x : 0;
    s *= type.is(std::ctype_base::digit, '7') ? x : 1;
    std::cerr << '(' << type.tolower('X') << ") 1" << std::endl;
    return s * x;
}
static double missing(double x) {
    std::cerr << "(x) " << 1 << std::cerr.widen('\n') << std::flush;
    return std::cerr.good() ? std::sin(x) : x;
}
#define BOTH(f)                                                                                              \
    static double f##_t(double x, double d);                                                                 \
    CF_FORWARD(f##_t, f, "dup");                                                                             \
    static void f##_r(double x, double *bar);                                                                \
    CF_REVERSE(f##_r, f, "dup")
BOTH(lines);
BOTH(letters);
BOTH(missing);

static int check(const char *what, double (*t)(double, double), void (*r)(double, double *), double want) {
    double bar = 0, dot = t(1.5, 1);
    r(1.5, &bar);
    if (std::fabs(dot - want) < 1e-12 && std::fabs(bar - want) < 1e-12) return 0;
    std::printf("%s: %g, %g, want %g\n", what, dot, bar, want);
    return 1;
}
int main() {
    return check("lines", lines_t, lines_r, 3) + check("letters", letters_t, letters_r, 3 * 1.5 * 1.5) +
           check("missing", missing_t, missing_r, std::cos(1.5));
}
