// RUN: %S/run.sh "%ad" %s %t
// A derivative of a derivative: the tangent of a gradient goes through its tape.
#include "hazard.h"

static double f(const double *x, int n) {
    double s = 1;
    for (int i = 0; i < n; i++) s *= x[i] * x[i];
    return s;
}
void f_grad(const double *x, double *b, int n);
CF_REVERSE(f_grad, f, "dup const");
void f_hessian(const double *x, const double *d, double *b, double *bd, int n);
CF_FORWARD(f_hessian, f_grad, "dup dup const");

/* Leaves at a count that is not known: records on the tape. */
static double g(const double *x, int n) {
    double s = x[0];
    for (int i = 0; s < 50 && i < n; i++) s = s * s + x[1];
    return s;
}
void g_grad(const double *x, double *b, int n);
CF_REVERSE(g_grad, g, "dup const");
void g_hessian(const double *x, const double *d, double *b, double *bd, int n);
CF_FORWARD(g_hessian, g_grad, "dup dup const");

int main(void) {
    const double x[3] = {2, 3, 0.5}, d[3] = {1, 0, 0};
    double b[3] = {0}, bd[3] = {0};
    /* (x0 x1 x2)^2 = 9 */
    f_hessian(x, d, b, bd, 3);
    WANT(b[0], 9), WANT(b[1], 6), WANT(b[2], 36), WANT(bd[0], 4.5), WANT(bd[1], 6), WANT(bd[2], 36);
    /* s1 = x0^2 + x1 = 5, s2 = s1^2 + x1 = 26, s3 = s2^2 + x1: up to first order along x0 */
    const double v[2] = {2, 1}, e[2] = {1, 0};
    double s = v[0], s0 = 1, s1 = 0, s00 = 0, s01 = 0;
    for (int i = 0; s < 50 && i < 9; i++) {
        s00 = 2 * s0 * s0 + 2 * s * s00, s01 = 2 * s0 * s1 + 2 * s * s01;
        s1 = 2 * s * s1 + 1, s0 = 2 * s * s0, s = s * s + v[1];
    }
    b[0] = b[1] = bd[0] = bd[1] = 0;
    g_hessian(v, e, b, bd, 9);
    WANT(b[0], s0), WANT(b[1], s1), WANT(bd[0], s00), WANT(bd[1], s01);
    return wrong;
}
