// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t > %t.$l && cat %t.$l || exit 1; done
// RUN: diff %t.-O0 %t.-O2
// A context over a derivative: the operations of a tangent and of a gradient are counted. What the derivative needs at least
// and at most is known; it grows with n as the program does; and it is the same at every level.
#include "events.h"
#include <cofactor/ad.h>
#include <math.h>

struct count { long mul, add; };
CF_PREHOOK(count, "fmul") static void on_mul(struct count *c) { c->mul++; }
CF_PREHOOK(count, "fadd") static void on_add(struct count *c) { c->add++; }
struct cosine { long n; };
CF_OVERDUB(cosine, cos) static double cos_is_seven(struct cosine *c, double x) { return (void)x, c->n++, 7; }

static double dot(const double *x, const double *y, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}
double dot_in(struct count *c, const double *x, const double *y, int n);
CF_IN(dot_in, dot, count);
double dot_grad(const double *x, double *x_bar, const double *y, double *y_bar, int n);
CF_REVERSE(dot_grad, dot, "dup dup const");
double dot_grad_in(struct count *c, const double *x, double *x_bar, const double *y, double *y_bar, int n);
CF_IN(dot_grad_in, dot_grad, count);
double dot_tan(const double *x, const double *x_dot, const double *y, const double *y_dot, int n);
CF_FORWARD(dot_tan, dot, "dup dup const");
double dot_tan_in(struct count *c, const double *x, const double *x_dot, const double *y, const double *y_dot, int n);
CF_IN(dot_tan_in, dot_tan, count);

static double wave(double x) { return sin(x) * 2; }
double wave_tan(double x, double x_dot);
CF_FORWARD(wave_tan, wave, "dup");
double wave_grad(double x, double *x_bar);
CF_REVERSE(wave_grad, wave, "dup");
double wave_tan_in(struct cosine *c, double x, double x_dot);
CF_IN(wave_tan_in, wave_tan, cosine);
double wave_grad_in(struct cosine *c, double x, double *x_bar);
CF_IN(wave_grad_in, wave_grad, cosine);

static struct count gradient(int n) {
    struct count c = {0, 0};
    double x[100], y[100], xb[100] = {0}, yb[100] = {0}, want = 0;
    for (int i = 0; i < n; i++) x[i] = i + 1, y[i] = 2 * i - 3;
    for (int i = 0; i < n; i++) want += x[i] * y[i];
    WANT(dot_grad_in(&c, x, xb, y, yb, n), want);
    for (int i = 0; i < n; i++) WANT(xb[i], y[i]), WANT(yb[i], x[i]);
    return c;
}
static struct count tangent(int n) {
    struct count c = {0, 0};
    double x[100], y[100], xd[100], yd[100], want = 0;
    for (int i = 0; i < n; i++) x[i] = i + 1, y[i] = 2 * i - 3, xd[i] = i % 3, yd[i] = i % 5 - 1;
    for (int i = 0; i < n; i++) want += xd[i] * y[i] + x[i] * yd[i];
    WANT(dot_tan_in(&c, x, xd, y, yd, n), want);
    return c;
}

int main(void) {
    struct count primal = {0, 0};
    double x[10] = {0}, b = 0;
    dot_in(&primal, x, x, 10);
    WANT(primal.mul, 10), WANT(primal.add, 10);
    struct count g10 = gradient(10), g20 = gradient(20), g40 = gradient(40);
    printf("gradient: %ld products, %ld sums for n = 10\n", g10.mul, g10.add);
    /* As many more for 20 more as twice those for 10 more. */
    WANT(g40.mul - g20.mul, 2 * (g20.mul - g10.mul)), WANT(g40.add - g20.add, 2 * (g20.add - g10.add));
    /* Each turn: the primal's product and sum; at most two products more, and at least a sum into each of two shadows. */
    long mul = (g20.mul - g10.mul) / 10, add = (g20.add - g10.add) / 10;
    WANT(mul >= 1 && mul <= 3, 1), WANT(add >= 3 && add <= 5, 1);
    struct count t10 = tangent(10), t20 = tangent(20);
    printf("tangent: %ld products, %ld sums for n = 10\n", t10.mul, t10.add);
    mul = (t20.mul - t10.mul) / 10, add = (t20.add - t10.add) / 10;
    /* x' y + x y' into the sum; the product itself may be left out. */
    WANT(mul >= 2 && mul <= 3, 1), WANT(add >= 2 && add <= 3, 1);

    struct cosine c = {0};
    WANT(wave_tan_in(&c, 0.3, 1), 14), WANT(c.n, 1);
    WANT(wave_grad_in(&c, 0.3, &b), 2 * sin(0.3)), WANT(b, 14), WANT(c.n, 2);
    return wrong;
}
