#ifndef LBM_H
#define LBM_H

/* Solid cells: x = nx/4 and ny/4 <= y < ny/4 + ny/3. */
int lbm_solid(int nx, int ny, int x, int y);
/* Half the sum of u.u over fluid cells after the steps; u0 is x of all cells, then y. */
double lbm(int nx, int ny, int steps, const double *u0, double omega);
double lbm_grad(int nx, int ny, int steps, const double *u0, double *u0_bar, double omega, double *omega_bar);
double lbm_tan(int nx, int ny, int steps, const double *u0, const double *u0_dot, double omega,
               double omega_dot);
double lbm_hand(int nx, int ny, int steps, const double *u0, double *u0_bar, double omega, double *omega_bar);

#endif
