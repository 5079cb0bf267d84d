// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// CF_ENTER: some calls get another context object: one for each function here, and one for each depth of a recursion.
#include "events.h"

struct profile { const char *name; long adds; struct profile *child[3]; };
CF_PREHOOK(profile, "add type=i32") static void on_add(struct profile *c) { c->adds++; }
CF_ENTER(profile, "call part_*") static struct profile *enter(struct profile *c, const cf_site *s) { return c->child[s->what[5] - 'a']; }
CF_ENTER(profile, down) static struct profile *enter_down(struct profile *c) { return c->child[0] ? c->child[0] : c; }

APART int shared(int x) { return x + 1; }
APART int part_a(int x) { return shared(x) + shared(x); }
APART int part_b(int x) { return shared(x) * 2; }
APART int down(int x) { return x == 0 ? 0 : down(x - 1) + 2; }
static int f(int x) { return part_a(x) + part_b(x) + shared(x); }
int f_in(struct profile *c, int x);
CF_IN(f_in, f, profile);
int down_in(struct profile *c, int x);
CF_IN(down_in, down, profile);

int main(void) {
    struct profile a = {"a", 0, {0}}, b = {"b", 0, {0}}, top = {"top", 0, {&a, &b, 0}};
    WANT(f_in(&top, 1), 4 + 4 + 2);
    /* a: two calls of shared and its own sum; b: one; top: two sums and shared */
    WANT(a.adds, 3), WANT(b.adds, 1), WANT(top.adds, 3);
    struct profile deep[3] = {{"0", 0, {&deep[1]}}, {"1", 0, {&deep[2]}}, {"2", 0, {0}}};
    WANT(down_in(&deep[0], 5), 10);
    WANT(deep[0].adds, 1), WANT(deep[1].adds, 1), WANT(deep[2].adds, 3);
    return wrong;
}
