/* Atomic and volatile access to numbers. */
#include "zoo.h"
#include <stdatomic.h>

static double atomic_cell(double x, double y) {
    _Atomic double a;
    atomic_init(&a, x);
    double old = atomic_load(&a);
    atomic_store(&a, old * y);
    return atomic_load(&a) * old;
}
/* x^2 y */
ZOO_NUM2(atomic_cell, (2, 3), (12), (12, 4));

static double relaxed(const double *x, int n) {
    _Atomic double sum = 0;
    for (int i = 0; i < n; i++) {
        double s = atomic_load_explicit(&sum, memory_order_relaxed);
        atomic_store_explicit(&sum, s * s + x[i], memory_order_relaxed);
    }
    return atomic_load_explicit(&sum, memory_order_acquire);
}
/* a^2 + b */
ZOO_OF(relaxed, 2, (2, 3), (7), (4, 1));

/* Addition through compare and exchange of the bits. */
static double exchanged(const double *x, int n) {
    double sum = 1;
    for (int i = 0; i < n; i++) {
        double old, next;
        __atomic_load(&sum, &old, __ATOMIC_RELAXED);
        next = old + x[i] * x[i];
        __atomic_store(&sum, &next, __ATOMIC_RELEASE);
    }
    return sum * sum;
}
ZOO_OF(exchanged, 2, (1, 2), (36), (24, 48));

static double volatile_cell(double x, double y) {
    volatile double v = x;
    v = v * y;
    v = v * v;
    return v + x;
}
ZOO_NUM2(volatile_cell, (2, 3), (38), (2 * 2 * 9 + 1, 2 * 4 * 3));

/* Integer atomics beside numbers. */
static double counted(const double *x, int n) {
    atomic_int calls = 0;
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * (double)atomic_fetch_add(&calls, 2);
    return s * atomic_load(&calls);
}
/* (0 a + 2 b + 4 c) 6 */
ZOO_OF(counted, 3, (1, 2, 3), (96), (0, 12, 24));

#ifdef __clang__
/* atomicrmw fadd and exchange of floats. */
static double fetch_add(const double *x, int n) {
    double sum = 2, before = 0;
    for (int i = 0; i < n; i++) before += __atomic_fetch_add(&sum, x[i] * x[i], __ATOMIC_RELAXED);
    return sum * before;
}
/* (2 + a^2 + b^2) (2 + 2 + a^2) */
ZOO_OF(fetch_add, 2, (1, 2), (35), (2 * 5 + 2 * 7, 4 * 5));

static double exchange(double x, double y) {
    double a = x * x, v = y, old;
    __atomic_exchange(&a, &v, &old, __ATOMIC_SEQ_CST);
    return old * 3 + a;
}
ZOO_NUM2(exchange, (2, 3), (15), (12, 1));
#endif
