// RUN: rm -f %t.o
// RUN: for mode in FORWARD REVERSE; do %not %ad -g -O1 -D$mode -c %s -o %t.o 2>&1 | %FileCheck --check-prefixes=CHECK,$mode %s || exit 1; done
// RUN: %not test -e %t.o

// An active number goes into the variable arguments of a function without a body.
#include <cofactor/ad.h>

double sum(int n, ...);
static double f(double x) {
    // FORWARD: varargs_active.c:[[#@LINE+2]]:{{.*}}error: an active value is given to `sum`, which has neither a body here nor a derivative rule; give it a body (`--link
    // REVERSE: varargs_active.c:[[#@LINE+1]]:{{.*}}error: function sum has an active argument, but neither a body nor a rule here; link its bitcode
    return sum(2, x, x * x);
}
// CHECK: CF_INACTIVE
#ifdef FORWARD
double f_tan(double x, double xd);
CF_FORWARD(f_tan, f, "dup");
#else
double f_grad(double x, double *xb);
CF_REVERSE(f_grad, f, "dup");
#endif
