// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Derivatives of a program that sorts, in an empty context and in one that has hooks in what does not sort.
#include "events.h"
#include <cofactor/ad.h>
#include <stdlib.h>

struct none { int unused; };
CF_CONTEXT(none, "");
struct count { long mul; };
CF_PREHOOK(count, "fmul") static void on_mul(struct count *c) { c->mul++; }

static int up(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
/* The second smallest times 3, times the smallest. */
static double f(double *x, int n) {
    qsort(x, (size_t)n, sizeof *x, up);
    return x[1] * 3 * x[0];
}
double f_none(struct none *c, double *x, int n);
CF_IN(f_none, f, none);
double f_none_grad(struct none *c, double *x, double *x_bar, int n);
CF_REVERSE(f_none_grad, f_none, "const dup const");
double f_count(struct count *c, double *x, int n);
CF_IN(f_count, f, count);
double f_count_grad(struct count *c, double *x, double *x_bar, int n);
CF_REVERSE(f_count_grad, f_count, "const dup const");

int main(void) {
    struct none c = {0};
    struct count d = {0};
    double x[4] = {7, 2, 9, 5}, b[4] = {0};
    WANT(f_none_grad(&c, x, b, 4), 30);
    WANT(b[0], 0), WANT(b[1], 15), WANT(b[2], 0), WANT(b[3], 6);
    double y[4] = {7, 2, 9, 5}, e[4] = {0};
    WANT(f_count_grad(&d, y, e, 4), 30), WANT(d.mul, 2);
    WANT(e[0], 0), WANT(e[1], 15), WANT(e[2], 0), WANT(e[3], 6);
    return wrong;
}
