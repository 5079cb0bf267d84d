/* Bodies that stand for functions of the C library: that they compute the same values. */
#include "arithmetic.c"
#include "complex.c"
#include "elementary.c"
#include "memory.c"
#include "special.c"
#include <complex.h>
#include <float.h>
#include <stdbool.h>
#include <stdio.h>

static int wrong, checked;

static void check(bool right, const char *name, const char *what, long double x, long double y) {
    checked++;
    if (right) return;
    wrong++;
    if (wrong < 40) printf("%s%s at (%.20Lg, %.20Lg)\n", name, what, x, y);
}

static bool same(long double a, long double b) {
    return isnan(b) ? isnan(a) : a == b && !signbit(a) == !signbit(b);
}

/* Close as complex numbers; a zero part has the right sign. */
static bool close(long double ar, long double ai, long double br, long double bi, long double unit) {
    if ((br == 0 && !same(ar, br) && ar == 0) || (bi == 0 && ai == 0 && !same(ai, bi))) return false;
    if (isinf(br) || isinf(bi)) return (isinf(ar) || !isinf(br)) && (isinf(ai) || !isinf(bi));
    return hypotl(ar - br, ai - bi) <= unit * hypotl(br, bi);
}

static const double parts[] = {-30,  -3,  -1.5,  -1, -0.7, -1e-3, -0.0, 0.0,
                               1e-5, 0.3, 0.999, 1,  1.25, 2,     7,    40};
enum { PARTS = sizeof parts / sizeof *parts };

