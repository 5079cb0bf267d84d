// Complex numbers and small structs by value: one word for each parameter of the source, however many registers it takes.
// Companions come by value in forward mode, through one pointer in reverse mode; the seed of such a result by value.
// RUN: %ad -w -O0 %s -o %t0 -lm && %t0 | %FileCheck %s
// RUN: %ad -w -O2 -g %s -o %t2 -lm && %t2 | %FileCheck %s
// RUN: %cofactor grad %s -f f --reverse auto --forward auto -f p --reverse "dup dup" --name made -f t -o %t.o --header %t.h -- -I%include -DCOMMAND && %FileCheck --check-prefix=HEADER %s < %t.h
// HEADER: double f_grad(double _Complex z, double _Complex *z_bar);
// HEADER: double f_tan(double _Complex z, double _Complex z_dot);
// HEADER: double made(pair q, pair *q_bar, double k, double *k_bar);
// HEADER: float t_grad(three q, three *q_bar);
#include <cofactor/ad.h>
#include <complex.h>
#include <stdio.h>
#ifdef COMMAND
#undef CF_REVERSE
#undef CF_FORWARD
#define CF_REVERSE(...) _Static_assert(1, "")
#define CF_FORWARD(...) _Static_assert(1, "")
#endif
typedef struct {
    double a, b;
} pair;
typedef struct {
    float a, b, c;
} three;
typedef struct {
    double *p;
    int n;
} vec;
double f(double complex z) { return creal(z * z) + 3 * cimag(z); }
double f_grad(double complex z, double complex *z_bar);
CF_REVERSE(f_grad, f, "dup");
double f_tan(double complex z, double complex z_dot);
CF_FORWARD(f_tan, f, "dup");
double f_tan2(double complex z, const double complex z_dot[2], double t[2]);
CF_FORWARD(f_tan2, f, "dup width=2");
double complex g(double x, double complex c) { return x * I * c + x * x; }
double complex g_grad(double x, double *xb, double complex c, double complex seed);
CF_REVERSE(g_grad, g, "dup const seed");
double complex g_tan(double x, double xd, double complex c);
CF_FORWARD(g_tan, g, "dup const");
float complex h(float complex z) { return z * z; }
float complex h_grad(float complex z, float complex *zb, float complex seed);
CF_REVERSE(h_grad, h, "dup seed");
double p(pair q, double k) { return q.a * q.b * k; }
double p_grad(pair q, pair *qb, double k, double *kb);
CF_REVERSE(p_grad, p, "dup dup");
double p_grad3(pair q, pair qb[3], double k, double kb[3], const double seed[3]);
CF_REVERSE(p_grad3, p, "dup dup seed width=3");
double p_tan(pair q, pair qd, double k, double kd);
CF_FORWARD(p_tan, p, "dup dup");
pair r(double x) { return (pair){x, x * x}; }
pair r_grad(double x, double *xb, pair seed);
CF_REVERSE(r_grad, r, "dup seed");
float t(three q) { return q.a * q.b * q.c; }
float t_grad(three q, three *qb);
CF_REVERSE(t_grad, t, "dup");
float t_tan(three q, three qd);
CF_FORWARD(t_tan, t, "dup");
double v(vec q) { return q.p[0] * q.n; }
double v_grad(vec q, vec *qb);
CF_REVERSE(v_grad, v, "dup");
double v_tan(vec q, vec qd);
CF_FORWARD(v_tan, v, "dup");
#ifndef COMMAND
int main(void) {
    double complex zb = 1;
    f_grad(2 + 3 * I, &zb);
    printf("f %g %g\n", creal(zb), cimag(zb));
    printf("ft %g\n", f_tan(2 + 3 * I, 1 + 1 * I));
    double complex zd[2] = {1, I};
    double tt[2];
    f_tan2(2 + 3 * I, zd, tt);
    printf("ft2 %g %g\n", tt[0], tt[1]);
    double xb = 0;
    g_grad(3, &xb, 1 + 2 * I, 1 + 10 * I);
    printf("g %g\n", xb);
    double complex gt = g_tan(3, 1, 1 + 2 * I);
    printf("gt %g %g\n", creal(gt), cimag(gt));
    float complex hb = 0;
    h_grad(2 + 3 * I, &hb, 1);
    printf("h %g %g\n", crealf(hb), cimagf(hb));
    pair q = {2, 3}, qb = {0};
    double kb = 0;
    p_grad(q, &qb, 5, &kb);
    printf("p %g %g %g\n", qb.a, qb.b, kb);
    pair q3[3] = {{0}};
    double k3[3] = {0}, s3[3] = {1, 2, 3};
    p_grad3(q, q3, 5, k3, s3);
    printf("p3 %g %g %g\n", q3[2].a, q3[1].b, k3[1]);
    printf("pt %g\n", p_tan(q, (pair){1, 1}, 5, 1));
    xb = 0;
    pair rr = r_grad(3, &xb, (pair){1, 10});
    printf("r %g %g %g\n", rr.a, rr.b, xb);
    three w = {2, 3, 4}, wb = {1, 0, 0};
    t_grad(w, &wb);
    printf("t %g %g %g\n", wb.a, wb.b, wb.c);
    printf("tt %g\n", t_tan(w, (three){1, 1, 1}));
    double d[1] = {3}, db[1] = {0};
    vec vv = {d, 4}, vb = {db, 0};
    v_grad(vv, &vb);
    printf("v %g\n", db[0]);
    db[0] = 2;
    printf("vt %g\n", v_tan(vv, vb));
}
#endif
// CHECK: f 5 -3
// CHECK: ft 1
// CHECK: ft2 4 -3
// CHECK: g 14
// CHECK: gt 4 1
// CHECK: h 4 -6
// CHECK: p 15 10 6
// CHECK: p3 45 20 12
// CHECK: pt 31
// CHECK: r 3 9 61
// CHECK: t 13 8 6
// CHECK: tt 26
// CHECK: v 4
// CHECK: vt 8
