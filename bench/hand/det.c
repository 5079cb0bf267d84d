/* The adjoint of each step of the expansion: the entry gets the minor, the minor gets the entry. */
#include "../det.h"
#include <stdbool.h>
#include <string.h>

/* Value of the minor below `row` without the columns in `used`; adds seed * its derivative. */
static double minor(int l, const double *A, double *A_bar, int row, unsigned used, double seed) {
    double sum = 0, sign = 1;
    for (int j = 0; j < l; j++) {
        if (used >> j & 1) continue;
        double a = A[row * l + j], rest = 1;
        if (row < l - 1) rest = minor(l, A, A_bar, row + 1, used | 1u << j, seed * sign * a);
        A_bar[row * l + j] += seed * sign * rest;
        sum += sign * a * rest;
        sign = -sign;
    }
    return sum;
}

double det_hand(int l, const double *A, double *A_bar) { return minor(l, A, A_bar, 0, 0, 1); }
