// RUN: for l in -O0 -O2; do %clang $l -c -DLIBRARY %s -o %t.o && %ad $l -Wall -Wextra -Werror -I%S %s %t.o -lm -o %t && %t || exit 1; done
// An override of a function that somebody else calls: inside the context where libc's qsort calls it; a library of the user's
// own, compiled without Cofactor, calls the function itself.
#ifdef LIBRARY
double drive(double (*next)(int), int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += next(i);
    return s;
}
#else
#include "events.h"
#include <stdlib.h>

struct silo { long n; };
APART double next(int i) { return i; }
CF_OVERDUB(silo, next) static double next_twice(struct silo *c, int i) { return c->n++, 2 * cf_original(next)(i); }
static long compared;
APART int up(const void *a, const void *b) { return compared++, *(const int *)a - *(const int *)b; }
CF_OVERDUB(silo, up) static int down(struct silo *c, const cf_site *s, const void *a, const void *b) { return (void)s, c->n++, cf_original(up)(b, a); }

double drive(double (*next)(int), int n);
static double direct(int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += next(i);
    return s;
}
static double pointer(double (*f)(int), int n) { return f(n); }
static double passed(int n) { return pointer(next, n); }
static double escaped(int n) { return drive(next, n); }
static double sorted(int *x, int n) { return qsort(x, (size_t)n, sizeof *x, up), x[0]; }
double direct_in(struct silo *c, int n);
CF_IN(direct_in, direct, silo);
double passed_in(struct silo *c, int n);
CF_IN(passed_in, passed, silo);
double escaped_in(struct silo *c, int n);
CF_IN(escaped_in, escaped, silo);
double sorted_in(struct silo *c, int *x, int n);
CF_IN(sorted_in, sorted, silo);

int main(void) {
    struct silo c = {0};
    int x[4] = {3, 1, 4, 2};
    WANT(direct_in(&c, 5), 20), WANT(c.n, 5), c.n = 0;
    WANT(passed_in(&c, 5), 10), WANT(c.n, 1), c.n = 0;
    WANT(escaped_in(&c, 5), 10), WANT(c.n, 0);
    WANT(sorted_in(&c, x, 4), 4), WANT(compared > 0, 1), WANT(c.n, compared);
    WANT(x[0] * 1000 + x[1] * 100 + x[2] * 10 + x[3], 4321);
    return wrong;
}
#endif
