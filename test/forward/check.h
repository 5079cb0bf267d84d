/* For tests of forward mode: a value computed and the one wanted. */
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int wrong;
static void want(const char *what, double got, double expected) {
    if (fabs(got - expected) <= 1e-12 * (1 + fabs(expected))) return;
    printf("%s: got %.17g, want %.17g\n", what, got, expected);
    wrong = 1;
}
#define WANT(got, expected) want(#got, (double)(got), (double)(expected))
