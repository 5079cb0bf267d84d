// REQUIRES: avx2
// RUN: for l in -O0 -O1 -O2 -O3; do for t in double float; do %ad $l -DT=$t %s -I%S -lm -o %t && %t || exit 1; done; done
// RUN: for t in double float; do %clang -O3 -mavx2 -I%include -DT=$t -c -emit-llvm %s -I%S -o %t.bc && %ad -O1 %t.bc -lm -o %t && %t || exit 1; done
// Operations on the bits of vectors, and lanes that are moved as integers.
#include "check.h"

#define IS_DOUBLE (sizeof(T) == 8)
#define N (32 / sizeof(T))
typedef __typeof__(__builtin_choose_expr(IS_DOUBLE, (int64_t)0, (int32_t)0)) I;
typedef T V __attribute__((vector_size(32)));
typedef I W __attribute__((vector_size(32)));
typedef int64_t L __attribute__((vector_size(32)));
typedef int32_t S __attribute__((vector_size(32)));
typedef uint8_t B __attribute__((vector_size(32)));
#define SIGN ((I)((uint64_t)1 << (8 * sizeof(T) - 1)))
#define MANTISSA (IS_DOUBLE ? 52 : 23)

/* All lanes from the four numbers, and a number from all lanes. */
static V spread(const T *x) {
    V v;
    for (unsigned i = 0; i < N; i++) v[i] = x[i % 4] * (T)(1 + i / 4);
    return v;
}
static T total(V v, const T *x) {
    T s = 0;
    for (unsigned i = 0; i < N; i++) s += v[i] * (T)(i + 1) * x[(i + 1) % 4];
    return s;
}
#define every(c) ((W){0} + (I)(c))
/* c in the lanes with odd numbers, 0 in the others. */
#define odd(c) (every(c) & (IS_DOUBLE ? ODD_DOUBLES : ODD_FLOATS))
#define ODD_DOUBLES ((W){0, -1, 0, -1})
#define ODD_FLOATS ((W)(S){0, -1, 0, -1, 0, -1, 0, -1})

static T minus(const T *x) { return total((V)((W)spread(x) ^ every(SIGN)), x); }
OF(minus)
static T conjugate(const T *x) { return total((V)((W)spread(x) ^ odd(SIGN)), x); }
OF(conjugate)
static T absolute(const T *x) { return total((V)((W)spread(x) & every(~SIGN)), x); }
OF(absolute)
static T absolute_in_some(const T *x) { return total((V)((W)spread(x) & ~odd(SIGN)), x); }
OF(absolute_in_some)
static T negative(const T *x) { return total((V)(odd(SIGN) | (W)spread(x)), x); }
OF(negative)
static T signs_of_other(const T *x) {
    V v = spread(x), w = v * v - 3;
    return total((V)(((W)v & every(SIGN)) | ((W)w & every(~SIGN))), x);
}
OF(signs_of_other)
static T signs_moved(const T *x) {
    V v = spread(x), w = v - 1;
    return total((V)(((W)v & every(SIGN)) ^ (W)w), x);
}
OF(signs_moved)
/* The signs of wider or narrower integers, as where all bits are one register. */
static T minus_in_words(const T *x) { return total((V)((L)spread(x) ^ (L)every(SIGN)), x); }
OF(minus_in_words)
static T absolute_in_halves(const T *x) { return total((V)((S)spread(x) & (S)every(~SIGN)), x); }
OF(absolute_in_halves)

static T choice(const T *x) {
    V v = spread(x), w = v * v;
    W m = v < w;
    return total((V)((m & (W)v) | (~m & (W)w)), x);
}
OF(choice)
static T choice_in_words(const T *x) {
    V v = spread(x), w = v * v;
    L m = (L)(v > w);
    return total((V)((m & (L)v) | (~m & (L)w)), x);
}
OF(choice_in_words)
static T choice_by_xor(const T *x) {
    V v = spread(x), w = v * v;
    W m = v < w;
    return total((V)((((W)v ^ (W)w) & m) ^ (W)w), x);
}
OF(choice_by_xor)
static T choice_by_lanes(const T *x) {
    V v = spread(x), w = v * v;
    return total((V)(((W)v & odd(-1)) | ((W)w & ~odd(-1))), x);
}
OF(choice_by_lanes)
static T choice_by_signs(const T *x) {
    V v = spread(x), w = v * v;
    W m = (W)v >> (8 * sizeof(T) - 1);
    return total((V)((m & (W)w) | (~m & (W)v)), x);
}
OF(choice_by_signs)
static T numbers_or_zero(const T *x) {
    V v = spread(x);
    return total((V)((W)(v * v) & (W)(v > 0)), x);
}
OF(numbers_or_zero)
static T both_masks(const T *x) {
    V v = spread(x);
    W m = (W)(v > 0) & (W)(v < 3);
    return total((V)((W)(v * v) & m), x) + total((V)(~m & (W)v), x);
}
OF(both_masks)
static T one_of_three(const T *x) {
    V v = spread(x);
    W r = (W)(v * v) & (W)(v > 2);
    r |= (W)v & (W)(v < 0);
    r |= (W)(v * v * v) & ((W)(v >= 0) & (W)(v <= 2));
    return total((V)r, x);
}
OF(one_of_three)
static T choice_of_integers(const T *x) {
    V v = spread(x);
    W a = (W)(v * v), b = (W)v;
    for (unsigned i = 0; i < N; i++) a[i] = v[i] < 1 ? a[i] : b[i];
    W r = a;
    return total((V)r, x);
}
OF(choice_of_integers)

