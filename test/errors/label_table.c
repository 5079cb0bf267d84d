// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -g -O1 -DFORWARD -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// Labels in a table that may change: a copy of the function would jump into the function itself.
#include <cofactor/ad.h>

// CHECK: label_table.c:[[#@LINE+1]]
static double f(double x, int n) {
    static void *table[] = {&&square, &&add, &&stop};
    double s = 1;
    int i = 0;
    goto *table[n & 1];
square:
    s *= x;
    goto *table[++i < n ? i & 1 : 2];
add:
    s += x;
    goto *table[++i < n ? i & 1 : 2];
stop:
    return s;
}
// CHECK-SAME: {{.*}}table{{.*}}const
#ifdef FORWARD
double f_tan(double x, double x_dot, int n);
CF_FORWARD(f_tan, f, "dup const");
#else
double f_grad(double x, double *x_bar, int n);
CF_REVERSE(f_grad, f, "dup const");
#endif
// CHECK: 1 error generated
