/* Jacobians of the problems of More', Garbow and Hillstrom, row by row. */
#include "../mgh.h"
#include <math.h>

static void row(double *J, double a, double b, double c) {
    J[0] = a;
    J[1] = b;
    J[2] = c;
}

void rosenbrock_hand(int n, int m, const double *x, double *J) {
    (void)n, (void)m;
    J[0] = -20 * x[0];
    J[1] = 10;
    J[2] = -1;
}

void freudenstein_roth_hand(int n, int m, const double *x, double *J) {
    (void)n, (void)m;
    J[0] = J[2] = 1;
    J[1] = (10 - 3 * x[1]) * x[1] - 2;
    J[3] = (3 * x[1] + 2) * x[1] - 14;
}

void powell_badly_scaled_hand(int n, int m, const double *x, double *J) {
    (void)n, (void)m;
    J[0] = 1e4 * x[1];
    J[1] = 1e4 * x[0];
    J[2] = -exp(-x[0]);
    J[3] = -exp(-x[1]);
}

void helical_valley_hand(int n, int m, const double *x, double *J) {
    (void)n, (void)m;
    double r2 = x[0] * x[0] + x[1] * x[1], r = sqrt(r2), pi = 3.14159265358979323846;
    row(J, 50 / pi * x[1] / r2, -50 / pi * x[0] / r2, 10);
    row(J + 3, 10 * x[0] / r, 10 * x[1] / r, 0);
    row(J + 6, 0, 0, 1);
}

void bard_hand(int n, int m, const double *x, double *J) {
    (void)n;
    for (int i = 1; i <= m; i++) {
        double v = 16 - i, w = i < v ? i : v, d = v * x[1] + w * x[2];
        row(J + 3 * (i - 1), -1, i * v / (d * d), i * w / (d * d));
    }
}

void meyer_hand(int n, int m, const double *x, double *J) {
    (void)n;
    for (int i = 1; i <= m; i++) {
        double d = 45 + 5 * i + x[2], e = exp(x[1] / d);
        row(J + 3 * (i - 1), e, x[0] * e / d, -x[0] * e * x[1] / (d * d));
    }
}

void box3d_hand(int n, int m, const double *x, double *J) {
    (void)n;
    for (int i = 1; i <= m; i++) {
        double t = i / 10.0;
        row(J + 3 * (i - 1), -t * exp(-t * x[0]), t * exp(-t * x[1]), exp(-10 * t) - exp(-t));
    }
}

void powell_singular_hand(int n, int m, const double *x, double *J) {
    (void)n, (void)m;
    J[0] = 1;
    J[1] = 10;
    J[6] = sqrt(5.0);
    J[7] = -sqrt(5.0);
    J[9] = 2 * (x[1] - 2 * x[2]);
    J[10] = -2 * J[9];
    J[12] = 2 * sqrt(10.0) * (x[0] - x[3]);
    J[15] = -J[12];
}

void kowalik_osborne_hand(int n, int m, const double *x, double *J) {
    static const double u_of[] = {4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625};
    (void)n;
    for (int i = 0; i < m; i++) {
        double u = u_of[i], above = u * u + u * x[1], below = u * u + u * x[2] + x[3];
        row(J + 4 * i, -above / below, -x[0] * u / below, x[0] * above * u / (below * below));
        J[4 * i + 3] = x[0] * above / (below * below);
    }
}

void brown_dennis_hand(int n, int m, const double *x, double *J) {
    (void)n;
    for (int i = 1; i <= m; i++) {
        double t = i / 5.0, a = x[0] + t * x[1] - exp(t), b = x[2] + x[3] * sin(t) - cos(t);
        row(J + 4 * (i - 1), 2 * a, 2 * a * t, 2 * b);
        J[4 * (i - 1) + 3] = 2 * b * sin(t);
    }
}

void osborne1_hand(int n, int m, const double *x, double *J) {
    (void)n;
    for (int i = 0; i < m; i++) {
        double t = 10 * i, a = exp(-t * x[3]), b = exp(-t * x[4]);
        row(J + 5 * i, -1, -a, -b);
        J[5 * i + 3] = x[1] * t * a;
        J[5 * i + 4] = x[2] * t * b;
    }
}

void osborne2_hand(int n, int m, const double *x, double *J) {
    for (int i = 0; i < m; i++) {
        double t = i / 10.0, e = exp(-t * x[4]), *r = J + n * i;
        r[0] = -e;
        r[4] = x[0] * t * e;
        for (int k = 1; k < 4; k++) {
            double d = t - x[7 + k];
            e = exp(-d * d * x[4 + k]);
            r[k] = -e;
            r[4 + k] = x[k] * d * d * e;
            r[7 + k] = -x[k] * e * 2 * d * x[4 + k];
        }
    }
}

void watson_hand(int n, int m, const double *x, double *J) {
    for (int i = 1; i <= m - 2; i++) {
        double t = i / 29.0, value = 0, *r = J + n * (i - 1);
        for (int j = n - 1; j >= 0; j--) value = value * t + x[j];
        for (int j = 0; j < n; j++) r[j] = (j ? j * pow(t, j - 1) : 0) - 2 * value * pow(t, j);
    }
    J[n * (m - 2)] = 1;
    J[n * (m - 1)] = -2 * x[0];
    J[n * (m - 1) + 1] = 1;
}

void trigonometric_hand(int n, int m, const double *x, double *J) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) J[i * n + j] = sin(x[j]);
        J[i * n + i] += (i + 1) * sin(x[i]) - cos(x[i]);
    }
}

void broyden_tridiagonal_hand(int n, int m, const double *x, double *J) {
    for (int i = 0; i < m; i++) {
        J[i * n + i] = 3 - 4 * x[i];
        if (i > 0) J[i * n + i - 1] = -1;
        if (i + 1 < n) J[i * n + i + 1] = -2;
    }
}

/* T_k' = k U_{k-1}, U the polynomials of the second kind. */
void chebyquad_hand(int n, int m, const double *x, double *J) {
    for (int j = 0; j < n; j++) {
        double y = 2 * x[j] - 1, u_before = 0, u = 1;
        for (int i = 0; i < m; i++) {
            J[i * n + j] = 2.0 * (i + 1) * u / n;
            double next = 2 * y * u - u_before;
            u_before = u;
            u = next;
        }
    }
}
