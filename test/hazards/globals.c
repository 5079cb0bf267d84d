// RUN: %S/run.sh "%ad" %s %t
// Mutable globals have shadows of their own, 0 when a gradient begins; threads have theirs where the primal has.
#include "hazard.h"
#include <pthread.h>

double total; /* of the program: others may write it */
static double state[2] = {1, 2};
static _Thread_local double mine[2];
static struct {
    double *at;
    int n;
} where;

/* Written, left, and read again only by the next gradient: nothing may come over from the last one. */
static double leaves_behind(double *x, int n) {
    double s = state[0] * x[0] + total * x[n - 1];
    state[0] = x[0] * x[0];
    total = x[n - 1];
    return s;
}
double leaves_r(double *x, double *b, int n), leaves_t(double *x, double *d, int n);
CF_REVERSE(leaves_r, leaves_behind, "dup const");
CF_FORWARD(leaves_t, leaves_behind, "dup const");

/* A global that points into the arguments, and at another global. */
APART void scale(double by, int deep) {
    if (deep) {
        scale(by, deep - 1);
        return;
    }
    for (int i = 0; i < where.n; i++) where.at[i] *= by;
}
static double points(double *x, int n) {
    where.at = x, where.n = n;
    scale(x[0], 1);
    state[0] = 3, state[1] = x[1];
    where.at = state, where.n = 2;
    scale(x[0], 0);
    return state[0] * state[1];
}
GRADIENT(points);

static double of_thread(double *x, int n) {
    mine[0] = x[0];
    for (int i = 0; i < 1000; i++) mine[i & 1] = mine[0] * 0.5 + mine[1] * 0.25 + x[n - 1] * 0.125;
    double r = mine[0] + mine[1];
    mine[1] = 0;
    return r;
}
double thread_r(double *x, double *b, int n), thread_t(double *x, double *d, int n);
CF_REVERSE(thread_r, of_thread, "dup const");
CF_FORWARD(thread_t, of_thread, "dup const");
struct job {
    double x[2], b[2], value, slope[2], want;
};
static void *work(void *p) {
    struct job *j = p;
    for (int k = 0; k < 50; k++) {
        memset(j->b, 0, sizeof j->b);
        j->value = thread_r(j->x, j->b, 2);
        for (int i = 0; i < 2; i++) {
            double d[2] = {0};
            d[i] = 1;
            j->slope[i] = thread_t(j->x, d, 2);
        }
    }
    return NULL;
}

int main(void) {
    for (int again = 0; again < 2; again++) {
        double x[2] = {3, 5}, b[2] = {0}, d[2] = {1, 0};
        state[0] = 2, total = 7;
        WANT(leaves_r(x, b, 2), 41), WANT(b[0], 2), WANT(b[1], 7), WANT(state[0], 9), WANT(total, 5);
        state[0] = 2, total = 7;
        WANT(leaves_t(x, d, 2), 2);
    }
    /* x0' = x0^2, x1' = x1 x0; then 3 x0', x1' x0' */
    const double a = 2, b = 3;
    CHECK(points, 2, LIST(a, b), 3 * b * pow(a, 5), LIST(15 * b * pow(a, 4), 3 * pow(a, 5)),
          LIST(a * a, a * b));
    pthread_t thread[8];
    struct job j[8] = {{{0}, {0}, 0, {0}, 0}};
    for (int i = 0; i < 8; i++) {
        j[i].x[0] = 1 + i, j[i].x[1] = 2 * i;
        pthread_create(&thread[i], NULL, work, &j[i]);
    }
    for (int i = 0; i < 8; i++) pthread_join(thread[i], NULL);
    /* the fixed point of m = m / 2 + m / 4 + x / 8 is x / 2, whatever the start */
    for (int i = 0; i < 8; i++) {
        WANT(j[i].value, 2. * i), WANT(j[i].b[0], 0), WANT(j[i].b[1], 1);
        WANT(j[i].slope[0], 0), WANT(j[i].slope[1], 1);
    }
    return wrong;
}
