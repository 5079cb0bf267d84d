/* With p = (sigma/rho)^6 the force on i is 24 eps (2 p^2 - p) d / rho^2. */
#include "../lj.h"
#include <math.h>

static double sixth(double rho2, double sigma) {
    double s2 = sigma * sigma / rho2;
    return s2 * s2 * s2;
}

double lj_hand(int n, double side, const double *x, double *forces, double eps, double *eps_bar, double sigma,
               double *sigma_bar) {
    double energy = 0, virial = 0, rc2 = side > 0 ? 2.5 * 2.5 : INFINITY, pc = sixth(rc2, sigma);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d[3], rho2 = 0;
            for (int a = 0; a < 3; a++) {
                d[a] = x[3 * i + a] - x[3 * j + a];
                if (side > 0) d[a] -= side * round(d[a] / side);
                rho2 += d[a] * d[a];
            }
            if (rho2 >= rc2) continue;
            double p = sixth(rho2, sigma), g = 24 * eps * (2 * p * p - p) / rho2;
            energy += 4 * eps * (p * p - p - (pc * pc - pc));
            virial += 2 * p * p - p - (2 * pc * pc - pc);
            for (int a = 0; a < 3; a++) {
                forces[3 * i + a] += g * d[a];
                forces[3 * j + a] -= g * d[a];
            }
        }
    *eps_bar += energy / eps;
    *sigma_bar += 24 * eps / sigma * virial;
    return energy;
}

void lj_cluster_hessian(int n, const double *x, double eps, double sigma, double *hessian) {
    int row = 3 * n;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d[3], rho2 = 0;
            for (int a = 0; a < 3; a++) d[a] = x[3 * i + a] - x[3 * j + a];
            for (int a = 0; a < 3; a++) rho2 += d[a] * d[a];
            double p = sixth(rho2, sigma), g = 24 * eps * (2 * p * p - p) / rho2;
            double second = 4 * eps * (156 * p * p - 42 * p) / rho2;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) {
                    double h = (second + g) * d[a] * d[b] / rho2 - (a == b ? g : 0);
                    hessian[(3 * i + a) * row + 3 * i + b] += h;
                    hessian[(3 * j + a) * row + 3 * j + b] += h;
                    hessian[(3 * i + a) * row + 3 * j + b] -= h;
                    hessian[(3 * j + a) * row + 3 * i + b] -= h;
                }
        }
}
