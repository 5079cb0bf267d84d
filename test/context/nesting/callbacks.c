// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -pthread -o %t && %t || exit 1; done
// Callbacks of the C library in a context inside a context: both see what is called back, each as often as it happens.
#include "events.h"
#include <pthread.h>
#include <stdlib.h>

struct inner { long key, sub; };
CF_PREHOOK(inner, "call key") static void inner_key(struct inner *c) { c->key++; }
CF_PREHOOK(inner, "sub in=compare") static void inner_sub(struct inner *c) { c->sub++; }
struct outer { long key, sub; };
CF_PREHOOK(outer, "call key") static void outer_key(struct outer *c) { c->key++; }
CF_PREHOOK(outer, "sub in=compare") static void outer_sub(struct outer *c) { c->sub++; }
struct over { long n; };
CF_OVERDUB(over, key) static int negative_key(struct over *c, const cf_site *s, const int *p) { return (void)s, c->n++, -*p; }

static long compares;
APART int key(const int *p) { return *p; }
APART int compare(const void *a, const void *b) { return compares++, key(a) - key(b); }
static int sorted(int *x, int n) { return qsort(x, (size_t)n, sizeof *x, compare), x[0]; }
struct task { int x[6]; };
static void *sorts(void *p) { return sorted(((struct task *)p)->x, 6), p; }
static int threaded(struct task *t) {
    pthread_t a, b;
    pthread_create(&a, NULL, sorts, &t[0]);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, sorts, &t[1]);
    pthread_join(b, NULL);
    return t[0].x[0] * 10 + t[1].x[0];
}
int sorted_in(struct inner *c, int *x, int n);
CF_IN(sorted_in, sorted, inner);
int sorted_in_in(struct outer *o, struct inner *c, int *x, int n);
CF_IN(sorted_in_in, sorted_in, outer);
int sorted_over_in(struct over *v, struct inner *c, int *x, int n);
CF_IN(sorted_over_in, sorted_in, over);
int threaded_in(struct inner *c, struct task *t);
CF_IN(threaded_in, threaded, inner);
int threaded_in_in(struct outer *o, struct inner *c, struct task *t);
CF_IN(threaded_in_in, threaded_in, outer);

int main(void) {
    struct inner i = {0, 0};
    struct outer o = {0, 0};
    struct over v = {0};
    int x[6] = {4, 2, 6, 1, 3, 5};
    WANT(sorted_in_in(&o, &i, x, 6), 1);
    for (int k = 0; k < 6; k++) WANT(x[k], k + 1);
    WANT(compares >= 5, 1), WANT(i.sub, compares), WANT(o.sub, compares), WANT(i.key, 2 * compares), WANT(o.key, 2 * compares);
    compares = 0, i = (struct inner){0, 0};
    WANT(sorted_over_in(&v, &i, x, 6), 6);
    for (int k = 0; k < 6; k++) WANT(x[k], 6 - k);
    WANT(v.n, 2 * compares), WANT(i.key, 2 * compares), WANT(i.sub, compares);
    compares = 0, i = (struct inner){0, 0}, o = (struct outer){0, 0};
    struct task t[2] = {{{4, 2, 6, 1, 3, 5}}, {{9, 8, 7, 6, 5, 2}}};
    WANT(threaded_in_in(&o, &i, t), 12);
    WANT(i.sub, compares), WANT(o.sub, compares), WANT(i.key, 2 * compares), WANT(o.key, 2 * compares);
    return wrong;
}
