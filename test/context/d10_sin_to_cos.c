// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// RUN: for l in -O0 -O2; do %ad $l -fno-math-errno -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// An override: sin is cos inside the context; the program outside stays as it is; without overrides every bit is the same.
#include "events.h"
#include <math.h>

struct sin_to_cos { int unused; };
CF_OVERDUB(sin_to_cos, sin) static double sin_is_cos(struct sin_to_cos *c, double x) { return (void)c, cos(x); }
struct nothing { int unused; };
CF_CONTEXT(nothing, "");

static double sum(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += cos(x[i]) + sin(x[i]);
    return s;
}
double sum_cos(struct sin_to_cos *c, const double *x, int n);
CF_IN(sum_cos, sum, sin_to_cos);
double sum_same(struct nothing *c, const double *x, int n);
CF_IN(sum_same, sum, nothing);

int main(void) {
    double x[100], twice = 0, native = 0;
    struct sin_to_cos c = {0};
    struct nothing n = {0};
    for (int i = 0; i < 100; i++) x[i] = i * 0.37 - 9;
    for (int i = 0; i < 100; i++) twice += 2 * cos(x[i]);
    for (int i = 0; i < 100; i++) native += cos(x[i]) + sin(x[i]);
    WANT(sum_cos(&c, x, 100), twice);
    WANT(sum(x, 100), native);
    WANT(sum_same(&n, x, 100), native);
    WANT(twice == native, 0);
    return wrong;
}
