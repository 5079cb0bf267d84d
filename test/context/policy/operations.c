// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Operations by name, class and type: how often each happens in a program where that is known; overrides of operations.
#include "events.h"

struct ops { long fp, integer, compare, cast, branch, memory, all, fadd, add, icmp, fneg, select, store, gep, ret, sw; };
#define COUNT(what, field) CF_PREHOOK(ops, what) static void on_##field(struct ops *c) { c->field++; }
COUNT("fp", fp)
COUNT("int", integer)
COUNT("compare", compare)
COUNT("cast", cast)
COUNT("branch", branch)
COUNT("fadd", fadd)
COUNT("add", add)
COUNT("icmp", icmp)
COUNT("fneg", fneg)
COUNT("store type=float", store)
COUNT("getelementptr", gep)
COUNT("ret", ret)
COUNT("switch", sw)
struct total { long op, memory; };
CF_PREHOOK(total, "op") static void on_op(struct total *c) { c->op++; }
CF_PREHOOK(total, "memory") static void on_memory(struct total *c) { c->memory++; }

struct arithmetic { struct events e; };
CF_OVERDUB(arithmetic, "fmul") static double times(struct arithmetic *c, double x, double y) { return note(&c->e, "*"), x + y; }
CF_OVERDUB(arithmetic, "fcmp") static _Bool less(struct arithmetic *c, const cf_site *s, double x, double y) { return note(&c->e, "%s:%g,%g", s->what, x, y), 1; }
CF_OVERDUB(arithmetic, "sdiv") static int divided(struct arithmetic *c, int x, int y) { return note(&c->e, "/"), y ? x / y : -1; }
CF_OVERDUB(arithmetic, "fptosi") static int rounded(struct arithmetic *c, double x) { return note(&c->e, "int"), (int)(x + 0.5); }
CF_OVERDUB(arithmetic, "fneg") static double same_sign(struct arithmetic *c, double x) { return note(&c->e, "-"), x; }

static float f(float *x, int n, double y) {
    float s = 0;
    for (int i = 0; i < n; i++) {
        x[i] = -x[i];
        s += x[i];
        if (x[i] < 1) s = s * 2;
    }
    switch (n) {
    case 4: s += (float)y; break;
    case 9: s -= 1; break;
    default: break;
    }
    return s + (float)n;
}
static int g(double x, double y, int n) { return (x * y < -1e9 ? 7 : 8) + 10 / n + (int)-(x / 2); }
float f_in(struct ops *c, float *x, int n, double y);
CF_IN(f_in, f, ops);
static int empty(void) { return 5; }
static int one_load(const int *p) { return *p; }
int empty_in(struct total *c);
CF_IN(empty_in, empty, total);
int one_load_in(struct total *c, const int *p);
CF_IN(one_load_in, one_load, total);
int g_in(struct arithmetic *c, double x, double y, int n);
CF_IN(g_in, g, arithmetic);

int main(void) {
    struct ops c = {0};
    float x[4] = {1, -1, -2, 3};
    /* x: -1 1 2 -3; s: -1 -> -2, -1, 1, -2 -> -4; + 0.5 + 4 */
    WANT(f_in(&c, x, 4, 0.5), 0.5);
    /* each turn: fneg, fadd; two products; two sums after */
    WANT(c.fp, 4 * 2 + 2 + 2), WANT(c.fadd, 4 + 2), WANT(c.fneg, 4);
    /* i++ and nothing else */
    WANT(c.integer, 4), WANT(c.add, 4);
    WANT(c.compare, 5 + 4), WANT(c.icmp, 5);
    WANT(c.branch, 5 + 4 + 1), WANT(c.sw, 1), WANT(c.ret, 1);
    /* the index is widened for each of four accesses in a turn, and y and n are converted */
    WANT(c.cast, 4 * 4 + 2), WANT(c.gep, 4 * 4);
    /* s = 0; x[i] and s in each turn, two products; s += y */
    WANT(c.store, 1 + 4 * 2 + 2 + 1);
    struct total t = {0, 0};
    int five = 5;
    WANT(empty_in(&t), 5), WANT(t.op, 1), WANT(t.memory, 0), t.op = 0;
    /* alloca, store, load, load, ret */
    WANT(one_load_in(&t, &five), 5), WANT(t.op, 5), WANT(t.memory, 3);
    static struct arithmetic a;
    /* 7, -1, and 1.5 rounded */
    WANT(g(3, 4, 2), 8 + 5 - 1), WANT(g_in(&a, 3, 4, 0), 7 - 1 + 2);
    SAME(a.e, "* fcmp:7,-1e+09 / - int");
    return wrong;
}
