// Enzyme's names in C: words, defaults, width, promotion of float arguments, results in registers and in memory.
// RUN: %ad -O0 %s -o %t0 && %t0 | %FileCheck %s
// RUN: %ad -O2 %s -o %t2 && %t2 | %FileCheck %s
// RUN: %ad -O0 -g %s -o %t0g && %t0g | %FileCheck %s
// RUN: %ad -O2 -g %s -o %t2g && %t2g | %FileCheck %s
#include <stdio.h>
int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_width;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
typedef struct { double a, b; } two;
typedef struct { double a, b, c; } three;
two __enzyme_autodiff_two(void *, ...);
three __enzyme_autodiff_three(void *, ...);
two __enzyme_fwddiff_two(void *, ...);
float __enzyme_autodiff_float(void *, ...);
void __enzyme_autodiff_void(void *, ...);

static double square(double x) { return x * x; }
static double product(double x, int n, double y) { return x * y * n; }
static double sum3(double x, double y, double z) { return x * y + z; }
static float half(float x) { return x * x * 0.5f; }

int main(void) {
    // CHECK: square 6
    printf("square %g\n", __enzyme_autodiff((void *)square, 3.0));
    // CHECK: forward 12
    printf("forward %g\n", __enzyme_fwddiff((void *)square, enzyme_dup, 3.0, 2.0));
    // CHECK: forward default 6
    printf("forward default %g\n", __enzyme_fwddiff((void *)square, 3.0, 1.0));
    // CHECK: const 8
    printf("const %g\n", __enzyme_autodiff((void *)product, enzyme_const, 4.0, 2, enzyme_out, 5.0));
    two g = __enzyme_autodiff_two((void *)product, enzyme_out, 4.0, enzyme_const, 2, enzyme_out, 5.0);
    // CHECK: two 10 8
    printf("two %g %g\n", g.a, g.b);
    three t = __enzyme_autodiff_three((void *)sum3, 2.0, 3.0, 4.0);
    // CHECK: three 3 2 1
    printf("three %g %g %g\n", t.a, t.b, t.c);
    two w = __enzyme_fwddiff_two((void *)square, enzyme_width, 2, enzyme_dup, 3.0, 1.0, 10.0);
    // CHECK: width 6 60
    printf("width %g %g\n", w.a, w.b);
    // CHECK: float 3
    printf("float %g\n", (double)__enzyme_autodiff_float((void *)half, 3.0f));
    __enzyme_autodiff_void((void *)square, enzyme_const, 3.0);
}
