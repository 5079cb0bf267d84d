// RUN: env COFACTOR_NO_INLINE=1 %not %ad -O1 -g -c %s -o %t.o 2>&1 | %FileCheck %s
#include <cofactor/ad.h>
#include <stdint.h>
// An address that goes into a function as an integer has no shadow there. A count that the function makes an address with has none to lose.
static double *at(uintptr_t p, long i) { return (double *)(p + 8 * (uintptr_t)i); }
static double plain(double *base, long i) { return *(double *)((uintptr_t)base + 8 * (uintptr_t)i); }
static double f(const double *x, int n) {
    double b[8], s = 0;
    for (int i = 0; i < n; i++) b[i] = x[i] * x[i];
    // CHECK: address_as_integer.c:[[@LINE+1]]:{{.*}} error: an address of active memory goes into this call as an integer, where it has no shadow; pass it as a pointer
    for (int i = 0; i < n; i++) s += *at((uintptr_t)b, i);
    // CHECK-NOT: error:
    for (int i = 0; i < n; i++) s += plain(b, i);
    return s;
}
void f_rev(const double *x, double *x_bar, int n);
CF_REVERSE(f_rev, f, "dup const");
