// Full link-time optimisation with lld: requests are served where the primal is, and at the link where one unit asks
// for what another one defines.
// REQUIRES: lld
// RUN: %ad -O2 -flto=full -c %s -I %S/Inputs -o %t.o && %ad -O2 -flto=full -c %S/Inputs/other.c -I %S/Inputs -o %t.other.o
// RUN: %clang -O2 -flto=full -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t.o %t.other.o -o %t && %t | %FileCheck %s
#include "shared.h"
#include <stdio.h>

double other_twin(void), other_local(void);
/* other.c has no request of this name. */
double shared_grad(double x, double *x_bar);
CF_REVERSE(shared_grad, shared, "dup");

int main(void) {
    double b = 0;
    // CHECK: shared 12
    printf("shared %g\n", shared_tan(3, 1));
    // CHECK: grad 18 12
    printf("grad %g", shared_grad(3, &b));
    printf(" %g\n", b);
    // CHECK: other 10 4
    printf("other %g %g\n", other_twin(), other_local());
}
