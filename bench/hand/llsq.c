/* dF/dx_j = - sum over i of r_i t_i^j. */
#include "../llsq.h"

double llsq_hand(int m, int n, const double *x, double *x_bar) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double t = -1 + 2 * (double)i / (n - 1), s = t > 0 ? 1 : t < 0 ? -1 : 0;
        double power = 1, value = 0;
        for (int j = 0; j < m; j++, power *= t) value += x[j] * power;
        double r = s - value;
        power = 1;
        for (int j = 0; j < m; j++, power *= t) x_bar[j] -= r * power;
        sum += r * r;
    }
    return sum / 2;
}
