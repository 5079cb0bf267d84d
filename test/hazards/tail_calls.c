// RUN: %S/run.sh "%ad" %s %t
// Calls that must reuse their caller's frame: to the function itself, through pointers, back and forth, in functions with
// other returns and with a convention of their own.
#include "hazard.h"
#define LAST __attribute__((musttail)) return

APART double down(double a, double b, int k) {
    if (!k) return a;
    if (a > 40) return b * b;
    LAST down(b, a * b, k - 1);
}
static double itself(double *x, int n) { return down(x[0], x[1], n + 3); }
GRADIENT(itself);

#define BARE __attribute__((preserve_none))
BARE APART double even(double *p, double a, int k);
BARE APART double odd(double *p, double a, int k) {
    p[1] *= a;
    if (!k) return p[0] * a;
    LAST even(p, sin(a) * p[0], k - 1);
}
BARE APART double even(double *p, double a, int k) {
    p[0] += a * p[1];
    if (!k) return p[1] + a;
    LAST odd(p, a * a, k - 1);
}
static double in_turn(double *x, int n) {
    double p[2] = {x[0], x[1]};
    return even(p, x[2], n) * odd(p, x[1], 1);
}
GRADIENT(in_turn);

/* A machine that is threaded by its steps. */
struct machine {
    double *x, sum;
    int at, n;
};
typedef double step(struct machine *m, double v);
APART double add(struct machine *m, double v), multiply(struct machine *m, double v), end(struct machine *m, double v);
static step *const steps[] = {add, multiply, end};
static step *next(struct machine *m) { return steps[m->at++ > 6 ? 2 : m->at & 1]; }
APART double add(struct machine *m, double v) {
    v += m->x[m->at % m->n], m->sum += v;
    if (v > 1e3) return v;
    LAST next(m)(m, v);
}
APART double multiply(struct machine *m, double v) {
    v *= m->x[m->at % m->n], m->sum *= v;
    LAST next(m)(m, v);
}
APART double end(struct machine *m, double v) { return v * m->sum; }
static double threaded(double *x, int n) {
    struct machine m = {x, 0, 0, n};
    return add(&m, 1);
}
GRADIENT(threaded);

typedef double primal(double *x, int n);
static void check(const char *name, primal *f, gradient *reverse, gradient *forward) {
    for (int n = 1; n < 4; n++) {
        double x[3] = {1.1, 0.8, 1.3}, b[3] = {0}, h = 1e-6;
        want(name, reverse(x, b, n), f(x, n), 1e-12);
        for (int i = 0; i < 3; i++) {
            double p[3] = {x[0], x[1], x[2]}, m[3] = {x[0], x[1], x[2]}, d[3] = {0};
            p[i] += h, m[i] -= h, d[i] = 1;
            want(name, b[i], (f(p, n) - f(m, n)) / (2 * h), 1e-6);
            want(name, forward(x, d, n), b[i], 1e-12);
        }
    }
}
#define COMPARE(f) check(#f, f, f##_r, f##_t)

int main(void) {
    COMPARE(itself);
    COMPARE(in_turn);
    COMPARE(threaded);
    return wrong;
}
