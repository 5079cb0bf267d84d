/* Determinant by expansion in minors. The columns that are left form a circular list, 0 its head, column j
 * the node j + 1; the recursion takes nodes out and puts them back. */
#include "det.h"
#include <cofactor/ad.h>
#include <stdlib.h>

static double minor(int l, const double *A, int row, int *next, int *before) {
    if (row == l - 1) return A[row * l + next[0] - 1];
    double sum = 0, sign = 1;
    for (int j = next[0]; j != 0; j = next[j]) {
        next[before[j]] = next[j];
        before[next[j]] = before[j];
        sum += sign * A[row * l + j - 1] * minor(l, A, row + 1, next, before);
        next[before[j]] = j;
        before[next[j]] = j;
        sign = -sign;
    }
    return sum;
}

double det(int l, const double *A) {
    int *next = malloc((size_t)(l + 1) * sizeof *next);
    int *before = malloc((size_t)(l + 1) * sizeof *before);
    for (int j = 0; j <= l; j++) {
        next[j] = j == l ? 0 : j + 1;
        before[j] = j == 0 ? l : j - 1;
    }
    double result = minor(l, A, 0, next, before);
    free(next);
    free(before);
    return result;
}

CF_REVERSE(det_grad, det, "const dup");
CF_FORWARD(det_tan, det, "const dup");
