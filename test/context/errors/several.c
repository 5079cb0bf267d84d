// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// One mistake does not hide another.
#include <cofactor/context.h>

struct one { long n; };
struct two { long n; };
CF_CONTEXT(two, "");
static double g(double x) { return x * 2; }
double g_one(struct one *c, double x);
// CHECK-DAG: several.c:[[#@LINE+1]]{{.*}}error: {{.*}}one
CF_IN(g_one, g, one);
float g_two(struct two *c, double x);
// CHECK-DAG: several.c:[[#@LINE+1]]{{.*}}error: {{.*}}g_two
CF_IN(g_two, g, two);
// CHECK-DAG: several.c:[[#@LINE+1]]{{.*}}error: {{.*}}fnul
CF_PREHOOK(two, "fnul") static void on_mul(struct two *c) { c->n++; }
