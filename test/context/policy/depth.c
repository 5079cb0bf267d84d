// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// depth=N: calls more than N deep leave the context. The entry is depth 0.
#include "events.h"

struct all { struct events e; };
CF_PREHOOK(all, "call") static void all_call(struct all *c, const cf_site *s, int x) { note(&c->e, "%s(%d)", s->what, x); }
struct one { struct events e; };
CF_CONTEXT(one, "depth=1");
CF_PREHOOK(one, "call") static void one_call(struct one *c, const cf_site *s, int x) { note(&c->e, "%s(%d)", s->what, x); }
CF_PREHOOK(one, "add") static void one_add(struct one *c, int x, int y) { note(&c->e, "%d+%d", x, y); }
struct two { struct events e; };
CF_CONTEXT(two, "depth=2");
CF_PREHOOK(two, "call") static void two_call(struct two *c, const cf_site *s, int x) { note(&c->e, "%s(%d)", s->what, x); }

typedef int (*op)(int);
APART int d(int x) { return x + 1; }
APART int c3(int x) { return d(x) + 10; }
APART int b(int x) { return c3(x) + 100; }
static op pointer = b;
static int a(int x) { return b(x) + d(x) + 1000; }
static int by_pointer(int x) { return pointer(x); }
APART int down(int x) { return x == 0 ? 0 : down(x - 1) + 1; }
#define IN(f, c) int f##_##c(struct c *k, int x); CF_IN(f##_##c, f, c)
IN(a, all);
IN(a, one);
IN(a, two);
IN(by_pointer, two);
IN(down, two);
int a_entry(struct two *k, int x);
CF_IN(a_entry, a, two, "entry");

int main(void) {
    static struct all all;
    static struct one one;
    static struct two two;
    WANT(a(1), 1114);
    WANT(a_all(&all, 1), 1114);
    SAME(all.e, "b(1) c3(1) d(1) d(1)");
    WANT(a_one(&one, 1), 1114);
    SAME(one.e, "b(1) c3(1) 12+100 d(1) 1+1 112+2 114+1000");
    WANT(a_two(&two, 1), 1114);
    SAME(two.e, "b(1) c3(1) d(1) d(1)");
    WANT(by_pointer_two(&two, 1), 112);
    SAME(two.e, "(1) c3(1) d(1)");
    WANT(down_two(&two, 5), 5);
    SAME(two.e, "down(4) down(3) down(2)");
    WANT(a_entry(&two, 1), 1114);
    SAME(two.e, "a(1) b(1) c3(1) d(1) d(1)");
    return wrong;
}
