// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// sin has another body in a kernel with a branch: x > 0.5 ? sin x : x, over an array.
#include "events.h"
#include <math.h>

struct other { long n; };
CF_OVERDUB(other, sin) static double sin_is_cos(struct other *c, double x) { return c->n++, cos(x); }
static double kernel(double x) { return x > 0.5 ? sin(x) : x; }
static double sum(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += kernel(x[i]);
    return s;
}
double sum_other(struct other *c, const double *x, int n);
CF_IN(sum_other, sum, other);

int main(void) {
    double x[20], want = 0;
    struct other c = {0};
    long above = 0;
    for (int i = 0; i < 20; i++) x[i] = (i * 7 % 20) / 20.0;
    for (int i = 0; i < 20; i++) above += x[i] > 0.5, want += x[i] > 0.5 ? cos(x[i]) : x[i];
    WANT(sum_other(&c, x, 20), want);
    WANT(above, 9), WANT(c.n, 9);
    return wrong;
}
