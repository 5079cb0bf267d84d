// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=PLAIN %s
// RUN: %not test -e %t.o
// cf_recurse in a function that is neither hook nor override: there is no context to stay in.
#include <cofactor/context.h>

struct count { long n; };
CF_PREHOOK(count, "fadd") static void on_add(struct count *c) { c->n++; }
static double f(double x) { return x + 1; }
// CHECK: recurse_outside.c:[[#@LINE+2]]:{{.*}}error: {{.*}}cf_recurse
// PLAIN: error: {{.*}}cf_recurse
double lost(double x) { return cf_recurse(f)(x); }
double f_in(struct count *c, double x);
CF_IN(f_in, f, count);
