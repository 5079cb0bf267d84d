// A function pointer whose target has no derivative in the program, forward and in reverse: a message at run time with the place
// of the call, never a call of the function itself without its derivative.
// RUN: %clang -O1 -c %s -o %t.other.o
// RUN: for mode in FORWARD REVERSE; do %ad -g -O1 -DMAIN -D$mode -c %s -o %t.main.o && %clang %t.main.o %t.other.o -lm -o %t || exit 1; \
// RUN:     %not --crash %t > %t.txt 2>&1 || exit 1; %FileCheck --check-prefixes=CHECK,$mode %s < %t.txt || exit 1; done

#ifdef MAIN
#include <cofactor/ad.h>
#include <stdio.h>

double (*elsewhere(void))(double);

static double f(double (*g)(double), double x) {
    // FORWARD: unknown_target.c:[[#@LINE+2]]:{{.*}}: cofactor: no derivative of this function was made, and active memory or an active number goes into it: its address is not taken
    // REVERSE: unknown_target.c:[[#@LINE+1]]: cofactor: a function pointer is called that has no derivative, with active memory or an active number: the function is not among
    return g(x) * x;
}
#ifdef FORWARD
double f_tan(double (*g)(double), double x, double x_dot);
CF_FORWARD(f_tan, f, "const dup");
#else
double f_grad(double (*g)(double), double x, double *xb);
CF_REVERSE(f_grad, f, "const dup");
#endif

int main(void) {
    printf("value %g\n", f(elsewhere(), 3));
#ifdef FORWARD
    printf("derivative %g\n", f_tan(elsewhere(), 3, 1));
#else
    double b = 0;
    f_grad(elsewhere(), 3, &b);
    printf("derivative %g\n", b);
#endif
    return 0;
}
// CHECK-NOT: derivative {{[0-9-]}}
#else
static double hidden(double x) { return x * x; }
double (*elsewhere(void))(double);
double (*elsewhere(void))(double) { return hidden; }
#endif
