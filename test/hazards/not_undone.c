// RUN: %S/run.sh "%ad" %s %t
// Stores that nobody can take back (volatile, atomic, under a lock, by a library function): what they threaten is kept.
#include "hazard.h"
#include <pthread.h>
#include <stdatomic.h>

static volatile double port;
static double by_volatile(double *x, int n) {
    port = x[0];
    double s = 0;
    for (int i = 0; i < n; i++) {
        double v = port;
        s += v * v * x[i];
        port = v * x[i];
    }
    return s;
}
GRADIENT(by_volatile);

static double shared[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double by_lock(double *x, int n) {
    double s = 0;
    shared[0] = x[0];
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&lock);
        double v = shared[0];
        s += v * v;
        shared[0] = v * x[i];
        pthread_mutex_unlock(&lock);
    }
    return s * shared[0];
}
GRADIENT(by_lock);

static double by_library(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        double d[2] = {x[i], x[i] * x[0]};
        s += d[0] * d[0] * d[1];
        if (sscanf("0.5", "%lf", &d[0]) != 1) return 0;
        s += d[0] * d[1];
    }
    return s;
}
GRADIENT(by_library);

static _Atomic double sum;
static double by_atomic(double *x, int n) {
    atomic_store(&sum, x[0]);
    double s = 0;
    for (int i = 0; i < n; i++) {
        double v = atomic_load(&sum);
        s += v * v;
        atomic_store(&sum, v * x[i]);
    }
    return s + atomic_exchange(&sum, 0);
}
GRADIENT(by_atomic);

int main(void) {
    /* v0 = a, v1 = a a, n = 2: a^3 + a^4 b */
    CHECK_SAME(by_volatile, 2, LIST(2, 3), 8 + 48, LIST(12 + 96, 16));
    /* (a^2 + a^4) a^2 b */
    CHECK_SAME(by_lock, 2, LIST(2, 3), 20 * 12, LIST(4 * 8 * 3 + 6 * 32 * 3, 80));
    /* a^4 + a^2 / 2 + b^3 a + b a / 2 */
    CHECK_SAME(by_library, 2, LIST(2, 3), 16 + 2 + 54 + 3, LIST(32 + 2 + 27 + 1.5, 54 + 1));
    /* a^2 + a^4 + a^2 b */
    CHECK_SAME(by_atomic, 2, LIST(2, 3), 4 + 16 + 12, LIST(4 + 32 + 12, 4));
    return wrong;
}
