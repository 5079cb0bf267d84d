// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// A context that nobody defines: neither hooks nor overrides nor CF_CONTEXT.
#include <cofactor/context.h>

struct count { long n; };
struct known { long n; };
CF_CONTEXT(known, "");
static double g(double x) { return x * 2; }
double g_in(struct count *c, double x);
// CHECK: no_context.c:[[#@LINE+1]]{{.*}}error: {{.*}}count
CF_IN(g_in, g, count);
double g_known(struct known *c, double x);
CF_IN(g_known, g, known);
