/* A least-squares fit by gradient descent. The gradient of `loss` is made by Cofactor.
 *
 *     clang-22 -O2 -Iinclude -fpass-plugin=build/22/lib/cofactor-pass.so examples/fit.c -lm -o fit && ./fit */
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>

enum { POINTS = 40, PARAMETERS = 3 };

/* The model: an exponential decay to a level. */
static double model(const double *p, double t) { return p[0] * exp(-p[1] * t) + p[2]; }

static double loss(const double *p, const double *t, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double r = model(p, t[i]) - y[i];
        sum += r * r;
    }
    return sum / n;
}

/* Declared here, defined by Cofactor: returns the loss and adds its derivatives by p to p_bar. */
double loss_grad(const double *p, double *p_bar, const double *t, const double *y, int n);
CF_REVERSE(loss_grad, loss, "dup const const const");

int main(void) {
    double t[POINTS], y[POINTS], p[PARAMETERS] = {1, 1, 0};
    const double truth[PARAMETERS] = {2.5, 0.7, 0.4};
    for (int i = 0; i < POINTS; i++) {
        t[i] = 0.15 * i;
        y[i] = model(truth, t[i]) + 0.05 * sin(40.0 * i); /* with an error of measurement */
    }
    for (int step = 0; step <= 400; step++) {
        double p_bar[PARAMETERS] = {0};
        double l = loss_grad(p, p_bar, t, y, POINTS);
        if (step % 100 == 0)
            printf("step %3d: loss %.6f, p = (%.4f, %.4f, %.4f)\n", step, l, p[0], p[1], p[2]);
        for (int k = 0; k < PARAMETERS; k++) p[k] -= 0.4 * p_bar[k];
    }
}
