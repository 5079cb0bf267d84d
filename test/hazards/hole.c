// RUN: %S/run.sh "%ad" %s %t
// A value that is used after its memory was overwritten cannot be loaded again at that use, logged store or not.
#include "hazard.h"

static double hole(double *a, int n) {
    double t = a[0];
    a[0] = a[n - 1];
    return t * a[1];
}
GRADIENT(hole);

/* The same in each iteration, and with the writer in a branch. */
static double holes(double *a, int n) {
    double s = 0;
    for (int i = 0; i + 1 < n; i++) {
        double t = a[i];
        if (i & 1) a[i] = a[i + 1] * 2;
        s += t * t * a[i];
    }
    return s;
}
GRADIENT(holes);

/* The writer is a call. */
APART void spoil(double *a, int deep) {
    if (deep)
        spoil(a, deep - 1);
    else
        a[0] = a[1] * a[1];
}
static double by_call(double *a, int n) {
    double t = a[0];
    spoil(a, n);
    return t * t * a[0];
}
GRADIENT(by_call);

/* The writer is behind the use: then memory may be undone. */
static double soft(double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * a[i];
    for (int i = 0; i < n; i++) a[i] = s;
    return s * a[0];
}
GRADIENT(soft);

int main(void) {
    CHECK(hole, 2, LIST(3, 5), 15, LIST(5, 3), LIST(5, 5));
    /* a0^3 + 2 a1^2 a2 */
    CHECK(holes, 3, LIST(2, 3, 5), 8 + 90, LIST(12, 60, 18), LIST(2, 10, 5));
    /* a0^2 a1^2 */
    CHECK(by_call, 2, LIST(2, 3), 36, LIST(36, 24), LIST(9, 3));
    /* (a0^2 + a1^2)^2 */
    CHECK(soft, 2, LIST(2, 3), 169, LIST(4 * 13 * 2, 4 * 13 * 3), LIST(13, 13));
    return wrong;
}
