#ifndef MGH_H
#define MGH_H

/* Residuals f[m] of x[n], and their derivatives. */
typedef void mgh_fn(int n, int m, const double *x, double *f);
typedef void mgh_reverse_fn(int n, int m, const double *x, double *x_bar, double *f, double *f_bar);
typedef void mgh_forward_fn(int n, int m, const double *x, const double *x_dot, double *f, double *f_dot);
/* J, m x n, zero before. */
typedef void mgh_hand_fn(int n, int m, const double *x, double *J);

/* Every problem: number, name, n, m. */
#define MGH_PROBLEMS(X)                                                                                      \
    X(01, rosenbrock, 2, 2)                                                                                  \
    X(02, freudenstein_roth, 2, 2)                                                                           \
    X(03, powell_badly_scaled, 2, 2)                                                                         \
    X(07, helical_valley, 3, 3)                                                                              \
    X(08, bard, 3, 15)                                                                                       \
    X(10, meyer, 3, 16)                                                                                      \
    X(12, box3d, 3, 10)                                                                                      \
    X(13, powell_singular, 4, 4)                                                                             \
    X(15, kowalik_osborne, 4, 11)                                                                            \
    X(16, brown_dennis, 4, 20)                                                                               \
    X(17, osborne1, 5, 33)                                                                                   \
    X(19, osborne2, 11, 65)                                                                                  \
    X(20, watson, 6, 31)                                                                                     \
    X(26, trigonometric, 10, 10)                                                                             \
    X(30, broyden_tridiagonal, 10, 10)                                                                       \
    X(35, chebyquad, 8, 8)

#define MGH_DECLARE(number, name, n, m)                                                                      \
    mgh_fn name;                                                                                             \
    mgh_reverse_fn name##_grad;                                                                              \
    mgh_forward_fn name##_tan;                                                                               \
    mgh_hand_fn name##_hand;
MGH_PROBLEMS(MGH_DECLARE)

#endif
