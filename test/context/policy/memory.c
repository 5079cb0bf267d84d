// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// The memory level: a context follows objects: allocations, frees, copies, with sizes and addresses.
#include "events.h"
#include <stdlib.h>

struct heap { long live, bytes, copied, stack, stored; const void *last; };
CF_POSTHOOK(heap, malloc) static void on_malloc(struct heap *c, const cf_site *s, void *r, size_t n) { (void)s, c->live++, c->bytes += (long)n, c->last = r; }
CF_POSTHOOK(heap, calloc) static void on_calloc(struct heap *c, const cf_site *s, void *r, size_t n, size_t size) { (void)s, c->live++, c->bytes += (long)(n * size), c->last = r; }
CF_PREHOOK(heap, realloc) static void on_realloc(struct heap *c, const cf_site *s, void *p, size_t n) { (void)s, (void)n, c->live -= p == c->last; }
CF_POSTHOOK(heap, realloc) static void after_realloc(struct heap *c, const cf_site *s, void *r, void *p, size_t n) { (void)s, (void)p, c->live++, c->bytes += (long)n, c->last = r; }
CF_PREHOOK(heap, free) static void on_free(struct heap *c, const cf_site *s, void *p) { (void)s, c->live -= p == c->last; }
CF_PREHOOK(heap, memcpy) static void on_memcpy(struct heap *c, const cf_site *s, void *to, const void *from, size_t n) { (void)s, (void)to, (void)from, c->copied += (long)n; }
CF_POSTHOOK(heap, "alloca in=stack") static void on_alloca(struct heap *c, const cf_site *s, void *r) { c->stack += (r != NULL) * (long)s->bytes; }
CF_PREHOOK(heap, "store type=double") static void on_store(struct heap *c, const cf_site *s, double v, double *to) { (void)to, c->stored += (long)v * (long)s->bytes; }

static long allocates(void) {
    char *p = malloc(10);
    p = realloc(p, 30);
    free(p);
    p = calloc(4, 8);
    long r = p[31];
    free(p);
    return r;
}
struct big { double v[8]; };
static double copies(const struct big *from, struct big *to) {
    *to = *from;
    memcpy(to->v, from->v + 4, 16);
    to->v[7] = 3;
    return to->v[0];
}
static int stack(void) {
    volatile char a[100];
    a[7] = 3;
    return a[7];
}
long allocates_in(struct heap *c);
CF_IN(allocates_in, allocates, heap);
double copies_in(struct heap *c, const struct big *from, struct big *to);
CF_IN(copies_in, copies, heap);
int stack_in(struct heap *c);
CF_IN(stack_in, stack, heap);

int main(void) {
    struct heap c = {0};
    struct big a = {{1, 2, 3, 4, 5, 6, 7, 8}}, b;
    WANT(allocates_in(&c), 0), WANT(c.live, 0), WANT(c.bytes, 10 + 30 + 32);
    WANT(copies_in(&c, &a, &b), 5), WANT(c.copied, 64 + 16), WANT(c.stored, 3 * 8);
    WANT(b.v[1], 6), WANT(b.v[7], 3);
    WANT(stack_in(&c), 3), WANT(c.stack, 100);
    return wrong;
}
