#ifndef HEAT_H
#define HEAT_H

double heat(int n, int steps, const double *u0, double k0, double k1, const double *target);
double heat_grad(int n, int steps, const double *u0, double *u0_bar, double k0, double *k0_bar, double k1,
                 double *k1_bar, const double *target);
double heat_tan(int n, int steps, const double *u0, const double *u0_dot, double k0, double k0_dot, double k1,
                double k1_dot, const double *target);
double heat_hand(int n, int steps, const double *u0, double *u0_bar, double k0, double *k0_bar, double k1,
                 double *k1_bar, const double *target);

#endif
