// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Perturbation confusion: derivatives within derivatives, each with its own input. By requests of requests, natively and
// inside a context that counts, and one that overrides sin.
#include "events.h"
#include <cofactor/ad.h>
#include <math.h>

/* D(y -> x * y) at y: x is held. */
static double times(double x, double y) { return x * y; }
double times_dy(double x, double y, double y_dot);
CF_FORWARD(times_dy, times, "const dup");
static double five(double x, double y) { return 5 * x * y; }
double five_dy(double x, double y, double y_dot);
CF_FORWARD(five_dy, five, "const dup");
static double plus(double x, double y) { return x + y; }
double plus_dy(double x, double y, double y_dot);
CF_FORWARD(plus_dy, plus, "const dup");

static double at1(double x) { return x * times_dy(x, 1, 1); }
static double at2(double x) { return x * times_dy(x, 2, 1); }
static double at3(double x) { return x * five_dy(x, 3, 1); }
static double sum(double x) { return x * plus_dy(x, 1, 1); }
double at1_d(double x, double x_dot);
CF_FORWARD(at1_d, at1, "dup");
double at2_d(double x, double x_dot);
CF_FORWARD(at2_d, at2, "dup");
double at3_d(double x, double x_dot);
CF_FORWARD(at3_d, at3, "dup");
double sum_d(double x, double x_dot);
CF_FORWARD(sum_d, sum, "dup");

/* Through memory: stored, and read back. */
struct foo { struct foo *bar; double value; };
APART double identity(double x) {
    struct foo inner = {0, 0}, outer = {&inner, 1};
    outer.bar->value = x;
    return outer.bar->value;
}
static double product(double x) { return x * identity(x); }
double product_d(double x, double x_dot);
CF_FORWARD(product_d, product, "dup");
static double table[4];
static double crazy(double x, double y) {
    double *p = table;
    for (int i = 0; i < 4; i++) p[i] = i == 0 ? x : 0;
    double s = table[0] + table[1] + table[2] + table[3];
    return s * y;
}
static double square_crazy(double x) { return crazy(x, x); }
static double line_crazy(double x) { return crazy(x + 2, 3 + x); }
static double line(double x) { return (x + 2) * (3 + x); }
double square_crazy_d(double x, double x_dot);
CF_FORWARD(square_crazy_d, square_crazy, "dup");
double line_crazy_d(double x, double x_dot);
CF_FORWARD(line_crazy_d, line_crazy, "dup");
double line_d(double x, double x_dot);
CF_FORWARD(line_d, line, "dup");

/* sin, its first, second and third derivative. */
static double wave(double x) { return sin(x); }
double wave1(double x, double x_dot);
CF_FORWARD(wave1, wave, "dup");
static double wave_first(double x) { return wave1(x, 1); }
double wave2(double x, double x_dot);
CF_FORWARD(wave2, wave_first, "dup");
static double wave_second(double x) { return wave2(x, 1); }
double wave3(double x, double x_dot);
CF_FORWARD(wave3, wave_second, "dup");
static double both(double x) { return sin(x) * cos(x); }
double both_d(double x, double x_dot);
CF_FORWARD(both_d, both, "dup");

/* In contexts: the outer derivative itself, and the function that has the inner one within. */
struct count { long mul; };
CF_PREHOOK(count, "fmul") static void on_mul(struct count *c) { c->mul++; }
double at1_d_in(struct count *c, double x, double x_dot);
CF_IN(at1_d_in, at1_d, count);
double at1_in(struct count *c, double x);
CF_IN(at1_in, at1, count);
double at1_in_d(struct count *c, double x, double x_dot);
CF_FORWARD(at1_in_d, at1_in, "const dup");
struct cubic { long n; };
CF_OVERDUB(cubic, sin) static double sin_is_cubic(struct cubic *c, double x) { return c->n++, x * x * x; }
static double nested(double x) { return x * sin(x); }
double nested_in(struct cubic *c, double x);
CF_IN(nested_in, nested, cubic);
double nested_d(struct cubic *c, double x, double x_dot);
CF_FORWARD(nested_d, nested_in, "const dup");
static double nested_first(struct cubic *c, double x) { return x * nested_d(c, x, 1); }
double nested_dd(struct cubic *c, double x, double x_dot);
CF_FORWARD(nested_dd, nested_first, "const dup");

static int near(double a, double b) { return fabs(a - b) <= 1e-15 * (1 + fabs(b)); }
int main(void) {
    volatile double one = 1;
    WANT(at1_d(2, 1), 4), WANT(at2_d(1, 1), 2), WANT(at3_d(2, 1), 20), WANT(sum_d(1, 1), 1);
    WANT(product_d(1, 1), 2), WANT(product_d(3, 1), 6);
    WANT(line_d(5, 1), 15), WANT(line_crazy_d(5, 1), 15), WANT(square_crazy_d(5, 1), 10);
    WANT(near(wave1(1, 1), cos(one)), 1), WANT(near(wave2(1, 1), -sin(one)), 1), WANT(near(wave3(1, 1), -cos(one)), 1);
    WANT(near(both_d(1, 1), cos(one) * cos(one) - sin(one) * sin(one)), 1);
    struct count c = {0};
    WANT(at1_d_in(&c, 2, 1), 4), WANT(c.mul >= 2, 1), c.mul = 0;
    WANT(at1_in(&c, 2), 4), WANT(at1_in_d(&c, 2, 1), 4);
    struct cubic k = {0};
    /* x^4; x * 4 x^3; its derivative 16 x^3 */
    WANT(nested_in(&k, 2), 16), WANT(nested_d(&k, 2, 1), 32), WANT(nested_dd(&k, 2, 1), 128), WANT(k.n, 3);
    return wrong;
}
