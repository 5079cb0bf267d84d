/* Points where a formula for the derivative is not finite although the derivative exists: the arm of a select that
 * was not taken, powers, roots and lengths at zero. Where the function has a kink, the value is the one that the
 * table of kinks in the docs gives. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */

static T guarded_quotient(T x, T y) { return y != 0 ? x / y : 0; }
ZOO_NUM2_FLAGS(guarded_quotient, ZOO_KINK, (2, 0), (0), (0, 0));

static T guarded_quotient_taken(T x, T y) { return y != 0 ? x / y : 0; }
ZOO_NUM2(guarded_quotient_taken, (3, 2), (1.5), (0.5, -0.75));

static T guarded_root(T x) { return x > 0 ? M(sqrt)(x) : 0; }
ZOO_NUM1_FLAGS(guarded_root, ZOO_KINK, (0), (0), (0));

static T guarded_root_negative(T x) { return x > 0 ? M(sqrt)(x) : 0; }
ZOO_NUM1(guarded_root_negative, (-2), (0), (0));

static T guarded_log(T x, T y) {
    T r;
    if (x > 0)
        r = M(log)(x) * y;
    else
        r = x + y;
    return r;
}
ZOO_NUM2_FLAGS(guarded_log, ZOO_KINK, (0, 3), (3), (1, 1));

/* A sum over entries, some of which are zero: entropy. */
static T entropy(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) s -= x[i] > 0 ? x[i] * M(log)(x[i]) : 0;
    return s;
}
ZOO_OF_FLAGS(entropy, ZOO_KINK, 3, (0.5, 0, 0.25), (-0.5 * log(0.5) - 0.25 * log(0.25)),
             (-log(0.5) - 1, 0, -log(0.25) - 1));

static T normalised(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    T length = s > 0 ? M(sqrt)(s) : 0;
    return length > 0 ? x[0] / length : 0;
}
ZOO_OF_FLAGS(normalised, ZOO_KINK, 2, (0, 0), (0), (0, 0));

/* x^2 at 0, and x^0, x^1 with the exponent a variable or a constant. */
static T square_by_pow(T x) { return M(pow)(x, 2); }
ZOO_NUM1_FLAGS(square_by_pow, ZOO_KINK, (0), (0), (0));

static T cube_by_pow(T x) { return M(pow)(x, 3); }
ZOO_NUM1(cube_by_pow, (-2), (-8), (12));

static T first_power(T x) { return M(pow)(x, 1); }
ZOO_NUM1(first_power, (0), (0), (1));

static T zeroth_power(T x) { return M(pow)(x, 0) + x; }
ZOO_NUM1(zeroth_power, (0), (1), (1));

static T exponent_of_zero_base(T x, T y) { return M(pow)(x, y); }
ZOO_NUM2_FLAGS(exponent_of_zero_base, ZOO_KINK, (0, 2), (0), (0, 0));

static T negative_base(T x, int n) { return M(pow)(x, (T)n); }
static T negative_base_of(T x) { return negative_base(x, 2) + negative_base(x, 3); }
ZOO_NUM1(negative_base_of, (-1.5), (2.25 - 3.375), (-3 + 6.75));

/* The root of a square that is multiplied by zero afterwards. */
static T zero_times_root(T x, T y) { return M(sqrt)(x) * y * y; }
ZOO_NUM2_FLAGS(zero_times_root, ZOO_KINK, (4, 0), (0), (0, 0));

/* 0 log 0 hidden in a power: x^x near zero is not asked; x^x at 1. */
static T self_power(T x) { return M(pow)(x, x); }
ZOO_NUM1(self_power, (1), (1), (1));

static T clamp(T x, T lo, T hi) { return x < lo ? lo : x > hi ? hi : x; }
static T clamped(T x, T y) { return clamp(x, -1, 1) * y + clamp(y, 0, 10) * 2; }
ZOO_NUM2(clamped, (5, 3), (3 + 6), (0, 1 + 2));

static T fmax_of_constant(T x) { return M(fmax)(x, 0) + M(fmin)(x, 3) * 2; }
ZOO_NUM1(fmax_of_constant, (-2), (-4), (2));

static T relu_chain(const T *x, int n) {
    T h = x[0];
    for (int i = 1; i < n; i++) h = M(fmax)(h * x[i], 0) + 1;
    return h;
}
/* 2*-3 -> 1, 1*4 -> 5 */
ZOO_OF(relu_chain, 3, (2, -3, 4), (5), (0, 0, 1));

/* Inputs that are infinite or not numbers, and do not matter. */
static T ignores_infinity(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++)
        if (isfinite(x[i])) s += x[i] * x[i];
    return s;
}
ZOO_OF_FLAGS(ignores_infinity, ZOO_KINK, 3, (2, INFINITY, 3), (13), (4, 0, 6));

/* A selected pointer rather than a selected value. */
static T selected_pointer(T x, T y) {
    T a = x * x, b = 1 / y;
    T *p = y == 0 ? &a : &b;
    return *p;
}
ZOO_NUM2_FLAGS(selected_pointer, ZOO_KINK, (3, 0), (9), (6, 0));
