// A program without requests comes out the same with and without the plugin; so does one whose request is elsewhere.
// RUN: %clang -I%include -O2 -g -S -emit-llvm %s -o %t.plain.ll && %ad -O2 -g -S -emit-llvm %s -o %t.ad.ll && diff %t.plain.ll %t.ad.ll
// RUN: %clang -I%include -O0 -S -emit-llvm %s -o %t.plain.ll && %ad -O0 -S -emit-llvm %s -o %t.ad.ll && diff %t.plain.ll %t.ad.ll
// RUN: %clang -I%include -O2 -c %s -o %t.plain.o && %ad -O2 -DASKS -c %s -o %t.ad.o && cmp %t.plain.o %t.ad.o
#include <cofactor/ad.h>
#include <math.h>
#ifdef ASKS
double far(double x);
double far_tan(double x, double x_dot);
CF_FORWARD(far_tan, far, "dup");
#endif
static int calls;
static double helper(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += sin(x[i]);
    return s + ++calls;
}
double use(const double *x, int n) { return helper(x, n) * helper(x, n / 2); }
