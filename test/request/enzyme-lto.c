// What one unit says to be inactive holds for requests of another one that are served at the link.
// REQUIRES: lld
// RUN: for l in -O0 -O2; do %ad $l -flto=full -DOTHER -c %s -o %t.other.o && %ad $l -flto=full -c %s -o %t.o && \
// RUN:   %clang $l -flto=full -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t.o %t.other.o -o %t && %t || exit 1; done
#ifdef OTHER
double offset(double x) { return 5 * x; }
void *__enzyme_inactivefn[] = {(void *)offset};
double scaled(double x) { return offset(x) * x; }
#else
#include <cofactor/ad.h>
double offset(double x), scaled(double x);
double both(double x) { return offset(x) * x + scaled(x); }
double both_grad(double x, double *x_bar);
CF_REVERSE(both_grad, both, "dup");
int main(void) {
    double bar = 0;
    return both_grad(3, &bar) != 90 || bar != 30;
}
#endif
