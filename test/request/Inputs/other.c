#include "shared.h"
#include "shared.h"
double shared(double x) { return 2 * x * x; }

/* The same names as in units.c, another meaning. */
static double twin(double x) { return 5 * x * x; }
double twin_tan(double x, double x_dot);
CF_FORWARD(twin_tan, twin, "dup");
double other_twin(void) { return twin_tan(1, 1); }
double other_local(void) { return local_tan(2, 1); }

static double kept[2];
static double keeper(double x) {
    kept[0] = 7 * x;
    return kept[0] * kept[0];
}
void keeper_grad(double x, double *x_bar);
CF_REVERSE(keeper_grad, keeper, "dup");
double other_keeper(double x) {
    double b = 0;
    keeper_grad(x, &b);
    return b;
}
