// Every function of <math.h> that has a rule, called by its name in three precisions: forward and reverse mode against
// differences in long double. Whether the rules themselves are right is tested by values.test; this is about finding them.
// RUN: %ad -O0 -D_GNU_SOURCE -DT=double -DS= %s -o %t.d0 -lm && %t.d0
// RUN: %ad -O2 -D_GNU_SOURCE -DT=double -DS= %s -o %t.d2 -lm && %t.d2
// RUN: %ad -O2 -fno-math-errno -D_GNU_SOURCE -DT=double -DS= %s -o %t.dn -lm && %t.dn
// RUN: %ad -O1 -ffast-math -march=native -fno-finite-math-only -D_GNU_SOURCE -DT=double -DS= %s -o %t.df -lm && %t.df
// RUN: %ad -O2 -D_GNU_SOURCE -DT=float -DS=f %s -o %t.f -lm && %t.f
// RUN: %ad -O2 -D_GNU_SOURCE "-DT=long double" -DS=l %s -o %t.l -lm && %t.l
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define F(f) JOIN(f, S)
#define LGAMMA JOIN(JOIN(lgamma, S), _r)

static int wrong, checked;
static void check(const char *f, const char *mode, long double got, long double want) {
    long double allowed = (sizeof(T) == 4 ? 1e-4L : 1e-8L) * (1 + fabsl(want));
    checked++;
    if (fabsl(got - want) <= allowed) return;
    wrong++;
    printf("%s, %s: %.12Lg, want %.12Lg\n", f, mode, got, want);
}

// Two steps of Richardson's extrapolation; f is the same function in long double.
#define DIFFERENCE(f, x, h) ((f(x + h) - f(x - h)) / (2 * h))
#define SLOPE(f, x) ((4 * DIFFERENCE(f, (x), 1e-4L) - DIFFERENCE(f, (x), 2e-4L)) / 3)

