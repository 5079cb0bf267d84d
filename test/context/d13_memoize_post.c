// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Memoised: the override only asks the table, a post hook fills it. It runs for calls that were overridden, too.
#include "events.h"

enum { MOST = 64 };
struct memo { long value[MOST]; int known[MOST], entries; };
static long bodies;
APART long fib(long x) { return bodies++, x < 3 ? 1 : fib(x - 2) + fib(x - 1); }
CF_OVERDUB(memo, fib) static long memo_fib(struct memo *c, long x) { return c->known[x] ? c->value[x] : cf_recurse(fib)(x); }
CF_POSTHOOK(memo, fib) static void insert(struct memo *c, long r, long x) {
    if (!c->known[x]) c->entries++, c->known[x] = 1, c->value[x] = r;
}
static long fibtest(long n) { return fib(2 * n) + n; }
long fibtest_memo(struct memo *c, long n);
CF_IN(fibtest_memo, fibtest, memo);

int main(void) {
    static struct memo c;
    WANT(fibtest_memo(&c, 10), 6775);
    WANT(bodies, 20), WANT(c.entries, 20);
    for (long i = 1, a = 1, b = 1; i <= 20; i++) {
        WANT(c.known[i], 1), WANT(c.value[i], a);
        long next = a + b;
        a = b, b = next;
    }
    bodies = 0;
    WANT(fibtest_memo(&c, 20), 102334175);
    WANT(bodies, 20), WANT(c.entries, 40);
    bodies = 0;
    WANT(fibtest_memo(&c, 20), 102334175);
    WANT(bodies, 0);
    return wrong;
}
