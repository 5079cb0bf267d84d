// RUN: for l in -O0 -O2; do %ad $l -g -I%S/.. %s -lm -o %t 2> %t.txt && %t && %FileCheck %s < %t.txt || exit 1; done
// Hooks that would match but for their parameters: the warning says where the event is, and which parameters it wants.
#include "events.h"
#include <math.h>

struct t { long n; };
// CHECK-DAG: near_match.c:[[#@LINE+1]]{{.*}}`narrow` of context `t` is for `fadd`, which matches nothing: `fadd` in `f` (line [[#FADD:]]) wants other parameters after the context (and the site): double, double{{$}}
CF_PREHOOK(t, "fadd") static void narrow(struct t *t, float a, float b) { (void)a, (void)b, t->n += 100; }
// CHECK-DAG: near_match.c:[[#@LINE+1]]{{.*}}`fmul` in `f` (line {{[0-9]+}}) wants other parameters after the context (and the site): double, double, double (a post hook gets the result first)
CF_POSTHOOK(t, "fmul") static double no_result(struct t *t, double a, double b) { (void)b, t->n += 100; return a; }
// CHECK-DAG: near_match.c:[[#@LINE+1]]{{.*}}`fsub` in `f` (line {{[0-9]+}}) wants other parameters after the context (and the site): float, float, and it returns float
CF_OVERDUB(t, "fsub") static double wide(struct t *t, double a, double b) { t->n += 100; return a - b; }
// CHECK-DAG: near_match.c:[[#@LINE+1]]{{.*}}`hypot` in `f` (line {{[0-9]+}}) wants other parameters after the context (and the site): double, double{{$}}
CF_PREHOOK(t, "call hypot") static void one(struct t *t, double a) { (void)a, t->n += 100; }
// One that fits among several of the kind is no near match.
// CHECK-NOT: fits
CF_PREHOOK(t, "fdiv") static void fits(struct t *t, float a, float b) { (void)a, (void)b, t->n++; }

static double f(double x, float y) {
    double s = x * y / 3 + hypot(x, 4);
    float d = (y - 2) / 8;
    return s + d;
}
double f_in(struct t *t, double x, float y);
CF_IN(f_in, f, t);

int main(void) {
    struct t t = {0};
    WANT(f_in(&t, 3, 6), 3.0 * 6 / 3 + 5 + 0.5), WANT(t.n, 1);
    return wrong;
}
