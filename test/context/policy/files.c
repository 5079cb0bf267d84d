// RUN: for l in -O0 -O2; do %ad $l -g -Wall -Wextra -Werror -I%S/.. -I%S/Inputs %s -lm -o %t && %t || exit 1; done
// By source file: exclude-file=, only-file=, file= of a hook.
#include "events.h"
#include "library.h"

struct without { struct events e; };
CF_CONTEXT(without, "exclude-file=*library.h");
CF_PREHOOK(without, "add") static void without_add(struct without *c, int x, int y) { note(&c->e, "%d+%d", x, y); }
struct within { struct events e; };
CF_CONTEXT(within, "only-file=*library.h");
CF_PREHOOK(within, "add") static void within_add(struct within *c, int x, int y) { note(&c->e, "%d+%d", x, y); }
struct hook { struct events e; };
CF_PREHOOK(hook, "call file=*library.h") static void hook_call(struct hook *c, const cf_site *s, int x) { note(&c->e, "%s(%d)", s->what, x); }
CF_PREHOOK(hook, "add file=*files.c") static void hook_add(struct hook *c, int x, int y) { note(&c->e, "%d+%d", x, y); }

APART int mine(int x) { return lib_add(x) + 20; }
static int f(int x) { return mine(x) + 300; }
#define IN(f, c) int f##_##c(struct c *k, int x); CF_IN(f##_##c, f, c)
IN(f, without);
IN(f, within);
IN(f, hook);

int main(void) {
    static struct without a;
    static struct within b;
    static struct hook d;
    WANT(f_without(&a, 7), 328), WANT(f_within(&b, 7), 328), WANT(f_hook(&d, 7), 328);
    SAME(a.e, "8+20 28+300");
    SAME(b.e, "7+1");
    SAME(d.e, "lib_add(7) 8+20 28+300");
    return wrong;
}
