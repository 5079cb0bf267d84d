// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -pthread -o %t && %t || exit 1; done
// The event `callback`: each call by the C library of a function that was handed to it, as often as the program counts it, with its
// arguments and result; nothing else in the program is an event. `call` does not see these calls, `in=` is the library's function.
#define _GNU_SOURCE
#include "events.h"
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>

struct back { struct events e; long n, down, calls, sorts; const void *last; struct back *other; };
CF_CONTEXT(back, "optional");
CF_PREHOOK(back, "callback") static void before(struct back *c) { c->n++; }
CF_PREHOOK_ANY(back, "callback") static void any(struct back *c, const cf_site *s, const cf_value *v) {
    c->last = v[s->operands].as.pointer;
    if (strcmp(s->function, "qsort") != 0) note(&c->e, "%s/%u%s", s->function, s->operands, s->what);
}
CF_PREHOOK(back, "callback in=qsort,lfind") static void on_sort(struct back *c) { c->sorts++; }
CF_POSTHOOK(back, "callback in=qsort") static int turned(struct back *c, const cf_site *s, int r, const void *x, const void *y) {
    return (void)x, (void)y, c->down += s->event == CF_EVENT_CALLBACK, -r;
}
CF_ENTER(back, "callback in=pthread_create") static struct back *other(struct back *c) { return c->other; }

static long ran;
APART int compare(const void *a, const void *b) { return ran++, *(const int *)a - *(const int *)b; }
APART int by_sorting(const void *a, const void *b) {
    int x[2] = {*(const int *)b, *(const int *)a};
    return qsort(x, 2, sizeof *x, compare), ran++, x[0] == *(const int *)a ? -1 : 1;
}
APART void *start(void *p) { return ran++, qsort(p, 3, sizeof(int), compare), p; }
static void handler(int s) { ran += s == SIGUSR1; }
static void once(void) { ran++; }
static void at_end(void) { ran++; }
static int sorts(int *x) {
    int k = x[1];
    qsort(x, 5, sizeof *x, compare);
    size_t n = 5;
    return lfind(&k, x, &n, sizeof *x, compare) ? 1 : 0;
}
static int nested(int *x) { return qsort(x, 4, sizeof *x, by_sorting), x[0]; }
static int others(int *x) {
    pthread_t t;
    void *p = NULL, *tree = NULL;
    pthread_once_t flag = PTHREAD_ONCE_INIT;
    pthread_create(&t, NULL, start, x), pthread_join(t, &p);
    signal(SIGUSR1, handler), raise(SIGUSR1);
    pthread_once(&flag, once), pthread_once(&flag, once);
    tsearch(x, &tree, compare), tsearch(x + 1, &tree, compare);
    atexit(at_end);
    return p == x;
}
#define IN(f) int f##_in(struct back *c, int *x); CF_IN(f##_in, f, back)
IN(sorts);
IN(nested);
IN(others);
int sorts_quiet(struct back *c, int *x);
CF_IN(sorts_quiet, sorts, back, "nohooks");

struct calls { long n; };
CF_PREHOOK(calls, "call") static void on_call(struct calls *c, const cf_site *s) { (void)s, c->n++; }
int sorts_calls(struct calls *c, int *x);
CF_IN(sorts_calls, sorts, calls);

static struct back c, d;
static void last_look(void) {
    WANT(c.n, ran), TEXT(c.e.text, "atexit/0"), WANT(c.last == (const void *)at_end, 1);
    fflush(stdout);
    if (wrong) _Exit(1);
}

int main(void) {
    int x[5] = {3, 1, 4, 1, 5}, y[4] = {2, 4, 1, 3}, z[5] = {3, 1, 4, 1, 5};
    atexit(last_look);
    WANT(sorts_in(&c, x), 1);
    WANT(x[0] * 1000 + x[1] * 100 + x[3] * 10 + x[4], 5411);
    WANT(c.n, ran), WANT(c.sorts, ran), WANT(c.down < c.n, 1), WANT(c.last == (const void *)compare, 1);
    c.e.used = 0, c.e.text[0] = 0;
    WANT(nested_in(&c, y), 1); /* turned twice */
    WANT(c.n, ran);
    d.other = NULL, c.other = &d, c.sorts = d.sorts = 0;
    long before = ran, was = c.n;
    WANT(others_in(&c, z), 1);
    WANT(z[0] * 100 + z[1] * 10 + z[2], 431);
    WANT(c.n - was + d.n, ran - before), WANT(d.n, d.sorts), WANT(d.sorts >= 2, 1);
    SAME(c.e, "pthread_create/1 signal/1 pthread_once/0 tsearch/2");
    ran = c.n;
    WANT(sorts_quiet(&c, x), 1), ran = c.n;
    struct calls k = {0};
    WANT(sorts_calls(&k, x), 1), WANT(k.n, 2), ran = c.n;
    return wrong;
}
