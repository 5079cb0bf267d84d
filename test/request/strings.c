// Texts of the program that no derivative reaches have the same names as texts of the tape: both stay.
// RUN: %ad -O0 %s -o %t -lm
// RUN: %t | %FileCheck %s
// RUN: %ad -O2 %s -o %t -lm
// RUN: %t | %FileCheck %s
#include <cofactor/ad.h>
#include <stdio.h>

static double power(const double *x, int n) {
    double p = 1;
    for (int i = 0; i < n; i++) {
        if (p > 1e9) break;
        p *= x[i];
    }
    return p;
}
double power_grad(const double *x, double *x_bar, int n);
CF_REVERSE(power_grad, power, "dup const");

int main(void) {
    double x[3] = {2, 3, 4}, b[3] = {0};
    puts("one");
    puts("two");
    puts("three");
    puts("four");
    power_grad(x, b, 3);
    // CHECK: four
    // CHECK-NEXT: 12 8 6
    printf("%g %g %g\n", b[0], b[1], b[2]);
    return 0;
}
