// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// An outer context sees the program and the inner one's hooks and overrides, and nothing of what Cofactor added: calls have the
// operands that were written, calls through pointers are calls through pointers, qsort is qsort.
#include "every.h"
#include <stdlib.h>

struct inner { long n; };
CF_PREHOOK(inner, "add") static void on_add(struct inner *c) { c->n++; }
CF_OVERDUB(inner, three) static int my_three(struct inner *c, int x) { return c->n += 100, x; }
struct over { long n; };
CF_OVERDUB(over, two) static int my_two(struct over *c, const cf_site *s, int x) { return c->n += s->operands, x * 10; }
CF_OVERDUB(over, spread) static int my_spread(struct over *c, int n, ...) { return (void)c, -n; }
struct big { double v[9]; };
CF_POSTHOOK(over, "call fill") static void after_fill(struct over *c, const cf_site *s, struct big *to, double x) { (void)s, (void)to, c->n += (long)x; }

typedef int (*op)(int);
APART int one(int x) { return x + 1; }
APART int two(int x) { return one(x) + 1; }
APART int three(int x) { return x + 3; }
APART int down(int x) { return x == 0 ? 0 : down(x - 1) + 1; }
APART struct big fill(double x) {
    struct big b;
    for (int i = 0; i < 9; i++) b.v[i] = x + one(i);
    return b;
}
APART int spread(int n, ...) {
    va_list list;
    va_start(list, n);
    int s = va_arg(list, int) + va_arg(list, int);
    va_end(list);
    return s;
}
APART int compare(const void *a, const void *b) { return *(const int *)a + -*(const int *)b; }
static const op table[3] = {one, two, three};
static struct big (*filler)(double) = fill;
static int f(int i, int x) { return table[i](x) + two(x); }
static int g(int *x) { return qsort(x, 2, sizeof *x, compare), x[0]; }
static int h(int x) {
    struct big b = fill(x), d = filler(x + 1);
    return spread(2, x, 5) * 100 + (int)b.v[0] + (int)d.v[0];
}
int f_in(struct inner *c, int i, int x);
CF_IN(f_in, f, inner);
int g_in(struct inner *c, int *x);
CF_IN(g_in, g, inner);
int h_in(struct inner *c, int x);
CF_IN(h_in, h, inner);
int down_in(struct inner *c, int x);
CF_IN(down_in, down, inner);
int f_in_in(struct every *e, struct inner *c, int i, int x);
CF_IN(f_in_in, f_in, every);
int g_in_in(struct every *e, struct inner *c, int *x);
CF_IN(g_in_in, g_in, every);
int down_in_in(struct every *e, struct inner *c, int x);
CF_IN(down_in_in, down_in, every);
int f_over_in(struct over *o, struct inner *c, int i, int x);
CF_IN(f_over_in, f_in, over);
int h_over_in(struct over *o, struct inner *c, int x);
CF_IN(h_over_in, h_in, over);
/* Three levels. */
int f_every_over_in(struct every *e, struct over *o, struct inner *c, int i, int x);
CF_IN(f_every_over_in, f_over_in, every);

#define ADD "on_add( ptr ) [on_add ]"
#define TWO "two( 5 ) one( 5 ) " ADD " [one 6 ] " ADD " [two 7 ] "
int main(void) {
    static struct every e;
    struct inner c = {0};
    struct over o = {0};
    WANT(f_in_in(&e, &c, 0, 5), 13), WANT(c.n, 4);
    SAME(e.e, "( 5 ) " ADD " [ 6 ] " TWO ADD);
    WANT(f_in_in(&e, &c, 1, 5), 14);
    SAME(e.e, "( 5 ) one( 5 ) " ADD " [one 6 ] " ADD " [ 7 ] " TWO ADD);
    WANT(f_in_in(&e, &c, 2, 5), 12);
    SAME(e.e, "( 5 ) my_three( ptr 5 ) [my_three 5 ] [ 5 ] " TWO ADD);
    int x[2] = {2, 1};
    WANT(g_in_in(&e, &c, x), 1);
    SAME(e.e, "qsort( ptr 2 4 ptr ) " ADD " [qsort ]");
    WANT(down_in_in(&e, &c, 2), 2);
    SAME(e.e, "down( 1 ) down( 0 ) [down 0 ] " ADD " [down 1 ] " ADD);
    /* The outer override of two: by its name and through the pointer; two is 50 then. */
    c.n = 0;
    WANT(f_over_in(&o, &c, 0, 5), 56), WANT(o.n, 1), WANT(c.n, 2), o.n = c.n = 0;
    WANT(f_over_in(&o, &c, 1, 5), 100), WANT(o.n, 2), WANT(c.n, 1), o.n = c.n = 0;
    WANT(f_over_in(&o, &c, 2, 5), 55), WANT(o.n, 1), WANT(c.n, 101), o.n = c.n = 0;
    /* fill(3): 4 + … in the first; filler(4): not by that name. spread is -2. */
    WANT(h_over_in(&o, &c, 3), -200 + 4 + 5), WANT(o.n, 3);
    WANT(f_every_over_in(&e, &o, &c, 1, 5), 100);
    SAME(e.e, "( 5 ) my_two( ptr ptr 5 ) [my_two 50 ] [ 50 ] my_two( ptr ptr 5 ) [my_two 50 ] " ADD);
    return wrong;
}
