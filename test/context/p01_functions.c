// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Which functions are in a context: the table of its sites names each, its sites have dense ids, and none stands twice,
// though the functions are called from several places, by recursion and from two requests.
#include "events.h"

struct seen { long at[64], n; };
CF_PREHOOK(seen, "call") static void on_call(struct seen *c, const cf_site *s) { c->at[s->id]++, c->n++; }
CF_PREHOOK(seen, "fp") static void on_fp(struct seen *c, const cf_site *s) { c->at[s->id]++, c->n++; }
CF_SITES(sites, seen);

APART double square(double x) { return x * x; }
APART double down(int n, double x) { return n == 0 ? square(x) : down(n - 1, x) + 1; }
APART double unused(double x) { return square(x) - 1; }
static double f(double x) { return down(2, x) * down(1, x); }
static double g(double x) { return f(x) + square(x); }
double f_in(struct seen *c, double x);
CF_IN(f_in, f, seen);
double g_in(struct seen *c, double x);
CF_IN(g_in, g, seen);

static int runs(const char *function) {
    int n = 0;
    for (unsigned i = 0; i < sites.n; i++)
        n += strcmp(sites.site[i].function, function) == 0 && (i == 0 || strcmp(sites.site[i - 1].function, function) != 0);
    return n;
}
static int ofs(const char *function, const char *what) {
    int n = 0;
    for (unsigned i = 0; i < sites.n; i++) n += strcmp(sites.site[i].function, function) == 0 && strcmp(sites.site[i].what, what) == 0;
    return n;
}

int main(void) {
    static struct seen c;
    WANT(f_in(&c, 3), 11 * 10);
    /* f: down down fmul; down: 5 times, of which 3 call down and add, 2 call square; square: 2 fmul. */
    WANT(c.n, 3 + 3 + 3 + 2 + 2);
    WANT(g_in(&c, 3), 119);
    WANT(c.n, 2 * 13 + 4);
    WANT(unused(2), 3);
    WANT(runs("square"), 1), WANT(runs("down"), 1), WANT(runs("f"), 1), WANT(runs("g"), 1), WANT(runs("unused"), 0);
    WANT(ofs("f", "down"), 2), WANT(ofs("f", "fmul"), 1), WANT(ofs("down", "down"), 1), WANT(ofs("down", "square"), 1);
    WANT(ofs("down", "fadd"), 1), WANT(ofs("square", "fmul"), 1), WANT(ofs("g", "f"), 1), WANT(ofs("g", "square"), 1);
    WANT(ofs("g", "fadd"), 1), WANT(sites.n, 10);
    for (unsigned i = 0; i < sites.n; i++) WANT(sites.site[i].id, i), WANT(c.at[i] > 0, 1);
    return wrong;
}
