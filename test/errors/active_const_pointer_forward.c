// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// An active value is stored through a pointer that the request calls const, forward.
#include <cofactor/ad.h>

static double f(const double *x, double *work, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        // CHECK: active_const_pointer_forward.c:[[#@LINE+1]]
        work[i] = x[i] * x[i];
        s += work[i];
    }
    return s;
}
// CHECK: {{.*}}const
double f_tan(const double *x, const double *xd, double *work, int n);
CF_FORWARD(f_tan, f, "dup const const");
