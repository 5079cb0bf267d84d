// A rule gets NULL as the shadow of a pointer to which the request gave none, in both modes.
// RUN: %ad -O0 %s -o %t0 && %t0 | %FileCheck %s
// RUN: %ad -O2 %s -o %t2 && %t2 | %FileCheck %s
#include <cofactor/ad.h>
#include <stdio.h>

__attribute__((pure)) static double dot(const double *w, const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += w[i] * x[i];
    return s;
}
static double dot_tan(const double *w, const double *w_dot, const double *x, const double *x_dot, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += (w_dot ? w_dot[i] * x[i] : 0) + w[i] * x_dot[i];
    return s;
}
static void dot_rev(const double *w, double *w_bar, const double *x, double *x_bar, int n, double s_bar) {
    for (int i = 0; i < n; i++) x_bar[i] += w[i] * s_bar;
    for (int i = 0; i < n && w_bar; i++) w_bar[i] += x[i] * s_bar;
}
CF_RULE_FORWARD(dot, dot_tan);
CF_RULE_REVERSE(dot, dot_rev);

static const double table[2] = {3, 4};
static double f(const double *w, const double *x, int n) { return dot(w, x, n) * w[1] + dot(table, x, n); }
double f_grad(const double *w, const double *x, double *x_bar, int n);
CF_REVERSE(f_grad, f, "const dup const");
double f_tan(const double *w, const double *x, const double *x_dot, int n);
CF_FORWARD(f_tan, f, "const dup const");
double f_all(const double *w, double *w_bar, const double *x, double *x_bar, int n);
CF_REVERSE(f_all, f, "dup dup const");

int main(void) {
    double w[2] = {1, 2}, x[2] = {5, 6}, x_bar[2] = {0}, x_dot[2] = {1, 10}, w_bar[2] = {0};
    f_grad(w, x, x_bar, 2);
    // CHECK: adjoint 5 8, weights 1 2
    printf("adjoint %g %g, weights %g %g\n", x_bar[0], x_bar[1], w[0], w[1]);
    // CHECK: tangent 85
    printf("tangent %g\n", f_tan(w, x, x_dot, 2));
    f_all(w, w_bar, x, x_bar, 2);
    // CHECK: all 10 29 10 16
    printf("all %g %g %g %g\n", w_bar[0], w_bar[1], x_bar[0], x_bar[1]);
}
