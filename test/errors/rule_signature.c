// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// A rule whose parameters do not fit the function.
#include <cofactor/ad.h>

static double helper(double x) { return x * x; }
static void helper_adjoint(double x, double rb) {
    (void)x;
    (void)rb;
}
// CHECK: rule_signature.c:[[#@LINE+1]]
CF_RULE_REVERSE(helper, helper_adjoint);
// CHECK: {{.*}}helper_adjoint
static double f(double x) { return helper(x); }
double f_grad(double x, double *xb);
CF_REVERSE(f_grad, f, "dup");
