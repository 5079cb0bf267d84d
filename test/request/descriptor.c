// Requests by descriptor: forward, reverse, words; primal external or static; nothing of the descriptor is left.
// RUN: %ad -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror -O0 %s -o %t0 && %t0 | %FileCheck %s
// RUN: %ad -std=c11 -O2 %s -o %t2 && %t2 | %FileCheck %s
// RUN: %ad -std=c11 -O0 -g %s -o %t0g && %t0g | %FileCheck %s
// RUN: %ad -std=c11 -O2 -g %s -o %t2g && %t2g | %FileCheck %s
// RUN: %ad -O0 -S -emit-llvm %s -o %t.ll && %FileCheck --check-prefix=IR %s < %t.ll
// RUN: %ad -O1 -g -c %s -o %t.o && llvm-dwarfdump-%llvm --verify %t.o
#include <cofactor/ad.h>
#include <stdio.h>

// IR-NOT: cf_request_
// IR-NOT: section "cofactor"
// IR-NOT: dup dup
// IR-DAG: define {{.*}}double @f_tan(
// IR-DAG: define internal {{.*}}double @g_tan(
// IR-DAG: define {{.*}}double @f_grad(
double f(double x, double y) { return x * x * y; }
double f_tan(double x, double x_dot, double y, double y_dot);
CF_FORWARD(f_tan, f, "dup dup");
double f_grad(double x, double *x_bar, double y, double *y_bar);
CF_REVERSE(f_grad, f, "dup dup");
void f_seed(double x, double *x_bar, double y, double seed);
CF_REVERSE(f_seed, f, "dup const seed");
double f_wide(double x, const double x_dot[2], double y, double tangent[2]);
CF_FORWARD(f_wide, f, "dup, const width=2");
double f_deep(double x, double x_bar[2], double y, double y_bar[2], const double seed[2]);
CF_REVERSE(f_deep, f, "dup dup width=2 seed");

static double g(const int *n, double x) { return x * x * *n; }
double g_tan(const int *n, double x, double x_dot, double *value);
CF_FORWARD(g_tan, g, "const dup value");

int main(void) {
    double xb = 1, yb = 0, v, t[2], ys[2] = {0, 0}, xs[2] = {0, 0};
    int n = 3;
    // CHECK: tan 16.5
    printf("tan %g\n", f_tan(3, 1, 2, 0.5));
    // CHECK: grad 18 13 9
    printf("grad %g", f_grad(3, &xb, 2, &yb));
    printf(" %g %g\n", xb, yb);
    f_seed(3, &xb, 2, 10);
    // CHECK: seed 133
    printf("seed %g\n", xb);
    // CHECK: wide 18 12 24
    printf("wide %g", f_wide(3, (const double[]){1, 2}, 2, t));
    printf(" %g %g\n", t[0], t[1]);
    // CHECK: deep 18 12 24 9 18
    printf("deep %g", f_deep(3, xs, 2, ys, (const double[]){1, 2}));
    printf(" %g %g %g %g\n", xs[0], xs[1], ys[0], ys[1]);
    // CHECK: value 12 12
    printf("value %g", g_tan(&n, 2, 1, &v));
    printf(" %g\n", v);
}
