#include <cofactor/ad.h>
double f(const double *x) { return x[0] * x[1]; }
double f_grad(const double *x, double *x_bar);
CF_REVERSE(f_grad, f, "dup");
