// RUN: for level in -O0 -O1 -O2 -O3; do %ad -w $level %s -lm -o %t && %t || exit 1; done
// Variable arguments whose alignment is above 16, between others, passed on by hand.
#include <cofactor/ad.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
typedef double v4 __attribute__((vector_size(32)));
typedef double v8 __attribute__((vector_size(64)));
struct wide {
    _Alignas(128) double a[3];
};
struct one {
    double a;
};
__attribute__((noinline)) static double many(int n, ...) {
    va_list l;
    va_start(l, n);
    double s = va_arg(l, double);
    v4 v = va_arg(l, v4);
    s += v[1] * v[2];
    s *= va_arg(l, int);
    struct wide w = va_arg(l, struct wide);
    s += w.a[0] * w.a[2];
    s += va_arg(l, double);
    v4 u = va_arg(l, v4);
    s += u[3] * va_arg(l, double);
    long double q = va_arg(l, long double);
    struct one o = va_arg(l, struct one);
    v8 z = va_arg(l, v8);
    s += (double)q + o.a + z[7] * z[0];
    va_end(l);
    return n > 1 ? many(n - 1, s, v, 1, w, s, u, s, q, o, z) : s;
}
static double f(const double *x, int n) {
    struct wide w = {{x[1], x[2], x[3]}};
    v4 v = {x[0], x[1], x[2], x[3]};
    v8 z = {x[0], 0, 0, 0, 0, 0, 0, x[3]};
    return many(n, x[0], v, 3, w, x[2], v * x[0], x[1], (long double)x[3], (struct one){x[1] * x[0]}, z);
}
double f_tan(const double *x, const double *d, int n);
CF_FORWARD(f_tan, f, "dup const");

int main(void) {
    int wrong = 0;
    for (int n = 1; n < 4; n++)
        for (int i = 0; i < 4; i++) {
            double x[4] = {1.1, .8, 1.3, .6}, p[4], m[4], d[4] = {0}, h = 1e-6;
            for (int k = 0; k < 4; k++) p[k] = m[k] = x[k];
            p[i] += h, m[i] -= h, d[i] = 1;
            double t = f_tan(x, d, n), q = (f(p, n) - f(m, n)) / (2 * h);
            if (fabs(t - q) < 1e-6 * (1 + fabs(q))) continue;
            printf("n %d, direction %d: %.12g, differences %.12g\n", n, i, t, q);
            wrong = 1;
        }
    return wrong;
}
