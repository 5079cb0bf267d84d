// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o

// A jump out of a differentiated frame.
#include <cofactor/ad.h>
#include <setjmp.h>

static jmp_buf out;
static double f(double x) {
    if (x < 0)
        // CHECK: longjmp.c:{{[0-9]+}}
        longjmp(out, 1);
    return x * x;
}
// CHECK: {{.*}}longjmp
double f_grad(double x, double *xb);
CF_REVERSE(f_grad, f, "dup");
