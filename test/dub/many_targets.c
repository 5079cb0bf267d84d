// RUN: %ad -O0 %s -o %t.0 -lm && %t.0
// RUN: %ad -O2 %s -o %t.2 -lm && %t.2
// A table of more functions than are compared one by one: it is searched, with a cache. `sin` has no body here.
#include <cofactor/ad.h>
#include <cofactor/context.h>
#include <math.h>
#include <stdio.h>

struct n {
    long multiplications;
};
CF_PREHOOK(n, "fmul") static void multiplied(struct n *c) { c->multiplications++; }

#define G(k) static double g##k(double x) { return k * x; }
G(1)
G(2)
G(3)
G(4)
G(5)
G(6)
G(7)
G(8)
G(9)
G(10)
G(11)
G(12)
G(13)
G(14)
G(15)
G(16)
G(17)
G(18)
G(19)
G(20)
static double (*const table[])(double) = {g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15, g16, g17, g18, g19, g20, sin};

double f(double x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += table[i * 5 % 21](x) + table[i % 3](x);
    return s;
}
double f_in(struct n *c, double x, int n);
CF_IN(f_in, f, n);
double f_dot(double x, double x_dot, int n);
CF_FORWARD(f_dot, f, "dup const");

int main(void) {
    struct n c = {0};
    /* 42 calls go twice through the table, 42 go to the first three: 2 * (1 + … + 20) + 14 * (1 + 2 + 3) */
    double want = (420 + 84) * 2 + 2 * sin(2), slope = 420 + 84 + 2 * cos(2);
    double in = f_in(&c, 2, 42), dot = f_dot(2, 1, 42);
    printf("%.15g %.15g %.15g %ld\n", in, dot, slope, c.multiplications);
    return fabs(in - want) > 1e-9 || fabs(dot - slope) > 1e-9 || c.multiplications != 40 + 42;
}
