// Calls by other types than the function is defined with, as C allows or as programs get away with: empty parentheses, a
// result that is not used, more arguments than the function takes.
// REQUIRES: lld
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for l in -O0 -O2; do %ad $l -w -DREQUESTS -flto=full -c %s -o a.o && %ad $l -w -flto=full -c %S/Inputs/other_types.c -o b.o || exit 1; \
// RUN:     %clang $l -flto=full -fuse-ld=lld -Wl,--load-pass-plugin=%plugin a.o b.o -lm -o a && ./a || exit 1; done
// RUN: for l in -O0 -O1 -O3; do %cofactor grad %s -f f --reverse "dup const" --forward "dup const" --link %S/Inputs/other_types.c -o f.o -- $l -w -I%include || exit 1; \
// RUN:     %clang -w -I%include -DMAIN %s f.o -lm -o b && ./b || exit 1; done
// RUN: for l in -O0 -O2; do %ad $l -w -DREQUESTS -DONE %s -lm -o c && ./c || exit 1; done
// RUN: %not %cofactor grad %s -f wrong --link %S/Inputs/other_types.c -o /dev/null -- -w -DWRONG -I%include 2>&1 | %FileCheck %s
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double scale();
double twice();
int copy(char *, char *, long, long);
void put(double *, double);
double first(const double *, long, long);

#ifdef ONE /* all in one unit, and pointers without prototypes */
double scale() { return 2; }
double twice(double x, int n) { return n * x * x; }
int copy(char *to, char *from, long room, long length) { return memcpy(to, from, (size_t)(room < length ? room : length)) != 0; }
void put(double *to, double value) { *to += value * value; }
double first(const double *x, long a, long b) { return x[0] * x[0]; }
#endif

#ifndef MAIN
double (*volatile chosen)();
double f(const double *x, int n) {
    char to[4], from[4] = "abc";
    double s = 0;
    copy(to, from, 4, 4);
    if (strcmp(to, "abc")) return 0;
    for (int i = 0; i < n; i++) put(&s, x[i] * scale());
#ifdef ONE
    chosen = n > 1 ? twice : scale;
    return s + first(x, 1, 2) + chosen(x[1], 3);
#else
    return s + first(x, 1, 2) + twice(x[1], 3);
#endif
}
#endif
#ifdef WRONG
// CHECK: other_types.c:[[#@LINE+1]]:{{.*}}error: `wrong` contains a call of `twice` with other types than it is defined with
double wrong(double x) { return twice(x); }
#endif

double f_grad(const double *x, double *x_bar, int n);
double f_tan(const double *x, const double *x_dot, int n);
#ifdef REQUESTS
CF_REVERSE(f_grad, f, "dup const");
CF_FORWARD(f_tan, f, "dup const");
#endif
#if defined MAIN || defined REQUESTS
int main(void) { /* 4 (x^2 + y^2) + x^2 + 3 y^2 */
    double x[2] = {1.5, -2}, bar[2] = {0}, want[2] = {10 * x[0], 14 * x[1]};
    f_grad(x, bar, 2);
    for (int i = 0; i < 2; i++) {
        double dot[2] = {i == 0, i == 1}, t = f_tan(x, dot, 2);
        if (fabs(bar[i] - want[i]) < 1e-12 && fabs(t - want[i]) < 1e-12) continue;
        printf("%d: %g, %g, want %g\n", i, bar[i], t, want[i]);
        return 1;
    }
    return 0;
}
#endif
