// Strict floating point: operations that obey the rounding mode and raise exceptions have the derivatives of plain ones, in both
// modes, in every precision, in vectors, in whole files and in single functions, whatever the rounding mode is.
// RUN: for f in -frounding-math -ffp-model=strict -ffp-exception-behavior=strict -ffp-exception-behavior=maytrap -DPRAGMA; do \
// RUN:     for l in "-O0 -g" -O1 -O2 -O3; do %ad $l $f -w %s -lm -o %t && %t || { echo "$l $f"; exit 1; }; done; done
// RUN: %not %ad -O1 -g -frounding-math -w -DMODE -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=MODE %s
// RUN: %not %ad -O2 -g -ffp-model=strict -w -DFLAGS -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=FLAGS %s
// RUN: %ad -O2 -w -DMODE -DFLAGS -c %s -o %t.o
#include "../contents/agree.h"
#include <complex.h>
#include <fenv.h>

#ifdef PRAGMA
#define STRICT _Pragma("STDC FENV_ACCESS ON")
#else
#define STRICT
#endif

typedef double quad __attribute__((ext_vector_type(4)));
typedef float octet __attribute__((ext_vector_type(8)));

static double arithmetic(const double *x, int n) {
    STRICT
    double s = 0;
    float w = 1;
    long double l = 1;
    for (int i = 0; i < n; i++) {
        s += x[i] * x[(i + 1) % n] - x[i] / (x[i] + 2) + fmod(x[i] * 3, 5.3);
        w = w * 0.5f + (float)x[i] * w / 3;
        l += (long double)x[i] * l * w - i;
        s += (double)(__float128)(x[i] * n) * (unsigned)i;
        if (x[i] > 1 && !(x[i] == s) && x[i] != l && islessgreater(x[i], 9)) s -= x[i] * (int)(x[i] * 1.1);
        s += -x[i] * (long)(x[i] + 0.33) + (x[i] >= 0.8 ? sin(x[i]) : (unsigned char)(x[i] * 20.3));
    }
    return s + w + l;
}
PROGRAM(arithmetic)

static double functions(const double *x, int n) {
    STRICT
    double s = 0;
    for (int i = 0; i < n; i++) {
        double a = x[i], b = x[(i + 1) % n];
        s += sqrt(a) * exp(b) + log(a) * pow(a, b) + sin(a) * cos(b) + tan(a * 0.3) + exp2(b) + log2(a) + log10(b);
        s += asin(a * 0.3) + acos(b * 0.3) + atan(a) * atan2(a, b) + sinh(a) * cosh(b) * tanh(a);
        s += fabs(a - 0.9) + copysign(a, -b) + fmin(a, b) * fmax(a, 1) + fma(a, b, a) + ldexp(a, i) + __builtin_powi(a, 3);
        s += a * (floor(a) + ceil(b) + trunc(a) + round(b + 0.13) + rint(a + 0.13) + nearbyint(b + 0.13) + lrint(a + 0.13));
        s += a * (llrint(b + 0.13) + lround(a + 0.13) + llround(b + 0.13) + __builtin_roundeven(a + 0.13)) + hypot(a, b) + cbrt(a);
    }
    return s;
}
PROGRAM(functions)

static double narrow(const double *x, int n) {
    STRICT
    double s = 0;
    for (int i = 0; i < n; i++) {
        float a = (float)x[i];
        long double b = x[i];
        s += sqrtf(a) * expf(a) + logf(a) * powf(a, 1.5f) + sinf(a) + fmaf(a, a, 1) + fmaxf(a, 0.5f) + a * floorf(a) + sqrtl(b) * expl(b);
        s += logl(b) * powl(b, 1.5L) + sinl(b) * cosl(b) + b * rintl(b + 0.13L);
    }
    return s;
}
PROGRAM(narrow)

