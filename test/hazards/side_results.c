// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l %s -lm -o %t && %t || exit 1; done
// RUN: env COFACTOR_NO_INLINE=1 %ad -O2 %s -lm -o %t && %t
// What mathematical functions write besides their result: signgam, errno, numbers behind pointers. Branches that depend on it are
// taken in the reverse sweep as they were in the forward one.
#define _GNU_SOURCE
#include "../contents/agree.h"
#include <errno.h>

static double signs(const double *x, int n) {
    double total = 0;
    for (int i = 0; i < n; i++) {
        double lg = lgamma(x[i] - 1.2);
        if (signgam < 0)
            total -= lg * lg;
        else
            total += 3 * lg;
    }
    return total;
}
PROGRAM(signs)

__attribute__((noinline)) static double signed_value(double lg) { return signgam < 0 ? -lg * lg : 2 * lg; }
static double signs_within(const double *x, int n) {
    double a = 0;
    for (int i = 0; i < n; i++) a += signed_value(lgamma(x[i] - 1.5)) * x[i];
    lgamma(2.5);
    return a;
}
PROGRAM(signs_within)

static double errors(const double *x, int n) {
    double total = 0;
    for (int i = 0; i < n; i++) {
        errno = 0;
        double l = log(x[i] - 1);
        if (errno)
            total += x[i] * x[i];
        else
            total += l;
    }
    errno = 0;
    return total;
}
PROGRAM(errors)

static double pieces(const double *x, int n) {
    double total = 0, whole, s, c;
    int e, q, sign;
    for (int i = 0; i < n; i++) {
        double m = frexp(x[i] * 3, &e), f = modf(x[i] * 2.6, &whole), r = remquo(x[i] * 2, 0.7, &q), g = lgamma_r(x[i] - 1.25, &sign);
        sincos(x[i], &s, &c);
        total += m * e + f * whole + r * (q + 8) + (sign < 0 ? g * g : g) + s * c;
    }
    return total;
}
PROGRAM(pieces)

int main(void) { return AGREE(signs, 7) + AGREE_FLOAT(signs_within, 6) + AGREE(errors, 5) + AGREE_FLOAT(pieces, 5); }
