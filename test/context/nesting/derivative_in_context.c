// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Derivatives of a program in a context: forward and reverse, with an override of sin, with hooks that count, through memory.
#include "events.h"
#include <cofactor/ad.h>
#include <math.h>

struct swap { long n; };
CF_OVERDUB(swap, sin) static double sin_is_cos(struct swap *c, double x) { return (void)c, cos(x); }
struct scale { double by; };
CF_POSTHOOK(scale, "call square") static double scaled(struct scale *c, double r) { return r * c->by; }
struct count { long mul; };
CF_PREHOOK(count, "fmul") static void on_mul(struct count *c) { c->mul++; }

static double f(double x) { return x * sin(x); }
double f_swap(struct swap *c, double x);
CF_IN(f_swap, f, swap);
double f_swap_tan(struct swap *c, double x, double x_dot);
CF_FORWARD(f_swap_tan, f_swap, "const dup");
double f_swap_grad(struct swap *c, double x, double *x_bar);
CF_REVERSE(f_swap_grad, f_swap, "const dup");

APART double square(double x) { return x * x; }
static double norm(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += square(x[i]);
    return s;
}
double norm_scaled(struct scale *c, const double *x, int n);
CF_IN(norm_scaled, norm, scale);
double norm_scaled_grad(struct scale *c, const double *x, double *x_bar, int n);
CF_REVERSE(norm_scaled_grad, norm_scaled, "const dup const");
double norm_scaled_tan(struct scale *c, const double *x, const double *x_dot, int n);
CF_FORWARD(norm_scaled_tan, norm_scaled, "const dup const");
/* The context is differentiated, too: its factor is an input. */
double norm_by_grad(struct scale *c, struct scale *c_bar, const double *x, double *x_bar, int n);
CF_REVERSE(norm_by_grad, norm_scaled, "dup dup const");

double norm_counted(struct count *c, const double *x, int n);
CF_IN(norm_counted, norm, count);
double norm_counted_grad(struct count *c, const double *x, double *x_bar, int n);
CF_REVERSE(norm_counted_grad, norm_counted, "const dup const");

static int near(double a, double b) { return fabs(a - b) <= 1e-14 * (1 + fabs(b)); }
int main(void) {
    struct swap s = {0};
    struct scale by = {3}, by_bar = {0};
    struct count c = {0};
    double x = 0.6, want = cos(x) - x * sin(x), b = 0;
    WANT(near(f_swap_tan(&s, x, 1), want), 1), WANT(near(f_swap_tan(&s, x, 2), 2 * want), 1);
    WANT(near(f_swap_grad(&s, x, &b), x * cos(x)), 1), WANT(near(b, want), 1);
    double v[3] = {1, 2, -3}, v_bar[3] = {0}, v_dot[3] = {1, 0, 10};
    WANT(norm_scaled_grad(&by, v, v_bar, 3), 42);
    for (int i = 0; i < 3; i++) WANT(v_bar[i], 6 * v[i]), v_bar[i] = 0;
    WANT(norm_scaled_tan(&by, v, v_dot, 3), 6 * (1 - 30));
    WANT(norm_by_grad(&by, &by_bar, v, v_bar, 3), 42), WANT(by_bar.by, 14);
    for (int i = 0; i < 3; i++) WANT(v_bar[i], 6 * v[i]), v_bar[i] = 0;
    /* The program counts; its derivative has no hooks of its own. */
    WANT(norm_counted_grad(&c, v, v_bar, 3), 14), WANT(c.mul, 3);
    for (int i = 0; i < 3; i++) WANT(v_bar[i], 2 * v[i]);
    return wrong;
}