#define UNARY(f, call, calll, ...)                                                                           \
    static T f##_p(T x) { return call; }                                                                     \
    static long double f##_long(long double x) { return calll; }                                             \
    T f##_tan(T x, T xd);                                                                                    \
    CF_FORWARD(f##_tan, f##_p, "dup");                                                                       \
    T f##_grad(T x, T *xb);                                                                                  \
    CF_REVERSE(f##_grad, f##_p, "dup");                                                                      \
    static void f##_check(void) {                                                                            \
        static const T at[] = {__VA_ARGS__};                                                                 \
        for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {                                              \
            T bar = 0;                                                                                       \
            long double want = SLOPE(f##_long, (long double)at[i]);                                          \
            f##_grad(at[i], &bar);                                                                           \
            check(#f, "forward", f##_tan(at[i], 1), want);                                                   \
            check(#f, "reverse", bar, want);                                                                 \
        }                                                                                                    \
    }
#define U(f, ...) UNARY(f, F(f)(x), f##l(x), __VA_ARGS__)

#define BINARY(f, X, Y)                                                                                      \
    UNARY(f##_first, F(f)(x, (T)Y), f##l(x, Y), (T)X)                                                        \
    UNARY(f##_second, F(f)((T)X, x), f##l(X, x), (T)Y)                                                       \
    static void f##_check(void) { f##_first_check(), f##_second_check(); }

U(sin, 0.3, -2) U(cos, 0.3, 2) U(tan, 0.5) U(asin, 0.3, -0.5) U(acos, 0.3) U(atan, 0.7) U(sinh, 0.4) U(cosh, -0.4)
U(tanh, 0.8) U(asinh, 1.5) U(acosh, 1.7) U(atanh, 0.25) U(exp, 1.1) U(exp2, 0.5) U(exp10, 0.3) U(expm1, 0.2)
U(log, 2.2) U(log2, 3) U(log10, 0.5) U(log1p, 0.75) U(sqrt, 2) U(cbrt, -3) U(erf, 0.5) U(erfc, 0.4)
U(lgamma, 2.5, -1.5) U(tgamma, 3.2) U(j0, 1.5) U(j1, 2.5) U(y0, 1.25) U(y1, 2.25) U(fabs, -3, 2)
U(floor, 2.5) U(ceil, 2.5) U(trunc, -2.5) U(round, 2.25) U(rint, 2.25) U(nearbyint, 2.25) U(logb, 2.25)
BINARY(pow, 1.5, 2.5) BINARY(hypot, 3, -4) BINARY(atan2, 1, -2) BINARY(fmin, 1, 2) BINARY(fmax, 1, 2)
BINARY(fdim, 2, 1) BINARY(fmod, 7.3, 2.2) BINARY(remainder, 7.3, 2.2) BINARY(copysign, 2, -3)
UNARY(fma_first, F(fma)(x, 3, 4), fmal(x, 3, 4), 2)
UNARY(fma_last, F(fma)(3, 2, x), fmal(3, 2, x), 2)
UNARY(jn, F(jn)(3, x), jnl(3, x), 2.5)
UNARY(yn, F(yn)(2, x), ynl(2, x), 2.5)
UNARY(ldexp, F(ldexp)(x, 3), ldexpl(x, 3), 2.5)
UNARY(scalbn, F(scalbn)(x, -2), scalbnl(x, -2), 2.5)
UNARY(lround, (T)F(lround)(x) * x, (long double)lroundl(x) * x, 2.25)

static T both(T x) {
    T s, c;
    F(sincos)(x, &s, &c);
    return s * 2 + c;
}
static long double both_l(long double x) { return sinl(x) * 2 + cosl(x); }
UNARY(sincos, both(x), both_l(x), 0.7)
static T parts(T x) {
    T whole;
    T part = F(modf)(x, &whole);
    return part * part + whole;
}
static long double parts_l(long double x) { return (x - truncl(x)) * (x - truncl(x)) + truncl(x); }
UNARY(modf, parts(x), parts_l(x), 2.75, -2.75)
static T mantissa(T x) {
    int n;
    T m = F(frexp)(x, &n);
    return m * m * (T)n;
}
static long double mantissa_l(long double x) {
    int n;
    long double m = frexpl(x, &n);
    return m * m * n;
}
UNARY(frexp, mantissa(x), mantissa_l(x), 5.5, 0.3)
static T quotient(T x) {
    int n;
    T r = F(remquo)(x, 2, &n);
    return r * (T)n;
}
static long double quotient_l(long double x) {
    int n;
    long double r = remquol(x, 2, &n);
    return r * n;
}
UNARY(remquo, quotient(x), quotient_l(x), 5.5)
static T log_gamma(T x) {
    int sign;
    T r = LGAMMA(x, &sign);
    return (T)sign * r;
}
static long double log_gamma_l(long double x) {
    int sign;
    long double r = lgammal_r(x, &sign);
    return sign * r;
}
UNARY(lgamma_r, log_gamma(x), log_gamma_l(x), 2.5, -0.5)

int main(void) {
#define C(f) f##_check();
    C(sin) C(cos) C(tan) C(asin) C(acos) C(atan) C(sinh) C(cosh) C(tanh) C(asinh) C(acosh) C(atanh) C(exp) C(exp2)
    C(exp10) C(expm1) C(log) C(log2) C(log10) C(log1p) C(sqrt) C(cbrt) C(erf) C(erfc) C(lgamma) C(tgamma) C(j0) C(j1)
    C(y0) C(y1) C(fabs) C(floor) C(ceil) C(trunc) C(round) C(rint) C(nearbyint) C(logb) C(pow) C(hypot) C(atan2)
    C(fmin) C(fmax) C(fdim) C(fmod) C(remainder) C(copysign) C(fma_first) C(fma_last) C(jn) C(yn) C(ldexp) C(scalbn)
    C(lround) C(sincos) C(modf) C(frexp) C(remquo) C(lgamma_r)
    printf("%d checked, %d wrong\n", checked, wrong);
    return wrong > 0;
}
