// RUN: %S/../hazards/run.sh "%ad" %s %t
// What carries no derivative, by what derivatives mean here: numbers that travel as text, that are found by comparison alone, that
// become whole numbers. What does: `volatile` variables. Bytes that nothing has written have a shadow of 0.
#include "hazard.h"
#include <stdbool.h>
#include <stdint.h>

static double by_text(double *x, int n) {
    char text[64];
    snprintf(text, sizeof text, "%.17g", x[0] * x[0]);
    return strtod(text, NULL) + n * x[0];
}
GRADIENT(by_text);

/* The square root to two digits, found by comparison. */
static double by_search(double *x, int n) {
    double low = 0, high = 100;
    while (high - low > 0.01) {
        double middle = (low + high) / 2;
        if (middle * middle < x[0])
            low = middle;
        else
            high = middle;
    }
    return floor(low * 100) + (int)x[0] + n * x[0];
}
GRADIENT(by_search);

static double by_conditions(double *x, int n) {
    bool bit[64];
    double y = x[0] * x[0];
    uint64_t u, v = 0;
    memcpy(&u, &y, sizeof u);
    for (int i = 0; i < 64; i++) bit[i] = (u & UINT64_C(1) << i) != 0;
    for (int i = 0; i < 64; i++)
        if (bit[i]) v |= UINT64_C(1) << i;
    memcpy(&y, &v, sizeof y);
    return y + n * x[0];
}
GRADIENT(by_conditions);

static double unoptimised(double *x, int n) {
    volatile double v = x[0];
    v *= v;
    double a = v;
    v = 1;
    return a * x[n - 1] + v;
}
GRADIENT(unoptimised);

/* The block is as malloc gave it, but for one element: that is not read before it is written. */
static double partly(double *x, int n) {
    double *y = malloc(4 * sizeof *y), s = 0;
    y[1] = x[0];
    for (int i = 0; i < 4; i++)
        if (i == n) s += y[i] * y[i];
    free(y);
    return s;
}
GRADIENT(partly);

int main(void) {
    CHECK_SAME(by_text, 1, LIST(3), 12, LIST(1));
    CHECK_SAME(by_search, 1, LIST(9), 299 + 9 + 9, LIST(1));
    CHECK_SAME(by_conditions, 1, LIST(3), 12, LIST(1));
    CHECK_SAME(unoptimised, 2, LIST(3, 4), 37, LIST(24, 9));
    CHECK_SAME(partly, 1, LIST(3), 9, LIST(6));
    return wrong;
}
