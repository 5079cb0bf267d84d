// Complex functions in forward and reverse mode: the derivative of the real and of the imaginary part by x and y is that
// of the complex derivative f' (Cauchy, Riemann). Points on the axes are among them, where careless formulas break.
// RUN: %ad -O0 -DT=double -DS= %s -o %t.d0 -lm && %t.d0
// RUN: %ad -O2 -DT=double -DS= %s -o %t.d2 -lm && %t.d2
// RUN: %ad -O2 -DT=float -DS=f %s -o %t.f -lm && %t.f
// RUN: %ad -O2 "-DT=long double" -DS=l %s -o %t.l -lm && %t.l
#include <cofactor/ad.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>

typedef long double _Complex wide;
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define F(f) JOIN(f, S)
#define Z ((T)x + (T)y * (T _Complex)I)

static int wrong, checked;
static void check(const char *f, const char *what, T x, T y, long double got, long double want) {
    long double unit = sizeof(T) == 4 ? 2e-5L : sizeof(T) == 8 ? 1e-13L : 1e-16L;
    checked++;
    if (fabsl(got - want) <= unit * (1 + fabsl(want))) return;
    wrong++;
    printf("%s, %s at (%Lg, %Lg): %.18Lg, want %.18Lg\n", f, what, (long double)x, (long double)y, got, want);
}

#define PART(name, part, value)                                                                              \
    static T name##_##part(T x, T y) { return F(c##part)(value); }                                           \
    T name##_##part##_tan(T x, T xd, T y, T yd);                                                             \
    CF_FORWARD(name##_##part##_tan, name##_##part, "dup dup");                                               \
    T name##_##part##_grad(T x, T *xb, T y, T *yb);                                                          \
    CF_REVERSE(name##_##part##_grad, name##_##part, "dup dup");                                              \
    static void name##_##part##_check(T x, T y, long double dx, long double dy) {                            \
        T xb = 0, yb = 0;                                                                                    \
        name##_##part##_grad(x, &xb, y, &yb);                                                                \
        check(#name, #part " by x, reverse", x, y, xb, dx);                                                  \
        check(#name, #part " by y, reverse", x, y, yb, dy);                                                  \
        check(#name, #part " by x, forward", x, y, name##_##part##_tan(x, 1, y, 0), dx);                     \
        check(#name, #part " by y, forward", x, y, name##_##part##_tan(x, 0, y, 1), dy);                     \
    }
// f(z) and its complex derivative, a formula of z in long double.
#define FUNCTION(name, value, slope)                                                                         \
    PART(name, real, value)                                                                                  \
    PART(name, imag, value)                                                                                  \
    static void name##_check(T x, T y) {                                                                     \
        wide z = (long double)x + (long double)y * I, d = slope;                                             \
        (void)z;                                                                                             \
        name##_real_check(x, y, creall(d), -cimagl(d));                                                      \
        name##_imag_check(x, y, cimagl(d), creall(d));                                                       \
    }

FUNCTION(exp, F(cexp)(Z), cexpl(z))
FUNCTION(log, F(clog)(Z), 1 / z)
FUNCTION(sqrt, F(csqrt)(Z), 0.5L / csqrtl(z))
FUNCTION(sin, F(csin)(Z), ccosl(z))
FUNCTION(cos, F(ccos)(Z), -csinl(z))
FUNCTION(tan, F(ctan)(Z), 1 + ctanl(z) * ctanl(z))
FUNCTION(sinh, F(csinh)(Z), ccoshl(z))
FUNCTION(cosh, F(ccosh)(Z), csinhl(z))
FUNCTION(tanh, F(ctanh)(Z), 1 - ctanhl(z) * ctanhl(z))
FUNCTION(asin, F(casin)(Z), 1 / csqrtl(1 - z * z))
FUNCTION(acos, F(cacos)(Z), -1 / csqrtl(1 - z * z))
FUNCTION(atan, F(catan)(Z), 1 / (1 + z * z))
FUNCTION(asinh, F(casinh)(Z), 1 / csqrtl(1 + z * z))
FUNCTION(acosh, F(cacosh)(Z), 1 / (csqrtl(z - 1) * csqrtl(z + 1)))
FUNCTION(atanh, F(catanh)(Z), 1 / (1 - z * z))
FUNCTION(pow, F(cpow)(Z, 2.5F - 0.5F * (T _Complex)I), (2.5L - 0.5L * I) * cpowl(z, 1.5L - 0.5L * I))
FUNCTION(power, F(cpow)(1.5F + 0.25F * (T _Complex)I, Z), cpowl(1.5L + 0.25L * I, z) * clogl(1.5L + 0.25L * I))
FUNCTION(product, (Z * Z) * (Z + 2), 3 * z * z + 4 * z)
FUNCTION(ratio, (Z - 2) / (Z + 3), 5 / ((z + 3) * (z + 3)))
FUNCTION(conj_twice, F(conj)(F(conj)(Z) * 3), 3)

PART(size, real, F(cabs)(Z))
PART(angle, real, F(carg)(Z))

int main(void) {
    static const T at[][2] = {{0.5F, 0.25F}, {-0.5F, 0.75F}, {1.5F, -2}, {-2, -0.125F}, {0.25F, 0},
                              {0, 0.5F},     {0.75F, -0.5F}, {3, 4},     {-0.25F, 1e-3F}};
    for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
        T x = at[i][0], y = at[i][1];
#define C(f) f##_check(x, y);
        C(exp) C(log) C(sqrt) C(sin) C(cos) C(tan) C(sinh) C(cosh) C(tanh) C(asin) C(acos) C(atan) C(asinh) C(atanh)
        C(pow) C(power) C(product) C(ratio) C(conj_twice)
        if (y != 0) acosh_check(x, y);
        long double square = (long double)x * x + (long double)y * y;
        size_real_check(x, y, x / sqrtl(square), y / sqrtl(square));
        angle_real_check(x, y, -y / square, x / square);
    }
    sqrt_check(-2, 0);
    log_check(-2, 0);
    acosh_check(2, 0);
    printf("%d checked, %d wrong\n", checked, wrong);
    return wrong > 0;
}
