// RUN: for l in -O0 -O2; do %clang $l -c -DLIBRARY %s -o %t.o && %ad $l -Wall -Wextra -I%S/.. %s %t.o -lm -o %t && %t || exit 1; done
// What leaves the context, exactly: a library of the user's own that calls back, at once or later, calls the function itself (hooks
// see the call of the library); so does a context that says exclude= for what would hand it on.
#ifdef LIBRARY
static int (*kept)(int);
int call_now(int (*f)(int), int x) { return f(x); }
void keep(int (*f)(int)) { kept = f; }
int call_later(int x) { return kept(x); }
struct object { int (*method)(int); };
int call_method(struct object *o, int x) { return o->method(x); }
#else
#include "events.h"
#include <stdlib.h>

struct count { long n, calls; };
CF_PREHOOK(count, "add in=callback") static void on_add(struct count *c) { c->n++; }
CF_PREHOOK(count, "call call_*,keep") static void on_call(struct count *c) { c->calls++; }
struct left { long n; };
CF_CONTEXT(left, "exclude=sort");
CF_PREHOOK(left, "add in=callback,compare") static void left_add(struct left *c) { c->n++; }

struct object { int (*method)(int); };
int call_now(int (*f)(int), int x);
void keep(int (*f)(int));
int call_later(int x);
int call_method(struct object *o, int x);

APART int callback(int x) { return x + 1; }
static int now(int x) { return call_now(callback, x); }
static int later(int x) { return keep(callback), call_later(x); }
static int method(int x) {
    struct object o = {callback};
    return call_method(&o, x);
}
static int inside(int x) {
    struct object o = {callback};
    return o.method(x);
}
APART int compare(const void *a, const void *b) { return *(const int *)a + -*(const int *)b; }
APART int sort(int *x) { return qsort(x, 2, sizeof *x, compare), callback(x[0]); }
static int sorted(int a, int b) {
    int x[2] = {a, b};
    return sort(x);
}
#define IN(f) int f##_in(struct count *c, int x); CF_IN(f##_in, f, count)
IN(now);
IN(later);
IN(method);
IN(inside);
int sorted_in(struct left *c, int a, int b);
CF_IN(sorted_in, sorted, left);

int main(void) {
    struct count c = {0};
    struct left d = {0};
    WANT(now_in(&c, 1), 2), WANT(later_in(&c, 2), 3), WANT(method_in(&c, 3), 4), WANT(c.n, 0), WANT(c.calls, 4);
    WANT(inside_in(&c, 4), 5), WANT(c.n, 1);
    WANT(sorted_in(&d, 9, 7), 8), WANT(d.n, 0);
    return wrong;
}
#endif
