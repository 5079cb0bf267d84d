// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// RUN: %ad -g -O1 -DPOINTER %s -o %t
// RUN: %not --crash %t 2>&1 | %FileCheck --check-prefix POINTER %s
// RUN: %not --crash %t forward 2>&1 | %FileCheck --check-prefix POINTER %s

// A function that is nothing but assembly on an active path: called, called by another name, requested itself, and met
// through a pointer when the program runs.
#include <cofactor/ad.h>

#ifndef POINTER
__attribute__((naked, noinline)) double square(double x) { __asm__("mulsd %xmm0, %xmm0\n ret"); }
double other(double x) __attribute__((alias("square")));
static double f(double x) {
    // CHECK-DAG: naked.c:[[#@LINE+1]]:{{.*}} function square {{.*}} assembly (`naked`){{.*}}CF_RULE_REVERSE
    return square(x) * 3;
}
static double g(double x) {
    // CHECK-DAG: naked.c:[[#@LINE+1]]:{{.*}} `other`, which is assembly (`naked`){{.*}}CF_RULE_FORWARD
    return other(x) * 3;
}
double f_grad(double x, double *xb), g_tan(double x, double d), own(double x, double d);
CF_REVERSE(f_grad, f, "dup");
CF_FORWARD(g_tan, g, "dup");
// CHECK-DAG: naked.c:[[#@LINE+1]]:{{.*}} `square` is assembly (`naked`)
CF_FORWARD(own, square, "dup");
#else
__attribute__((naked)) static double square(double x) { __asm__("mulsd %xmm0, %xmm0\n ret"); }
static double same(double x) { return x; }
double (*functions[])(double) = {same, square};
static double f(double x, int n) {
    // POINTER: naked.c:[[#@LINE+1]]:{{.*}}cofactor
    return functions[n](x);
}
double f_grad(double x, double *xb, int n), f_tan(double x, double d, int n);
CF_REVERSE(f_grad, f, "dup const");
CF_FORWARD(f_tan, f, "dup const");
int main(int argc, char **argv) {
    double b = 0;
    (void)argv;
    return argc == 1 ? f_grad(2, &b, 1) : f_tan(2, 1, 1);
}
#endif
