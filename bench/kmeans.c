/* Cost of a clustering: the sum of each point's squared distance to the nearest centroid. */
#include "kmeans.h"
#include <cofactor/ad.h>
#include <math.h>

static double square_distance(int d, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < d; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

double kmeans(int n, int k, int d, const double *points, const double *centroids) {
    double cost = 0;
    for (int i = 0; i < n; i++) {
        double nearest = INFINITY;
        for (int j = 0; j < k; j++) {
            double distance = square_distance(d, &points[i * d], &centroids[j * d]);
            if (distance < nearest) nearest = distance;
        }
        cost += nearest;
    }
    return cost;
}

CF_REVERSE(kmeans_grad, kmeans, "const const const const dup");
CF_FORWARD(kmeans_tan, kmeans, "const const const const dup");
