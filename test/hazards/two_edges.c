// RUN: %S/run.sh "%ad" %s %t
// Several edges from one switch to one block: behind a loop, to its head, into a join, out of two loops at once, in loops
// that count and in loops that run until something is reached, with values kept on the tape.
#include "hazard.h"

static int tame(double h, double *y) { return *y > 1e6 ? 3 : (*y += h * *y * *y, 0); }
static int wild(double h, double *y) { return *y += h * *y, *y > 20 ? 9 : *y > 8 ? 5 : 1; }
static int (*const methods[])(double, double *) = {tame, wild};

/* Leaves in the midst for two codes, at the end for one: what was called through a pointer is looked up again. */
static double leaves(double *x, int n) {
    double y = x[0], h = x[1];
    for (;;) {
        switch (methods[n & 1](h, &y)) {
        case 9:
        case 3: return y * y * x[1];
        case 5: return y * x[1];
        }
        if (y > 2 * x[1]) break;
        h *= x[1];
    }
    return sin(y) * y;
}
GRADIENT(leaves);

/* Two codes go on, three meet behind the switch, two leave both loops. */
static double goes_on(double *x, int n) {
    double s = x[0];
    for (int k = 0; k < n; k++)
        for (int i = 0; s < 1e3; i++) {
            s *= 1 + x[1] * 0.1;
            switch ((i * 7 + k) % 9) {
            case 0:
            case 4: continue;
            case 1:
            case 5:
            case 8: s += x[0] * s * 0.01;
            case 2:
            case 6: goto next;
            case 7:
                if (k > 3) return s * s;
            }
            s = s * x[1];
            if (i > n) goto next;
            continue;
        next:
            s += cos(s);
            if (i > 3) break;
        }
    return s;
}
GRADIENT(goes_on);

/* The blocks of a table of labels: more than one entry leads to one of them. */
static double jumps(double *x, int n) {
    static const void *const table[] = {&&add, &&times, &&add, &&times, &&end, &&end};
    double s = 1;
    int i = 0;
    goto *table[(n + i) % 4];
add:
    s += x[i % 2] * s;
    if (++i > 6) goto *table[4 + i % 2];
    goto *table[(n + i * 3) % 4];
times:
    s *= x[i % 2];
    if (++i > 6) goto end;
    goto *table[(n + i) % 4];
end:
    return s * s;
}
GRADIENT(jumps);

typedef double primal(double *x, int n);
static void check(const char *name, primal *f, gradient *reverse, gradient *forward) {
    for (int n = 0; n < 8; n++) {
        double x[2] = {1.3, 0.9}, b[2] = {0}, h = 1e-6;
        want(name, reverse(x, b, n), f(x, n), 1e-12);
        for (int i = 0; i < 2; i++) {
            double p[2] = {x[0], x[1]}, m[2] = {x[0], x[1]}, d[2] = {i == 0, i == 1};
            p[i] += h, m[i] -= h;
            want(name, b[i], (f(p, n) - f(m, n)) / (2 * h), 1e-6);
            want(name, forward(x, d, n), b[i], 1e-12);
        }
    }
}
#define COMPARE(f) check(#f, f, f##_r, f##_t)

int main(void) {
    COMPARE(leaves);
    COMPARE(goes_on);
    COMPARE(jumps);
    return wrong;
}
