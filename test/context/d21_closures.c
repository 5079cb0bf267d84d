// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// A fold, a closure (a struct with what it captured) and an array made by a loop with hypot: results as outside.
#include "events.h"
#include <math.h>

struct fold { long n; };
CF_PREHOOK(fold, "call") static void on_call(struct fold *c) { c->n++; }

typedef double (*binary)(double, double);
APART double plus(double a, double b) { return a + b; }
APART double foldl(binary f, double start, const double *x, int n) {
    for (int i = 0; i < n; i++) start = f(start, x[i]);
    return start;
}
static double folded(const double *x, int n) { return foldl(plus, 0, x, n); }

struct closure { double (*code)(const struct closure *, double); double captured; };
APART double scaled(const struct closure *c, double x) { return c->captured * x * x; }
APART struct closure make(double k) { return (struct closure){scaled, k}; }
static double closed(double k, double x) {
    struct closure f = make(k);
    return f.code(&f, x);
}
static double lengths(double *to, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) to[i] = hypot(i, i + 1), most = fmax(most, to[i]);
    return most;
}
double folded_in(struct fold *c, const double *x, int n);
CF_IN(folded_in, folded, fold);
double closed_in(struct fold *c, double k, double x);
CF_IN(closed_in, closed, fold);
double lengths_in(struct fold *c, double *to, int n);
CF_IN(lengths_in, lengths, fold);

int main(void) {
    struct fold c = {0};
    double x[5] = {0.1, 0.2, 0.3, 0.4, 0.5}, a[4], b[4];
    WANT(folded_in(&c, x, 5), folded(x, 5));
    WANT(c.n, 6), c.n = 0;
    WANT(closed_in(&c, 0.7, 3.1), closed(0.7, 3.1));
    WANT(c.n, 2), c.n = 0;
    WANT(lengths_in(&c, a, 4), 5), WANT(lengths(b, 4), 5);
    WANT(c.n, 8);
    for (int i = 0; i < 4; i++) WANT(a[i], b[i]);
    return wrong;
}
