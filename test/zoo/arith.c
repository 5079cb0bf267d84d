/* Straight-line arithmetic and calls of <math.h>. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */

/* The same value twice in a product. */
static T square(T x) { return x * x; }
ZOO_NUM1(square, (3), (9), (6));

static T poly(T x) { return ((2 * x - 3) * x + 4) * x - 5; }
ZOO_NUM1(poly, (1.5), (2 * 1.5 * 1.5 * 1.5 - 3 * 1.5 * 1.5 + 4 * 1.5 - 5), (6 * 1.5 * 1.5 - 6 * 1.5 + 4));

static T quotient(T x, T y) { return x / y; }
ZOO_NUM2(quotient, (3, -2), (-1.5), (1.0 / -2, -3.0 / 4));

static T reciprocal_of_sum(T x, T y) { return 1 / (x + y); }
ZOO_NUM2(reciprocal_of_sum, (1.5, 0.5), (0.5), (-0.25, -0.25));

static T negated(T x) { return -x; }
ZOO_NUM1(negated, (0.75), (-0.75), (-1));

/* The result does not depend on one input. */
static T ignores_second(T x, T y) {
    (void)y;
    return 4 * x;
}
ZOO_NUM2(ignores_second, (2, 9), (8), (4, 0));

static T constant(T x) {
    (void)x;
    return 3;
}
ZOO_NUM1(constant, (2), (3), (0));

static T identity(T x) { return x; }
ZOO_NUM1(identity, (2), (2), (1));

static T trig(T x, T y) { return M(sin)(x) * M(cos)(y); }
ZOO_NUM2(trig, (0.5, 1.25), (sin(0.5) * cos(1.25)), (cos(0.5) * cos(1.25), -sin(0.5) * sin(1.25)));

static T logistic(T x) { return 1 / (1 + M(exp)(-x)); }
ZOO_NUM1(logistic, (0.75), (1 / (1 + exp(-0.75))), (exp(-0.75) / ((1 + exp(-0.75)) * (1 + exp(-0.75)))));

static T power(T x, T y) { return M(pow)(x, y); }
ZOO_NUM2(power, (1.5, 2.5), (pow(1.5, 2.5)), (2.5 * pow(1.5, 1.5), pow(1.5, 2.5) * log(1.5)));

static T logs(T x, T y) { return M(log)(x * x + y * y) / 2; }
ZOO_NUM2(logs, (1.5, 2), (log(6.25) / 2), (1.5 / 6.25, 2 / 6.25));

static T length(T x, T y, T z) { return M(sqrt)(x * x + y * y + z * z); }
ZOO_NUM3(length, (1, 2, -2), (3), (1. / 3, 2. / 3, -2. / 3));

static T tanh_of_product(T x, T y) { return M(tanh)(x * y); }
ZOO_NUM2(tanh_of_product, (0.5, 0.75), (tanh(0.375)),
         (0.75 * (1 - tanh(0.375) * tanh(0.375)), 0.5 * (1 - tanh(0.375) * tanh(0.375))));

static T fused(T x, T y, T z) { return M(fma)(x, y, z) * z; }
ZOO_NUM3(fused, (2, 3, 4), (40), (12, 8, 14));

static T absolute(T x, T y) { return M(fabs)(x) * y; }
ZOO_NUM2(absolute, (-2, 3), (6), (-3, 2));

static T largest(T x, T y) { return 2 * M(fmax)(x, y) + 5 * M(fmin)(x, y); }
ZOO_NUM2(largest, (3, 1), (11), (2, 5));

/* Rounding and remainders are constant between their steps. */
static T rounding(T x) { return M(floor)(x) * x + M(fmod)(x, 2); }
ZOO_NUM1(rounding, (3.25), (3 * 3.25 + 1.25), (4));

static T signs(T x, T y) { return M(copysign)(x, y) * y; }
ZOO_NUM2(signs, (2, -3), (6), (3, -2));

/* Through an integer nothing flows. */
static T through_int(T x) {
    int i = (int)x;
    return x * (T)i;
}
ZOO_NUM1(through_int, (2.75), (5.5), (2));

/* A long common subexpression used at several places. */
static T shared(T x, T y) {
    T a = x * y, b = a + x, c = a * b, d = c - a;
    return a * b + c * d;
}
/* x=2 y=3: a=6 b=8 c=48 d=42; r = ab + cd. dr/dc = d + c, dr/dd = c; collect: */
ZOO_NUM2(shared, (2, 3), (6 * 8 + 48 * 42),
         (/* da=3 db=4: dc = 3*8+6*4 = 48, dd = 48-3 */ 3 * 8 + 6 * 4 + 48 * 42 + 48 * 45,
          /* da=2 db=2: dc = 2*8+6*2 = 28, dd = 28-2 */ 2 * 8 + 6 * 2 + 28 * 42 + 48 * 26));

static T at2(T x, T y) { return M(atan2)(y, x); }
ZOO_NUM2(at2, (3, 4), (atan2(4, 3)), (-4. / 25, 3. / 25));

static T ldexp_scaled(T x) { return M(ldexp)(x, 3) + M(ldexp)(x * x, -1); }
ZOO_NUM1(ldexp_scaled, (1.5), (12 + 1.125), (8 + 1.5));

/* Outputs that are copies, sums and products of inputs. */
static void mixing(const T *x, T *y, int n) {
    y[0] = x[0];
    y[1] = x[0] * x[1];
    y[2] = y[1] + x[2];
    y[3] = y[2] * y[0];
    (void)n;
}
ZOO_MAP(mixing, 3, 4, (2, 3, 5), (2, 6, 11, 22), (1, 0, 0, 3, 2, 0, 3, 2, 1, /* x0(x0x1+x2) */ 17, 4, 2));
