// A function without a body is called inactive: behind a pointer to const it only reads. What it may write where there are
// derivatives is an error, in both modes: nobody knows which of them end there.
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>%t.txt; %FileCheck %s < %t.txt
// RUN: %not %ad -O1 -DGOOD -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=PLAIN %s
// RUN: test ! -e %t.o
// RUN: %ad -g -O1 -DGOOD -DMAIN %s -o %t && %t | %FileCheck --check-prefix=VALUE %s
// RUN: %ad -O1 -DPURE -DMAIN %s -o %t && %t | %FileCheck --check-prefix=VALUE %s
#include <cofactor/ad.h>
#include <stdio.h>

#ifdef PURE
__attribute__((pure)) int look(const double *x, int n);
#else
int look(const double *x, int n);
#endif
CF_INACTIVE(look);
void smooth(double *x, int n);
CF_INACTIVE(smooth);

static double f(double x, int n) {
    double t[2] = {x, 2 * x};
    // PLAIN: error: `look` is inactive (CF_INACTIVE) and has no body here: what it writes behind argument 1
    n += look(t, 2);
#if !defined GOOD && !defined PURE
    // CHECK: inactive.c:[[#@LINE+2]]:{{.*}}: error: `smooth` is inactive (CF_INACTIVE) and has no body here: what it writes behind argument 1, where there are derivatives, is not known; declare a pointer to const
    // CHECK: inactive.c:[[#@LINE+1]]:{{.*}}: error: `smooth` is inactive
    smooth(t, 2);
#endif
    return t[0] * t[1] * n;
}
double f_grad(double x, double *x_bar, int n);
CF_REVERSE(f_grad, f, "dup const");
double f_tan(double x, double x_dot, int n);
CF_FORWARD(f_tan, f, "dup const");

#ifdef MAIN
/* In another unit, as far as the derivative can see. */
__asm__(".globl look\nlook: movl $1, %eax\n ret\n");
int main(void) {
    double x_bar = 0;
    f_grad(3, &x_bar, 1);
    // VALUE: 24 24
    printf("%g %g\n", x_bar, f_tan(3, 1, 1));
}
#endif
