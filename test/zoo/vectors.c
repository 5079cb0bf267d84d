/* Vector types of GCC and clang: arithmetic, elements, shuffles, comparison, in memory, as arguments. */
#include "zoo.h"
#include <immintrin.h>

typedef double v2 __attribute__((vector_size(16)));
typedef double v4 __attribute__((vector_size(32)));
typedef float f4 __attribute__((vector_size(16)));

static double elements(const double *x, int n) {
    v2 a = {x[0], x[1]}, b = {x[1], 3};
    v2 c = a * b + a / b - b;
    (void)n;
    return c[0] * c[1];
}
/* (ab + a/b - b) (3b + b/3 - 3) */
ZOO_OF(elements, 2, (2, 4), (4.5 * (12 + 4. / 3 - 3)),
       (4.25 * (9 + 4. / 3), (2 - 0.125 - 1) * (9 + 4. / 3) + 4.5 * 10 / 3));

static double wide(const double *x, int n) {
    v4 s = {0, 0, 0, 0}, v = {x[0], x[1], x[2], x[3]};
    for (int i = 0; i < n; i++) s += v * v * (double)(i + 1);
    return s[0] + 2 * s[1] + 3 * s[2] + 4 * s[3];
}
/* 10 (a^2 + 2 b^2 + 3 c^2 + 4 d^2) */
ZOO_OF(wide, 4, (1, 2, 3, 4), (10 * (1 + 8 + 27 + 64)), (20, 80, 180, 320));

static double unaligned(const double *x, int n) {
    double s = 0;
    for (int i = 0; i + 2 <= n; i += 2) {
        v2 v;
        memcpy(&v, x + i, sizeof v);
        v = v * v;
        s += v[0] * v[1];
    }
    return s;
}
ZOO_OF(unaligned, 4, (1, 2, 3, 4), (4 + 144), (8, 4, 96, 72));

static double intrinsics(const double *x, int n) {
    __m128d a = _mm_loadu_pd(x), b = _mm_set1_pd(x[n - 1]);
    a = _mm_mul_pd(a, b);
    a = _mm_add_pd(a, _mm_sqrt_pd(_mm_mul_pd(b, b)));
    a = _mm_shuffle_pd(a, a, 1);
    double t[2];
    _mm_storeu_pd(t, a);
    return t[0] * t[0] + t[1];
}
/* (b c + c)^2 + a c + c */
ZOO_OF(intrinsics, 3, (2, 3, 5), (400 + 15), (5, 200, 160 + 3));

static double single_precision(const double *x, int n) {
    f4 v = {(float)x[0], (float)x[1], (float)x[2], 1};
    f4 w = __builtin_shufflevector(v, v, 1, 2, 3, 0);
    f4 p = v * w;
    (void)n;
    return (double)(p[0] + p[1] + p[2] + p[3]);
}
/* ab + bc + c + a */
ZOO_OF_FLAGS(single_precision, ZOO_COARSE, 3, (2, 3, 5), (6 + 15 + 5 + 2), (4, 7, 4));

/* By value through a call, and as a result. */
__attribute__((noinline)) static v2 rotate(v2 a, v2 b) { return (v2){a[1] * b[0], a[0] * b[1]}; }
static double vector_arguments(const double *x, int n) {
    v2 a = {x[0], x[1]}, r = rotate(rotate(a, a), a);
    (void)n;
    return r[0] + r[1] * 2;
}
/* rotate(a, a) = (ab, ab); rotate(., a) = (ab a, ab b) */
ZOO_OF(vector_arguments, 2, (2, 3), (12 + 36), (12 + 18, 4 + 24));

/* Lanes chosen by comparison. */
static double masked(const double *x, int n) {
    v2 a = {x[0], x[1]}, b = {x[1], x[0]};
    v2 c = {a[0] > b[0] ? a[0] * a[0] : b[0], a[1] > b[1] ? a[1] * a[1] : b[1]};
    (void)n;
    return c[0] * c[1];
}
/* lanes (a a, b') with a = 3 > b: (9, 3): a^3 */
ZOO_OF(masked, 2, (3, 2), (27), (27, 0));

/* Vectors in a struct and in an array. */
struct body {
    v2 at, speed;
    double mass;
};
static double in_struct(const double *x, int n) {
    struct body b[2] = {{{x[0], x[1]}, {1, 2}, x[1]}, {{x[1], 0}, {x[0], 1}, 2}};
    for (int i = 0; i < n; i++) b[i].at += b[i].speed * b[i].mass;
    v2 d = b[0].at - b[1].at;
    return d[0] * d[0] + d[1];
}
/* b0 = (a + b, b + 2b), b1 = (b + 2a, 2): d = (-a, 3b - 2) */
ZOO_OF(in_struct, 2, (2, 3), (4 + 7), (4, 3));

/* An element chosen by a variable index. */
static double indexed(const double *x, int n) {
    v4 v = {x[0], x[1], x[2], 7};
    double s = 1;
    for (int i = 0; i < n; i++) s *= v[(i * 2) % 3];
    v[n % 2] = s * s;
    return v[0] + v[1];
}
/* n = 3: s = a c b; v1 = s^2: a + s^2 */
ZOO_OF(indexed, 3, (1, 2, 3), (1 + 36), (1 + 72, 36, 24));
