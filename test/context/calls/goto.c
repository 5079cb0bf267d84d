// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Computed goto: with a table of labels on the stack and with a constant table; calls in it are events.
#include "every.h"

APART long work(long a, long b) { return a * b; }
APART long constant(const char *program, long a) {
    static const void *const go[] = {&&add, &&mul, &&neg, &&end};
    goto *go[*program & 3];
add:
    a += 5, program++;
    goto *go[*program & 3];
mul:
    a = work(a, 3), program++;
    goto *go[*program & 3];
neg:
    a = -a, program++;
    goto *go[*program & 3];
end:
    return a;
}
APART long local(int n, long a) {
    void *go[2];
    go[0] = &&more, go[1] = &&done;
    goto *go[n <= 0];
more:
    a = work(a, 2), n--;
    goto *go[n <= 0];
done:
    return a;
}
static long f(long a) { return constant("@AB@C", a) + local(2, a); }
long f_in(struct every *c, long a);
CF_IN(f_in, f, every);
struct jumps { long n; };
CF_PREHOOK(jumps, "indirectbr") static void on_jump(struct jumps *c) { c->n++; }
long f_jumps(struct jumps *c, long a);
CF_IN(f_jumps, f, jumps);

int main(void) {
    static struct every c;
    struct jumps j = {0};
    /* @ add 5: 9; A times 3: 27; B negate: -27; @ add: -22; C end. And 4 * 2 * 2. */
    WANT(f(4), -6), WANT(f_in(&c, 4), -6);
    SAME(c.e, "constant( ptr 4 ) work( 9 3 ) [work 27 ] [constant -22 ] local( 2 4 ) work( 4 2 ) [work 8 ] work( 8 2 ) [work 16 ] [local 16 ]");
    WANT(f_jumps(&j, 4), -6), WANT(j.n, 5 + 3);
    return wrong;
}
