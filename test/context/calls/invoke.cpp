// RUN: for l in -O0 -O2; do %adxx $l -std=c++17 -Wall -Wextra -Werror -I%S/.. %s -o %t && %t || exit 1; done
// Calls with a handler around them, to methods through a virtual table, to functions by name and by pointer: hooks, results that
// hooks replace, overrides, overrides that throw.
#include "events.h"

struct every { events e; };
CF_PREHOOK(every, "call") static void before(every *c, const cf_site *s, int x) { note(&c->e, "%s(%d", s->what[0] ? "named" : "", x); }
CF_PREHOOK(every, "call") static void method(every *c, const cf_site *s, void *, int x) { note(&c->e, "%s.(%d", s->what, x); }
CF_POSTHOOK(every, "call") static void after(every *c, int r) { note(&c->e, "%d)", r); }

struct base {
    virtual int f(int x) = 0;
    virtual ~base() {}
};
struct strict : base {
    int f(int x) override {
        if (x < 0) throw x;
        return x + 1;
    }
};
APART int risky(int x) {
    if (x < 0) throw x;
    return x + 1;
}
struct guard {
    int *n;
    ~guard() { ++*n; }
};
static int program(int x) {
    strict s;
    base *p = &s;
    __asm__ volatile("" : "+r"(p));
    int n = 0, r = 0;
    try {
        guard g{&n};
        r = p->f(x);
        r += risky(x - 5);
    } catch (int e) {
        r = e * 100;
    }
    int (*q)(int) = risky;
    try {
        r += q(x);
    } catch (int e) {
        r += e;
    }
    return r * 10 + n;
}
int program_in(every *c, int x);
CF_IN(program_in, program, every);

struct over { long n, tests; };
CF_OVERDUB(over, risky) static int no_risk(over *c, int x) {
    c->n++;
    if (x == 4) throw 7;
    return x;
}
CF_POSTHOOK(over, "call risky*") static int plus(over *, int r) { return r + 1000; }
CF_OVERDUB(over, "br in=*strict::f*") static bool passes(over *c, bool) { return c->tests++, false; }
CF_OVERDUB(over, "switch") static int next(over *, int x) { return x + 1; }
int program_over(over *c, int x);
CF_IN(program_over, program, over);
static int chosen(int x) {
    switch (x) {
    case 1: return 10;
    case 2: return 20;
    }
    return 0;
}
int chosen_over(over *c, int x);
CF_IN(chosen_over, chosen, over);

int main() {
    static every c;
    over o = {0, 0};
    /* f(9) 10, risky(4) 5; q(9) 10 */
    WANT(program_in(&c, 9), 251);
    SAME(c.e, ".(9 10) named(4 5) (9 10)");
    /* f(3) 4, risky(-2) throws: -200; q(3) 4 */
    WANT(program_in(&c, 3), -1959);
    SAME(c.e, ".(3 4) named(-2 (3 4)");
    /* f(-2) throws: -200; so does q(-2) */
    WANT(program_in(&c, -2), -2019);
    SAME(c.e, ".(-2 (-2");
    /* f(10) 11, risky(5) is 5 and 1000 more; through the pointer it is 10 */
    WANT(program_over(&o, 10), 10261), WANT(o.n, 2), WANT(o.tests, 1);
    /* f(9) 10, risky(4) throws 7: 700; q(9) 9 */
    WANT(program_over(&o, 9), 7091), WANT(o.n, 4);
    /* f(-2) does not throw: -1, risky(-7) is -7 and 1000 more, q(-2) -2 */
    WANT(program_over(&o, -2), (-1 - 7 + 1000 - 2) * 10 + 1), WANT(o.tests, 3);
    WANT(chosen_over(&o, 1), 20), WANT(chosen_over(&o, 0), 10), WANT(chosen_over(&o, 2), 0);
    return wrong;
}
