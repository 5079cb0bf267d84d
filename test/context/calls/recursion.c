// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Recursion and mutual recursion, with arrays of varying size on the stack; deep, too.
#include "every.h"

APART int odd(int n);
APART int even(int n) { return n == 0 ? 1 : odd(n - 1); }
APART int odd(int n) { return n == 0 ? 0 : even(n - 1); }
APART int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
APART int spread(int n) {
    int v[n + 1], s = 0;
    for (int i = 0; i <= n; i++) v[i] = i;
    if (n > 0) s = spread(n - 1);
    for (int i = 0; i <= n; i++) s += v[i];
    return s;
}
APART int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int f(int n) { return even(n) * 1000 + factorial(n); }
int f_in(struct every *c, int n);
CF_IN(f_in, f, every);
static int vla(int n) { return spread(n); }
int vla_in(struct every *c, int n);
CF_IN(vla_in, vla, every);

struct count { long calls; };
CF_PREHOOK(count, "call") static void on_call(struct count *c) { c->calls++; }
int ackermann_in(struct count *c, int m, int n);
CF_IN(ackermann_in, ackermann, count, "entry");

int main(void) {
    static struct every c;
    struct count d = {0};
    WANT(f_in(&c, 3), 6);
    SAME(c.e, "even( 3 ) odd( 2 ) even( 1 ) odd( 0 ) [odd 0 ] [even 0 ] [odd 0 ] [even 0 ] "
              "factorial( 3 ) factorial( 2 ) factorial( 1 ) [factorial 1 ] [factorial 2 ] [factorial 6 ]");
    WANT(vla_in(&c, 2), 0 + 1 + 3);
    SAME(c.e, "spread( 2 ) spread( 1 ) spread( 0 ) [spread 0 ] [spread 1 ] [spread 4 ]");
    /* A(2, 3) = 9 in 44 calls; A(3, 3) = 61 in 2432. */
    WANT(ackermann_in(&d, 2, 3), 9), WANT(d.calls, 44), d.calls = 0;
    WANT(ackermann_in(&d, 3, 3), 61), WANT(d.calls, 2432);
    return wrong;
}
