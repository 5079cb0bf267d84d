// RUN: for mode in CF_REVERSE CF_FORWARD; do for f in product stored; do \
// RUN:   %not %ad -O1 -g -DMODE=$mode -DF=$f -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=$f %s || exit 1; done; done
#include <cofactor/ad.h>
#include <stdint.h>
#include <stdlib.h>
// Through a product and a quotient no address can be followed, at once or by way of memory.
static double product(const double *x, int n, uintptr_t k) {
    double *b = malloc((size_t)n * 8), s = 0;
    for (int i = 0; i < n; i++) b[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) {
        uintptr_t p = (uintptr_t)&b[i];
        // product: lost_address.c:[[@LINE+1]]:{{.*}} error: an address is made from another by arithmetic through which it cannot be followed; use sums, masks, shifts or remainders, or index from a pointer
        s += *(double *)(p / k * k + p % k);
    }
    free(b);
    return s;
}
static double stored(const double *x, int n, uintptr_t k) {
    double b[8], s = 0;
    uintptr_t kept[8];
    for (int i = 0; i < n; i++) b[i] = x[i] * x[i], kept[n - 1 - i] = (uintptr_t)&b[i] * k;
    // stored: lost_address.c:[[@LINE+1]]:{{.*}} error: an address is made from another by arithmetic
    for (int i = 0; i < n; i++) s += *(double *)(kept[i] / k);
    return s;
}
double f_out(const double *x, double *x_bar, int n, uintptr_t k);
MODE(f_out, F, "dup const const");
