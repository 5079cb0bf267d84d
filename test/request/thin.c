// ThinLTO: each unit is on its own, with and without the plugin in the linker; what needs another unit is an error at
// compile time.
// REQUIRES: lld
// RUN: %ad -O2 -flto=thin -c %s -o %t.o && %ad -O2 -flto=thin -DOTHER -c %s -o %t.other.o
// RUN: %clang -O2 -flto=thin -fuse-ld=lld %t.o %t.other.o -o %t && %t | %FileCheck %s
// RUN: %clang -O2 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t.o %t.other.o -o %t.both && %t.both | %FileCheck %s
// RUN: %not %ad -O2 -flto=thin -DNEEDS -c %s -o %t.needs.o 2>&1 | %FileCheck --check-prefix=NEEDS %s
#include <cofactor/ad.h>
double cube_grad(double x, double *x_bar);
#ifdef OTHER
double cube(double x);
double cube(double x) { return x * x * x; }
CF_REVERSE(cube_grad, cube, "dup");
#else
#include <stdio.h>
#ifdef NEEDS
double cube(double x);
static double twice(double x) { return 2 * cube(x); }
double twice_grad(double x, double *x_bar);
// NEEDS: thin.c:[[#@LINE+1]]:1: error: function cube has an active argument, but neither a body nor a rule here
CF_REVERSE(twice_grad, twice, "dup");
#endif
int main(void) {
    double b = 0, v = cube_grad(3, &b);
    // CHECK: 27 27
    printf("%g %g\n", v, b);
    return 0;
}
#endif
