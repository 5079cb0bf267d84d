// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Calls through pointers: in a variable, a struct, a table, passed as an argument, returned, in a union, in the heap; all of
// them go on inside the context, and the pointer itself is the original's.
#include "every.h"
#include <stdlib.h>

typedef int (*op)(int);
APART int one(int x) { return x + 1; }
APART int two(int x) { return one(x) + 1; }
APART int three(int x) { return two(x) * 2; }
struct entry { const char *name; op f; };
static const struct entry table[3] = {{"one", one}, {"two", two}, {"three", three}};
static op variable = two;
static op *global_heap;

APART int apply(op f, int x) { return f(x); }
APART op choose(int i) { return table[i].f; }
static int by_variable(int x) { return variable(x); }
static int by_table(int i, int x) { return table[i].f(x); }
static int by_argument(int x) { return apply(three, x); }
static int by_result(int x) { return choose(0)(x); }
static int by_union(int x) {
    union { op f; void *p; } u;
    u.p = (void *)one;
    return u.f(x);
}
static int by_heap(int x) {
    op *f = malloc(sizeof *f);
    *f = two, global_heap = f;
    return (*f)(x);
}
static int is_original(int x) { return choose(1) == two && variable == two && *global_heap == two ? x : -1; }
#define IN(f, ...) int f##_in(struct every *c, __VA_ARGS__); CF_IN(f##_in, f, every)
IN(by_variable, int x);
IN(by_table, int i, int x);
IN(by_argument, int x);
IN(by_result, int x);
IN(by_union, int x);
IN(by_heap, int x);
IN(is_original, int x);

int main(void) {
    static struct every c;
    WANT(by_variable_in(&c, 3), 5);
    SAME(c.e, "( 3 ) one( 3 ) [one 4 ] [ 5 ]");
    WANT(by_table_in(&c, 0, 3), 4);
    SAME(c.e, "( 3 ) [ 4 ]");
    WANT(by_table_in(&c, 2, 3), 10);
    SAME(c.e, "( 3 ) two( 3 ) one( 3 ) [one 4 ] [two 5 ] [ 10 ]");
    WANT(by_argument_in(&c, 3), 10);
    SAME(c.e, "apply( ptr 3 ) ( 3 ) two( 3 ) one( 3 ) [one 4 ] [two 5 ] [ 10 ] [apply 10 ]");
    WANT(by_result_in(&c, 3), 4);
    SAME(c.e, "choose( 0 ) [choose ptr ] ( 3 ) [ 4 ]");
    WANT(by_union_in(&c, 3), 4);
    SAME(c.e, "( 3 ) [ 4 ]");
    WANT(by_heap_in(&c, 3), 5);
    SAME(c.e, "malloc( 8 ) [malloc ptr ] ( 3 ) one( 3 ) [one 4 ] [ 5 ]");
    WANT(is_original_in(&c, 3), 3);
    free(global_heap);
    return wrong;
}
