/* f = sum of x_i sin(x_i): derivative sin(x_i) + x_i cos(x_i). g scales an array in place and returns a product. */
#include <math.h>

double f(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * sin(x[i]);
    return s;
}

static double cube(double v) { return v * v * v; }

double g(double a, float b, double *y, int n) {
    for (int i = 0; i < n; i++) y[i] = a * cube(y[i]);
    return a * b;
}

int main(void) { return 0; }
