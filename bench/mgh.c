/* Sixteen test problems of More', Garbow and Hillstrom (ACM Transactions on Mathematical Software 7, 1981): residuals
 * f[m] at x[n]. */
#include "mgh.h"
#include <cofactor/ad.h>
#include <math.h>

static const double bard_y[] = {0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39,
                                0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39};
static const double kowalik_u[] = {4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625};
static const double kowalik_y[] = {0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627,
                                   0.0456, 0.0342, 0.0323, 0.0235, 0.0246};
static const double meyer_y[] = {34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744,
                                 8261,  7030,  6005,  5147,  4427,  3820,  3307,  2872};
static const double osborne1_y[] = {0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.850, 0.818,
                                    0.784, 0.751, 0.718, 0.685, 0.658, 0.628, 0.603, 0.580, 0.558,
                                    0.538, 0.522, 0.506, 0.490, 0.478, 0.467, 0.457, 0.448, 0.438,
                                    0.431, 0.424, 0.420, 0.414, 0.411, 0.406};
static const double osborne2_y[] = {
    1.366, 1.191, 1.112, 1.013, 0.991, 0.885, 0.831, 0.847, 0.786, 0.725, 0.746, 0.679, 0.608,
    0.655, 0.616, 0.606, 0.602, 0.626, 0.651, 0.724, 0.649, 0.649, 0.694, 0.644, 0.624, 0.661,
    0.612, 0.558, 0.533, 0.495, 0.500, 0.423, 0.395, 0.375, 0.372, 0.391, 0.396, 0.405, 0.428,
    0.429, 0.523, 0.562, 0.607, 0.653, 0.672, 0.708, 0.633, 0.668, 0.645, 0.632, 0.591, 0.559,
    0.597, 0.625, 0.739, 0.710, 0.729, 0.720, 0.636, 0.581, 0.428, 0.292, 0.162, 0.098, 0.054};

static double square(double x) { return x * x; }

void rosenbrock(int n, int m, const double *x, double *f) {
    (void)n, (void)m;
    f[0] = 10 * (x[1] - x[0] * x[0]);
    f[1] = 1 - x[0];
}

void freudenstein_roth(int n, int m, const double *x, double *f) {
    (void)n, (void)m;
    f[0] = -13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1];
    f[1] = -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1];
}

void powell_badly_scaled(int n, int m, const double *x, double *f) {
    (void)n, (void)m;
    f[0] = 1e4 * x[0] * x[1] - 1;
    f[1] = exp(-x[0]) + exp(-x[1]) - 1.0001;
}

void helical_valley(int n, int m, const double *x, double *f) {
    (void)n, (void)m;
    double turn = atan(x[1] / x[0]) / (2 * 3.14159265358979323846);
    if (x[0] < 0) turn += 0.5;
    f[0] = 10 * (x[2] - 10 * turn);
    f[1] = 10 * (sqrt(x[0] * x[0] + x[1] * x[1]) - 1);
    f[2] = x[2];
}

void bard(int n, int m, const double *x, double *f) {
    (void)n;
    for (int i = 1; i <= m; i++) {
        double v = 16 - i, w = i < v ? i : v;
        f[i - 1] = bard_y[i - 1] - (x[0] + i / (v * x[1] + w * x[2]));
    }
}

void meyer(int n, int m, const double *x, double *f) {
    (void)n;
    for (int i = 1; i <= m; i++) f[i - 1] = x[0] * exp(x[1] / (45 + 5 * i + x[2])) - meyer_y[i - 1];
}

void box3d(int n, int m, const double *x, double *f) {
    (void)n;
    for (int i = 1; i <= m; i++) {
        double t = i / 10.0;
        f[i - 1] = exp(-t * x[0]) - exp(-t * x[1]) - x[2] * (exp(-t) - exp(-10 * t));
    }
}

void powell_singular(int n, int m, const double *x, double *f) {
    (void)n, (void)m;
    f[0] = x[0] + 10 * x[1];
    f[1] = sqrt(5.0) * (x[2] - x[3]);
    f[2] = square(x[1] - 2 * x[2]);
    f[3] = sqrt(10.0) * square(x[0] - x[3]);
}

void kowalik_osborne(int n, int m, const double *x, double *f) {
    (void)n;
    for (int i = 0; i < m; i++) {
        double u = kowalik_u[i];
        f[i] = kowalik_y[i] - x[0] * (u * u + u * x[1]) / (u * u + u * x[2] + x[3]);
    }
}

void brown_dennis(int n, int m, const double *x, double *f) {
    (void)n;
    for (int i = 1; i <= m; i++) {
        double t = i / 5.0;
        f[i - 1] = square(x[0] + t * x[1] - exp(t)) + square(x[2] + x[3] * sin(t) - cos(t));
    }
}

