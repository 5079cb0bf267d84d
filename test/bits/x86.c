// REQUIRES: avx2
// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -mavx2 -mfma %s -I%S -lm -o %t && %t || exit 1; done
// RUN: %clang -O3 -mavx2 -mfma -I%include -c -emit-llvm %s -I%S -o %t.bc && %ad -O1 %t.bc -lm -o %t && %t
// Intrinsics of SSE to AVX2 that are no operation of LLVM's own.
#define T double
#include "check.h"
#include <immintrin.h>

static T of2(__m128d v) { return v[0] * v[0] + 3 * v[1]; }
static T of4(__m256d v) { return v[0] + 2 * v[1] * v[2] - 3 * v[2] + v[3] * v[0]; }
static T off4(__m128 v) { return (T)(v[0] * v[1] + 3 * v[2] - v[3] * v[3]); }
static T off8(__m256 v) { return off4(_mm256_castps256_ps128(v)) + 2 * off4(_mm256_extractf128_ps(v, 1)); }
static __m256d all(const T *x) { return _mm256_loadu_pd(x); }
static __m256d squares(const T *x) { return _mm256_mul_pd(all(x), all(x)); }
static __m128d squares2(const T *x) { return _mm256_castpd256_pd128(squares(x)); }
static __m128d low(const T *x) { return _mm_loadu_pd(x); }
static __m128d high(const T *x) { return _mm_loadu_pd(x + 2); }
static __m128 singles(const T *x) { return _mm256_cvtpd_ps(all(x)); }
static __m256 more(const T *x) { return _mm256_insertf128_ps(_mm256_castps128_ps256(singles(x)), singles(x), 1); }

