// A function pointer whose target has no derivative in the program, forward: a message at run time with the place of the
// call, never a call of the function itself without its derivative.
// RUN: %ad -g -O1 -DMAIN -c %s -o %t.main.o
// RUN: %clang -O1 -c %s -o %t.other.o
// RUN: %clang %t.main.o %t.other.o -lm -o %t
// RUN: %not --crash %t 2>&1 | %FileCheck %s

#ifdef MAIN
#include <cofactor/ad.h>
#include <stdio.h>

double (*elsewhere(void))(double);

static double f(double (*g)(double), double x) {
    // CHECK: unknown_target_forward.c:[[#@LINE+1]]:{{.*}}: cofactor: no derivative of this function was made: its address is not taken
    return g(x) * x;
}
double f_tan(double (*g)(double), double x, double x_dot);
CF_FORWARD(f_tan, f, "const dup");

int main(void) {
    printf("value %g\n", f(elsewhere(), 3));
    printf("tangent %g\n", f_tan(elsewhere(), 3, 1));
    return 0;
}
// CHECK-NOT: tangent
#else
static double hidden(double x) { return x * x; }
double (*elsewhere(void))(double);
double (*elsewhere(void))(double) { return hidden; }
#endif