void osborne1(int n, int m, const double *x, double *f) {
    (void)n;
    for (int i = 0; i < m; i++) {
        double t = 10 * i;
        f[i] = osborne1_y[i] - (x[0] + x[1] * exp(-t * x[3]) + x[2] * exp(-t * x[4]));
    }
}

void osborne2(int n, int m, const double *x, double *f) {
    (void)n;
    for (int i = 0; i < m; i++) {
        double t = i / 10.0, sum = x[0] * exp(-t * x[4]);
        for (int k = 1; k < 4; k++) sum += x[k] * exp(-pow(t - x[7 + k], 2) * x[4 + k]);
        f[i] = osborne2_y[i] - sum;
    }
}

void watson(int n, int m, const double *x, double *f) {
    for (int i = 1; i <= m - 2; i++) {
        double t = i / 29.0, power = 1, slope = 0, value = x[0];
        for (int j = 1; j < n; j++) {
            slope += j * x[j] * power;
            power *= t;
            value += x[j] * power;
        }
        f[i - 1] = slope - value * value - 1;
    }
    f[m - 2] = x[0];
    f[m - 1] = x[1] - x[0] * x[0] - 1;
}

void trigonometric(int n, int m, const double *x, double *f) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += cos(x[j]);
    for (int i = 0; i < m; i++) f[i] = n - sum + (i + 1) * (1 - cos(x[i])) - sin(x[i]);
}

void broyden_tridiagonal(int n, int m, const double *x, double *f) {
    for (int i = 0; i < m; i++) {
        double before = i > 0 ? x[i - 1] : 0, after = i + 1 < n ? x[i + 1] : 0;
        f[i] = (3 - 2 * x[i]) * x[i] - before - 2 * after + 1;
    }
}

void chebyquad(int n, int m, const double *x, double *f) {
    for (int i = 0; i < m; i++) f[i] = 0;
    for (int j = 0; j < n; j++) {
        double before = 1, now = 2 * x[j] - 1, twice = 2 * now;
        for (int i = 0; i < m; i++) {
            f[i] += now;
            double next = twice * now - before;
            before = now;
            now = next;
        }
    }
    for (int i = 0; i < m; i++) {
        f[i] /= n;
        if (i % 2 == 1) f[i] += 1.0 / ((i + 1) * (i + 1) - 1);
    }
}

CF_REVERSE(rosenbrock_grad, rosenbrock, "const const dup dup");
CF_FORWARD(rosenbrock_tan, rosenbrock, "const const dup dup");
CF_REVERSE(freudenstein_roth_grad, freudenstein_roth, "const const dup dup");
CF_FORWARD(freudenstein_roth_tan, freudenstein_roth, "const const dup dup");
CF_REVERSE(powell_badly_scaled_grad, powell_badly_scaled, "const const dup dup");
CF_FORWARD(powell_badly_scaled_tan, powell_badly_scaled, "const const dup dup");
CF_REVERSE(helical_valley_grad, helical_valley, "const const dup dup");
CF_FORWARD(helical_valley_tan, helical_valley, "const const dup dup");
CF_REVERSE(bard_grad, bard, "const const dup dup");
CF_FORWARD(bard_tan, bard, "const const dup dup");
CF_REVERSE(meyer_grad, meyer, "const const dup dup");
CF_FORWARD(meyer_tan, meyer, "const const dup dup");
CF_REVERSE(box3d_grad, box3d, "const const dup dup");
CF_FORWARD(box3d_tan, box3d, "const const dup dup");
CF_REVERSE(powell_singular_grad, powell_singular, "const const dup dup");
CF_FORWARD(powell_singular_tan, powell_singular, "const const dup dup");
CF_REVERSE(kowalik_osborne_grad, kowalik_osborne, "const const dup dup");
CF_FORWARD(kowalik_osborne_tan, kowalik_osborne, "const const dup dup");
CF_REVERSE(brown_dennis_grad, brown_dennis, "const const dup dup");
CF_FORWARD(brown_dennis_tan, brown_dennis, "const const dup dup");
CF_REVERSE(osborne1_grad, osborne1, "const const dup dup");
CF_FORWARD(osborne1_tan, osborne1, "const const dup dup");
CF_REVERSE(osborne2_grad, osborne2, "const const dup dup");
CF_FORWARD(osborne2_tan, osborne2, "const const dup dup");
CF_REVERSE(watson_grad, watson, "const const dup dup");
CF_FORWARD(watson_tan, watson, "const const dup dup");
CF_REVERSE(trigonometric_grad, trigonometric, "const const dup dup");
CF_FORWARD(trigonometric_tan, trigonometric, "const const dup dup");
CF_REVERSE(broyden_tridiagonal_grad, broyden_tridiagonal, "const const dup dup");
CF_FORWARD(broyden_tridiagonal_tan, broyden_tridiagonal, "const const dup dup");
CF_REVERSE(chebyquad_grad, chebyquad, "const const dup dup");
CF_FORWARD(chebyquad_tan, chebyquad, "const const dup dup");
