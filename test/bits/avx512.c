// REQUIRES: avx512
// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -mavx512f -mavx512dq -mavx512vl %s -I%S -lm -o %t && %t || exit 1; done
// RUN: %clang -O3 -mavx512f -mavx512dq -mavx512vl -I%include -c -emit-llvm %s -I%S -o %t.bc && %ad -O1 %t.bc -lm -o %t && %t
// Intrinsics of AVX-512, under masks and without, and reductions.
#define T double
#include "check.h"
#include <immintrin.h>

static __m512d all(const T *x) {
    __m256d v = _mm256_loadu_pd(x);
    return _mm512_insertf64x4(_mm512_castpd256_pd512(v), _mm256_mul_pd(v, v), 1);
}
static __m512d other(const T *x) { return _mm512_set_pd(x[3], x[0] * x[1], x[2], 1, x[1], x[0], x[3] * x[2], 2); }
static __m128d low(const T *x) { return _mm_loadu_pd(x); }
static __m128d high(const T *x) { return _mm_loadu_pd(x + 2); }
static T of2(__m128d v) { return v[0] * v[0] + 3 * v[1]; }
static T of4(__m256d v) { return v[0] + 2 * v[1] * v[2] - 3 * v[2] + v[3] * v[0]; }
static T of8(__m512d v) { return of4(_mm512_castpd512_pd256(v)) - of4(_mm512_extractf64x4_pd(v, 1)) * v[3]; }
static T off16(__m512 v) { return of8(_mm512_cvtps_pd(_mm512_castps512_ps256(v))); }
static __mmask8 positive(const T *x) { return _mm512_cmp_pd_mask(all(x), _mm512_setzero_pd(), _CMP_GT_OQ); }

#define ALL_D(X)                                                                                             \
    X(sum, _mm512_reduce_add_pd(all(x)) * x[0])                                                              \
    X(product, _mm512_reduce_mul_pd(other(x)))                                                               \
    X(largest, _mm512_reduce_max_pd(all(x)) * x[1])                                                          \
    X(smallest, _mm512_reduce_min_pd(all(x)) * x[1])                                                         \
    X(sum_under_mask, _mm512_mask_reduce_add_pd(positive(x), all(x)) * x[0])                                 \
    X(largest_under_mask, _mm512_mask_reduce_max_pd(positive(x), all(x)) * x[0])                             \
    X(max8, of8(_mm512_max_pd(all(x), other(x))))                                                            \
    X(min_masked, of8(_mm512_mask_min_pd(all(x), positive(x), all(x), other(x))))                            \
    X(add_masked, of8(_mm512_maskz_add_pd(positive(x), all(x), other(x))))                                   \
    X(sqrt_masked, of8(_mm512_mask_sqrt_pd(all(x), positive(x), all(x))))                                    \
    X(fmadd8, of8(_mm512_mask_fmadd_pd(all(x), positive(x), other(x), all(x))))                              \
    X(fmaddsub8, of8(_mm512_fmaddsub_pd(all(x), other(x), all(x))))                                          \
    X(fmsubadd_masked, of8(_mm512_mask_fmsubadd_pd(all(x), positive(x), other(x), all(x))))                  \
    X(add_first, of2(_mm_mask_add_sd(low(x), 1, high(x), low(x))))                                           \
    X(max_first, of2(_mm_mask_max_sd(low(x), positive(x), high(x), low(x))))                                 \
    X(root_first, of2(_mm_maskz_sqrt_sd(positive(x), low(x), _mm_mul_pd(high(x), high(x)))))                 \
    X(compared, of8(all(x)) * _mm512_cmp_pd_mask(all(x), other(x), _CMP_LE_OQ))                              \
    X(compared_first, of2(low(x)) * _mm_cmp_sd_mask(low(x), high(x), _CMP_LE_OQ))                            \
    X(blended, of8(_mm512_mask_blend_pd(positive(x), all(x), other(x))))                                     \
    X(absolute, of8(_mm512_mask_abs_pd(other(x), positive(x), all(x))))                                      \
    X(signs, of8(_mm512_xor_pd(all(x), _mm512_and_pd(other(x), _mm512_set1_pd(-0.0)))))                      \
    X(logic, of8(_mm512_castsi512_pd(_mm512_xor_epi64(_mm512_castpd_si512(all(x)),                           \
                                                      _mm512_set1_epi64((int64_t)(1ULL << 63))))))           \
    X(rounded, of8(_mm512_mul_pd(all(x), _mm512_roundscale_pd(all(x), 0))))                                  \
    X(rounded_masked, of8(_mm512_mask_roundscale_pd(all(x), positive(x), other(x), 1)))                      \
    X(exponents, of8(_mm512_mul_pd(all(x), _mm512_getexp_pd(all(x)))))                                       \
    X(compressed, of8(_mm512_maskz_compress_pd(0x5a, all(x))))                                               \
    X(compressed_by, of8(_mm512_mask_compress_pd(other(x), positive(x), all(x))))                            \
    X(expanded, of8(_mm512_mask_expand_pd(other(x), positive(x), all(x))))                                   \
    X(permuted, of8(_mm512_permutexvar_pd(_mm512_set_epi64(0, 0, 3, 1, 7, 5, 2, 2), all(x))))                \
    X(permuted_two, of8(_mm512_permutex2var_pd(all(x), _mm512_set_epi64(9, 0, 3, 11, 7, 15, 2, 8), other(x)))) \
    X(permuted_in_pieces, of8(_mm512_permutevar_pd(all(x), _mm512_set_epi64(0, 2, 0, 0, 2, 2, 2, 0))))       \
    X(loaded_masked, of8(_mm512_mask_loadu_pd(other(x), positive(x) & 15, x)))                               \
    X(loaded_expanded, of8(_mm512_mask_expandloadu_pd(other(x), 0x29, x)))                                   \
    X(stored_masked, (_mm512_mask_storeu_pd(room, positive(x), all(x)), of8(_mm512_loadu_pd(room))))         \
    X(stored_compressed, (_mm512_mask_compressstoreu_pd(room, positive(x), all(x)), of8(_mm512_loadu_pd(room)))) \
    X(gathered, of8(_mm512_i64gather_pd(_mm512_set_epi64(0, 0, 3, 1, 2, 1, 2, 2), x, 8)))                    \
    X(gathered_masked, of8(_mm512_mask_i32gather_pd(other(x), positive(x),                                   \
                                                    _mm256_set_epi32(0, 0, 3, 1, 2, 1, 2, 2), x, 8)))        \
    X(gathered_few, of4(_mm256_mmask_i32gather_pd(_mm256_loadu_pd(x), positive(x) & 7,                       \
                                                  _mm_set_epi32(0, 3, 1, 2), x, 8)))                         \
    X(scattered, (_mm512_mask_i64scatter_pd(room, positive(x), _mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7),     \
                                            all(x), 8), of8(_mm512_loadu_pd(room))))

