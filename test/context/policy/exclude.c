// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// exclude=: functions by name are left as they are, and what they call; also through pointers. What others call is inside.
#include "events.h"

struct count { struct events e; };
CF_CONTEXT(count, "exclude=lib_*,quiet");
CF_PREHOOK(count, "call") static void on_call(struct count *c, const cf_site *s, int x) { note(&c->e, "%s(%d)", s->what, x); }
CF_PREHOOK(count, "add") static void on_add(struct count *c, int x, int y) { note(&c->e, "%d+%d", x, y); }

typedef int (*op)(int);
APART int shared(int x) { return x + 1; }
APART int lib_inner(int x) { return shared(x) + 20; }
APART int lib_outer(int x) { return lib_inner(x) + 300; }
APART int quiet(int x) { return shared(x) + 4000; }
APART int library(int x) { return shared(x) + 50000; }
static const op table[2] = {quiet, library};
static int f(int x) { return lib_outer(x) * quiet(x) * library(x); }
static int g(int i, int x) { return table[i](x); }
int f_in(struct count *c, int x);
CF_IN(f_in, f, count);
int g_in(struct count *c, int i, int x);
CF_IN(g_in, g, count);

int main(void) {
    static struct count c;
    WANT(f_in(&c, 1), f(1));
    SAME(c.e, "lib_outer(1) quiet(1) library(1) shared(1) 1+1 2+50000");
    WANT(g_in(&c, 0, 1), 4002);
    SAME(c.e, "(1)");
    WANT(g_in(&c, 1, 1), 50002);
    SAME(c.e, "(1) shared(1) 1+1 2+50000");
    return wrong;
}
