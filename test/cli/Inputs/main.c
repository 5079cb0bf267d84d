/* Compiled by another compiler than Cofactor's: the header and the object are all that it knows. */
#include "f_grad.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void near(const char *what, double got, double want) {
    if (fabs(got - want) <= 1e-12 * (1 + fabs(want))) return;
    printf("%s: %.17g, not %.17g\n", what, got, want);
    exit(1);
}

int main(void) {
    double x[3] = {0.5, 1, 2}, x_bar[3] = {0}, x_dot[3] = {1, 0, -1};
    near("value", f_grad(x, x_bar, 3), 0.5 * sin(0.5) + sin(1) + 2 * sin(2));
    for (int i = 0; i < 3; i++) near("gradient", x_bar[i], sin(x[i]) + x[i] * cos(x[i]));
    near("tangent", f_tan(x, x_dot, 3), sin(0.5) + 0.5 * cos(0.5) - sin(2) - 2 * cos(2));

    /* y becomes a y^3. Adjoints: a_bar = seed b + sum w y^3, y_bar = 3 a y^2 w. */
    double y[2] = {2, 3}, y_bar[2] = {0.5, 0.25}, a_bar = 0;
    float b_bar = 0;
    near("g", dg(4, &a_bar, 0.5f, &b_bar, y, y_bar, 2, 10), 2);
    near("a_bar", a_bar, 10 * 0.5 + 0.5 * 8 + 0.25 * 27);
    near("b_bar", b_bar, 10 * 4);
    near("y_bar[0]", y_bar[0], 3 * 4 * 4 * 0.5);
    near("y_bar[1]", y_bar[1], 3 * 4 * 9 * 0.25);
    near("y[0]", y[0], 32);
    near("y[1]", y[1], 108);
    puts("right");
    return 0;
}
