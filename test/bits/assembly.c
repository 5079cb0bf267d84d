// REQUIRES: avx2
// RUN: for l in -O0 -O2; do %ad $l -mavx2 -mfma %s -I%S -lm -o %t && %t || exit 1; done
// Inline assembly of one instruction, as libraries write where they want just that, and assembly without any.
#define T double
#include "check.h"
#include <immintrin.h>

static T of2(__m128d v) { return v[0] * v[0] + 3 * v[1]; }
static __m128d low(const T *x) { return _mm_loadu_pd(x); }
static __m128d high(const T *x) { return _mm_loadu_pd(x + 2); }

#define BINARY(name)                                                                                         \
    static T two_##name(const T *x) {                                                                        \
        __m128d a = low(x), b = high(x);                                                                     \
        __asm__(#name " %[b], %[a]" : [a] "+x"(a) : [b] "x"(b));                                             \
        return of2(a);                                                                                       \
    }                                                                                                        \
    OF(two_##name)
#define TERNARY(name)                                                                                        \
    static T three_##name(const T *x) {                                                                      \
        __m128d a = low(x), b = high(x), r;                                                                  \
        __asm__(#name " %[b], %[a], %[r]" : [r] "=x"(r) : [a] "x"(a), [b] "x"(b));                           \
        return of2(r);                                                                                       \
    }                                                                                                        \
    OF(three_##name)
#define FUSED(name)                                                                                          \
    static T fused_##name(const T *x) {                                                                      \
        __m128d a = low(x), b = high(x), c = a * b + 1;                                                      \
        __asm__(#name " %[a], %[b], %[c]" : [c] "+x"(c) : [a] "x"(a), [b] "x"(b));                           \
        return of2(c);                                                                                       \
    }                                                                                                        \
    OF(fused_##name)
BINARY(maxpd) BINARY(minpd) BINARY(addpd) BINARY(subpd) BINARY(mulpd) BINARY(divpd)
TERNARY(vmaxpd) TERNARY(vminpd) TERNARY(vsubpd) TERNARY(vdivpd)
FUSED(vfmadd231pd) FUSED(vfmadd213pd) FUSED(vfmadd132pd) FUSED(vfnmadd231pd) FUSED(vfmsub213pd) FUSED(vfnmsub132pd)

static T scalar(const T *x) {
    T a = x[0], b = x[1];
    __asm__ volatile("subsd %1, %0;" : "+x"(a) : "x"(b));
    __asm__("\tmaxsd %1, %0\n" : "+x"(b) : "x"(x[2] * a));
    return a * b;
}
OF(scalar)
static T single(const T *x) {
    float a = (float)x[0], b = (float)x[1], r;
    __asm__("mulss %1, %0" : "+x"(a) : "x"(b));
    __asm__("sqrtss %1, %0" : "=x"(r) : "x"(a * a));
    return r;
}
OF(single)
static T four(const T *x) {
    __m256d v = _mm256_loadu_pd(x), w = v * v;
    __asm__("vminpd %1, %0, %0" : "+x"(v) : "x"(w));
    return v[0] * v[1] + v[2] * v[3];
}
OF(four)
static T hidden(const T *x) {
    T a = x[0] * x[1];
    __m128d v = high(x);
    __asm__("" : "+x"(a));
    __asm__ volatile("" : "+g,x"(v) : : "memory");
    return a * v[0] * v[1];
}
OF(hidden)
/* Rounded by a large number, which the compiler must not take away. */
static T rounded(const T *x) {
    T a = x[0] + 0x1.8p52;
    __asm__("" : "+g,x"(a));
    a -= 0x1.8p52;
    return (x[0] - a) * x[1];
}
OF(rounded)

static const operation rows[] = {
    ROW(two_maxpd), ROW(two_minpd), ROW(two_addpd), ROW(two_subpd), ROW(two_mulpd), ROW(two_divpd),
    ROW(three_vmaxpd), ROW(three_vminpd), ROW(three_vsubpd), ROW(three_vdivpd), ROW(fused_vfmadd231pd),
    ROW(fused_vfmadd213pd), ROW(fused_vfmadd132pd), ROW(fused_vfnmadd231pd), ROW(fused_vfmsub213pd),
    ROW(fused_vfnmsub132pd), ROW(scalar), {"single", single, single_rev, single_fwd, SINGLE}, ROW(four), ROW(hidden),
    ROW(rounded),
};

int main(void) { return CHECK(rows); }
