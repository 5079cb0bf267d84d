// RUN: %S/run.sh "%ad" %s %t
// Eight threads take gradients at once, of functions with loops without a count, recursion, heap, and one function pointer.
#include "hazard.h"
#include <pthread.h>

APART double grow(double *t, int n) { return n > 1 ? t[n - 1] * grow(t, n - 1) : t[0]; }
static double square(double v) { return v * v; }
static double (*volatile chosen)(double) = square;
static double mixture(double *x, int n) {
    double *t = malloc((size_t)n * sizeof *t), s = 0;
    for (int i = 0; i < n; i++) t[i] = 1 + x[i] / 64;
    for (int k = 0; s < 20; k++) {
        s += grow(t, n) + chosen(x[k % n]);
        t[k % n] *= 1.0625;
    }
    free(t);
    return s;
}
GRADIENT(mixture);

enum { N = 4, TIMES = 200 };
struct job {
    double x[N], first[N], slope[N];
    int wrong;
};
static void *work(void *p) {
    struct job *j = p;
    for (int k = 0; k < TIMES; k++) {
        double x[N], b[N] = {0};
        memcpy(x, j->x, sizeof x);
        double v = mixture_r(x, b, N);
        if (!k) memcpy(j->first, b, sizeof b);
        j->wrong |= memcmp(j->first, b, sizeof b) || !(v >= 20);
    }
    for (int i = 0; i < N; i++) {
        double d[N] = {0};
        d[i] = 1;
        j->slope[i] = mixture_t(j->x, d, N);
    }
    return NULL;
}

int main(void) {
    pthread_t thread[8];
    static struct job j[8];
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < N; k++) j[i].x[k] = 0.5 + 0.125 * i + 0.25 * k;
        pthread_create(&thread[i], NULL, work, &j[i]);
    }
    for (int i = 0; i < 8; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < 8; i++) {
        WANT(j[i].wrong, 0);
        /* by hand: dt_k / dx_k is t_k / (1 + x_k / 64) / 64 */
        double t[N], s = 0, g[N] = {0};
        for (int k = 0; k < N; k++) t[k] = 1 + j[i].x[k] / 64;
        for (int k = 0; s < 20; k++) {
            double p = t[0] * t[1] * t[2] * t[3], v = j[i].x[k % N];
            s += p + v * v;
            for (int m = 0; m < N; m++) g[m] += p / (64 + j[i].x[m]);
            g[k % N] += 2 * v;
            t[k % N] *= 1.0625;
        }
        for (int m = 0; m < N; m++) WANT(j[i].first[m], g[m]), WANT(j[i].slope[m], g[m]);
    }
    return wrong;
}
