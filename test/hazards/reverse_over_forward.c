// RUN: %S/run.sh "%ad" %s %t
// What forward mode made is differentiated by reverse mode: a row of second derivatives, through loops that count, that
// break, and that run until something is reached.
#include "hazard.h"

static double cubic(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i] * x[(i + 1) % n];
    return s;
}
/* x0^k for the first k with x0^k >= 20, times x1 */
static double until(double *x, int n) {
    double s = 1;
    while (s < 20) s *= x[0];
    return s * x[n - 1];
}
double cubic_t(double *x, double *d, int n), until_t(double *x, double *d, int n);
CF_FORWARD(cubic_t, cubic, "dup const");
CF_FORWARD(until_t, until, "dup const");
static double cubic_row(double *x, int n) {
    double d[3] = {1, 2, 3};
    return cubic_t(x, d, n);
}
static double until_row(double *x, int n) {
    double d[2] = {1, 2};
    return until_t(x, d, n);
}
GRADIENT(cubic_row);
GRADIENT(until_row);

int main(void) {
    /* Hessian: rows {2 x1, 2 x0, 2 x2}, {2 x0, 2 x2, 2 x1}, {2 x2, 2 x1, 2 x0} of x0^2 x1 + x1^2 x2 + x2^2 x0 */
    CHECK_SAME(cubic_row, 3, LIST(5, 7, 11), (2 * 35 + 121) + 2 * (25 + 2 * 77) + 3 * (49 + 2 * 55),
               LIST(14 + 2 * 10 + 3 * 22, 10 + 2 * 22 + 3 * 14, 22 + 2 * 14 + 3 * 10));
    /* x0^3 x1 at 3, 5 */
    CHECK_SAME(until_row, 2, LIST(3, 5), 27 * 5 + 2 * 27, LIST(18 * 5 + 2 * 27, 27));
    return wrong;
}
