/* Logarithm of a sum of exponentials, with the largest entry taken off. */
#include "lse.h"
#include <cofactor/ad.h>

real lse(int n, const real *x) {
    real a = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] > a) a = x[i];
    real sum = 0;
    for (int i = 0; i < n; i++) sum += exp(x[i] - a);
    return a + log(sum);
}

CF_REVERSE(lse_grad, lse, "const dup");
CF_FORWARD(lse_tan, lse, "const dup");