#define ALL_F(X)                                                                                             \
    X(narrowed, of8(_mm512_cvtps_pd(_mm512_cvtpd_ps(all(x)))))                                               \
    X(narrowed_masked, of8(_mm512_cvtps_pd(_mm512_mask_cvtpd_ps(_mm512_cvtpd_ps(other(x)), positive(x), all(x))))) \
    X(sixteen, off16(_mm512_max_ps(_mm512_set1_ps((float)x[0]), _mm512_castps256_ps512(_mm512_cvtpd_ps(all(x))))))

#define DEFINE(name, ...)                                                                                    \
    static T name(const T *x) {                                                                              \
        T room[8] = {x[3], x[2], 1, 2, 3, x[0], x[1], 5};                                                    \
        (void)room;                                                                                          \
        return __VA_ARGS__;                                                                                  \
    }                                                                                                        \
    OF(name)
ALL_D(DEFINE)
ALL_F(DEFINE)

DEFINE(reciprocals, of8(_mm512_mask_rcp14_pd(all(x), 0x0f, other(x))))
DEFINE(inverse_roots, off16(_mm512_rsqrt14_ps(_mm512_castps256_ps512(_mm512_cvtpd_ps(_mm512_mul_pd(other(x), other(x)))))))
DEFINE(exact_reciprocals, of8(_mm512_mask_div_pd(all(x), 0x0f, _mm512_set1_pd(1), other(x))))
DEFINE(exact_inverse_roots, of8(_mm512_div_pd(_mm512_set1_pd(1), _mm512_abs_pd(other(x)))))

static void near(T got, T want) {
    if (fabs(got - want) <= 1e-2 * (1 + fabs(want))) return;
    printf("approximation: %g, want %g\n", got, want);
    wrong = 1;
}
/* An approximation has the derivative of what it approximates, near to it. */
static void approximations(void) {
    T x[4] = {1.3, 2.6, -0.7, 3.1};
    for (int i = 0; i < 4; i++) {
        T d[4] = {0}, a[4] = {0}, b[4] = {0};
        d[i] = 1;
        reciprocals_rev(x, a), exact_reciprocals_rev(x, b);
        near(a[i], b[i]), near(reciprocals_fwd(x, d), b[i]);
        memset(a, 0, sizeof a), memset(b, 0, sizeof b);
        inverse_roots_rev(x, a), exact_inverse_roots_rev(x, b);
        near(inverse_roots_fwd(x, d), a[i]);
        near(a[i], b[i]);
    }
}

#define ROWS_D(name, ...) ROW(name),
#define ROWS_F(name, ...) {#name, name, name##_rev, name##_fwd, SINGLE},
static const operation rows[] = {ALL_D(ROWS_D) ALL_F(ROWS_F)};

int main(void) {
    approximations();
    return CHECK(rows);
}
