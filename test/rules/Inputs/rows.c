/* The rows of the check: every partial derivative, with its grid and the error that is allowed; and the kinks. */
#include "rules.h"

#define RD MPFR_RNDN
#define F1(f, call)                                                                                          \
    static void m_##f(mpfr_t r, mpfr_t *a) { call; }
#define SAME1(f) F1(f, mpfr_##f(r, a[0], RD))
#define SAME2(f) F1(f, mpfr_##f(r, a[0], a[1], RD))

SAME1(sin) SAME1(cos) SAME1(tan) SAME1(asin) SAME1(acos) SAME1(atan)
SAME1(sinh) SAME1(cosh) SAME1(tanh) SAME1(asinh) SAME1(acosh) SAME1(atanh)
SAME1(exp) SAME1(exp2) SAME1(exp10) SAME1(expm1) SAME1(log) SAME1(log2) SAME1(log10) SAME1(log1p)
SAME1(sqrt) SAME1(cbrt) SAME1(erf) SAME1(erfc) SAME1(j0) SAME1(j1) SAME1(y0) SAME1(y1)
SAME1(sinpi) SAME1(cospi) SAME1(tanpi) SAME1(asinpi) SAME1(acospi) SAME1(atanpi)
SAME2(atan2) SAME2(atan2pi) SAME2(pow) SAME2(hypot) SAME2(fmod) SAME2(remainder)
SAME2(copysign) SAME1(rec_sqrt)
F1(inverse, mpfr_ui_div(r, 1, a[0], RD))
F1(fabs, mpfr_abs(r, a[0], RD))
F1(fmin, mpfr_min(r, a[0], a[1], RD))
F1(fmax, mpfr_max(r, a[0], a[1], RD))
F1(fdim, mpfr_dim(r, a[0], a[1], RD))
F1(fma, mpfr_fma(r, a[0], a[1], a[2], RD))
F1(tgamma, mpfr_gamma(r, a[0], RD))
F1(same, mpfr_set(r, a[0], RD))
F1(jn, mpfr_jn(r, mpfr_get_si(a[0], RD), a[1], RD))
F1(yn, mpfr_yn(r, mpfr_get_si(a[0], RD), a[1], RD))
F1(scale, mpfr_mul_2si(r, a[0], mpfr_get_si(a[1], RD), RD))
F1(lgamma, int sign; mpfr_lgamma(r, &sign, a[0], RD))

#define POINTS(...) (const long double[]) { __VA_ARGS__, (long double)NAN }
static const grid all = {POINTS(0, 1e-5L, -1e-5L, 0.5L, -0.5L, 1, -1, 2, -2, 3, -3, 10, -10, 30), -8, 8, 0, 0};
static const grid tiny_to_huge = {POINTS(1e-300L, 1e-30L, 1e-10L, 1, 2, 1e10L, 1e30L, 1e300L), 1e-8L, 1e8L, 0, 1};
static const grid both_signs = {POINTS(1e-300L, -1e-300L, 1e-30L, 1, -1, 1e30L, -1e30L, 1e300L, -1e300L), -4, 4, 0, 0};
static const grid sides = {POINTS(1e-20L, -1e-20L, 1, -1, 1e15L, -1e15L), -4, 4, 0, 0};
static const grid angles = {POINTS(0, 1e-9L, 1, -1, 100, 1e4L, 1e15L, -1e15L), -20, 20, 0, 0};
static const grid unit = {POINTS(0, 1e-9L, -1e-9L, 0.5L, -0.5L, 0.999L, -0.999L, 0.9999999L), -1, 1, 0, 0};
static const grid above_one = {POINTS(1.0000001L, 1.5L, 2, 1e10L, 1e30L, 1e300L), 1.001L, 40, 0, 0};
static const grid above_minus_one = {POINTS(0, 1e-9L, -1e-9L, -0.99L, 1e30L, 1e300L), -1, 10, 0, 0};
static const grid exponents = {POINTS(0, 1e-9L, 1, -1, 30, -30, 80, -80, 700, -700, 11000, -11000), -20, 20, 0, 0};
static const grid powers = {POINTS(0, 1, 2, 3, 0.5L, -1, -2, 10, -10, 1e-9L), -8, 8, 0, 0};
static const grid whole_powers = {POINTS(0, 1, 2, 3, -1, -2, 17, -17), -30, 30, 1, 0};
static const grid orders = {POINTS(0, 1, 2, 3, 7, -1, -2, -5), 0, 20, 1, 0};
static const grid bases = {POINTS(1e-300L, 1e-30L, 0.1L, 1, 2, 1e30L, 1e300L), 0.01L, 20, 0, 0};
static const grid any_base = {POINTS(-2, -1, 1, 3, -1e-30L), -8, 8, 0, 0};
static const grid errors = {POINTS(0, 1e-9L, 1, -1, 5, -5, 9), -6, 6, 0, 0};
static const grid far_errors = {POINTS(0, 1e-9L, 1, -1, 5, -5, 9, 25, 100), -6, 6, 0, 0};
static const grid gammas = {POINTS(1e-10L, -1e-10L, 1, 2, 3, 0.5L, -0.5L, -1.5L, -7.5L, 30, 100, 1e5L, 1e20L, -0.25L), -12, 12,
                            0, 0};