/* name, result, in terms of x */
#define ALL_D(X)                                                                                             \
    X(hadd2, of2(_mm_hadd_pd(low(x), high(x))))                                                              \
    X(hsub2, of2(_mm_hsub_pd(low(x), high(x))))                                                              \
    X(hadd4, of4(_mm256_hadd_pd(all(x), squares(x))))                                                        \
    X(hsub4, of4(_mm256_hsub_pd(all(x), squares(x))))                                                        \
    X(addsub2, of2(_mm_addsub_pd(low(x), high(x))))                                                          \
    X(addsub4, of4(_mm256_addsub_pd(all(x), squares(x))))                                                    \
    X(fmaddsub2, of2(_mm_fmaddsub_pd(low(x), high(x), low(x))))                                              \
    X(fmaddsub4, of4(_mm256_fmaddsub_pd(all(x), squares(x), all(x))))                                        \
    X(fmsubadd4, of4(_mm256_fmsubadd_pd(all(x), squares(x), all(x))))                                        \
    X(fnmadd4, of4(_mm256_fnmadd_pd(all(x), squares(x), all(x))))                                            \
    X(fmadd_first, of2(_mm_fmadd_sd(low(x), high(x), low(x))))                                               \
    X(max2, of2(_mm_max_pd(low(x), high(x))))                                                                \
    X(min4, of4(_mm256_min_pd(all(x), squares(x))))                                                          \
    X(max_first, of2(_mm_max_sd(low(x), high(x))))                                                           \
    X(min_first, of2(_mm_min_sd(low(x), high(x))))                                                           \
    X(sqrt_first, of2(_mm_sqrt_sd(low(x), _mm_mul_sd(high(x), high(x)))))                                    \
    X(blendv2, of2(_mm_blendv_pd(low(x), high(x), _mm_cmpgt_pd(low(x), high(x)))))                           \
    X(blendv4, of4(_mm256_blendv_pd(all(x), squares(x), all(x))))                                            \
    X(blend_bytes, of4(_mm256_castsi256_pd(_mm256_blendv_epi8(                                               \
                       _mm256_castpd_si256(all(x)), _mm256_castpd_si256(squares(x)),                         \
                       _mm256_castpd_si256(_mm256_cmp_pd(all(x), squares(x), _CMP_LT_OQ))))))                \
    X(dot2, of2(_mm_dp_pd(low(x), high(x), 0x31)))                                                           \
    X(dot2_second, of2(_mm_dp_pd(low(x), high(x), 0x23)))                                                    \
    X(compare_first, x[1] * _mm_cvtsd_f64(_mm_and_pd(_mm_cmplt_sd(low(x), high(x)), squares2(x))))             \
    X(compare_and, of4(_mm256_and_pd(_mm256_cmp_pd(all(x), squares(x), _CMP_NLE_UQ), all(x))))               \
    X(compare_andnot, of4(_mm256_andnot_pd(_mm256_cmp_pd(all(x), squares(x), _CMP_GE_OQ), all(x))))          \
    X(absolute, of4(_mm256_andnot_pd(_mm256_set1_pd(-0.0), all(x))))                                         \
    X(minus, of4(_mm256_xor_pd(_mm256_set_pd(0, -0.0, -0.0, 0), all(x))))                                    \
    X(floor_times, of4(_mm256_mul_pd(_mm256_floor_pd(all(x)), all(x))))                                      \
    X(ceil_first, of2(_mm_ceil_sd(low(x), high(x))))                                                         \
    X(round_rest, of4(_mm256_sub_pd(all(x), _mm256_round_pd(all(x), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)))) \
    X(permutevar2, of2(_mm_permutevar_pd(low(x), _mm_set_epi64x(0, 2))))                                     \
    X(permutevar4, of4(_mm256_permutevar_pd(all(x), _mm256_set_epi64x(0, 2, 2, 2))))                         \
    X(permute_lanes, of4(_mm256_permute4x64_pd(all(x), 0x1b)))                                               \
    X(shuffle_words, of2(_mm_castsi128_pd(_mm_shuffle_epi32(_mm_castpd_si128(low(x)), 0x4e))))               \
    X(shuffle_bytes, of2(_mm_castsi128_pd(_mm_shuffle_epi8(_mm_castpd_si128(low(x)),                         \
                         _mm_setr_epi8(8, 9, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1)))))     \
    X(shift_bytes, of2(_mm_castsi128_pd(_mm_srli_si128(_mm_castpd_si128(low(x)), 8))))                       \
    X(align_bytes, of2(_mm_castsi128_pd(_mm_alignr_epi8(_mm_castpd_si128(low(x)), _mm_castpd_si128(high(x)), 8)))) \
    X(unpack_words, of2(_mm_castsi128_pd(_mm_unpackhi_epi64(_mm_castpd_si128(low(x)), _mm_castpd_si128(high(x)))))) \
    X(masked_load, of4(_mm256_maskload_pd(x, _mm256_set_epi64x(-1, 0, -1, 0))))                              \
    X(masked_load_by, of4(_mm256_maskload_pd(x, _mm256_castpd_si256(squares(x)))) +                          \
                          of4(_mm256_maskload_pd(x, _mm256_castpd_si256(all(x)))))                           \
    X(masked_store, (_mm256_maskstore_pd(room, _mm256_castpd_si256(all(x)), squares(x)), of4(all(room))))    \
    X(gather_words, of4(_mm256_i32gather_pd(x, _mm_setr_epi32(3, 1, 2, 0), 8)))                              \
    X(gather_long, of4(_mm256_mask_i64gather_pd(squares(x), x, _mm256_set_epi64x(3, 0, 1, 1),                \
                                                _mm256_cmp_pd(all(x), squares(x), _CMP_LT_OQ), 8)))          \
    X(count, of4(all(x)) * _mm256_movemask_pd(all(x)))                                                       \
    X(first_is_less, of2(low(x)) * (_mm_comilt_sd(low(x), high(x)) + 2 * _mm_ucomineq_sd(low(x), high(x))))  \
    X(as_integer, x[1] * _mm_cvtsd_si32(low(x)) + _mm_cvttsd_si64(high(x)))                                  \
    X(streamed, (_mm256_stream_pd(room, squares(x)), of4(all(room))))

