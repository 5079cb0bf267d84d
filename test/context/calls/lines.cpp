// RUN: for l in -O0 -O2; do %adxx $l -g -std=c++17 -Wall -Wextra -Werror -I%S/.. %s -o %t && %t || exit 1; done
// The event `line` where values meet (conditional operators over several lines), in handlers, in switches, with calls that throw.
#include "events.h"

struct lines { events e; unsigned last; };
CF_PREHOOK_ANY(lines, "line") static void on_line(lines *c, const cf_site *s, const cf_value *) {
    /* The way of an exception, and from a try to what follows it, is on lines that clang chooses: the catch, the function's end.
     * Where several ways meet in the middle of a line it may begin anew. */
    if (strstr(s->function, "handles") && (s->line == 31 || s->line == 36)) return;
    if (s->line != c->last) note(&c->e, "%u", c->last = s->line);
}

APART int risky(int x) {
    if (x < 0)
        throw x;
    return x;
}
static int choose(int a, int b) {
    int r = a > b
        ? a * 2
        : b * 3;
    bool both = a > 0 &&
        b > 0;
    return both ? r
        : -r;
}
static int handles(int x) {
    int r = 0;
    try {
        r = risky(x);
    } catch (int e) {
        r = e *
            10;
    }
    return r;
}
static int switches(int x) {
    switch (x) {
    case 1:
        x = 5;
        break;
    default:
        x = 7;
    }
    return x;
}
#define IN(f, ...) int f##_in(lines *c, __VA_ARGS__); CF_IN(f##_in, f, lines)
IN(choose, int a, int b);
IN(handles, int x);
IN(switches, int x);

int main() {
    static lines c;
    WANT(choose_in(&c, 3, 2), 6);
    SAME(c.e, "19 20 19 22 23 22 24");
    WANT(choose_in(&c, -3, 2), -6);
    SAME(c.e, "19 21 19 22 24 25 24");
    WANT(handles_in(&c, 4), 4);
    SAME(c.e, "28 30 14 16 35");
    WANT(handles_in(&c, -4), -40);
    SAME(c.e, "28 30 14 15 32 34 35");
    WANT(switches_in(&c, 1), 5);
    SAME(c.e, "38 40 41 45");
    WANT(switches_in(&c, 2), 7);
    SAME(c.e, "38 43 44 45");
    return wrong;
}
