// Several units: requests in a header that each unit includes (the unit that defines the primal provides them), and
// static primals and requests of one name in two units.
// RUN: %ad -O0 %s %S/Inputs/other.c -I %S/Inputs -o %t0 && %t0 | %FileCheck %s
// RUN: %ad -O2 %s %S/Inputs/other.c -I %S/Inputs -o %t2 && %t2 | %FileCheck %s
// RUN: %ad -O2 -g %s %S/Inputs/other.c -I %S/Inputs -o %t2g && %t2g | %FileCheck %s
// RUN: %ad -O2 -c %s -I %S/Inputs -o %t.o && %ad -O0 -c %S/Inputs/other.c -I %S/Inputs -o %t.other.o
// RUN: %cc %t.o %t.other.o -o %t.gcc && %t.gcc | %FileCheck %s
// RUN: %not %cc %t.o -o %t.none 2>&1 | %FileCheck --check-prefix=MISSING %s
// MISSING: undefined reference to `shared_tan'
#include "shared.h"
#include <stdio.h>

double other_twin(void), other_local(void), other_keeper(double);
static double twin(double x) { return x * x; }
double twin_tan(double x, double x_dot);
CF_FORWARD(twin_tan, twin, "dup");

/* So are static variables, and their shadows. */
static float kept[3];
static double keeper(double x) {
    kept[2] = (float)x;
    return kept[2] * x;
}
void keeper_grad(double x, double *x_bar);
CF_REVERSE(keeper_grad, keeper, "dup");

int main(void) {
    // CHECK: shared 12
    printf("shared %g\n", shared_tan(3, 1));
    // CHECK: twins 2 10
    printf("twins %g %g\n", twin_tan(1, 1), other_twin());
    // CHECK: local 6 4
    printf("local %g %g\n", local_tan(3, 1), other_local());
    double b = 0;
    keeper_grad(3, &b);
    // CHECK: keepers 6 294
    printf("keepers %g %g\n", b, other_keeper(3));
}
