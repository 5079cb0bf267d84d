#ifndef BRUSS_H
#define BRUSS_H

/* Residual of one implicit Euler step from w_old to w, both (u, v) on N x N points, 2 N^2 numbers. */
void bruss(int N, const double *w_old, const double *w, double *residual);
void bruss_grad(int N, const double *w_old, const double *w, double *w_bar, double *residual,
                double *residual_bar);
void bruss_tan(int N, const double *w_old, const double *w, const double *w_dot, double *residual,
               double *residual_dot);
/* Values of the Jacobian in the pattern of cols, six per row, columns ascending. */
void bruss_hand(int N, const double *w_old, const double *w, const int *cols, double *residual, double *vals);

#endif
