// Full link-time optimisation with lld: requests are served where the primal is, and at the link where one unit asks
// for what another one defines, or where a primal calls another unit's functions.
// Without the plugin in the linker, what is served at the link is missing.
// REQUIRES: lld
// RUN: %ad -O2 -flto=full -c %s -I %S/Inputs -o %t.o 2>&1 | %FileCheck --check-prefix=NOTE %s
// NOTE: lto.c:{{[0-9]+}}: note: `caller_grad` is provided when the program is linked, because `callee` is not defined in this unit
// RUN: %ad -O2 -flto=full -c %S/Inputs/other.c -I %S/Inputs -o %t.other.o
// RUN: %ad -O2 -flto=full -c %S/Inputs/callee.c -o %t.callee.o
// RUN: %clang -O2 -flto=full -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t.o %t.other.o %t.callee.o -lm -o %t && %t | %FileCheck %s
// RUN: %not %clang -O2 -flto=full -fuse-ld=lld %t.o %t.other.o %t.callee.o -lm -o %t.none 2>&1 | %FileCheck --check-prefix=MISSING %s
// MISSING: undefined symbol: {{shared_grad|caller_grad}}
#include "shared.h"
#include <math.h>
#include <stdio.h>

/* Its body is in callee.c. */
double callee(double x);
static double caller(double x) { return exp(callee(x) - 32) + 2 * callee(x); }
double caller_grad(double x, double *x_bar);
CF_REVERSE(caller_grad, caller, "dup");

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
    b = 0;
    // CHECK: caller 65 60
    printf("caller %g", caller_grad(4, &b));
    printf(" %g\n", b);
    // CHECK: other 10 4
    printf("other %g %g\n", other_twin(), other_local());
}
