// RUN: for l in -O0 -O2; do %adxx $l -std=c++17 -Wall -Wextra -Werror -I%S/.. %s -o %t && %t || exit 1; done
// C++ exceptions: a call that throws has a pre hook and no post hook; what catches goes on inside the context; destructors
// run, as calls of their own.
#include "events.h"

struct every { events e; };
CF_PREHOOK(every, "call risky*,safe*,outer*") static void before(every *c, const cf_site *, int x) { note(&c->e, "(%d", x); }
CF_POSTHOOK(every, "call risky*,safe*,outer*") static void after(every *c, const cf_site *, int r, int) { note(&c->e, "%d)", r); }
CF_PREHOOK(every, "fadd") static void on_add(every *c, double a, double b) { note(&c->e, "%g+%g", a, b); }

static int alive;
struct guard {
    double d;
    explicit guard(double x) : d(x) { alive++; }
    __attribute__((noinline)) ~guard() { alive--, d = d + 0.5; }
};
APART int risky(int x) {
    if (x < 0) throw x * 2;
    return x + 1;
}
APART int safe(int x) { return x + 10; }
APART int outer(int x) {
    guard g(x);
    return risky(x) + 1;
}
static int caught(int x) {
    int r = 0;
    try {
        try {
            r = risky(x);
        } catch (const char *) {
            r = 1000;
        } catch (int e) {
            r = e;
            throw e + 0.25;
        }
    } catch (double d) {
        r += safe((int)(d * 4));
    }
    return r;
}
static int thrown(int x) { return outer(x); }
int caught_in(every *c, int x);
CF_IN(caught_in, caught, every);
int thrown_in(every *c, int x);
CF_IN(thrown_in, thrown, every);
static int once(int x) {
    int r;
    try {
        r = outer(x);
    } catch (int e) {
        r = safe(e);
    }
    return r;
}
int once_in(every *c, int x);
CF_IN(once_in, once, every);

int main() {
    static every c;
    WANT(once_in(&c, 4), 6);
    SAME(c.e, "(4 (4 5) 4+0.5 6)");
    WANT(once_in(&c, -4), 2), WANT(alive, 0);
    SAME(c.e, "(-4 (-4 -4+0.5 (-8 2)");
    /* -3: throws -6, then -5.75; safe(-23) */
    WANT(caught_in(&c, -3), -6 - 13);
    SAME(c.e, "(-3 -6+0.25 (-23 -13)");
    WANT(caught_in(&c, 3), 4);
    SAME(c.e, "(3 4)");
    /* What nobody catches inside leaves the context. */
    int got = 0;
    try {
        thrown_in(&c, -1);
    } catch (int e) {
        got = e;
    }
    WANT(got, -2), WANT(alive, 0);
    SAME(c.e, "(-1 (-1 -1+0.5");
    return wrong;
}
