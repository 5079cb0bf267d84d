#include <math.h>
#include <stdio.h>
#include <string.h>

static double ratio(double a, double b) {
    return a / b; /* line 6: 0 / 0, or 1 / 0 */
}

static double mean(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return ratio(sum, n); /* line 12 */
}

static double spread(double x) {
    return log(x) + 1; /* line 16: log of 0 */
}

typedef double two __attribute__((vector_size(16)));

static double lanes(double x) {
    two v = {1, x};
    v = v * 1e200; /* line 23: the second is too large */
    return v[0];
}

static float narrow(double x) {
    return (float)x; /* line 28: no float is so large */
}

int main(int argc, char **argv) {
    static const double x[4] = {1, 2, 3, 4};
    const char *which = argc > 1 ? argv[1] : "none";
    double y = INFINITY; /* not made here */
    printf("%g\n", y * 2 + mean(x, 4));
    if (!strcmp(which, "mean")) y = mean(x, 0); /* line 36 */
    if (!strcmp(which, "log")) y = spread(x[0] - 1);
    if (!strcmp(which, "vector")) y = lanes(1e300);
    if (!strcmp(which, "cast")) y = narrow(1e300);
    printf("%g\n", y);
    return 0;
}
