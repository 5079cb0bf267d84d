// RUN: for l in -O0 -O2; do %clang $l -c -DLIBRARY %s -o %t.o && %ad $l -Wall -Wextra -Werror -I%S %s %t.o -lm -o %t && %t || exit 1; done
// A matrix times a vector by a library that was compiled without Cofactor: called as it is; what is written in place is the same buffer.
#ifdef LIBRARY
double *gemv(int n, const double *a, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) y[i] += a[i * n + j] * x[j];
    }
    return y;
}
#else
#include "events.h"

struct gemv_count { struct events e; double *given, *got; long fp; };
CF_PREHOOK(gemv_count, "call") static void before(struct gemv_count *c, const cf_site *s, int n, const double *a, const double *x, double *y) { (void)a, (void)x, c->given = y, note(&c->e, "%s(%d)", s->what, n); }
CF_POSTHOOK(gemv_count, "call") static void after(struct gemv_count *c, const cf_site *s, double *r, int n, const double *a, const double *x, double *y) { (void)a, (void)x, (void)y, c->got = r, note(&c->e, "=%s(%d)", s->what, n); }
CF_PREHOOK(gemv_count, "fp") static void on_fp(struct gemv_count *c) { c->fp++; }

double *gemv(int n, const double *a, const double *x, double *y);
static double *twice(int n, const double *a, const double *x, double *y) {
    double *r = gemv(n, a, x, y);
    for (int i = 0; i < n; i++) r[i] *= 2;
    return r;
}
double *twice_in(struct gemv_count *c, int n, const double *a, const double *x, double *y);
CF_IN(twice_in, twice, gemv_count);

int main(void) {
    static struct gemv_count c;
    double a[100], x[10], y[10], z[10];
    for (int i = 0; i < 100; i++) a[i] = i % 7 - 3.25;
    for (int i = 0; i < 10; i++) x[i] = i * 0.5, y[i] = z[i] = -1;
    WANT(twice_in(&c, 10, a, x, y) == y, 1);
    twice(10, a, x, z);
    for (int i = 0; i < 10; i++) WANT(y[i], z[i]);
    SAME(c.e, "gemv(10) =gemv(10)");
    WANT(c.given == y && c.got == y, 1), WANT(c.fp, 10);
    return wrong;
}
#endif