static const grid large_gammas = {POINTS(20, 35, 150, 170, 1700), 10, 30, 0, 0};
static const grid waves = {POINTS(1e-10L, 1e-3L, 1, 2, 10, 50, 1000), 0.01L, 40, 0, 0};
static const grid waves_both = {POINTS(0, 1e-10L, -1e-3L, 1, -2, 10, 50, 1000), -40, 40, 0, 0};
static const grid turns = {POINTS(0, 0.25L, 0.5L, 0.75L, 1, -1, 2, 100.25L, -1e6L), -4, 4, 0, 0};
static const grid steps = {POINTS(0.3L, -0.3L, 7.3L, -7.3L, 1e10L, 1e-10L), -30, 30, 0, 0};
static const grid sizes = {POINTS(1.7L, -1.7L, 0.9L, 23.1L), 0.5L, 9, 0, 0};

#define ROW1(f, m, grid_, relative, absolute) {#f, 1, 0, CALLS(0, f), m_##m, {&grid_}, relative, absolute}
#define ROW2(f, k, m, g0, g1, relative, absolute)                                                            \
    {#f, 2, k, CALLS(k, f), m_##m, {&g0, &g1}, relative, absolute}

const row rows[] = {
    ROW1(exp, exp, exponents, 1, 0),
    ROW1(exp2, exp2, exponents, 1, 0),
    ROW1(exp10, exp10, exponents, 1, 0),
    ROW1(expm1, expm1, exponents, 2, 1),
    ROW1(log, log, tiny_to_huge, 2, 0),
    ROW1(log2, log2, tiny_to_huge, 3, 0),
    ROW1(log10, log10, tiny_to_huge, 3, 0),
    ROW1(log1p, log1p, above_minus_one, 3, 0),
    ROW2(pow, 0, pow, bases, powers, 4, 0),
    ROW2(pow, 1, pow, bases, powers, 4, 0),
    ROW2(pow, 0, pow, any_base, whole_powers, 4, 0),
    ROW2(llvm_powi, 0, pow, any_base, whole_powers, 4, 0),
    ROW1(sqrt, sqrt, tiny_to_huge, 2, 0),
    ROW1(cbrt, cbrt, both_signs, 2, 0),
    ROW2(hypot, 0, hypot, sides, sides, 2, 0),
    ROW2(hypot, 1, hypot, sides, sides, 2, 0),
    ROW1(sin, sin, angles, 1, 0),
    ROW1(cos, cos, angles, 1, 0),
    ROW1(tan, tan, angles, 4, 0),
    ROW1(asin, asin, unit, 2, 0),
    ROW1(acos, acos, unit, 2, 0),
    ROW1(atan, atan, sides, 2, 0),
    ROW2(atan2, 0, atan2, sides, sides, 6, 0),
    ROW2(atan2, 1, atan2, sides, sides, 6, 0),
    ROW1(sinh, sinh, exponents, 4, 0),
    ROW1(cosh, cosh, exponents, 4, 0),
    ROW1(tanh, tanh, all, 1, 2),
    ROW1(asinh, asinh, both_signs, 2, 0),
    ROW1(acosh, acosh, above_one, 4, 0),
    ROW1(atanh, atanh, unit, 2, 0),
    ROW1(sinpi, sinpi, turns, 4, 1),
    ROW1(cospi, cospi, turns, 4, 1),
    ROW1(tanpi, tanpi, unit, 6, 0),
    ROW1(asinpi, asinpi, unit, 2, 0),
    ROW1(acospi, acospi, unit, 2, 0),
    ROW1(atanpi, atanpi, sides, 2, 0),
    ROW2(atan2pi, 0, atan2pi, sides, sides, 6, 0),
    ROW2(atan2pi, 1, atan2pi, sides, sides, 6, 0),
    {"fma", 3, 0, CALLS(0, fma), m_fma, {&steps, &steps, &sizes}, 0, 0},
    {"fma", 3, 1, CALLS(1, fma), m_fma, {&steps, &steps, &sizes}, 0, 0},
    {"fma", 3, 2, CALLS(2, fma), m_fma, {&steps, &steps, &sizes}, 0, 0},
    ROW2(fmod, 0, fmod, steps, sizes, 0, 0),
    ROW2(fmod, 1, fmod, steps, sizes, 1, 0),
    ROW2(remainder, 0, remainder, steps, sizes, 0, 0),
    ROW2(remainder, 1, remainder, steps, sizes, 1, 0),
    ROW2(fmin, 0, fmin, steps, sizes, 0, 0),
    ROW2(fmin, 1, fmin, steps, sizes, 0, 0),
    ROW2(fmax, 0, fmax, steps, sizes, 0, 0),
    ROW2(fmax, 1, fmax, steps, sizes, 0, 0),
    ROW2(fminimum, 0, fmin, steps, sizes, 0, 0),
    ROW2(fminimum, 1, fmin, steps, sizes, 0, 0),
    ROW2(fmaximum, 0, fmax, steps, sizes, 0, 0),
    ROW2(fmaximum, 1, fmax, steps, sizes, 0, 0),
    ROW2(fminimum_num, 0, fmin, steps, sizes, 0, 0),
    ROW2(fminimum_num, 1, fmin, steps, sizes, 0, 0),
    ROW2(fmaximum_num, 0, fmax, steps, sizes, 0, 0),
    ROW2(fmaximum_num, 1, fmax, steps, sizes, 0, 0),
    ROW1(llvm_x86_rcp, inverse, bases, 3, 0),
    ROW1(llvm_x86_rsqrt, rec_sqrt, bases, 4, 0),
    ROW1(llvm_x86_rcp14, inverse, bases, 3, 0),
    ROW1(llvm_x86_rsqrt14, rec_sqrt, bases, 4, 0),
    ROW1(llvm_x86_rcp14_wide, inverse, bases, 3, 0),
    ROW1(llvm_x86_rsqrt14_wide, rec_sqrt, bases, 4, 0),
    ROW2(fdim, 0, fdim, steps, sizes, 0, 0),
    ROW2(fdim, 1, fdim, steps, sizes, 0, 0),
    ROW1(fabs, fabs, both_signs, 0, 0),
    ROW2(copysign, 0, copysign, steps, both_signs, 0, 0),
    ROW2(nextafter, 0, same, steps, sizes, 0, 0),
    ROW2(nexttoward, 0, same, steps, sizes, 0, 0),
    ROW1(nextup, same, steps, 0, 0),
    ROW1(nextdown, same, steps, 0, 0),
    ROW1(llvm_canonicalize, same, steps, 0, 0),
    ROW2(ldexp, 0, scale, steps, whole_powers, 0, 0),
    ROW2(scalbn, 0, scale, steps, whole_powers, 0, 0),
    ROW2(scalbln, 0, scale, steps, whole_powers, 0, 0),
    ROW1(erf, erf, errors, 100, 0),
    ROW1(erfc, erfc, far_errors, 800, 0),
    ROW1(lgamma, lgamma, gammas, 8, 8),
    ROW1(tgamma, tgamma, gammas, 30, 20),
    ROW1(tgamma, tgamma, large_gammas, 8, 0),
    ROW1(j0, j0, waves_both, 2, 2),
    ROW1(j1, j1, waves_both, 2, 2),
    ROW1(y0, y0, waves, 4, 4),
    ROW1(y1, y1, waves, 4, 4),
    ROW2(jn, 1, jn, orders, waves_both, 20, 2),
    ROW2(yn, 1, yn, orders, waves, 20, 2),
};
const int row_count = sizeof rows / sizeof *rows;

const kink kinks[] = {
#include "kinks.inc"
};
const int kink_count = sizeof kinks / sizeof *kinks;
