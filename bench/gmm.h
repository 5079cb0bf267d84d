#ifndef GMM_H
#define GMM_H
#include "real.h"

/* Log posterior into *f, and with the prior's sign turned. */
void gmm(int d, int K, int n, const real *alpha, const real *mu, const real *icf, const real *x, real gamma,
         int m, real *f);
void gmm_adbench(int d, int K, int n, const real *alpha, const real *mu, const real *icf, const real *x,
                 real gamma, int m, real *f);

typedef void gmm_reverse_fn(int d, int K, int n, const real *alpha, real *alpha_bar, const real *mu,
                            real *mu_bar, const real *icf, real *icf_bar, const real *x, real gamma, int m,
                            real *f, real *f_bar);
typedef void gmm_forward_fn(int d, int K, int n, const real *alpha, const real *alpha_dot, const real *mu,
                            const real *mu_dot, const real *icf, const real *icf_dot, const real *x,
                            real gamma, int m, real *f, real *f_dot);

void gmm_grad(int d, int K, int n, const real *alpha, real *alpha_bar, const real *mu, real *mu_bar,
              const real *icf, real *icf_bar, const real *x, real gamma, int m, real *f, real *f_bar);
void gmm_adbench_grad(int d, int K, int n, const real *alpha, real *alpha_bar, const real *mu, real *mu_bar,
                      const real *icf, real *icf_bar, const real *x, real gamma, int m, real *f, real *f_bar);
void gmm_tan(int d, int K, int n, const real *alpha, const real *alpha_dot, const real *mu,
             const real *mu_dot, const real *icf, const real *icf_dot, const real *x, real gamma, int m,
             real *f, real *f_dot);
void gmm_adbench_tan(int d, int K, int n, const real *alpha, const real *alpha_dot, const real *mu,
                     const real *mu_dot, const real *icf, const real *icf_dot, const real *x, real gamma,
                     int m, real *f, real *f_dot);
gmm_reverse_fn gmm_hand, gmm_adbench_hand;

#endif
