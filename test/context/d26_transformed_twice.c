// RUN: %ad -O2 -fno-math-errno -S -emit-llvm -I%S %s -o %t.ll && python3 %S/Inputs/same_code.py %t.ll by_hand_in made_in
// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// A context over what Cofactor made equals the context over the same thing written by hand: same code, same events.
#include "events.h"

struct inner { long n; double last; };
CF_PREHOOK(inner, "fmul") static void inner_mul(struct inner *c, double a, double b) { (void)a, c->n++, c->last = b; }
CF_OVERDUB(inner, "fsub") static double inner_sub(struct inner *c, double a, double b) { return (void)c, a + b; }
struct outer { long fp; long stores; };
CF_PREHOOK(outer, "fp") static void outer_fp(struct outer *c) { c->fp++; }

double f(double x, double y) {
    double t = x * y;
    double u = t - x;
    return u;
}
double made(struct inner *c, double x, double y);
CF_IN(made, f, inner);
double by_hand(struct inner *c, double x, double y);
double by_hand(struct inner *c, double x, double y) {
    inner_mul(c, x, y);
    double t = x * y;
    double u = inner_sub(c, t, x);
    return u;
}
double made_in(struct outer *o, struct inner *c, double x, double y);
CF_IN(made_in, made, outer);
double by_hand_in(struct outer *o, struct inner *c, double x, double y);
CF_IN(by_hand_in, by_hand, outer);

int main(void) {
    struct inner i = {0, 0}, j = {0, 0};
    struct outer o = {0, 0}, p = {0, 0};
    WANT(made_in(&o, &i, 3, 5), 18), WANT(by_hand_in(&p, &j, 3, 5), 18);
    WANT(o.fp, 2), WANT(p.fp, 2), WANT(i.n, 1), WANT(j.n, 1), WANT(i.last, 5), WANT(j.last, 5);
    return wrong;
}
