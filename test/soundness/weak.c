// A weak function is differentiated as its body stands in the unit. The linker may take another one: that is a warning, for
// functions that are called and for the primal; not for what cannot be replaced, for what has a rule, nor under full LTO of the
// whole program, where it is known which body is taken.
// RUN: for l in "-O0 -g" "-O2 -g"; do %ad $l -c %s -o %t.o 2>&1 | %FileCheck --implicit-check-not=warning: %s || exit 1; done
// RUN: %if lld %{ %ad -O1 -flto=full -DLTO -I%S/../hazards -c %s -o %t.1.o && %ad -O1 -flto=full -DLTO -DOTHER -I%S/../hazards -c %s -o %t.2.o \
// RUN:   && %clang -flto=full -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t.1.o %t.2.o -lm -o %t 2>&1 | %FileCheck --allow-empty --check-prefix=LTO %s && %t %}
// LTO-NOT: warning
#ifdef LTO
#include "hazard.h"
double part(double x);
#ifdef OTHER
double part(double x) { return x * x * x; }
#else
__attribute__((weak)) double part(double x) { return x * x; }
double only_there(double);
static double f(double *x, int n) { return part(x[0]) * n; }
GRADIENT(f);
int main(void) {
    double x = 3;
    (void)x;
    CHECK_SAME(f, 1, LIST(3), 27, LIST(27));
    return wrong;
}
#endif
#else
#include <cofactor/ad.h>
// CHECK-DAG: weak.c:[[#@LINE+1]]:{{.*}}warning: `part` is weak
__attribute__((weak)) double part(double x) { return x * x; }
// CHECK-DAG: weak.c:[[#@LINE+1]]:{{.*}}warning: `other_name` is weak
static double strong(double x) { return x * x; }
__attribute__((weak, alias("strong"))) double other_name(double x);
__attribute__((weak)) double ruled(double x) { return x; }
static double ruled_dot(double x, double d) { return (void)x, d; }
CF_RULE_FORWARD(ruled, ruled_dot);
static inline double in_line(double x) { return x; }
// CHECK-DAG: weak.c:[[#@LINE+1]]:{{.*}}warning: `whole` is weak
__attribute__((weak)) double whole(double x) { return x * 2; }
double whole_tan(double x, double d);
CF_FORWARD(whole_tan, whole, "dup");
static double f(double x) { return part(x) + other_name(x) + ruled(x) + in_line(x); }
double f_tan(double x, double d);
CF_FORWARD(f_tan, f, "dup");
#endif
