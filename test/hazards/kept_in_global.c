// RUN: %S/run.sh "%ad" %s %t
// Memory that a global leads to since an earlier gradient has no shadow in this one: it is read as a constant.
#include "hazard.h"
static double *weights;
static int size;
static double f(double *x, int n) {
    if (size < n) {
        weights = malloc(sizeof(double) * (size_t)n);
        for (int i = 0; i < n; i++) weights[i] = i + 1;
        size = n;
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += weights[i] * x[i] * x[i];
    return s;
}
GRADIENT(f);
int main(void) {
    CHECK_SAME(f, 3, LIST(1, 2, 3), 1 + 8 + 27, LIST(2, 8, 18));
    return wrong;
}
