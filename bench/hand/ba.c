/* The block of one observation: with R the rotation, d rot(r, v)/dr = -R [v]x (r r^T + (R^T - I)[r]x) /
 * theta^2
 * (-[v]x at r = 0), d rot/dv = R, and the chain rule through the projection. */
#include "../ba.h"
#include <math.h>

typedef double mat3[3][3];

static void skew(const double *v, mat3 S) {
    mat3 s = {{0, -v[2], v[1]}, {v[2], 0, -v[0]}, {-v[1], v[0], 0}};
    for (int i = 0; i < 9; i++) S[i / 3][i % 3] = s[i / 3][i % 3];
}

static void multiply(mat3 A, mat3 B, mat3 out) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
}

static void rotation(const double *r, double theta2, mat3 R) {
    double theta = sqrt(theta2), s = 1, c1 = 0.5;
    if (theta2 != 0) {
        s = sin(theta) / theta;
        c1 = (1 - cos(theta)) / theta2;
    }
    mat3 S, S2;
    skew(r, S);
    multiply(S, S, S2);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R[i][j] = (i == j) + s * S[i][j] + c1 * S2[i][j];
}

/* D = d rot(r, v)/dr. */
static void rotation_by_r(const double *r, double theta2, mat3 R, const double *v, mat3 D) {
    mat3 V, S, A, B, T;
    skew(v, V);
    if (theta2 == 0) {
        for (int i = 0; i < 9; i++) D[i / 3][i % 3] = -V[i / 3][i % 3];
        return;
    }
    skew(r, S);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) T[i][j] = R[j][i] - (i == j);
    multiply(T, S, A);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) A[i][j] = (r[i] * r[j] + A[i][j]) / theta2;
    multiply(V, A, B);
    multiply(R, B, D);
    for (int i = 0; i < 9; i++) D[i / 3][i % 3] = -D[i / 3][i % 3];
}

void ba_hand(const double *camera, const double *X, double w, const double *feature, double *e,
             double *block) {
    double v[3], y[3], theta2 = camera[0] * camera[0] + camera[1] * camera[1] + camera[2] * camera[2];
    mat3 R, D;
    rotation(camera, theta2, R);
    for (int i = 0; i < 3; i++) v[i] = X[i] - camera[3 + i];
    for (int i = 0; i < 3; i++) y[i] = R[i][0] * v[0] + R[i][1] * v[1] + R[i][2] * v[2];
    rotation_by_r(camera, theta2, R, v, D);
    double f = camera[6], k1 = camera[9], k2 = camera[10], p[2] = {y[0] / y[2], y[1] / y[2]};
    double s = p[0] * p[0] + p[1] * p[1], L = 1 + k1 * s + k2 * s * s, dL = k1 + 2 * k2 * s;
    double by_y[2][3] = {{1 / y[2], 0, -p[0] / y[2]}, {0, 1 / y[2], -p[1] / y[2]}};
    for (int a = 0; a < 2; a++) {
        double *row = block + 15 * a, by_p[2], g[3];
        for (int b = 0; b < 2; b++) by_p[b] = w * f * ((a == b) * L + p[a] * dL * 2 * p[b]);
        for (int j = 0; j < 3; j++) g[j] = by_p[0] * by_y[0][j] + by_p[1] * by_y[1][j];
        for (int j = 0; j < 3; j++) {
            row[j] = g[0] * D[0][j] + g[1] * D[1][j] + g[2] * D[2][j];
            row[11 + j] = g[0] * R[0][j] + g[1] * R[1][j] + g[2] * R[2][j];
            row[3 + j] = -row[11 + j];
        }
        double residual = f * L * p[a] + camera[7 + a] - feature[a];
        row[6] = w * L * p[a];
        row[7] = a == 0 ? w : 0;
        row[8] = a == 1 ? w : 0;
        row[9] = w * f * s * p[a];
        row[10] = w * f * s * s * p[a];
        row[14] = residual;
        e[a] = w * residual;
    }
}
