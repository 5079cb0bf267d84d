// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Tail calls: hooks run before and after those that clang marks musttail, too; without hooks after them they stay tail calls,
// so ten million of them need no stack.
#include "every.h"
#define MUST __attribute__((musttail))

static long steps;
APART long odd(long n, long sum);
APART long even(long n, long sum) {
    steps++;
    if (n == 0) return sum;
    MUST return odd(n - 1, sum + n);
}
APART long odd(long n, long sum) {
    steps++;
    if (n == 0) return -sum;
    MUST return even(n - 1, sum - n);
}
APART long plain(long n) { return n == 0 ? 0 : even(n, 0); }
APART long through(long (*f)(long, long), long n) { return f(n, 1); }
APART long jump(long n, long (*f)(long, long));
APART long land(long n, long (*f)(long, long)) { return f(n, 2); }
APART long jump(long n, long (*f)(long, long)) { MUST return land(n, f); }

long plain_in(struct every *c, long n);
CF_IN(plain_in, plain, every);
static long pointers(long n) { return through(even, n) + jump(n, odd); }
long pointers_in(struct every *c, long n);
CF_IN(pointers_in, pointers, every);
struct none { int unused; };
CF_CONTEXT(none, "");
long plain_none(struct none *c, long n);
CF_IN(plain_none, plain, none);
struct before { long n; };
CF_PREHOOK(before, "call") static void count(struct before *c) { c->n++; }
long plain_before(struct before *c, long n);
CF_IN(plain_before, plain, before);

/* What happens at a return comes behind the call, which is no tail call then. */
struct returns { long n; };
CF_PREHOOK(returns, "ret type=i64") static void on_return(struct returns *c, long r) { c->n += r != 0; }
CF_OVERDUB(returns, "ret in=jump") static long returned(struct returns *c, long r) { return c->n += 100, r + 1; }
long pointers_returns(struct returns *c, long n);
CF_IN(pointers_returns, pointers, returns);

int main(void) {
    struct returns r = {0};
    WANT(pointers_returns(&r, 4), pointers(4) + 1), WANT(r.n, 5 + 1 + 1 + 100); /* all that jump leads to is 0 */
    static struct every c;
    struct none d = {0};
    struct before b = {0};
    /* 3 - 2 + 1 = 2, ends in odd: -2 */
    WANT(plain(3), -2), WANT(plain_in(&c, 3), -2);
    SAME(c.e, "even( 3 0 ) odd( 2 3 ) even( 1 1 ) odd( 0 2 ) [odd -2 ] [even -2 ] [odd -2 ] [even -2 ]");
    /* even(1, 1): odd(0, 2) = -2; odd(1, 2): even(0, 1) = 1 */
    WANT(pointers_in(&c, 1), -1);
    SAME(c.e, "through( ptr 1 ) ( 1 1 ) odd( 0 2 ) [odd -2 ] [ -2 ] [through -2 ] "
              "jump( 1 ptr ) land( 1 ptr ) ( 1 2 ) even( 0 1 ) [even 1 ] [ 1 ] [land 1 ] [jump 1 ]");
    steps = 0;
    WANT(plain_none(&d, 10000000), 5000000), WANT(steps, 10000001);
    WANT(plain_before(&b, 10000000), 5000000), WANT(b.n, 10000001);
    return wrong;
}
