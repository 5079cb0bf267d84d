// RUN: for l in -O0 -O2; do %ad $l -DSECOND -I%S -c %s -o %t.2.o && %ad $l -I%S %s %t.2.o -lm -o %t && %t || exit 1; done
// RUN: for l in -O0 -O2; do %ad $l -DSECOND -I%S -shared -fPIC %s -o %t.so && %ad $l -I%S %s %t.so -lm -o %t && %t || exit 1; done
// RUN: %ad -O2 -flto -fuse-ld=lld -DSECOND -I%S -c %s -o %t.2.o && %ad -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -I%S %s %t.2.o -lm -o %t && %t
// REQUIRES: lld
// Two units, or a program and a shared library, have the same context, hooks, overrides and static functions of the same names:
// no clash, each has its own, and the context's object is the user's.
#include "events.h"

struct count { long calls, fp; };
CF_CONTEXT(count, "");
CF_PREHOOK(count, "call") static void on_call(struct count *c, const cf_site *s) { (void)s, c->calls++; }
CF_PREHOOK(count, "fp") static void on_fp(struct count *c, const cf_site *s) { (void)s, c->fp++; }
CF_SITES(sites, count);

#ifdef SECOND
APART double helper(double x) { return x * x * x; }
#else
APART double helper(double x) { return x + 1; }
#endif
static double f(double x) { return helper(x); }
double f_in(struct count *c, double x);
CF_IN(f_in, f, count);

double second(struct count *c, double x);
unsigned second_sites(void);
#ifdef SECOND
double second(struct count *c, double x) { return f_in(c, x); }
unsigned second_sites(void) { return sites.n; }
#else
int main(void) {
    struct count c = {0, 0};
    WANT(f_in(&c, 3), 4), WANT(c.calls, 1), WANT(c.fp, 1);
    WANT(second(&c, 3), 27), WANT(c.calls, 2), WANT(c.fp, 3);
    WANT(sites.n, 2), WANT(second_sites(), 3);
    return wrong;
}
#endif