#define ALL_F(X)                                                                                             \
    X(haddf, off4(_mm_hadd_ps(singles(x), _mm_mul_ps(singles(x), singles(x)))))                              \
    X(hsubf8, off8(_mm256_hsub_ps(more(x), _mm256_mul_ps(more(x), more(x)))))                                \
    X(addsubf, off4(_mm_addsub_ps(singles(x), _mm_mul_ps(singles(x), singles(x)))))                          \
    X(maxf, off4(_mm_max_ss(singles(x), _mm_set1_ps(2))))                                                    \
    X(minf8, off8(_mm256_min_ps(more(x), _mm256_set1_ps(2))))                                                \
    X(blendf, off4(_mm_blendv_ps(singles(x), _mm_mul_ps(singles(x), singles(x)), singles(x))))               \
    X(dotf, off4(_mm_dp_ps(singles(x), singles(x), 0x75)))                                                   \
    X(dotf8, off8(_mm256_dp_ps(more(x), more(x), 0xf3)))                                                     \
    X(insertf, off4(_mm_insert_ps(singles(x), _mm_mul_ps(singles(x), singles(x)), 0x9a)))                    \
    X(permutef, off4(_mm_permutevar_ps(singles(x), _mm_setr_epi32(3, 3, 0, 1))))                             \
    X(permutef8, off8(_mm256_permutevar8x32_ps(more(x), _mm256_setr_epi32(7, 1, 1, 0, 5, 2, 4, 3))))         \
    X(gatherf, off4(_mm256_cvtpd_ps(_mm256_i32gather_pd(x, _mm_setr_epi32(1, 1, 0, 3), 8))))                 \
    X(narrow, off4(_mm_cvtpd_ps(low(x))))                                                                    \
    X(narrow_first, off4(_mm_cvtsd_ss(singles(x), low(x))))                                                  \
    X(compare_ss, x[1] * _mm_cvtss_f32(_mm_andnot_ps(_mm_cmplt_ss(singles(x), _mm_set1_ps(1)), singles(x))))  \
    X(absf, off4(_mm_and_ps(singles(x), _mm_castsi128_ps(_mm_set1_epi32(0x7fffffff)))))                      \
    X(minus_wide, off4(_mm_castsi128_ps(_mm_xor_si128(_mm_castps_si128(singles(x)),                          \
                                                      _mm_set1_epi64x((int64_t)0x8000000000000000)))))
#define DEFINE(name, ...)                                                                                    \
    static T name(const T *x) {                                                                              \
        T room[4] __attribute__((aligned(32))) = {x[3], x[2], 1, 2};                                         \
        (void)room;                                                                                          \
        return __VA_ARGS__;                                                                                  \
    }                                                                                                        \
    OF(name)
ALL_D(DEFINE)
ALL_F(DEFINE)

/* Instructions that approximate: their derivative is that of what they approximate, near to it. */
DEFINE(reciprocal, off4(_mm_rcp_ps(singles(x))))
DEFINE(reciprocal_first, off4(_mm_rcp_ss(singles(x))))
DEFINE(inverse_root, off4(_mm_rsqrt_ps(_mm_mul_ps(singles(x), singles(x)))))
static void near(T got, T want) {
    if (fabs(got - want) <= 2e-3 * (1 + fabs(want))) return;
    printf("approximation: %g, want %g\n", got, want);
    wrong = 1;
}
static void approximations(void) {
    T x[4] = {2, 4, 0.5, 1}, b[4] = {0};
    reciprocal_rev(x, b); /* 1/(x0 x1) + 3/x2 - 1/x3^2 */
    near(b[0], -1. / 16), near(b[1], -1. / 32), near(b[2], -12), near(b[3], 2);
    near(reciprocal_fwd(x, (T[]){1, 0, 0, 0}), b[0]);
    memset(b, 0, sizeof b);
    reciprocal_first_rev(x, b); /* x1/x0 + 3 x2 - x3^2 */
    near(b[0], -1), near(b[1], 0.5), near(b[2], 3), near(b[3], -2);
    near(reciprocal_first_fwd(x, (T[]){0, 1, 0, 0}), b[1]);
    memset(b, 0, sizeof b);
    inverse_root_rev(x, b); /* the same as 1/|x| */
    near(b[0], -1. / 16), near(b[2], -12);
    near(inverse_root_fwd(x, (T[]){0, 0, 1, 0}), b[2]);
}

#define ROWS_D(name, ...) ROW(name),
#define ROWS_F(name, ...) {#name, name, name##_rev, name##_fwd, SINGLE},
static const operation rows[] = {ALL_D(ROWS_D) ALL_F(ROWS_F)};

int main(void) {
    approximations();
    return CHECK(rows);
}
