#ifndef ODE_H
#define ODE_H

void ode(int n, int steps, const double *x, double *y);
void ode_grad(int n, int steps, const double *x, double *x_bar, double *y, double *y_bar);
void ode_tan(int n, int steps, const double *x, const double *x_dot, double *y, double *y_dot);
void ode_hand(int n, int steps, const double *x, double *x_bar, double *y, double *y_bar);

#endif
