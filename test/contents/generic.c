// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -Wall -Wextra %s -lm -o %t && %t || exit 1; done
// RUN: %ad -O2 -g %s -lm -o %t && %t
// RUN: env COFACTOR_NO_INLINE=1 %ad -O1 %s -lm -o %t && %t
// Functions that copy bytes and are used with several types: near and far, by memcpy, by bytes, by words, through registers.
#include "agree.h"
#include <stdint.h>
#define APART __attribute__((noinline)) static

APART void copy_halves(char *to, const char *from, size_t n) {
    if (n > 64) {
        size_t h = n / 16 * 8;
        copy_halves(to, from, h);
        copy_halves(to + h, from + h, n - h);
    } else {
        memcpy(to, from, n);
    }
}
APART void copy_deep(void *to, const void *from, size_t n, int deep) {
    if (deep)
        copy_deep(to, from, n, deep - 1);
    else
        copy_halves(to, from, n);
}
typedef uint32_t __attribute__((may_alias)) word;
APART void copy_words(void *to, const void *from, size_t n) {
    const word *a = from;
    word *b = to;
    for (size_t i = 0; i < n / 4; i++) b[n / 4 - 1 - i] = a[n / 4 - 1 - i];
}
/* Each byte takes its turn through a variable. */
APART void rotate(char *p, size_t n, size_t by) {
    for (; by; by--) {
        char first = p[0];
        for (size_t i = 0; i + 1 < n; i++) p[i] = p[i + 1];
        p[n - 1] = first;
    }
}

static double copied(const double *x, int n) {
    double a[MOST], b[MOST], s = 0;
    float p[MOST], q[MOST], w[MOST];
    long double l[MOST], m[MOST];
    size_t k = (size_t)n;
    for (int i = 0; i < n; i++) a[i] = x[i] * x[i], p[i] = (float)(x[i] * 3), l[i] = x[i] * x[0];
    copy_halves((char *)b, (char *)a, k * sizeof *a);
    copy_deep(q, p, k * sizeof *p, 2);
    copy_deep(m, l, k * sizeof *l, 1);
    copy_words(w, q, k * sizeof *q);
    copy_words(a, b, k * sizeof *a);
    rotate((char *)b, k * sizeof *b, 2 * sizeof *b);
    rotate((char *)w, k * sizeof *w, 3 * sizeof *w);
    for (int i = 0; i < n; i++)
        s += (i + 1) * a[i] * b[i] + (double)p[i] * (double)w[i] + 5 * (double)q[i] + (double)(m[i] * (i + 2));
    return s;
}
PROGRAM(copied)

/* Results leave through a copy of bytes: what the caller put into the shadow says how much of them is asked for. */
APART void results(const double *x, int n, double *y, float *z) {
    double a[MOST];
    float b[MOST];
    for (int i = 0; i < n; i++) a[i] = x[i] * x[(i + 1) % n], b[i] = (float)(x[i] * x[i]);
    copy_deep(y, a, (size_t)n * sizeof *a, 0);
    copy_deep(z, b, (size_t)n * sizeof *b, 0);
    copy_deep(y + n, a, (size_t)n * sizeof *a, 1);
}
void results_rev(const double *x, double *x_bar, int n, double *y, double *y_bar, float *z, float *z_bar);
CF_REVERSE(results_rev, results, "dup const dup dup");
void results_fwd(const double *x, const double *x_dot, int n, double *y, double *y_dot, float *z, float *z_dot);
CF_FORWARD(results_fwd, results, "dup const dup dup");

static int seeded(int n) {
    double x[MOST], bar[MOST], dot[MOST] = {0}, y[2 * MOST], y_bar[2 * MOST], y_dot[2 * MOST];
    float z[MOST], z_bar[MOST], z_dot[MOST];
    int bad = 0;
    for (int i = 0; i < n; i++) x[i] = 0.5 + 0.25 * i, bar[i] = 3, y_bar[i] = 1 + i, y_bar[n + i] = 0.5 * i, z_bar[i] = (float)(2 - i);
    results_rev(x, bar, n, y, y_bar, z, z_bar);
    for (int k = 0; k < n; k++) {
        dot[k] = 1;
        results_fwd(x, dot, n, y, y_dot, z, z_dot);
        dot[k] = 0;
        double want = 3;
        for (int i = 0; i < n; i++) want += y_dot[i] * (1 + i) + y_dot[n + i] * 0.5 * i + (double)(z_dot[i] * (float)(2 - i));
        if (fabs(bar[k] - want) > 1e-6) bad++, printf("seeded, %d: %g, not %g\n", k, bar[k], want);
        if (y_bar[k] != 0 || y_bar[n + k] != 0 || z_bar[k] != 0) bad++, printf("seeded, %d: a seed is left\n", k);
    }
    return bad;
}

int main(void) { return AGREE_FLOAT(copied, 11) + AGREE_FLOAT(copied, 4) + seeded(6) + seeded(1); }
