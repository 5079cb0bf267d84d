// An active number goes into an object that the request calls const, which only shows at run time: a message with the
// place, never a derivative without that part. The object that is dup gets its part.
// RUN: %ad -g -O1 %s -o %t && %t | %FileCheck --check-prefix=GOOD %s
// RUN: %not --crash %t store 2>&1 | %FileCheck %s
// RUN: %not --crash %t copy 2>&1 | %FileCheck --check-prefix=COPY %s
// RUN: %ad -g -O0 %s -o %t0 && %t0 | %FileCheck --check-prefix=GOOD %s
// RUN: %not --crash %t0 store 2>&1 | %FileCheck %s
// RUN: %not --crash %t0 copy 2>&1 | %FileCheck --check-prefix=COPY %s
#include <cofactor/ad.h>
#include <stdio.h>
#include <string.h>

static double f(double x, double *a, double *b, int n) {
    double *p = n ? a : b;
    // CHECK: const_at_run_time.c:[[#@LINE+1]]: cofactor: {{.*}}`const`
    *p = x * x;
    return *a + *b;
}
double f_grad(double x, double *x_bar, double *a, double *b, double *b_bar, int n);
CF_REVERSE(f_grad, f, "dup const dup const");

static double g(const double *x, double *a, double *b, int n) {
    double *p = n ? a : b;
    // COPY: const_at_run_time.c:[[#@LINE+1]]: cofactor: {{.*}}`const`
    memcpy(p, x, 2 * sizeof *x);
    return a[0] * a[1] + b[0] * b[1];
}
double g_grad(const double *x, double *x_bar, double *a, double *b, double *b_bar, int n);
CF_REVERSE(g_grad, g, "dup const dup const");

int main(int argc, char **argv) {
    double x_bar = 0, a[2] = {1, 1}, b[2] = {1, 1}, b_bar[2] = {0}, v[2] = {2, 5}, v_bar[2] = {0};
    int store = argc > 1 && !strcmp(argv[1], "store"), copy = argc > 1 && !strcmp(argv[1], "copy");
    f_grad(3, &x_bar, a, b, b_bar, store);
    g_grad(v, v_bar, a, b, b_bar, copy);
    // GOOD: 6 5 2
    printf("%g %g %g\n", x_bar, v_bar[0], v_bar[1]);
}
