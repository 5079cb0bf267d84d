// RUN: for l in -O0 -O2; do %adxx $l -Wall -Wextra -I%S/.. %s -o %t && %t || exit 1; done
// A virtual function of a second base is called by way of a thunk, which goes into the context. The thunk of one with variable
// arguments hands them on by a tail call: it stays outside, with the function that it leads to, and works.
#include "events.h"

struct count { long n; };
CF_PREHOOK(count, "call step*") static void on_step(struct count *c) { c->n++; }

static int natively;
APART int step(int x) { return natively++, x + 1; }
struct first {
    int x = 0;
    virtual int one(int n) { return n; }
};
struct second {
    virtual int two(int n) { return n; }
    virtual int sum(int n, ...) { return n; }
};
struct both : first, second {
    int two(int n) override { return step(n) + step(x); }
    int sum(int n, ...) override {
        va_list v;
        va_start(v, n);
        int y = va_arg(v, int);
        va_end(v);
        return step(n) + step(y) + step(x);
    }
};
APART int call_two(second *p) { return p->two(3); }
APART int call_sum(second *p) { return p->sum(3, 5); }
extern "C" {
static int two(int x) {
    both o;
    return o.x = x, call_two(&o);
}
static int sum(int x) {
    both o;
    return o.x = x, call_sum(&o) + step(x);
}
int two_in(struct count *c, int x);
int sum_in(struct count *c, int x);
}
CF_IN(two_in, two, count);
CF_IN(sum_in, sum, count);

int main() {
    struct count c = {0};
    WANT(two_in(&c, 7), 4 + 8), WANT(natively, 2), WANT(c.n, 2);
    WANT(sum_in(&c, 7), 4 + 6 + 8 + 8), WANT(natively, 6), WANT(c.n, 3);
    return wrong;
}