#define COMPLEX_(name, S, T, unit)                                                                           \
    for (int i = 0; i < PARTS; i++)                                                                          \
        for (int j = 0; j < PARTS; j++) {                                                                    \
            T _Complex z = __builtin_complex((T)parts[i], (T)parts[j]);                                      \
            T _Complex a = __cf_body_##name##S(z), b = name##S(z);                                           \
            check(close(creall(a), cimagl(a), creall(b), cimagl(b), unit), #name, #S, parts[i], parts[j]);   \
        }
#define COMPLEX(name)                                                                                        \
    COMPLEX_(name, , double, 8 * DBL_EPSILON)                                                                \
    COMPLEX_(name, f, float, 8 * FLT_EPSILON) COMPLEX_(name, l, long double, 8 * LDBL_EPSILON)

static void complex_functions(void) {
    COMPLEX(cexp)
    COMPLEX(clog)
    COMPLEX(clog10) COMPLEX(csqrt) COMPLEX(csin) COMPLEX(ccos) COMPLEX(ctan) COMPLEX(csinh) COMPLEX(ccosh)
        COMPLEX(ctanh) COMPLEX(casin) COMPLEX(cacos) COMPLEX(catan) COMPLEX(casinh) COMPLEX(cacosh)
            COMPLEX(catanh) COMPLEX(conj) COMPLEX(cproj) COMPLEX(cabs) COMPLEX(carg) COMPLEX(creal)
                COMPLEX(cimag)
}

static void powers(void) {
    static const double at[] = {-2, -1, -0.5, 0, 0.5, 1, 2, 3};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            for (int k = 0; k < 8; k++)
                for (int l = 0; l < 8; l++) {
                    double _Complex z = __builtin_complex(at[i], at[j]), w = __builtin_complex(at[k], at[l]);
                    double _Complex a = __cf_body_cpow(z, w), b = cpow(z, w);
                    if (isnan(creal(b)) || cabs(b) == 0 || cabs(z) == 0) continue;
                    double off = cabs(a - b) / cabs(b);
                    check(off < 64 * DBL_EPSILON, "cpow", "", at[i], at[k]);
                }
    check(creal(__cf_body_cpow(0, 1)) == 0, "cpow", "(0, 1)", 0, 1);
    check(creal(__cf_body_cpow(0, 0)) == 1, "cpow", "(0, 0)", 0, 0);
    check(creal(__cf_body_cpow(0, 2.5)) == 0, "cpow", "(0, 2.5)", 0, 2.5);
}

/* The same operations by the compiler, which calls the library. */
static void products(void) {
    static const double at[] = {-INFINITY, -1e300, -3, -1e-300, -0.0, 0.0, 0.5, 2, INFINITY, NAN};
    for (int i = 0; i < 10000; i++) {
        double a = at[i % 10], b = at[i / 10 % 10], c = at[i / 100 % 10], d = at[i / 1000];
        volatile double _Complex z = __builtin_complex(a, b), w = __builtin_complex(c, d);
        double _Complex product = z * w, mine = __cf_body___muldc3(a, b, c, d);
        check(same(creal(mine), creal(product)) && same(cimag(mine), cimag(product)), "__muldc3", "", i, 0);
        double _Complex ratio = z / w;
        mine = __cf_body___divdc3(a, b, c, d);
        if (isnan(creal(ratio)) && isnan(cimag(ratio)))
            check(isnan(creal(mine)) && isnan(cimag(mine)), "__divdc3", " NaN", i, 0);
        else if (!isnan(a + b + c + d) && (isinf(creal(ratio)) || isinf(cimag(ratio))))
            check(isinf(creal(mine)) || isinf(cimag(mine)), "__divdc3", " infinite", i, 0);
        else if (cabs(ratio) > DBL_MIN && cabs(ratio) < DBL_MAX)
            check(cabs(mine - ratio) <= 4 * DBL_EPSILON * cabs(ratio), "__divdc3", "", i, 0);
    }
}

#define PARTS_OF_NUMBERS(S, T)                                                                               \
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {                                                    \
        T x = (T)at[i], whole, mine_whole;                                                                   \
        int n = 0, mine_n = 0;                                                                               \
        T r = frexp##S(x, &n), mine = __cf_body_frexp##S(x, &mine_n);                                        \
        check(same(mine, r) && mine_n == n, "frexp", #S, x, 0);                                              \
        r = modf##S(x, &whole), mine = __cf_body_modf##S(x, &mine_whole);                                    \
        check(same(mine, r) && same(mine_whole, whole), "modf", #S, x, 0);                                   \
        r = lgamma##S##_r(x, &n), mine = __cf_body_lgamma##S##_r(x, &mine_n);                                \
        check(same(mine, r) && (mine_n == n || isinf(r) || isnan(r)), "lgamma_r", #S, x, 0);                 \
        T s, c;                                                                                              \
        __cf_body_sincos##S(x, &s, &c);                                                                      \
        check(same(s, sin##S(x)) && same(c, cos##S(x)), "sincos", #S, x, 0);                                 \
        for (size_t j = 0; j < sizeof at / sizeof *at; j++) {                                                \
            T y = (T)at[j];                                                                                  \
            r = remquo##S(x, y, &n), mine = __cf_body_remquo##S(x, y, &mine_n);                              \
            check(same(mine, r) && (isnan(r) || (mine_n & 7) == (n & 7)), "remquo", #S, x, y);               \
        }                                                                                                    \
    }
static void parts_of_numbers(void) {
    static const double at[] = {0.0,   -0.0,   1,    -1,     2.5,      -2.5,      3,   -3,  0.1,  -7.75,
                                100.3, 1e-310, 1e15, -1e300, INFINITY, -INFINITY, NAN, 0.5, -0.5, 17};
    PARTS_OF_NUMBERS(, double)
    PARTS_OF_NUMBERS(f, float)
    PARTS_OF_NUMBERS(l, long double)
}

typedef struct item {
    int key, place;
    double value;
} item;
static int by_key(const void *a, const void *b) { return ((const item *)a)->key - ((const item *)b)->key; }
static int by_key_up(const void *a, const void *b, void *sign) { return *(int *)sign * by_key(a, b); }

static void sorting(void) {
    for (int n = 0; n < 40; n++) {
        item a[40], b[40];
        unsigned state = (unsigned)n;
        for (int i = 0; i < n; i++) {
            state = state * 1103515245u + 12345u;
            a[i] = b[i] = (item){(int)(state >> 16 & 15), i, i * 0.5};
        }
        int down = -1;
        __cf_body_qsort(a, (size_t)n, sizeof *a, by_key);
        qsort(b, (size_t)n, sizeof *b, by_key);
        for (int i = 1; i < n; i++)
            check(a[i - 1].key < a[i].key || (a[i - 1].key == a[i].key && a[i - 1].place < a[i].place),
                  "qsort", "", n, i);
        for (int i = 0; i < n; i++) check(a[i].key == b[i].key, "qsort", " keys", n, i);
        for (int key = -1; key < 17; key++) {
            item k = {key, 0, 0}, *at = __cf_body_bsearch(&k, a, (size_t)n, sizeof *a, by_key);
            check(!at == !bsearch(&k, a, (size_t)n, sizeof *a, by_key), "bsearch", "", n, key);
            check(!at || at->key == key, "bsearch", " key", n, key);
        }
        __cf_body_qsort_r(a, (size_t)n, sizeof *a, by_key_up, &down);
        for (int i = 1; i < n; i++) check(a[i - 1].key >= a[i].key, "qsort_r", "", n, i);
    }
}

int main(void) {
    complex_functions();
    powers();
    products();
    parts_of_numbers();
    sorting();
    printf("%d checked, %d wrong\n", checked, wrong);
    return wrong > 0;
}
