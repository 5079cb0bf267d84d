// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -pthread -o %t && %t || exit 1; done
// qsort, qsort_r, bsearch: the comparison is called inside the context, with its arguments; results as outside.
#define _GNU_SOURCE
#include "events.h"
#include <stdlib.h>

struct count { long compares, inner; int last; };
static long keys;
APART int key(const int *p) { return keys++, *p; }
APART int compare(const void *a, const void *b) { return key(a) - key(b); }
APART int compare_by(const void *a, const void *b, void *sign) { return (key(a) - key(b)) * *(int *)sign; }
CF_PREHOOK(count, "call key") static void on_key(struct count *c, const cf_site *s, const int *p) { (void)s, c->inner++, c->last = *p; }
CF_PREHOOK(count, "sub type=i32 in=compare*") static void on_compare(struct count *c) { c->compares++; }

static int sorted(int *x, int n) { return qsort(x, (size_t)n, sizeof *x, compare), x[0]; }
static int sorted_by(int *x, int n, int sign) { return qsort_r(x, (size_t)n, sizeof *x, compare_by, &sign), x[0]; }
static long found(const int *x, int n, int k) {
    const int *p = bsearch(&k, x, (size_t)n, sizeof *x, compare);
    return p ? p - x : -1;
}
static int indirect(int *x, int n) {
    void (*sort)(void *, size_t, size_t, int (*)(const void *, const void *)) = qsort;
    return sort(x, (size_t)n, sizeof *x, compare), x[0];
}
int sorted_in(struct count *c, int *x, int n);
CF_IN(sorted_in, sorted, count);
int sorted_by_in(struct count *c, int *x, int n, int sign);
CF_IN(sorted_by_in, sorted_by, count);
long found_in(struct count *c, const int *x, int n, int k);
CF_IN(found_in, found, count);
int indirect_in(struct count *c, int *x, int n);
CF_IN(indirect_in, indirect, count);

int main(void) {
    struct count c = {0, 0, 0};
    /* All that the library asked for was seen: c.inner is what `keys` has grown by. */
    long before = keys;
    int x[8] = {5, 3, 8, 1, 9, 2, 7, 4};
    const int up[8] = {1, 2, 3, 4, 5, 7, 8, 9};
    WANT(sorted_in(&c, x, 8), 1);
    for (int i = 0; i < 8; i++) WANT(x[i], up[i]);
    WANT(c.compares >= 7 && c.compares <= 28, 1), WANT(c.inner, 2 * c.compares), WANT(c.inner, keys - before);
    c = (struct count){0, 0, 0}, before = keys;
    WANT(sorted_by_in(&c, x, 8, -1), 9);
    for (int i = 0; i < 8; i++) WANT(x[i], up[7 - i]);
    WANT(c.compares >= 7 && c.compares <= 28, 1), WANT(c.inner, 2 * c.compares), WANT(c.inner, keys - before);
    c = (struct count){0, 0, 0}, before = keys;
    WANT(found_in(&c, up, 8, 7), 5);
    WANT(c.compares >= 1 && c.compares <= 4, 1), WANT(c.inner, 2 * c.compares), WANT(c.last, 7);
    WANT(found_in(&c, up, 8, 6), -1), WANT(c.inner, keys - before);
    /* Through a pointer to qsort. */
    c = (struct count){0, 0, 0}, before = keys;
    WANT(indirect_in(&c, x, 8), 1);
    WANT(c.compares >= 7 && c.compares <= 28, 1), WANT(c.inner, 2 * c.compares), WANT(c.inner, keys - before);
    for (int i = 0; i < 8; i++) WANT(x[i], up[i]);
    return wrong;
}
