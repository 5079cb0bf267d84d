// A debugger stops inside the reverse sweep and shows the primal's line and function there.
// RUN: %ad -g -O1 %s -o %t -lm
// RUN: gdb -nx -batch -ex "break square_adjoint" -ex run -ex up -ex "continue 2" -ex up %t 2>&1 | %FileCheck %s
// The line tables are sound.
// RUN: %ad -g -O1 -c %s -o %t.o
// RUN: llvm-dwarfdump-%llvm --verify %t.o | %FileCheck --check-prefix=VERIFY %s
#include <cofactor/ad.h>
#include <stdio.h>

__attribute__((noinline)) static double square(double x) { return x * x; }
__attribute__((noinline)) static void square_adjoint(double x, double *x_bar, double r_bar) {
    *x_bar += 2 * x * r_bar;
}
CF_RULE_REVERSE(square, square_adjoint);

static double energy(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double s = square(x[i]);
        sum += s * x[0];
    }
    return sum;
}
double energy_grad(const double *x, double *x_bar, int n);
CF_REVERSE(energy_grad, energy, "dup const");

int main(void) {
    double x[3] = {1, 2, 3}, b[3] = {0};
    energy_grad(x, b, 3);
    printf("%g %g %g\n", b[0], b[1], b[2]);
    return 0;
}
// The rule is called for the last iteration first: x is 3, then 1 after two more stops.
// CHECK: square_adjoint (x=3
// CHECK: energy ({{.*}}) at {{.*}}reverse_line.c:19
// CHECK: square_adjoint (x=1
// CHECK: energy ({{.*}}) at {{.*}}reverse_line.c:19
// VERIFY: No errors
