// What CF_ALLOCATOR needs to know, and that it is what a function that frees memory wants.
// RUN: for what in SIZE RELEASE UNNAMED; do %not %ad -g -O1 -D$what -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=$what %s || exit 1; done
#include <cofactor/ad.h>
#include <stddef.h>

void *two(size_t align, size_t bytes);
void *one(size_t bytes) __attribute__((malloc, alloc_size(1)));
void *flagged(size_t bytes);
void give_back(void *p);
int count(void *p);
#ifdef SIZE
// SIZE: allocator.c:[[#@LINE+1]]:{{.*}}error: which arguments of `two` are the size of the memory that it returns is not told: say so by __attribute__((alloc_size(
CF_ALLOCATOR(two, give_back);
#elif defined RELEASE
// RELEASE: allocator.c:[[#@LINE+1]]:{{.*}}error: `count`, which frees what `flagged` allocates, must take a pointer and return nothing
CF_ALLOCATOR(flagged, count);
#endif

static double f(const double *x, int n) {
    double *t = one((size_t)n * sizeof *t), s = 0;
    for (int i = 0; i < n; i++) t[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) s += t[i] * x[i];
    // UNNAMED-DAG: allocator.c:[[#@LINE+2]]:{{.*}}error: function give_back has an active argument, {{.*}}CF_ALLOCATOR
    // UNNAMED-DAG: allocator.c:[[#@LINE+1]]:{{.*}}error: a pointer to active memory is given to `give_back`, {{.*}}CF_ALLOCATOR
    give_back(t);
    return s;
}
double f_grad(const double *x, double *xb, int n);
CF_REVERSE(f_grad, f, "dup const");
double f_tan(const double *x, const double *xd, int n);
CF_FORWARD(f_tan, f, "dup const");
