// RUN: %ad -O3 -S -emit-llvm %s -I%S -o %t.ll && %FileCheck %s < %t.ll
// RUN: %FileCheck --check-prefix=USE %s < %t.ll
// RUN: %ad -O3 -march=x86-64-v3 -S -emit-llvm %s -I%S -o %t.ll && %FileCheck %s < %t.ll
// RUN: %FileCheck --check-prefix=USE %s < %t.ll
// RUN: %ad -O0 -S -emit-llvm %s -I%S -o %t.ll && %FileCheck --check-prefix=PLAIN %s < %t.ll
// RUN: %S/run.sh "%ad" %s %t
// Derivatives are made before the compiler optimises, from a copy: they are inlined, vectorised and cleaned like code of
// the user's, rules disappear in them for every processor, and without optimisation they still have no rule to call.
#include "hazard.h"

// CHECK-LABEL: define {{.*}}@polynomial_grad(
// CHECK-NOT: alloca
// CHECK-NOT: call {{.*}}@{{(__cf|polynomial)}}
// CHECK: fmul{{.*}}<{{[0-9]+}} x double>
// CHECK-NOT: alloca
// CHECK-NOT: call {{.*}}@{{(__cf|polynomial)}}
// CHECK: {{^}}}
void polynomial(const double *restrict x, double *restrict y, int n);
void polynomial(const double *restrict x, double *restrict y, int n) {
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i] * x[i] - 2 * x[i];
}
void polynomial_grad(const double *restrict x, double *restrict xb, double *restrict y, double *restrict yb,
                     int n);
CF_REVERSE(polynomial_grad, polynomial, "dup dup const");

// USE-LABEL: define {{.*}}@use(
// USE-NOT: call {{.*}}@{{(__cf|root)}}
// USE: {{^}}}
double root(double x, double y) { return sqrt(x) * y; }
double root_grad(double x, double *b, double y, double *yb);
CF_REVERSE(root_grad, root, "dup dup");
double use(double x) {
    double b = 0, c = 0;
    root_grad(x, &b, x, &c);
    return b + c;
}

// PLAIN-LABEL: define {{.*}}@with_rules.grad(
// PLAIN-NOT: call {{.*}}@__cf_d
// PLAIN: call {{.*}}cos
// PLAIN-NOT: call {{.*}}@__cf_d
// PLAIN: {{^}}}
double with_rules(double x) { return fabs(sin(x)) * cbrt(x) + x * hypot(x, 2); }
double with_rules_grad(double x, double *b);
CF_REVERSE(with_rules_grad, with_rules, "dup");
int main(void) {
    double x[5] = {1, 2, 3, -1, 0.5}, xb[5] = {0}, y[5], yb[5] = {1, 1, 1, 1, 2};
    polynomial_grad(x, xb, y, yb, 5);
    WANT(y[2], 21), WANT(xb[0], 1), WANT(xb[1], 10), WANT(xb[2], 25), WANT(xb[3], 1), WANT(xb[4], -2.5),
        WANT(yb[4], 0);
    const double v = 1.5, h = hypot(v, 2);
    double b = 0;
    with_rules_grad(v, &b);
    WANT(b, cos(v) * cbrt(v) + sin(v) * cbrt(v) / (3 * v) + h + v * v / h);
    WANT(use(4), 1 + 2);
    return wrong;
}
