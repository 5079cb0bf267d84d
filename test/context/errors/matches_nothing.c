// RUN: for l in -O0 -O2; do %ad $l -g -I%S/.. %s -lm -o %t 2> %t.txt && %t && %FileCheck %s < %t.txt || exit 1; done
// Patterns that match nothing: a warning each, with the place; what matches gets none, nor does a request within it fail.
#include "events.h"

struct count { long n; };
// CHECK-DAG: matches_nothing.c:[[#@LINE+1]]{{.*}}warning: {{.*}}call nowhere*
CF_PREHOOK(count, "call nowhere*") static void on_call(struct count *c) { c->n += 100; }
// CHECK-DAG: matches_nothing.c:[[#@LINE+1]]{{.*}}warning: {{.*}}fdiv
CF_PREHOOK(count, "fdiv") static void on_div(struct count *c) { c->n += 100; }
// CHECK-DAG: matches_nothing.c:[[#@LINE+1]]{{.*}}warning: {{.*}}fadd type=float
CF_PREHOOK(count, "fadd type=float") static void on_float(struct count *c) { c->n += 100; }
// CHECK-DAG: matches_nothing.c:[[#@LINE+1]]{{.*}}warning: {{.*}}on_operands
CF_PREHOOK(count, "fadd") static void on_operands(struct count *c, float a, float b) { (void)a, (void)b, c->n += 100; }
// CHECK-NOT: on_add
CF_PREHOOK(count, "fadd") static void on_add(struct count *c) { c->n++; }
struct maybe { long n; };
CF_CONTEXT(maybe, "optional");
// CHECK-NOT: on_maybe
CF_PREHOOK(maybe, "fdiv") static void on_maybe(struct maybe *c) { c->n++; }
static double g(double x) { return x + 1; }
double g_in(struct count *c, double x);
CF_IN(g_in, g, count);
double g_maybe(struct maybe *c, double x);
CF_IN(g_maybe, g, maybe);

int main(void) {
    struct count c = {0};
    WANT(g_in(&c, 7), 8), WANT(c.n, 1);
    return wrong;
}
