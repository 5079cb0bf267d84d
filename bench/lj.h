#ifndef LJ_H
#define LJ_H

double lj_cluster(int n, const double *x, double eps, double sigma);
double lj_box(int n, double side, const double *x, double eps, double sigma);

double lj_cluster_grad(int n, const double *x, double *x_bar, double eps, double *eps_bar, double sigma,
                       double *sigma_bar);
double lj_box_grad(int n, double side, const double *x, double *x_bar, double eps, double *eps_bar,
                   double sigma, double *sigma_bar);
double lj_cluster_tan(int n, const double *x, const double *x_dot, double eps, double eps_dot, double sigma,
                      double sigma_dot);
double lj_box_tan(int n, double side, const double *x, const double *x_dot, double eps, double eps_dot,
                  double sigma, double sigma_dot);

/* Forces and derivatives, added; side 0 means a cluster. */
double lj_hand(int n, double side, const double *x, double *forces, double eps, double *eps_bar, double sigma,
               double *sigma_bar);
/* Hessian of a cluster by x, 3n x 3n, added. */
void lj_cluster_hessian(int n, const double *x, double eps, double sigma, double *hessian);

#endif
