// The derivative of a function that another unit has compiled with a derivative in it, at the link: what tests for 0 in there are
// comparisons by then.
// REQUIRES: lld
// RUN: %ad -O1 -flto=full -c -DMADE %s -o %t.made.o
// RUN: %ad -O1 -flto=full -c %s -o %t.o
// RUN: %clang -O1 -flto=full -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t.made.o %t.o -o %t 2>&1 | %FileCheck %s
// CHECK: warning: {{.*}}`slope` was compiled with derivatives in it before this request: {{.*}}; ask for `slope_tan` in the unit that has `slope`
// RUN: %t 3
// RUN: %ad -O1 -DMADE -DBOTH %s -o %t.one 2>&1 | %FileCheck --allow-empty --check-prefix=SILENT %s
// SILENT-NOT: warning
// RUN: %t.one 3 && %t.one 0
#include <cofactor/ad.h>
#include <stdio.h>
#include <stdlib.h>
double slope(double x);
#ifdef MADE
static double f(double x) { return x * x * (x + 1) / 2; }
double f_grad(double x, double *x_bar);
CF_REVERSE(f_grad, f, "dup");
double slope(double x) {
    double bar = 0;
    f_grad(x, &bar);
    return bar;
}
#endif
#if !defined MADE || defined BOTH
double slope_tan(double x, double x_dot);
CF_FORWARD(slope_tan, slope, "dup");
int main(int argc, char **argv) {
    double x = atof(argv[argc - 1]), second = slope_tan(x, 1), right = 3 * x + 1;
    if (second == right) return 0;
    printf("%g, right is %g\n", second, right);
    return 1;
}
#endif