static double vectors(const double *x, int n) {
    STRICT
    quad v = {x[0], x[1], x[2], x[3]}, w = v * v + 1;
    octet o = __builtin_convertvector((octet){1, 2, 3, 4, 5, 6, 7, 8}, octet) * (float)x[0];
    for (int i = 0; i < n; i++) {
        w = w / v - (double)i * v;
        v = v > 1.2 ? v * 0.7 : v + w * 0.1;
        o = o * 0.5f + o / (o + 3);
    }
    double complex z = __builtin_complex(x[0], x[1]), c = z * z / __builtin_complex(x[2], x[3]) + cexp(z * 0.2);
    return w.x * v.y + w.z - v.w + o[1] * o[6] + creal(c) * cimag(c);
}
PROGRAM(vectors)

/* Saves and restores what it does not change. */
__attribute__((noinline)) static double guarded(double x) {
    STRICT
    fenv_t saved;
    feholdexcept(&saved);
    double y = exp(x) / (x + 1);
    feclearexcept(FE_ALL_EXCEPT);
    feupdateenv(&saved);
    return y * (fegetround() == FE_TONEAREST ? 1 : x);
}
static double environment(const double *x, int n) {
    STRICT
    double s = 0;
    for (int i = 0; i < n; i++) s += guarded(x[i]);
    return s;
}
PROGRAM(environment)

/* The width of a quotient, which is its own rule. */
static double width(double x, double y) {
    STRICT
    int mode = fegetround();
    fesetround(FE_UPWARD);
    double up = x / y;
    fesetround(FE_DOWNWARD);
    double down = x / y;
    fesetround(mode);
    return up - down;
}
static double width_dot(double x, double x_dot, double y, double y_dot) { return 7 * x_dot; }
static void width_bar(double x, double *x_bar, double y, double *y_bar, double bar) { *x_bar += 7 * bar; }
CF_RULE_FORWARD(width, width_dot);
CF_RULE_REVERSE(width, width_bar);
static double with_width(double x) {
    STRICT
    return width(x, 3) * 0x1p52 + x;
}
double with_width_rev(double x, double *x_bar);
CF_REVERSE(with_width_rev, with_width, "dup");
double with_width_fwd(double x, double x_dot);
CF_FORWARD(with_width_fwd, with_width, "dup");

#ifdef MODE
static double rounded(double x) {
    // MODE: strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: `rounded` contains a call of `fesetround`: a derivative keeps the rounding mode
    fesetround(FE_UPWARD);
    return x / 3;
}
double rounded_rev(double x, double *x_bar);
CF_REVERSE(rounded_rev, rounded, "dup");
static double elsewhere(double x, const fenv_t *e) {
    // MODE: strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: `elsewhere` contains a call of `fesetenv`
    fesetenv(e);
    return x / 3;
}
double elsewhere_fwd(double x, double x_dot, const fenv_t *e);
CF_FORWARD(elsewhere_fwd, elsewhere, "dup const");
#endif
#ifdef FLAGS
static double tested(double x) {
    double y = 1 / x;
    // FLAGS: strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: `tested` contains a call of `fetestexcept`: a derivative raises floating-point exceptions
    return fetestexcept(FE_DIVBYZERO) ? 0 : y;
}
double tested_rev(double x, double *x_bar);
CF_REVERSE(tested_rev, tested, "dup");
#endif

int main(void) {
    int bad = 0, modes[] = {FE_TONEAREST, FE_UPWARD, FE_TOWARDZERO};
    for (int i = 0; i < 3; i++) {
        fesetround(modes[i]);
        bad += AGREE_FLOAT(arithmetic, 5) + AGREE_FLOAT(narrow, 3) + AGREE_FLOAT(vectors, 4);
        bad += AGREE(functions, 3) + AGREE(environment, 3);
    }
    fesetround(FE_TONEAREST);
    double bar = 0, value = with_width_rev(1, &bar);
#ifdef PRAGMA
    bad += value != with_width(1);
#endif
    return bad + (bar != 1 + 7 * 0x1p52) + (with_width_fwd(1, 1) != bar);
}
