// RUN: %S/run.sh "%ad" %s %t
// Counts, indices and results of counting that go between functions beside numbers are no numbers' bits, and no pointers'.
#include "hazard.h"

/* Quicksort: the place of the pivot comes from a function that moves numbers. */
APART long partition(double *x, long lo, long hi) {
    double p = x[hi];
    long i = lo;
    for (long j = lo; j < hi; j++)
        if (x[j] < p) {
            double t = x[i];
            x[i] = x[j];
            x[j] = t;
            i++;
        }
    double t = x[i];
    x[i] = x[hi];
    x[hi] = t;
    return i;
}
APART void sort(double *x, long lo, long hi) {
    if (lo >= hi) return;
    long m = partition(x, lo, hi);
    sort(x, lo, m - 1);
    sort(x, m + 1, hi);
}
struct list {
    double *x;
    long n;
    int swaps;
};
APART void sort_list(struct list *q, int deep) {
    if (deep) {
        sort_list(q, deep - 1);
        return;
    }
    sort(q->x, 0, q->n - 1);
    q->swaps += (int)partition(q->x, 0, q->n - q->swaps);
}
static double sorted(const double *x, int n) {
    double a[8];
    memcpy(a, x, sizeof *a * (unsigned)n);
    struct list q = {a, n, 1};
    sort_list(&q, 2);
    double s = 0;
    for (int i = 0; i < q.n; i++) s += (i + q.swaps) * a[i] * a[i];
    return s;
}

/* A copy of a struct in a function that does nothing else with the pointers in it. */
APART void copy(struct list *to, const struct list *from, int deep) {
    if (deep)
        copy(to, from, deep - 1);
    else
        *to = *from;
}
static double copied(const double *x, int n) {
    double a[8];
    memcpy(a, x, sizeof *a * (unsigned)n);
    struct list p = {a, n, 2}, q;
    copy(&q, &p, 1);
    for (int i = 0; i < q.n; i++) q.x[i] *= a[0];
    return a[1] * q.swaps;
}

double r1(const double *x, double *b, int n), r2(const double *x, double *b, int n);
double t1(const double *x, const double *d, int n), t2(const double *x, const double *d, int n);
CF_REVERSE(r1, sorted, "dup const");
CF_REVERSE(r2, copied, "dup const");
CF_FORWARD(t1, sorted, "dup const");
CF_FORWARD(t2, copied, "dup const");

int main(void) {
    const double x[4] = {3, 1, 4, 2}, d[4] = {1, 1, 1, 1};
    double b[4] = {0};
    /* the last partition finds 3 smaller ones: weights 4, 5, 6, 7 */
    WANT(r1(x, b, 4), 4 + 20 + 54 + 112), WANT(b[0], 36), WANT(b[1], 8), WANT(b[2], 56), WANT(b[3], 20);
    WANT(t1(x, d, 4), 120), memset(b, 0, sizeof b);
    /* a0 becomes x0^2, then a1 = x1 x0^2 */
    WANT(r2(x, b, 4), 18), WANT(b[0], 12), WANT(b[1], 18), WANT(t2(x, d, 4), 30);
    return wrong;
}
