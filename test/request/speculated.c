// What LLVM has speculated before derivatives are made, in the units of full link-time optimisation, changes no derivative: infinite
// factors of products that are not used add nothing.
// REQUIRES: lld
// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -flto=full -c %s -o %t.o && %ad $l -flto=full -c %S/Inputs/speculated.c -o %t.other.o && %clang $l -flto=full -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t.o %t.other.o -lm -o %t && %t || exit 1; done
// RUN: %ad -O2 -DONE_UNIT %s -lm -o %t && %t
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>
#ifdef ONE_UNIT
#include "Inputs/speculated.c"
#endif

double scaled(double x, double y, int use);
double clipped_ratio(double x, double y, int use);
double weighted(const double *x, const double *w, int n);
double scaled_rev(double x, double *xb, double y, double *yb, int use);
CF_REVERSE(scaled_rev, scaled, "dup dup const");
double ratio_rev(double x, double *xb, double y, double *yb, int use);
CF_REVERSE(ratio_rev, clipped_ratio, "dup dup const");
double weighted_rev(const double *x, double *xb, const double *w, double *wb, int n);
CF_REVERSE(weighted_rev, weighted, "dup dup const");

static int bad;
static void want(const char *what, double got, double wanted) {
    if (!(fabs(got - wanted) < 1e-12)) bad++, printf("%s: %g, not %g\n", what, got, wanted);
}

int main(void) {
    double x = 0, y = 0;
    scaled_rev(1.5, &x, INFINITY, &y, 0), want("scaled", x, 1), want("scaled, y", y, 0), x = y = 0;
    scaled_rev(1.5, &x, 2, &y, 1), want("used", x, 2), want("used, y", y, 1.5), x = y = 0;
    ratio_rev(1.5, &x, 0, &y, 0), want("ratio", x, 3), want("ratio, y", y, 0), x = y = 0;
    ratio_rev(1.5, &x, INFINITY, &y, 0), want("ratio at infinity", x, 3), want("ratio at infinity, y", y, 0);
    double v[3] = {1, 2, 3}, w[3] = {2, INFINITY, 4}, vb[3] = {0}, wb[3] = {0};
    weighted_rev(v, vb, w, wb, 3);
    want("weighted 0", vb[0], 2), want("weighted 1", vb[1], 1), want("weighted 2", vb[2], 4);
    want("weights 0", wb[0], 1), want("weights 1", wb[1], 0), want("weights 2", wb[2], 3);
    return bad != 0;
}
