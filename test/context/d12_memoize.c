// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Memoised Fibonacci numbers: an override that asks its table first, then goes on inside the context.
#include "events.h"

enum { MOST = 64 };
struct memo { long value[MOST]; int known[MOST], entries, hits, misses; };
static long bodies;
APART long fib(long x) { return bodies++, x < 3 ? 1 : fib(x - 2) + fib(x - 1); }
CF_OVERDUB(memo, fib) static long memo_fib(struct memo *c, long x) {
    if (c->known[x]) return c->hits++, c->value[x];
    long r = cf_recurse(fib)(x);
    c->misses++, c->entries++, c->known[x] = 1, c->value[x] = r;
    return r;
}
static long fibtest(long n) { return fib(2 * n) + n; }
long fibtest_memo(struct memo *c, long n);
CF_IN(fibtest_memo, fibtest, memo);

int main(void) {
    static struct memo c;
    WANT(fibtest(10), 6775);
    WANT(bodies, 13529);
    bodies = 0;
    WANT(fibtest_memo(&c, 10), 6775);
    WANT(bodies, 20), WANT(c.entries, 20), WANT(c.misses, 20);
    WANT(c.hits, 17);
    for (long i = 1, a = 1, b = 1; i <= 20; i++) {
        WANT(c.known[i], 1), WANT(c.value[i], a);
        long next = a + b;
        a = b, b = next;
    }
    WANT(c.known[0] || c.known[21], 0);
    bodies = 0;
    WANT(fibtest_memo(&c, 20), 102334175);
    WANT(bodies, 20), WANT(c.entries, 40);
    bodies = 0, c.hits = 0;
    WANT(fibtest_memo(&c, 20), 102334175);
    WANT(bodies, 0), WANT(c.hits, 1), WANT(c.entries, 40);
    return wrong;
}
