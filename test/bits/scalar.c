// REQUIRES: avx2
// RUN: for l in -O0 -O1 -O2 -O3; do for t in double float; do %ad $l -DT=$t %s -I%S -lm -o %t && %t || exit 1; done; done
// RUN: for t in double float; do %clang -O3 -mavx2 -I%include -DT=$t -c -emit-llvm %s -I%S -o %t.bc && %ad -O1 %t.bc -lm -o %t && %t || exit 1; done
// Operations on the bits of one number, as libraries write them.
#include "check.h"

#define IS_DOUBLE (sizeof(T) == 8)
#define WORD(t) __typeof__(__builtin_choose_expr(IS_DOUBLE, (t##64_t)0, (t##32_t)0))
typedef WORD(uint) U;
typedef WORD(int) I;
#define MANTISSA (IS_DOUBLE ? 52 : 23)
#define BIAS (IS_DOUBLE ? 1023 : 127)
#define SIGN ((U)1 << (8 * sizeof(T) - 1))
#define LOW (((U)1 << MANTISSA) - 1)
#define EXPONENT ((U)(~LOW & ~SIGN))

static U bits(T x) {
    U u;
    memcpy(&u, &x, sizeof u);
    return u;
}
static T number(U u) {
    T x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* ---- signs ---- */

static T minus(const T *x) { return number(bits(x[0]) ^ SIGN) * x[1]; }
OF(minus)
static T absolute(const T *x) { return number(bits(x[0]) & ~SIGN) * x[0] * x[1]; }
OF(absolute)
static T shifted_out(const T *x) { return number(bits(x[2]) << 1 >> 1) * x[1]; }
static T negative(const T *x) { return number(bits(x[0]) | SIGN) * x[1]; }
OF(negative)
static T sign_of_other(const T *x) { return number((bits(x[0]) & ~SIGN) | (bits(x[2]) & SIGN)) * x[1]; }
OF(sign_of_other)
static T sign_of_number(const T *x) { return number((bits((T)1) & ~SIGN) | (SIGN & bits(x[2]))) * x[1] * x[2]; }
OF(sign_of_number)
static T sign_of_product(const T *x) { return number(bits(x[0]) ^ (bits(x[2]) & SIGN)) * x[1]; }
OF(sign_of_product)
static T sign_of_parity(const T *x) {
    int n = (int)x[3];
    return number(bits(x[0] * x[1]) ^ (U)n << (8 * sizeof(T) - 1));
}
OF(sign_of_parity)
static T sign_by_comparison(const T *x) { return number(bits(x[0]) ^ ((U)(x[1] < x[0]) << (8 * sizeof(T) - 1))) * x[2]; }
OF(sign_by_comparison)

/* ---- choices ---- */

static T choice(const T *x) {
    U m = -(U)(x[0] < x[1]);
    return number((bits(x[0] * x[1]) & m) | (bits(x[2]) & ~m)) * x[3];
}
OF(choice)
static T choice_by_xor(const T *x) {
    U m = -(U)(x[0] > x[1]), a = bits(x[2] * x[3]), b = bits(x[0]);
    return number(((a ^ b) & m) ^ b) * x[1];
}
OF(choice_by_xor)
static T number_or_zero(const T *x) { return number(bits(x[0] * x[1]) & -(U)(x[2] < 0)) + x[3]; }
OF(number_or_zero)
static T ramp(const T *x) {
    U u = bits(x[0]);
    return number(u & ~(U)((I)u >> (8 * sizeof(T) - 1))) * x[1];
}
OF(ramp)
static T one_of_three(const T *x) {
    U u = 0;
    u |= bits(x[0] * x[1]) & -(U)(x[2] < 0);
    u |= bits(x[1] * x[3]) & -(U)(x[2] >= 0 && x[2] < 1);
    u |= bits(x[3] * x[3]) & -(U)(x[2] >= 1);
    return number(u) + x[0];
}
OF(one_of_three)
/* Both masks have the lane, with the same number. */
static T chosen_twice(const T *x) {
    return number((bits(x[0] * x[1]) & -(U)(x[1] < 10)) | (bits(x[0] * x[1]) & -(U)(x[3] < 10)));
}
OF(chosen_twice)
static T not_a_number_elsewhere(const T *x) { return number(bits(x[0] * x[1]) | -(U)(x[2] > 100)) * x[3]; }
OF(not_a_number_elsewhere)
static T larger_bits(const T *x) {
    U a = bits(x[0] * x[0]), b = bits(x[1] * x[1]);
    return number(a > b ? a : b) * x[2];
}
OF(larger_bits)
static T kept_in_loop(const T *x) {
    U best = bits((T)0);
    for (int i = 0; i < 4; i++) {
        U u = bits(x[i] * x[i]);
        if (u > best) best = u;
    }
    return number(best) * x[1];
}
OF(kept_in_loop)

/* ---- exponents ---- */

static T exponent(const T *x) { return x[0] * (T)(int)(bits(x[1]) >> MANTISSA & (2 * BIAS + 1)); }
OF(exponent)
static T power_below(const T *x) { return x[0] * number(bits(x[1]) & EXPONENT) * x[2]; }
OF(power_below)
static T inverse_power(const T *x) {
    U e = bits(x[0] * x[0]) >> MANTISSA;
    return x[1] * number((2 * BIAS - e) << MANTISSA);
}
OF(inverse_power)
static T mantissa(const T *x) { return number((bits(x[0]) & (LOW | SIGN)) | (U)BIAS << MANTISSA) * x[1]; }
OF(mantissa)
static T mantissa_without_sign(const T *x) { return number((bits(x[0]) & LOW) | bits((T)0.5)) * x[1]; }
OF(mantissa_without_sign)
static T other_exponent(const T *x) {
    U e = (U)(BIAS + (int)x[3]) << MANTISSA;
    return number((bits(x[0]) & LOW) | e) * x[1];
}
OF(other_exponent)
static T scaled_up(const T *x) {
    int n = (int)x[3];
    return number(bits(x[0]) + ((U)n << MANTISSA)) * x[1];
}
OF(scaled_up)
static T scaled_down(const T *x) { return number(bits(x[0] * x[1]) - ((U)3 << MANTISSA)) + x[2]; }
OF(scaled_down)
/* log2 |x|: the exponent, and a polynomial of the mantissa. */
static T logarithm(const T *x) {
    U u = bits(x[1]);
    int e = (int)(u >> MANTISSA & (2 * BIAS + 1)) - BIAS;
    T m = number((u & LOW) | (U)BIAS << MANTISSA) - 1;
    return (T)e + m * ((T)1.42 + m * ((T)-0.58 + m * (T)0.16)) + x[0];
}
OF(logarithm)
/* exp: rounded by a large number, whose bits are the whole part. */
static T exponential(const T *x) {
    T large = IS_DOUBLE ? (T)0x1.8p52 : (T)0x1.8p23F, k = x[0] * (T)1.4426950408889634 + large;
    U n = bits(k);
    k -= large;
    T r = x[0] - k * (T)0.6931471805599453;
    T p = 1 + r * (1 + r * ((T)0.5 + r * ((T)(1. / 6) + r * (T)(1. / 24))));
    return number(bits(p) + (n << MANTISSA)) * x[1];
}
OF(exponential)
static T rounded(const T *x) {
    T large = copysign(IS_DOUBLE ? (T)0x1p52 : (T)0x1p23F, x[0]);
    T whole = (x[0] + large) - large;
    return (x[0] - whole) * (x[0] - whole) * x[1];
}
OF(rounded)
/* To parts of 1/64: the point of a table. */
static T by_table(const T *x) {
    T large = IS_DOUBLE ? (T)0x1.8p46 : (T)0x1.8p17F, near = x[0] + large;
    near -= large;
    T rest = x[0] - near;
    return near * near + 2 * near * rest + rest * rest;
}
OF(by_table)

/* ---- pieces ---- */

/* The upper half of the digits, and the rest. */
static T split(const T *x) {
    T high = number(bits(x[0]) & ~((U)0xFFFFFFFF >> (IS_DOUBLE ? 0 : 20))), low = x[0] - high;
    return high * x[1] + low * x[1];
}
OF(split)
static T cut_off(const T *x) { return number(bits(x[0] * x[1]) & ~(U)(IS_DOUBLE ? 0x7FFFFFF : 0xFF)); }
OF(cut_off)
static T two_in_one(const T *x) {
    unsigned __int128 both = (unsigned __int128)bits(x[0]) << 64 | bits(x[1]);
    return number((U)(both >> 64)) * number((U)both) * x[2];
}
OF(two_in_one)
static T first_and_second(const T *x) {
    unsigned __int128 all;
    memcpy(&all, x, sizeof all);
    return number((U)(all >> (8 * sizeof(T)))) * number((U)all);
}
OF(first_and_second)

static const operation rows[] = {
    ROW(minus),         ROW(absolute),        ROW(negative),           ROW(sign_of_other),
    ROW(sign_of_number), ROW(sign_of_product), ROW(sign_of_parity),     ROW(sign_by_comparison),
    ROW(choice),        ROW(choice_by_xor),   ROW(number_or_zero),     ROW(ramp),
    ROW(one_of_three),  ROW(chosen_twice),    ROW(not_a_number_elsewhere), ROW(larger_bits),
    ROW(kept_in_loop),  ROW(exponent),        ROW(power_below),        ROW(inverse_power),
    ROW(mantissa),      ROW(mantissa_without_sign), ROW(other_exponent), ROW(scaled_up),
    ROW(scaled_down),   ROW(logarithm),       ROW(exponential),        ROW(rounded),
    ROW(by_table),      ROW(split),           ROUGH(cut_off),          ROW(two_in_one),
    ROW(first_and_second),
};

int main(void) {
    (void)shifted_out;
    return CHECK(rows);
}
