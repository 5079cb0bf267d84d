// RUN: for l in -O0 -O2; do %ad $l -g -I%S/.. %s -lm -o %t 2> %t.txt && %t && %FileCheck %s < %t.txt || exit 1; done
// RUN: rm -f %t.o
// RUN: %not %ad -O1 -g -DSTRICT -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=STRICT %s
// RUN: %not test -e %t.o
// A function that cannot be brought into the context (its table of labels may be changed): a warning, and calls of it leave
// the context; the others are inside. Under strict an error.
#include "events.h"

struct count { long n; };
#ifdef STRICT
CF_CONTEXT(count, "strict");
#endif
CF_PREHOOK(count, "add in=open,plain") static void on_add(struct count *c) { c->n++; }

// CHECK: strict.c:[[#@LINE+2]]:{{.*}}warning: {{.*}}open
// STRICT: strict.c:[[#@LINE+1]]:{{.*}}error: {{.*}}open
APART int open(int i, int x) {
    static void *go[2] = {&&first, &&second};
    if (i == 9) go[0] = &&second;
    goto *go[i & 1];
first:
    return x + 1;
second:
    return x + 2;
}
// CHECK-NOT: plain
APART int plain(int x) { return x + 3; }
static int g(int i, int x) { return open(i, x) * plain(x); }
int g_in(struct count *c, int i, int x);
CF_IN(g_in, g, count);

int main(void) {
    struct count c = {0};
    WANT(g_in(&c, 0, 1), 8), WANT(g_in(&c, 1, 1), 12), WANT(c.n, 2);
    return wrong;
}
