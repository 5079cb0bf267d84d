#ifndef LLSQ_H
#define LLSQ_H

double llsq(int m, int n, const double *x);
double llsq_grad(int m, int n, const double *x, double *x_bar);
double llsq_tan(int m, int n, const double *x, const double *x_dot);
double llsq_hand(int m, int n, const double *x, double *x_bar);

#endif
