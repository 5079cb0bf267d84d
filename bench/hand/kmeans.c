/* Gradient 2 sum (c_j - p_i) and Hessian diagonal 2 (number of points of j). */
#include "../kmeans.h"
#include <math.h>

double kmeans_hand(int n, int k, int d, const double *points, const double *centroids, double *centroids_bar,
                   double *diagonal) {
    double cost = 0;
    for (int i = 0; i < n; i++) {
        const double *p = &points[i * d];
        double nearest = INFINITY;
        int winner = 0;
        for (int j = 0; j < k; j++) {
            double sum = 0;
            for (int a = 0; a < d; a++) sum += (p[a] - centroids[j * d + a]) * (p[a] - centroids[j * d + a]);
            if (sum >= nearest) continue;
            nearest = sum;
            winner = j;
        }
        cost += nearest;
        for (int a = 0; a < d; a++) {
            centroids_bar[winner * d + a] += 2 * (centroids[winner * d + a] - p[a]);
            diagonal[winner * d + a] += 2;
        }
    }
    return cost;
}
