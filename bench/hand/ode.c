/* y_i = c_i x_0 ... x_i with rational c_i, so dy_i/dx_j = y_i / x_j for j <= i. */
#include "../ode.h"

void ode_hand(int n, int steps, const double *x, double *x_bar, double *y, double *y_bar) {
    ode(n, steps, x, y);
    double sum = 0;
    for (int j = n - 1; j >= 0; j--) {
        sum += y_bar[j] * y[j];
        x_bar[j] += sum / x[j];
        y_bar[j] = 0;
    }
}
