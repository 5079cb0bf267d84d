// RUN: %ad -O0 -S -emit-llvm %s -o %t.ll && %FileCheck %s < %t.ll
// RUN: grep '^attributes.*cf-made' %t.ll > %t.made
// RUN: %not grep -E 'memory\(|willreturn|nosync|nofree|norecurse|speculatable|mustprogress|alloc' %t.made
// RUN: grep -E '@[a-z]+\.(aug|rev|grad|tan)\(' %t.ll > %t.lines
// RUN: %not grep -E 'returned|readonly|readnone|writeonly|captures|nocapture|noalias|dereferenceable|\) #.*call' %t.lines
// RUN: %not grep -E 'call .*\.(aug|rev|grad|tan)\(.*\) #' %t.ll
// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l %s -I%S -lm -DRUN -o %t && %t || exit 1; done
// What is promised of the primal is not promised of what is made from it: neither where it is defined, nor where it is
// called. Without optimisation nothing infers it again.
#include <cofactor/ad.h>
#include <stdlib.h>

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
__attribute__((noinline, malloc, returns_nonnull, alloc_size(2))) static double *made(const double *x, int n) {
    if (n < 0) return made(x, -n);
    double *p = malloc((size_t)n);
    p[0] = x[0] * x[0];
    return p;
}
double f(double *x, int n) {
    double *p = made(x, -8), y = deep(x[0], n) + sum(x, n) * *back(x + 1, n) + *p;
    free(p);
    return y;
}
double f_grad(double *x, double *b, int n);
CF_REVERSE(f_grad, f, "dup const");
double f_tan(double *x, double *d, int n);
CF_FORWARD(f_tan, f, "dup const");
// CHECK-DAG: define {{.*}}@f.grad(
// CHECK-DAG: define {{.*}}@deep.aug(
// CHECK-DAG: define {{.*}}@deep.rev(
// CHECK-DAG: define {{.*}}@sum.aug(
// CHECK-DAG: define {{.*}}@sum.rev(
// CHECK-DAG: define {{.*}}@back.aug(
// CHECK-DAG: define {{.*}}@made.aug(
// CHECK-DAG: define {{.*}}@deep.tan(
// CHECK-DAG: define {{.*}}@sum.tan(
// CHECK-DAG: define {{.*}}@back.tan(

#ifdef RUN
#include "hazard.h"
int main(void) {
    double x[3] = {2, 3, 5}, b[3] = {0};
    /* deep: x^8 with n = 2; sum: 4 + 9; back: x1^2; made: x0^2 */
    WANT(f_grad(x, b, 2), 256 + 13 * 9. + 4);
    WANT(b[0], 8 * 128 + 4 * 9. + 4), WANT(b[1], 6 * 9. + 13 * 6), WANT(b[2], 0), WANT(x[1], 9);
    double y[3] = {2, 3, 5}, d[3] = {1, 0, 0};
    WANT(f_tan(y, d, 2), 8 * 128 + 4 * 9. + 4), WANT(y[1], 9), WANT(d[1], 0);
    return wrong;
}
#endif
