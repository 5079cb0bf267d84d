// A function pointer whose target has no derivative in the program: a message at run time with the place of the call,
// never a call of the function itself without its derivative.
// RUN: %ad -g -O1 -DMAIN -c %s -o %t.main.o
// RUN: %clang -O1 -c %s -o %t.other.o
// RUN: %clang %t.main.o %t.other.o -lm -o %t
// RUN: %not --crash %t 2>&1 | %FileCheck %s

#ifdef MAIN
#include <cofactor/ad.h>
#include <stdio.h>

double (*elsewhere(void))(double);

static double f(double (*g)(double), double x) {
    // CHECK: unknown_target.c:[[#@LINE+1]]
    return g(x) * x;
}
double f_grad(double (*g)(double), double x, double *xb);
CF_REVERSE(f_grad, f, "const dup");

int main(void) {
    double b = 0;
    printf("value %g\n", f(elsewhere(), 3));
    f_grad(elsewhere(), 3, &b);
    printf("adjoint %g\n", b);
    return 0;
}
// CHECK-NOT: adjoint
#else
static double hidden(double x) { return x * x; }
double (*elsewhere(void))(double);
double (*elsewhere(void))(double) { return hidden; }
#endif
