#ifndef LSE_H
#define LSE_H
#include "real.h"

real lse(int n, const real *x);
real lse_grad(int n, const real *x, real *x_bar);
real lse_tan(int n, const real *x, const real *x_dot);
void lse_hand(int n, const real *x, real *x_bar);

#endif
