// RUN: %ad -O2 -S -emit-llvm -I%S %s -o %t.ll && python3 %S/Inputs/same_code.py %t.ll loop73 loop73_1:1 loop73_2:2 loop73_3:3
// RUN: %ad -O2 -S -emit-llvm -I%S %s -o %t.ll && %not python3 %S/Inputs/same_code.py %t.ll loop73 loop73_counted:1
// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// One, two and three empty contexts within each other: the same code as no context.
#include "events.h"
#include <math.h>

struct none { int unused; };
CF_CONTEXT(none, "");
struct count { long n; };
CF_PREHOOK(count, "fmul") static void on_mul(struct count *c) { c->n++; }

double loop73(double x, int n) {
    double r = x / x;
    for (int i = 0; i < n; i++) r *= sin(x);
    return r;
}
double loop73_1(struct none *a, double x, int n);
CF_IN(loop73_1, loop73, none);
double loop73_2(struct none *a, struct none *b, double x, int n);
CF_IN(loop73_2, loop73_1, none);
double loop73_3(struct none *a, struct none *b, struct none *c, double x, int n);
CF_IN(loop73_3, loop73_2, none);
double loop73_counted(struct count *a, double x, int n);
CF_IN(loop73_counted, loop73, count);

int main(void) {
    struct none c = {7};
    struct count d = {0};
    volatile double x = 1.3;
    double want = 1;
    for (int i = 0; i < 10; i++) want *= sin(x);
    WANT(loop73(x, 10), want);
    WANT(loop73_1(&c, x, 10), want), WANT(loop73_2(&c, &c, x, 10), want), WANT(loop73_3(&c, &c, &c, x, 10), want);
    WANT(c.unused, 7);
    WANT(loop73_counted(&d, x, 10), want), WANT(d.n, 10);
    return wrong;
}
