// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// setjmp and longjmp: the calls that are left have no post hook; setjmp returns a second time in the function that called it.
#include "events.h"
#include <setjmp.h>

struct every { struct events e; };
CF_PREHOOK(every, "call deep,middle,top,after") static void before(struct every *c, const cf_site *s, int x) { note(&c->e, "%s(%d", s->what, x); }
CF_POSTHOOK(every, "call deep,middle,top,after") static void end(struct every *c, const cf_site *s, int r, int x) { (void)x, note(&c->e, "%s=%d)", s->what, r); }

static jmp_buf place;
APART int deep(int x) {
    if (x > 3) longjmp(place, x);
    return x + 1;
}
APART int middle(int x) { return deep(x) * 2; }
APART int after(int x) { return -x; }
static int top(int x) {
    volatile int kept = x * 10;
    int r = setjmp(place);
    if (r == 0) return middle(x) + kept;
    kept++;
    return after(r) + kept;
}
int top_in(struct every *c, int x);
CF_IN(top_in, top, every, "entry");

int main(void) {
    static struct every c;
    WANT(top_in(&c, 2), 26);
    SAME(c.e, "top(2 middle(2 deep(2 deep=3) middle=6) top=26)");
    WANT(top_in(&c, 5), 46);
    SAME(c.e, "top(5 middle(5 deep(5 after(5 after=-5) top=46)");
    return wrong;
}
