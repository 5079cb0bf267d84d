/* For tests of hazards: a value computed and the one wanted. main returns `wrong`. */
#ifndef HAZARD_H
#define HAZARD_H
#include <cofactor/ad.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int wrong;
static void want(const char *what, double got, double expected, double tolerance) {
    if (fabs(got - expected) <= tolerance * (1 + fabs(expected))) return;
    printf("%s: got %.17g, want %.17g\n", what, got, expected);
    wrong = 1;
}
#define WANT(got, expected) want(#got, (double)(got), (double)(expected), 1e-12)
#define WANT_F(got, expected) want(#got, (double)(got), (double)(expected), 1e-5)
/* Not inlined by anything: a call of its own. */
#define APART __attribute__((noinline)) static
#endif
