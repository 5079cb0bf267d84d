/* round: each operation on float and double gives a number of a smaller format, rounded to nearest, ties to even.
 *
 *     ROUND=float16 cofactor run --context round prog.c
 *
 *     ROUND=float16 | bfloat16 | float32     these formats: precision 11, 8, 24 bits, their range, subnormals
 *     ROUND=12                               12 bits of precision (the leading one counts), the range as it is
 *     ROUND=12:6                             12 bits of precision, a range of 6 bits of exponent
 *     without it: float32
 *
 * In a program: `struct round r = round_format("float16");` and a CF_IN function with &r. In some functions only: -D'ROUND_WORDS="only=solve*,step"'.
 *
 * Rounded are + - * / % sqrt, fma, the functions of libm, and the conversions of integers and of double to float; what is
 * read from memory and constants are not. The result is that of one rounding of the exact sum, difference, product, quotient
 * or root: where the operation's own rounding has led to a tie, its error is looked at. (VPREC of Verificarlo rounds the
 * same operations, the rounded result.) Vectors of 16 bytes, too, and of 32 with AVX. Threads only read the context. */
#include <cofactor/context.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ROUND_WORDS
#define ROUND_WORDS ""
#endif
CF_CONTEXT(round, "optional " ROUND_WORDS);
#pragma STDC FP_CONTRACT OFF

struct round {
    int precision; /* bits, 1 to 53 */
    int least,
        most; /* exponents of the smallest and of the largest normal number: 2^least, just under 2^(most + 1) */
};

static inline struct round round_of(int precision, int exponent_bits) {
    struct round r;
    r.precision = precision;
    r.most = (1 << (exponent_bits - 1)) - 1;
    r.least = 1 - r.most;
    return r;
}

/* Ends the program when the text is none of those above. */
static inline struct round round_format(const char *text) {
    int p, e = 11;
    char more;
    if (!text || !strcmp(text, "float32")) return round_of(24, 8);
    if (!strcmp(text, "float16")) return round_of(11, 5);
    if (!strcmp(text, "bfloat16")) return round_of(8, 8);
    int n = sscanf(text, "%d:%d%c", &p, &e, &more);
    if ((n == 1 && !strchr(text, ':')) || n == 2)
        if (p >= 1 && p <= 53 && e >= 2 && e <= 11) return round_of(p, e);
    fprintf(stderr,
            "round: `%s` is neither float16, bfloat16, float32 nor bits of precision (1 to 53), and perhaps "
            "`:` and "
            "bits of exponent (2 to 11)\n",
            text);
    exit(2);
}

