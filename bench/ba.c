/* Residuals of bundle adjustment: how far the projection of a point lies from where a camera saw it. */
#include "ba.h"
#include <cofactor/ad.h>
#include <math.h>

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double *a, const double *b, double *out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void rotate(const double *r, const double *v, double *out) {
    double theta2 = dot(r, r), c[3];
    if (theta2 == 0) {
        cross(r, v, c);
        for (int i = 0; i < 3; i++) out[i] = v[i] + c[i];
        return;
    }
    double theta = sqrt(theta2), k[3], cosine = cos(theta), sine = sin(theta);
    for (int i = 0; i < 3; i++) k[i] = r[i] / theta;
    cross(k, v, c);
    double along = dot(k, v) * (1 - cosine);
    for (int i = 0; i < 3; i++) out[i] = v[i] * cosine + c[i] * sine + k[i] * along;
}

static void project(const double *camera, const double *X, double *p) {
    const double *r = camera, *C = camera + 3, *radial = camera + 9;
    double v[3], y[3];
    for (int i = 0; i < 3; i++) v[i] = X[i] - C[i];
    rotate(r, v, y);
    p[0] = y[0] / y[2];
    p[1] = y[1] / y[2];
    double s = p[0] * p[0] + p[1] * p[1];
    double L = 1 + radial[0] * s + radial[1] * s * s;
    for (int i = 0; i < 2; i++) p[i] = camera[6] * L * p[i] + camera[7 + i];
}

void ba_reprojection(const double *camera, const double *X, double w, const double *feature, double *e) {
    double p[2];
    project(camera, X, p);
    e[0] = w * (p[0] - feature[0]);
    e[1] = w * (p[1] - feature[1]);
}

double ba_weight_error(double w) { return 1 - w * w; }

void ba(int p, const double *cameras, const double *points, const double *weights, const int *observation,
        const double *features, double *reproj_err, double *w_err) {
    for (int i = 0; i < p; i++) {
        const double *camera = &cameras[11 * observation[2 * i]], *X = &points[3 * observation[2 * i + 1]];
        ba_reprojection(camera, X, weights[i], &features[2 * i], &reproj_err[2 * i]);
        w_err[i] = ba_weight_error(weights[i]);
    }
}

CF_REVERSE(ba_reprojection_grad, ba_reprojection, "dup dup dup const dup");
CF_REVERSE(ba_weight_grad, ba_weight_error, "dup");
CF_FORWARD(ba_reprojection_tan, ba_reprojection, "dup dup dup const dup");
CF_FORWARD(ba_weight_tan, ba_weight_error, "dup");
