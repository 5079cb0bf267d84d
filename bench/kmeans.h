#ifndef KMEANS_H
#define KMEANS_H

double kmeans(int n, int k, int d, const double *points, const double *centroids);
double kmeans_grad(int n, int k, int d, const double *points, const double *centroids, double *centroids_bar);
double kmeans_tan(int n, int k, int d, const double *points, const double *centroids,
                  const double *centroids_dot);
/* Adds the gradient and the diagonal of the Hessian. */
double kmeans_hand(int n, int k, int d, const double *points, const double *centroids, double *centroids_bar,
                   double *diagonal);

#endif
