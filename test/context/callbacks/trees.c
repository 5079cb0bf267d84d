// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -pthread -o %t && %t || exit 1; done
// tsearch, tfind, tdelete, twalk, tdestroy, twalk_r; lfind, lsearch.
#define _GNU_SOURCE
#include "events.h"
#include <search.h>
#include <stdlib.h>

struct count { long compares; struct events e; };
CF_PREHOOK(count, "call number") static void on_number(struct count *c) { c->compares++; }
CF_PREHOOK(count, "call visit") static void on_visit(struct count *c, int n) { note(&c->e, "%d", n); }

static int visited;
static long numbers;
APART int number(const int *p) { return numbers++, *p; }
APART void visit(int n) { visited = visited * 10 + n; }
APART int compare(const void *a, const void *b) { return number(a) - number(b); }
APART int differ(const void *a, const void *b) { return number(a) != number(b); }
APART void walker(const void *node, VISIT which, int depth) {
    if (which == postorder || which == leaf) visit(**(int *const *)node);
    (void)depth;
}
APART void walker_r(const void *node, VISIT which, void *p) {
    if (which == postorder || which == leaf) visit(**(int *const *)node), ++*(int *)p;
}
APART void destroy(void *p) { visit(*(int *)p); }

static int tree(int *x, int n) {
    void *root = NULL;
    int k = 4, count = 0;
    visited = 0;
    for (int i = 0; i < n; i++) tsearch(&x[i], &root, compare);
    if (tfind(&k, &root, compare) == NULL) return -1;
    tdelete(&k, &root, compare);
    if (tfind(&k, &root, compare) != NULL) return -2;
    twalk(root, walker);
    twalk_r(root, walker_r, &count);
    int r = visited;
    visited = 0;
    tdestroy(root, destroy);
    return r * 10 + count;
}
static long linear(int *x, size_t n) {
    int k = 8, m = 99;
    int *p = lfind(&k, x, &n, sizeof *x, differ);
    if (p == NULL || lfind(&m, x, &n, sizeof *x, differ) != NULL) return -1;
    int *q = lsearch(&m, x, &n, sizeof *x, differ);
    return (p - x) * 100 + (q - x) * 10 + (long)n;
}
int tree_in(struct count *c, int *x, int n);
CF_IN(tree_in, tree, count);
long linear_in(struct count *c, int *x, size_t n);
CF_IN(linear_in, linear, count);

int main(void) {
    static struct count c;
    int x[6] = {4, 2, 6, 1, 3, 0}, y[6] = {5, 6, 7, 8, 9, 0};
    WANT(tree_in(&c, x, 5), 123612364), WANT(numbers > 0, 1), WANT(c.compares, numbers);
    /* Twice in order; then tdestroy, in an order of its own. */
    int left[7] = {0};
    for (size_t i = 16; i < c.e.used; i += 2) left[c.e.text[i] - '0']++;
    WANT(c.e.used, strlen("1 2 3 6 1 2 3 6 1 2 3 6")), WANT(left[1] == 1 && left[2] == 1 && left[3] == 1 && left[6] == 1, 1);
    c.e.text[16] = 0;
    TEXT(c.e.text, "1 2 3 6 1 2 3 6 ");
    c.compares = 0;
    /* lfind 4 and 5 comparisons, lsearch 5: then 99 stands at 5, and there are 6. */
    WANT(linear_in(&c, y, 5), 300 + 50 + 6), WANT(y[5], 99), WANT(c.compares, 2 * 14);
    return wrong;
}