/* x, or the number of the format that is nearest. `error` has the sign of exact value - x, where the exact value is not x. */
static inline double round_to(const struct round *c, double x, double error) {
    uint64_t u, sign;
    memcpy(&u, &x, sizeof u);
    sign = u & UINT64_C(1) << 63;
    u ^= sign;
    int field = (int)(u >> 52), e = field ? field - 1023 : -1022;
    if (field == 2047 || !u) return x;
    int drop = 53 - c->precision + (e < c->least ? c->least - e : 0);
    int away = error != 0 ? ((error < 0) == (sign != 0) ? 1 : -1)
                          : 0; /* the exact value is larger in magnitude: 1 */
    if (drop > 52 + (field != 0)) {
        u = 0;
    } else if (drop == 53) { /* between 0 and the least number */
        uint64_t rest = u & ((UINT64_C(1) << 52) - 1);
        u = rest || away > 0 ? (uint64_t)(field + 1) << 52 : 0;
    } else if (drop > 0) {
        uint64_t unit = UINT64_C(1) << drop, rest = u & (unit - 1), half = unit >> 1;
        int odd = drop == 52 ? field != 0 : (int)(u >> drop & 1);
        u -= rest;
        if (rest > half || (rest == half && (away > 0 || (!away && odd)))) u += unit;
    }
    if ((int)(u >> 52) - 1023 > c->most) u = UINT64_C(2047) << 52;
    u |= sign;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* What the exact result has more than r, in sign. float arguments come as double, so that their sum may be inexact twice. */
static inline double round_error_of_sum(double r, double a, double b) {
#pragma clang fp reassociate(off)
    double s = a + b, b_in_s = s - a, rest = (a - (s - b_in_s)) + (b - b_in_s);
    return s != r ? s - r : rest;
}
static inline double round_error_of_quotient(double r, double a, double b) {
    double rest = fma(-r, b, a);
    return b < 0 ? -rest : rest;
}

/* Few results are ties, and only for those the error matters. */
static inline int round_is_tie(const struct round *c, double x) {
    return round_to(c, x, 1) != round_to(c, x, -1);
}

static inline double round_add(const struct round *c, double r, double a, double b) {
    return round_to(c, r, round_is_tie(c, r) ? round_error_of_sum(r, a, b) : 0);
}
static inline double round_mul(const struct round *c, double r, double a, double b) {
    return round_to(c, r, round_is_tie(c, r) ? fma(a, b, -r) : 0);
}
static inline double round_div(const struct round *c, double r, double a, double b) {
    return round_to(c, r, round_is_tie(c, r) ? round_error_of_quotient(r, a, b) : 0);
}
static inline double round_root(const struct round *c, double r, double a) {
    return round_to(c, r, round_is_tie(c, r) ? fma(-r, r, a) : 0);
}

#define ROUND_SCALAR(T)                                                                                      \
    CF_POSTHOOK(round, "fadd") static T round_fadd_##T(struct round *c, T r, T a, T b) {                     \
        return (T)round_add(c, r, a, b);                                                                     \
    }                                                                                                        \
    CF_POSTHOOK(round, "fsub") static T round_fsub_##T(struct round *c, T r, T a, T b) {                     \
        return (T)round_add(c, r, a, -b);                                                                    \
    }                                                                                                        \
    CF_POSTHOOK(round, "fmul") static T round_fmul_##T(struct round *c, T r, T a, T b) {                     \
        return (T)round_mul(c, r, a, b);                                                                     \
    }                                                                                                        \
    CF_POSTHOOK(round, "fdiv") static T round_fdiv_##T(struct round *c, T r, T a, T b) {                     \
        return (T)round_div(c, r, a, b);                                                                     \
    }                                                                                                        \
    CF_POSTHOOK(round, "frem") static T round_frem_##T(struct round *c, T r) {                               \
        return (T)round_to(c, r, 0);                                                                         \
    }                                                                                                        \
    CF_POSTHOOK(round, "sitofp") static T round_sitofp_##T(struct round *c, T r) {                           \
        return (T)round_to(c, r, 0);                                                                         \
    }                                                                                                        \
    CF_POSTHOOK(round, "uitofp") static T round_uitofp_##T(struct round *c, T r) {                           \
        return (T)round_to(c, r, 0);                                                                         \
    }                                                                                                        \
    CF_POSTHOOK(                                                                                             \
        round,                                                                                               \
        "call sin*,cos*,tan*,asin*,acos*,atan*,exp*,log*,pow*,erf*,*gamma*,cbrt*,hypot*,fma,fmaf body=no")   \
    static T round_libm_##T(struct round *c, T r) { return (T)round_to(c, r, 0); }                           \
    CF_POSTHOOK(round, "call sqrt,sqrtf") static T round_sqrt_##T(struct round *c, T r, T a) {               \
        return (T)round_root(c, r, a);                                                                       \
    }

ROUND_SCALAR(double)
ROUND_SCALAR(float)
CF_POSTHOOK(round, "fptrunc") static float round_fptrunc(struct round *c, float r, double a) {
    (void)r;
    return (float)round_to(c, a, 0);
}

#define ROUND_LANES(name, V, n, op, round_op, b_of)                                                          \
    CF_POSTHOOK(round, op) static V name(struct round *c, V r, V a, V b) {                                   \
        for (int i = 0; i < n; i++) r[i] = (__typeof__(r[0]))round_op(c, r[i], a[i], b_of b[i]);             \
        return r;                                                                                            \
    }
#define ROUND_VECTOR(V, n)                                                                                   \
    ROUND_LANES(round_fadd_##V, V, n, "fadd", round_add, )                                                   \
    ROUND_LANES(round_fsub_##V, V, n, "fsub", round_add, -)                                                  \
    ROUND_LANES(round_fmul_##V, V, n, "fmul", round_mul, )                                                   \
    ROUND_LANES(round_fdiv_##V, V, n, "fdiv", round_div, )
typedef double round_2d __attribute__((vector_size(16)));
typedef float round_4f __attribute__((vector_size(16)));
ROUND_VECTOR(round_2d, 2)
ROUND_VECTOR(round_4f, 4)
#ifdef __AVX__
typedef double round_4d __attribute__((vector_size(32)));
typedef float round_8f __attribute__((vector_size(32)));
ROUND_VECTOR(round_4d, 4)
ROUND_VECTOR(round_8f, 8)
#endif

CF_BEGIN(round) static struct round *round_begin(void) {
    struct round *r = (struct round *)malloc(sizeof *r);
    if (!r) abort();
    *r = round_format(getenv("ROUND"));
    return r;
}
CF_END(round) static void round_end(struct round *r) { free(r); }
