// RUN: for l in -O0 -O2; do %ad $l -g -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// RUN: %ad -O2 -S -emit-llvm -fno-math-errno -I%S %s -o %t.ll && python3 %S/Inputs/same_code.py %t.ll f f_left:1
// A debugger of the user's own: before each line a hook with the line and the variables that have a value there. What is
// left out of the context has the code of the original.
#include "events.h"
#include <stdlib.h>

struct debugger { struct events lines; unsigned stop; struct events variables; };
CF_PREHOOK_ANY(debugger, "line in=f,g") static void on_line(struct debugger *c, const cf_site *s, const cf_value *v) {
    note(&c->lines, "%s:%u", s->function, s->line);
    if (s->line != c->stop) return;
    char names[100], *name = names;
    snprintf(names, sizeof names, "%s", s->names);
    for (unsigned i = 0; i < s->operands; i++) {
        char *end = strchr(name, ',');
        if (end) *end = 0;
        if (v[i].kind == CF_REAL) note(&c->variables, "%s=%g", name, v[i].as.real);
        if (v[i].kind == CF_INTEGER) note(&c->variables, "%s=%lld", name, v[i].as.integer);
        name = end ? end + 1 : name + strlen(name);
    }
}
struct left { long n; };
CF_CONTEXT(left, "only=nothing_at_all optional");
CF_PREHOOK(left, "line") static void left_line(struct left *c) { c->n++; }

APART double g(double a) {
    double b = a + 1;
    return b;
}
double f(double x, int n) {
    double s = x;
    for (int i = 0; i < n; i++) {
        double t = g(s);
        s += t * i;
    }
    return s;
}
double f_debugged(struct debugger *c, double x, int n);
CF_IN(f_debugged, f, debugger);
double f_left(struct left *c, double x, int n);
CF_IN(f_left, f, left);

int main(void) {
    static struct debugger c;
    struct left d = {0};
    c.stop = 34;
    /* i = 0: t = 2, s = 1; i = 1: t = 2, s = 3 */
    WANT(f_debugged(&c, 1, 2), 3);
    SAME(c.lines, "f:31 f:32 f:33 g:27 g:28 f:34 f:35 f:32 f:33 g:27 g:28 f:34 f:35 f:32 f:36");
    SAME(c.variables, "x=1 n=2 s=1 i=0 t=2 x=1 n=2 s=1 i=1 t=2");
    /* On the line where t is made it has no value yet. */
    c.stop = 33;
    WANT(f_debugged(&c, 1, 2), 3);
    SAME(c.variables, "x=1 n=2 s=1 i=0 x=1 n=2 s=1 i=1");
    c.stop = 32;
    WANT(f_debugged(&c, 1, 1), 1);
    SAME(c.variables, "x=1 n=1 s=1 x=1 n=1 s=1 i=0");
    c.stop = 28;
    WANT(f_debugged(&c, 1, 1), 1);
    SAME(c.variables, "a=1 b=2");
    WANT(f_left(&d, 1, 2), 3), WANT(d.n, 0);
    return wrong;
}