static T powers(const T *x) {
    V v = spread(x);
    W e = ((W)v & every((I)((uint64_t)(IS_DOUBLE ? 0x7FF : 0xFF) << MANTISSA)));
    return total(v * (V)e, x);
}
OF(powers)
static T mantissas(const T *x) {
    W low = every((I)(((uint64_t)1 << MANTISSA) - 1) | SIGN), one = every((I)((uint64_t)(IS_DOUBLE ? 1023 : 127) << MANTISSA));
    return total((V)(((W)spread(x) & low) | one), x);
}
OF(mantissas)
static T scaled(const T *x) {
    W n = __builtin_convertvector(spread(x), W);
    return total((V)((W)(spread(x) + 8) + (n << MANTISSA)), x);
}
OF(scaled)
static T cut_off(const T *x) { return total((V)((W)spread(x) & every(~(I)(IS_DOUBLE ? 0x7FFFFFF : 0xFF))), x); }
OF(cut_off)

static T integers_turned(const T *x) {
    L l = (L)spread(x);
    return total((V)__builtin_shufflevector(l, l, 3, 1, 0, 2), x);
}
OF(integers_turned)
static T halves_turned(const T *x) {
    S s = (S)spread(x);
    return total((V)__builtin_shufflevector(s, s, 4, 5, 0, 1, 6, 7, 0, 1), x);
}
OF(halves_turned)
static T bytes_moved(const T *x) {
    B b = (B)spread(x), zero = {0};
    return total((V)__builtin_shufflevector(b, zero, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 32, 33, 34, 35, 36,
                                            37, 38, 39, 16, 17, 18, 19, 20, 21, 22, 23),
                 x);
}
OF(bytes_moved)
static T lane_as_integer(const T *x) {
    W w = (W)spread(x);
    I first = w[0];
    w[0] = w[3];
    w[2] = first;
    w[1] ^= SIGN;
    return total((V)w, x);
}
OF(lane_as_integer)
static T lane_at(const T *x) {
    W w = (W)spread(x);
    int k = (int)(x[3] * x[3]) % 4;
    I i = w[k];
    T t;
    memcpy(&t, &i, sizeof t);
    return t * x[1];
}
OF(lane_at)
/* A vector in memory, and a part of it as a number: the optimiser takes the number out of the vector. */
static T number_of_vector(const T *x) {
    T at[8] = {0};
    V v;
    memcpy(at, x, 4 * sizeof *x);
    memcpy(&v, at, sizeof v);
    return total(v * at[2], x);
}
OF(number_of_vector)
static T number_of_argument(const T *x) {
    typedef T P __attribute__((vector_size(2 * sizeof(T))));
    P v;
    memcpy(&v, x, sizeof v);
    v *= x[1];
    return v[0] * x[3] + v[1];
}
OF(number_of_argument)
static T kept_in_loop(const T *x) {
    W best = {0};
    for (int i = 1; i < 4; i++) {
        V v = spread(x) * x[i];
        W m = v > (V)best;
        best = (m & (W)v) | (~m & best);
    }
    return total((V)best, x);
}
OF(kept_in_loop)

static const operation rows[] = {
    ROW(minus), ROW(conjugate), ROW(absolute), ROW(absolute_in_some), ROW(negative), ROW(signs_of_other), ROW(signs_moved),
    ROW(minus_in_words), ROW(absolute_in_halves), ROW(choice), ROW(choice_in_words), ROW(choice_by_xor), ROW(choice_by_lanes),
    ROW(choice_by_signs), ROW(numbers_or_zero), ROW(both_masks), ROW(one_of_three), ROW(choice_of_integers), ROW(powers),
    ROW(mantissas), ROW(scaled), ROUGH(cut_off), ROW(integers_turned), ROW(halves_turned), ROW(bytes_moved),
    ROW(lane_as_integer), ROW(lane_at), ROW(number_of_vector), ROW(number_of_argument), ROW(kept_in_loop),
};

int main(void) { return CHECK(rows); }
