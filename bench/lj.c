/* Lennard-Jones energy of a cluster, and of a periodic box with a cutoff. */
#include "lj.h"
#include <cofactor/ad.h>
#include <math.h>

static const double cutoff = 2.5;

static double pair(double rho2, double eps, double sigma) {
    double s2 = sigma * sigma / rho2, s6 = s2 * s2 * s2;
    return 4 * eps * (s6 * s6 - s6);
}

double lj_cluster(int n, const double *x, double eps, double sigma) {
    double energy = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double rho2 = 0;
            for (int a = 0; a < 3; a++) rho2 += pow(x[3 * i + a] - x[3 * j + a], 2);
            energy += pair(rho2, eps, sigma);
        }
    return energy;
}

double lj_box(int n, double side, const double *x, double eps, double sigma) {
    double energy = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double rho2 = 0;
            for (int a = 0; a < 3; a++) {
                double d = x[3 * i + a] - x[3 * j + a];
                d -= side * round(d / side);
                rho2 += d * d;
            }
            if (rho2 >= cutoff * cutoff) continue;
            energy += pair(rho2, eps, sigma) - pair(cutoff * cutoff, eps, sigma);
        }
    return energy;
}

CF_REVERSE(lj_cluster_grad, lj_cluster, "const dup dup dup");
CF_FORWARD(lj_cluster_tan, lj_cluster, "const dup dup dup");
CF_REVERSE(lj_box_grad, lj_box, "const const dup dup dup");
CF_FORWARD(lj_box_tan, lj_box, "const const dup dup dup");
