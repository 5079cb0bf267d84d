// RUN: %ad -O0 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l %s -I%S -lm -DRUN -o %t && %t || exit 1; done
// What is promised of the primal is not promised of what is made from it.
#include <cofactor/ad.h>

__attribute__((noinline, const)) static double deep(double x, int n) {
    return n ? deep(x * x, n - 1) : x * x;
}
__attribute__((noinline, pure)) static double sum(const double *x, int n) {
    return n ? *x * *x + sum(x + 1, n - 1) : 0;
}
__attribute__((noinline, returns_nonnull)) static double *back(double *x, int n) {
    if (n) return back(x, n - 1);
    x[0] *= x[0];
    return x;
}
double f(double *x, int n) { return deep(x[0], n) + sum(x, n) * *back(x + 1, n); }
double f_grad(double *x, double *b, int n);
CF_REVERSE(f_grad, f, "dup const");
// CHECK-LABEL: define {{.*}}@f_grad
// CHECK-DAG: define {{.*}}@deep.aug({{.*}} [[DEEP:#[0-9]+]]
// CHECK-DAG: define {{.*}}@deep.rev({{.*}} [[REV:#[0-9]+]]
// CHECK-DAG: define {{.*}}@sum.aug({{.*}} [[SUM:#[0-9]+]]
// CHECK-DAG: define {{.*}}@sum.rev({{.*}} [[SREV:#[0-9]+]]
// CHECK-DAG: define {{.*}}@back.aug({{.*}}
// CHECK-NOT: define {{.*}}.{{aug|rev}}({{.*}}returned
// CHECK: attributes
// CHECK-NOT: attributes [[DEEP]] = {{.*}}memory(none)
// CHECK-NOT: attributes [[REV]] = {{.*}}memory(none)

#ifdef RUN
#include "hazard.h"
int main(void) {
    double x[3] = {2, 3, 5}, b[3] = {0};
    /* deep: x^8 with n = 2; sum: 4 + 9; back: x1^2 */
    WANT(f_grad(x, b, 2), 256 + 13 * 9.);
    WANT(b[0], 8 * 128 + 4 * 9.), WANT(b[1], 6 * 9. + 13 * 6), WANT(b[2], 0), WANT(x[1], 9);
    return wrong;
}
#endif
