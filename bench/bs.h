#ifndef BS_H
#define BS_H

double bs_price(double S, double K, double r, double sigma, double T, int put);
/* Sum of n prices, which go to price; inputs: n rows of S, K, r, sigma, T. */
double bs_sum(int n, const int *put, const double *inputs, double *price);

double bs_sum_grad(int n, const int *put, const double *inputs, double *inputs_bar, double *price,
                   double *price_bar);
double bs_price_tan(double S, double S_dot, double K, double K_dot, double r, double r_dot, double sigma,
                    double sigma_dot, double T, double T_dot, int put);
/* price: n, greeks: n x 5, second: n x 3. */
void bs_hand(int n, const int *put, const double *inputs, double *price, double *greeks, double *second);

#endif
