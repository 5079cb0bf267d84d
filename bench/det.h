#ifndef DET_H
#define DET_H

double det(int l, const double *A);
double det_grad(int l, const double *A, double *A_bar);
double det_tan(int l, const double *A, const double *A_dot);
double det_hand(int l, const double *A, double *A_bar);

#endif
