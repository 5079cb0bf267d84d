// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// Words that nobody knows: in a request, a context, and what a hook is for.
#include <cofactor/context.h>

struct count { long n; };
static double g(double x) { return x * 2; }
double g_in(struct count *c, double x);
// CHECK-DAG: unknown_word.c:[[#@LINE+1]]{{.*}}error: {{.*}}enter
CF_IN(g_in, g, count, "enter");
// CHECK-DAG: unknown_word.c:[[#@LINE+1]]{{.*}}error: {{.*}}depht=3
CF_CONTEXT(count, "depht=3");
struct deep { long n; };
// CHECK-DAG: unknown_word.c:[[#@LINE+1]]{{.*}}error: {{.*}}depth=many
CF_CONTEXT(deep, "depth=many");
struct flat { long n; };
// CHECK-DAG: unknown_word.c:[[#@LINE+1]]{{.*}}error: {{.*}}depth=0
CF_CONTEXT(flat, "depth=0");
struct events { long n; };
// CHECK-DAG: unknown_word.c:[[#@LINE+1]]{{.*}}error: {{.*}}fmull
CF_PREHOOK(events, "fmull") static void on_mul(struct events *c) { c->n++; }
// CHECK-DAG: unknown_word.c:[[#@LINE+1]]{{.*}}error: {{.*}}typ=double
CF_PREHOOK(events, "fmul typ=double") static void on_typ(struct events *c) { c->n++; }
// CHECK-DAG: unknown_word.c:[[#@LINE+1]]{{.*}}error: {{.*}}body
CF_PREHOOK(events, "fmul body=yes") static void on_body(struct events *c) { c->n++; }
// CHECK-DAG: unknown_word.c:[[#@LINE+1]]{{.*}}error: {{.*}}on_nothing
CF_PREHOOK(events, "") static void on_nothing(struct events *c) { c->n++; }
double g_events(struct events *c, double x);
CF_IN(g_events, g, events);
