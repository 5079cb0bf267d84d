/* The rules themselves, and each of them as a function of numbers in long double (for check.h). */
#ifndef RULES_H
#define RULES_H
#include "arithmetic.c"
#include "elementary.c"
#include "special.c"
#include "check.h"

/* Names of the three functions that call rule k of f. */
#define CALLS(k, fn) {fn##_d##k##_0, fn##_d##k##_1, fn##_d##k##_2}

#define CALL_(k, fn, p, T, rule, ...)                                                                        \
    static long double fn##_d##k##_##p(const long double *a, long double r) {                                \
        return rule(__VA_ARGS__, (T)r);                                                                      \
    }
#define CALL1(k, fn)                                                                                         \
    CALL_(k, fn, 0, double, __cf_d##k##_##fn, (double)a[0])                                                  \
    CALL_(k, fn, 1, float, __cf_d##k##_##fn##f, (float)a[0])                                                 \
    CALL_(k, fn, 2, long double, __cf_d##k##_##fn##l, a[0])
#define CALL2(k, fn)                                                                                         \
    CALL_(k, fn, 0, double, __cf_d##k##_##fn, (double)a[0], (double)a[1])                                    \
    CALL_(k, fn, 1, float, __cf_d##k##_##fn##f, (float)a[0], (float)a[1])                                    \
    CALL_(k, fn, 2, long double, __cf_d##k##_##fn##l, a[0], a[1])
#define CALL3(k, fn)                                                                                         \
    CALL_(k, fn, 0, double, __cf_d##k##_##fn, (double)a[0], (double)a[1], (double)a[2])                      \
    CALL_(k, fn, 1, float, __cf_d##k##_##fn##f, (float)a[0], (float)a[1], (float)a[2])                       \
    CALL_(k, fn, 2, long double, __cf_d##k##_##fn##l, a[0], a[1], a[2])
/* What stands where the mask has no lane, and the mask, count for nothing. */
#define CALL_UNDER_MASK(k, fn)                                                                               \
    CALL_(k, fn, 0, double, __cf_d##k##_##fn, (double)a[0], 0, 0)                                            \
    CALL_(k, fn, 1, float, __cf_d##k##_##fn##f, (float)a[0], 0, 0)                                           \
    CALL_(k, fn, 2, long double, __cf_d##k##_##fn##l, a[0], 0, 0)
/* The second argument is an integer; the first one is. */
#define CALL_NUMBER_INT(k, fn)                                                                               \
    CALL_(k, fn, 0, double, __cf_d##k##_##fn, (double)a[0], (int)a[1])                                       \
    CALL_(k, fn, 1, float, __cf_d##k##_##fn##f, (float)a[0], (int)a[1])                                      \
    CALL_(k, fn, 2, long double, __cf_d##k##_##fn##l, a[0], (int)a[1])
#define CALL_INT_NUMBER(k, fn)                                                                               \
    CALL_(k, fn, 0, double, __cf_d##k##_##fn, (int)a[0], (double)a[1])                                       \
    CALL_(k, fn, 1, float, __cf_d##k##_##fn##f, (int)a[0], (float)a[1])                                      \
    CALL_(k, fn, 2, long double, __cf_d##k##_##fn##l, (int)a[0], a[1])

// clang-format off
CALL1(0, sin) CALL1(0, cos) CALL1(0, tan) CALL1(0, asin) CALL1(0, acos) CALL1(0, atan)
CALL1(0, sinh) CALL1(0, cosh) CALL1(0, tanh) CALL1(0, asinh) CALL1(0, acosh) CALL1(0, atanh)
CALL1(0, exp) CALL1(0, exp2) CALL1(0, exp10) CALL1(0, expm1)
CALL1(0, log) CALL1(0, log2) CALL1(0, log10) CALL1(0, log1p)
CALL1(0, sqrt) CALL1(0, cbrt) CALL1(0, erf) CALL1(0, erfc) CALL1(0, lgamma) CALL1(0, tgamma)
CALL1(0, j0) CALL1(0, j1) CALL1(0, y0) CALL1(0, y1)
CALL1(0, sinpi) CALL1(0, cospi) CALL1(0, tanpi) CALL1(0, asinpi) CALL1(0, acospi) CALL1(0, atanpi)
CALL1(0, fabs) CALL1(0, nextup) CALL1(0, nextdown) CALL1(0, llvm_canonicalize)
CALL1(0, llvm_x86_rcp) CALL1(0, llvm_x86_rsqrt)
CALL_UNDER_MASK(0, llvm_x86_rcp14) CALL_UNDER_MASK(0, llvm_x86_rsqrt14)
CALL_UNDER_MASK(0, llvm_x86_rcp14_wide) CALL_UNDER_MASK(0, llvm_x86_rsqrt14_wide)
CALL2(0, atan2) CALL2(1, atan2) CALL2(0, atan2pi) CALL2(1, atan2pi)
CALL2(0, pow) CALL2(1, pow) CALL2(0, hypot) CALL2(1, hypot)
CALL2(0, fmod) CALL2(1, fmod) CALL2(0, remainder) CALL2(1, remainder)
CALL2(0, fmin) CALL2(1, fmin) CALL2(0, fmax) CALL2(1, fmax) CALL2(0, fdim) CALL2(1, fdim)
CALL2(0, fminimum) CALL2(1, fminimum) CALL2(0, fmaximum) CALL2(1, fmaximum)
CALL2(0, fminimum_num) CALL2(1, fminimum_num) CALL2(0, fmaximum_num) CALL2(1, fmaximum_num)
CALL2(0, copysign) CALL2(0, nextafter) CALL2(0, nexttoward)
CALL3(0, fma) CALL3(1, fma) CALL3(2, fma)
CALL_NUMBER_INT(0, llvm_powi) CALL_NUMBER_INT(0, ldexp) CALL_NUMBER_INT(0, scalbn) CALL_NUMBER_INT(0, scalbln)
CALL_INT_NUMBER(1, jn) CALL_INT_NUMBER(1, yn)
// clang-format on

#endif
