// RUN: for l in -O0 -O2; do %clang $l -c -DLIBRARY %s -o %t.lib.o && %ad $l -fopenmp -Wall -Wextra -I%S/.. -c %s -o %t.o && %clang %t.lib.o %t.o -o %t && %t || exit 1; done
// A region of OpenMP leaves the context: its runtime calls it by a pointer. The call of the runtime is an event, and what
// comes behind the region is inside. The runtime is one of our own, for one thread.
#ifdef LIBRARY
typedef void region(int *, int *, void *);
void __kmpc_fork_call(void *where, int n, region *f, void *shared);
void __kmpc_fork_call(void *where, int n, region *f, void *shared) {
    int zero = 0;
    (void)where, (void)n;
    f(&zero, &zero, shared);
}
#else
#include "events.h"

struct count { long n, regions; };
CF_PREHOOK(count, "call step") static void on_step(struct count *c) { c->n++; }
CF_PREHOOK(count, "call __kmpc_fork_call") static void on_region(struct count *c) { c->regions++; }

static int natively;
APART int step(int x) { return natively++, x + 1; }
static int parallel(int x) {
#pragma omp parallel
    x = step(x) * 10;
    return step(x);
}
int parallel_in(struct count *c, int x);
CF_IN(parallel_in, parallel, count);

int main(void) {
    struct count c = {0, 0};
    WANT(parallel_in(&c, 3), 41), WANT(natively, 2), WANT(c.regions, 1), WANT(c.n, 1);
    return wrong;
}
#endif
