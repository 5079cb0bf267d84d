// RUN: %S/run.sh "%ad" %s %t
// Two arguments may be one object when their shadows are one too; pieces of an object, overlapping ones as well.
#include "hazard.h"

static void product(const double *x, const double *y, double *z, int n) {
    for (int i = 0; i < n; i++) z[i] = x[i] * y[i];
}
static double sum(const double *x, const double *y, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * y[n - 1 - i];
    return s;
}
void product_r(const double *x, double *xb, const double *y, double *yb, double *z, double *zb, int n),
    product_t(const double *x, const double *xd, const double *y, const double *yd, double *z, double *zd,
              int n);
double sum_r(const double *x, double *xb, const double *y, double *yb, int n),
    sum_t(const double *x, const double *xd, const double *y, const double *yd, int n);
CF_REVERSE(product_r, product, "dup dup dup const");
CF_FORWARD(product_t, product, "dup dup dup const");
CF_REVERSE(sum_r, sum, "dup dup const");
CF_FORWARD(sum_t, sum, "dup dup const");

int main(void) {
    double x[3] = {2, 3, 5}, b[3] = {0}, z[3], zb[3] = {1, 10, 100};
    product_r(x, b, x, b, z, zb, 3);
    WANT(z[2], 25), WANT(b[0], 4), WANT(b[1], 60), WANT(b[2], 1000), WANT(zb[1], 0);
    /* In place: x = x * x */
    double s[3] = {1, 10, 100};
    product_r(x, s, x, s, x, s, 3);
    WANT(x[1], 9), WANT(s[0], 4), WANT(s[1], 60), WANT(s[2], 1000);
    double d[3] = {1, 1, 1};
    x[0] = 2, x[1] = 3, x[2] = 5;
    product_t(x, d, x, d, x, d, 3);
    WANT(x[1], 9), WANT(d[0], 4), WANT(d[1], 6), WANT(d[2], 10);
    /* Shifted by one: z = x + 1, so that each product reads what the last one has written. */
    double y[3] = {2, 3, 5}, yb[3] = {0, 0, 1};
    product_r(y, yb, y, yb, y + 1, yb + 1, 2);
    WANT(y[1], 4), WANT(y[2], 16), WANT(yb[0], 32), WANT(yb[1], 0), WANT(yb[2], 0);
    const double v[3] = {2, 3, 5}, e[3] = {1, 0, 0};
    double vb[3] = {0};
    WANT(sum_r(v, vb, v, vb, 3), 29), WANT(vb[0], 10), WANT(vb[1], 6), WANT(vb[2], 4);
    WANT(sum_t(v, e, v, e, 3), 10);
    memset(vb, 0, sizeof vb);
    WANT(sum_r(v, vb, v + 1, vb + 1, 2), 10 + 9), WANT(vb[0], 5), WANT(vb[1], 6), WANT(vb[2], 2);
    return wrong;
}
