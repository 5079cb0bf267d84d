// RUN: rm -f %t.o
// RUN: %not %ad -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// No multiplication has such operands: the prototype is a mistake, not a choice. Nothing runs behind a return or a branch.
#include <cofactor/context.h>

struct c {
    int n;
};
// CHECK: impossible.c:[[@LINE+1]]{{.*}}error: `text` of context `c` has the type `void (ptr, ptr, ptr)`, which no `fmul` can fit
CF_PREHOOK(c, "fmul") static void text(struct c *c, const cf_site *s, char *p) { c->n += p[0] + (int)s->line; }
// CHECK: impossible.c:[[@LINE+1]]{{.*}}error: `three` of context `c` has the type `double (ptr, double, double, double)`
CF_OVERDUB(c, "fadd") static double three(struct c *c, double x, double y, double z) { return x + y + z + c->n; }
// CHECK: impossible.c:[[@LINE+1]]{{.*}}error: `mixed` of context `c`
CF_POSTHOOK(c, "fp") static void mixed(struct c *c, double r, float x, double y) { c->n += r > x + y; }
// CHECK: impossible.c:[[@LINE+1]]{{.*}}error: `"ret"`, what `after` of context `c` is for, cannot be read: the program goes elsewhere there, and nothing can run behind it: use a pre hook
CF_POSTHOOK(c, "ret") static void after(struct c *c) { c->n++; }
// CHECK: impossible.c:[[@LINE+1]]{{.*}}error: `"branch"`, what `behind` of context `c` is for
CF_POSTHOOK_ANY(c, "branch") static void behind(struct c *c, const cf_site *s, const cf_value *v, const cf_value *r) { c->n += s && v && r; }

double f(double x) { return x * x + 1; }
double f_in(struct c *c, double x);
CF_IN(f_in, f, c);
