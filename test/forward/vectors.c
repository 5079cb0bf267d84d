// RUN: for l in -O0 -O2; do %ad $l -mavx2 -mfma %s -I%S -lm -o %t && %t || exit 1; done
// Vector types and intrinsics.
#include "check.h"
#include <immintrin.h>

static double dot(const double *x, const double *y, int n) {
    __m256d s = _mm256_setzero_pd();
    for (int i = 0; i + 4 <= n; i += 4)
        s = _mm256_fmadd_pd(_mm256_loadu_pd(x + i), _mm256_loadu_pd(y + i), s);
    __m256d h = _mm256_hadd_pd(s, s);
    __m128d lo = _mm256_castpd256_pd128(h), hi = _mm256_extractf128_pd(h, 1);
    return _mm_cvtsd_f64(_mm_add_pd(lo, hi));
}
double dot_tan(const double *x, const double *xd, const double *y, const double *yd, int n);
CF_FORWARD(dot_tan, dot, "dup dup const");

static double masked(const double *x, double t) {
    __m256d v = _mm256_loadu_pd(x), m = _mm256_cmp_pd(v, _mm256_set1_pd(t), _CMP_GT_OQ);
    __m256d a = _mm256_and_pd(m, _mm256_mul_pd(v, v));
    __m256d b = _mm256_andnot_pd(m, _mm256_sub_pd(_mm256_setzero_pd(), v));
    __m256d sign = _mm256_set1_pd(-0.0);
    __m256d all = _mm256_or_pd(a, b), abs = _mm256_andnot_pd(sign, v);
    __m256d mixed = _mm256_blendv_pd(all, _mm256_sqrt_pd(abs), _mm256_set_pd(-1, 0, 0, 0));
    double out[4];
    _mm256_storeu_pd(out, _mm256_add_pd(mixed, _mm256_max_pd(v, _mm256_set1_pd(t))));
    return out[0] + 2 * out[1] + 3 * out[2] + 4 * out[3];
}
double masked_tan(const double *x, const double *xd, double t);
CF_FORWARD(masked_tan, masked, "dup const");

typedef float f4 __attribute__((vector_size(16)));
static float lanes(const float *x) {
    f4 v = {x[0], x[1], x[2], x[3]}, w = __builtin_shufflevector(v, v, 3, 2, 1, 0);
    f4 p = v * w + v / (w * w);
    p[1] = p[0] * p[2];
    return p[0] + p[1] + p[3];
}
float lanes_tan(const float *x, const float *xd);
CF_FORWARD(lanes_tan, lanes, "dup");

int main(void) {
    double x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8] = {8, 7, 6, 5, 4, 3, 2, 1}, xd[8] = {0, 1, 0, 0, 0, 0, 1, 0},
           yd[8] = {1};
    WANT(dot_tan(x, xd, y, yd, 8), 7 + 2 + 1);
    double z[4] = {1, -2, 3, -4}, zd[4] = {1, 0, 0, 0};
    WANT(masked_tan(z, zd, 0.5), 2 + 1);
    zd[0] = 0, zd[1] = 1;
    WANT(masked_tan(z, zd, 0.5), -2);
    zd[1] = 0, zd[3] = 1;
    WANT(masked_tan(z, zd, 0.5), 4 * -0.25);
    float f[4] = {1, 2, 4, 2}, fd[4] = {1, 0, 0, 0};
    /* p0 = a d + a / d^2, p2 = 4 * 2 + 4 / 4, p3 = d a + d / a^2; a = 1, d = 2 */
    WANT(lanes_tan(f, fd), 2.25 + 9 * 2.25 + 2 - 4);
    return wrong;
}
