// A debugger shows the arguments of derivatives: those of the primal by their names, shadows, tangents and seeds beside them.
// REQUIRES: gdb
// RUN: %ad -g -O0 %s -o %t -lm && gdb -nx -batch -x %S/Inputs/parameters.gdb %t > %t.out 2>&1 && %FileCheck --check-prefixes=CHECK,ALL %s < %t.out
// Optimised, gdb cannot read all numbers that were in registers.
// RUN: %ad -g -O1 %s -o %t -lm && gdb -nx -batch -x %S/Inputs/parameters.gdb %t > %t.out 2>&1 && %FileCheck %s < %t.out
// The types are those of the prototypes, and the debug information is sound.
// RUN: for l in 0 1 2; do %ad -g -O$l -c %s -o %t.o && llvm-dwarfdump-%llvm --verify %t.o | %FileCheck --check-prefix=VERIFY %s || exit 1; done
// Without -g there is nothing to say.
// RUN: %ad -O1 -c %s -o %t.o && llvm-dwarfdump-%llvm %t.o | %FileCheck --check-prefix=BARE %s
#include <cofactor/ad.h>
#include <math.h>

double mean(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += sin(x[i]);
    return s / n;
}
double mean_grad(const double *x, double *x_bar, int n);
CF_REVERSE(mean_grad, mean, "dup const");
double mean_tan(const double *x, const double *x_dot, int n);
CF_FORWARD(mean_tan, mean, "dup const");

double power(double base, float exponent, int times) { return times * pow(base, exponent); }
double power_grad(double base, double *base_bar, float exponent, float *exponent_bar, int times, double seed);
CF_REVERSE(power_grad, power, "dup dup const seed");
double power_tan(double base, double base_dot, float exponent, int times, double *value);
CF_FORWARD(power_tan, power, "dup const const value");

typedef struct pair { double first, second; } pair;
double sum(const pair *p) { return p->first * p->second; }
double sum_grad(const pair *p, pair *p_bar);
CF_REVERSE(sum_grad, sum, "dup");

double (*volatile first)(const double *, double *, int) = mean_grad;
double (*volatile second)(const double *, const double *, int) = mean_tan;
double (*volatile third)(double, double *, float, float *, int, double) = power_grad;
double (*volatile fourth)(double, double, float, int, double *) = power_tan;
double (*volatile fifth)(const pair *, pair *) = sum_grad;

int main(void) {
    double x[2] = {0.25, 0.5}, b[2] = {3, 4}, base_bar = 5, value;
    float exponent_bar = 6;
    pair p = {7, 8}, p_bar = {9, 10};
    first(x, b, 2);
    second(x, b, 2);
    third(2, &base_bar, 3, &exponent_bar, 11, 12);
    fourth(2, 13, 3, 14, &value);
    fifth(&p, &p_bar);
    return 0;
}
// CHECK: mean_grad (x=0x{{.*}}, x_bar=0x{{.*}}, n=2)
// CHECK: = {0.25, 0.5} {3, 4}
// CHECK: type = double *
// CHECK: mean_tan (x=0x{{.*}}, x_dot=0x{{.*}}, n=2)
// ALL: power_grad (base=2, base_bar=0x{{.*}}, exponent=3, exponent_bar=0x{{.*}}, times=11, seed=12)
// CHECK: = 5 6
// CHECK: type = float *
// ALL: power_tan (base=2, base_dot=13, exponent=3, times=14, value=0x{{.*}})
// CHECK: sum_grad (p=0x{{.*}}, p_bar=0x{{.*}})
// CHECK: = 8 10
// VERIFY: No errors
// BARE-NOT: DW_TAG_formal_parameter
