// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -c %s -I%S -o %t.1.o && %ad $l -DOTHER -c %s -I%S -o %t.2.o \
// RUN:   && %clang %t.1.o %t.2.o -lm -o %t && %t || exit 1; done
// RUN: %cc %t.1.o %t.2.o -lm -o %t && %t
// Two units have static primals, callees, globals and requests of the same names: each means its own, and a weak
// function that both have is one.
#include "hazard.h"

#ifdef OTHER
#define POWER 3
#define UNIT second
#else
#define POWER 2
#define UNIT first
#endif

/* In the program one function, whichever of the two is kept: they do the same. */
__attribute__((weak, noinline)) double shared(double x);
double shared(double x) { return 10 * x; }

static double memory;
APART double helper(double x, int n) { return n > 1 ? x * helper(x, n - 1) : x; }
static double f(double *x, int n) {
    memory = helper(x[0], POWER);
    return memory * x[n - 1] + shared(x[0]);
}
static double f_grad(double *x, double *b, int n);
CF_REVERSE(f_grad, f, "dup const");
static double f_tan(double *x, double *d, int n);
CF_FORWARD(f_tan, f, "dup const");

struct answer {
    double value, bar[2], tangent;
    double (*shared)(double);
};
struct answer first(void), second(void);
struct answer UNIT(void) {
    double x[2] = {2, 5}, d[2] = {1, 0};
    struct answer a = {0, {0}, 0, shared};
    a.value = f_grad(x, a.bar, 2);
    a.tangent = f_tan(x, d, 2);
    return a;
}

#ifndef OTHER
int main(void) {
    struct answer a = first(), b = second();
    WANT(a.value, 20 + 20), WANT(a.bar[0], 20 + 10), WANT(a.bar[1], 4), WANT(a.tangent, 20 + 10);
    WANT(b.value, 40 + 20), WANT(b.bar[0], 60 + 10), WANT(b.bar[1], 8), WANT(b.tangent, 60 + 10);
    WANT(a.shared == b.shared, 1);
    return wrong;
}
#endif
