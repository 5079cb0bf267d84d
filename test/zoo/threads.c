/* Several threads take gradients at once, each on its own data; deep and long tapes. */
#include "zoo.h"
#include <pthread.h>

static double chain(const double *x, int n) {
    double *t = (double *)malloc((size_t)n * sizeof *t), s = 0;
    t[0] = x[0];
    for (int i = 1; i < n; i++) t[i] = t[i - 1] * 0.5 + x[i % 4] * x[i % 4];
    for (int i = 0; i < n; i++) s += t[i] > 1 ? t[i] * t[i] : t[i];
    free(t);
    return s;
}
ZOO_R(double chain_rev(const double *x, double *xb, int n); CF_REVERSE(chain_rev, chain, "dup const");)
ZOO_F(double chain_fwd(const double *x, const double *xd, int n); CF_FORWARD(chain_fwd, chain, "dup const");)

struct worker {
    double x[4], value, b[4], t[4];
};
static void *work(void *p) {
    struct worker *w = (struct worker *)p;
    for (int k = 0; k < 20; k++) {
        memset(w->b, 0, sizeof w->b);
        w->value = chain(w->x, 1000);
        ZOO_R(w->value = chain_rev(w->x, w->b, 1000);)
        for (int j = 0; j < 4; j++) {
            ZOO_F(double d[4] = {0}; d[j] = 1; w->t[j] = chain_fwd(w->x, d, 1000);)
        }
    }
    return NULL;
}

/* With x_k = c for all k, t_i = 2 c^2 + (c - 2 c^2) 2^-i; checked against the closed form of the two sums. */
static double closed(double c) {
    double s = 0;
    for (int i = 0; i < 1000; i++) {
        double t = 2 * c * c + (c - 2 * c * c) * pow(0.5, i);
        s += t > 1 ? t * t : t;
    }
    return s;
}
/* derivative of closed along c */
static double closed_slope(double c) {
    double s = 0;
    for (int i = 0; i < 1000; i++) {
        double t = 2 * c * c + (c - 2 * c * c) * pow(0.5, i), d = 4 * c + (1 - 4 * c) * pow(0.5, i);
        s += t > 1 ? 2 * t * d : d;
    }
    return s;
}
ZOO_FREE(eight_threads) {
    pthread_t thread[8];
    struct worker w[8];
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 4; j++) w[i].x[j] = 1 + 0.125 * i, w[i].b[j] = w[i].t[j] = 0;
        pthread_create(&thread[i], NULL, work, &w[i]);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(thread[i], NULL);
        double c = 1 + 0.125 * i;
        zoo_want("value", w[i].value, closed(c), 1e-10);
        ZOO_R(zoo_want("sum of adjoints", w[i].b[0] + w[i].b[1] + w[i].b[2] + w[i].b[3], closed_slope(c),
                       1e-10);)
        ZOO_F(zoo_want("sum of tangents", w[i].t[0] + w[i].t[1] + w[i].t[2] + w[i].t[3], closed_slope(c),
                       1e-10);)
        for (int j = 0; j < 4; j++) {
            ZOO_R(ZOO_F(zoo_want("reverse against forward", w[i].b[j], w[i].t[j], 1e-10);))
        }
    }
    zoo_want("slope", closed_slope(1.5), (closed(1.5 + 1e-5) - closed(1.5 - 1e-5)) / 2e-5, 1e-6);
}

/* Recursion of 10,000 levels that keeps values of each level. */
__attribute__((noinline)) static double level(const double *x, double s, int n) {
    if (n == 0) return s;
    double t[2] = {s * x[0], s};
    double below = level(x, t[0] + t[1] * 0.25, n - 1);
    return below + t[0] * 1e-4;
}
ZOO_R(double level_rev(const double *x, double *xb, double s, double *sb, int n);
      CF_REVERSE(level_rev, level, "dup dup const");)
ZOO_F(double level_fwd(const double *x, const double *xd, double s, double sd, int n);
      CF_FORWARD(level_fwd, level, "dup dup const");)
ZOO_FREE(ten_thousand_levels) {
    /* with x = 1/2 + 1/4 - ... = 3/4: s_k = s (x + 1/4)^k = s; value = s + 1e-4 s x sum_k (x + 1/4)^k */
    double x = 0.75, s = 2, n = 10000;
    zoo_want("value", level(&x, s, 10000), s + 1e-4 * s * x * n, 1e-9);
    /* d/dx = s n + 1e-4 s (n + x n (n - 1) / 2); d/ds = 1 + 1e-4 x n */
    double by_x = s * n + 1e-4 * s * (n + x * n * (n - 1) / 2), by_s = 1 + 1e-4 * x * n;
    ZOO_R(double xb = 0; double sb = 0; level_rev(&x, &xb, s, &sb, 10000); zoo_want("x", xb, by_x, 1e-9);
          zoo_want("s", sb, by_s, 1e-9);)
    ZOO_F(double one = 1; double zero = 0; zoo_want("dx", level_fwd(&x, &one, s, 0, 10000), by_x, 1e-9);
          zoo_want("ds", level_fwd(&x, &zero, s, 1, 10000), by_s, 1e-9);)
    (void)by_x, (void)by_s;
}

/* A loop with an unknown number of trips, long enough that the tape grows many times; stopped early although its
 * bound is huge. */
static double long_search(const double *x, long bound) {
    double s = x[0];
    for (long i = 0; i < bound; i++) {
        if (s > 3) break;
        s += x[1] * s * s;
    }
    return s;
}
ZOO_R(double long_search_rev(const double *x, double *xb, long bound);
      CF_REVERSE(long_search_rev, long_search, "dup const");)
ZOO_F(double long_search_fwd(const double *x, const double *xd, long bound);
      CF_FORWARD(long_search_fwd, long_search, "dup const");)
ZOO_FREE(huge_bound) {
    double x[2] = {1, 1e-5};
    /* the same recurrence with its derivative by hand */
    double s = x[0], by[2] = {1, 0};
    while (!(s > 3)) {
        for (int j = 0; j < 2; j++) by[j] += 2 * x[1] * s * by[j] + (j == 1 ? s * s : 0);
        s += x[1] * s * s;
    }
    zoo_want("value", long_search(x, 1L << 40), s, 1e-12);
    ZOO_R(double b[2] = {0}; long_search_rev(x, b, 1L << 40); zoo_want("x0", b[0], by[0], 1e-9);
          zoo_want("x1", b[1], by[1], 1e-9);)
    for (int j = 0; j < 2; j++) {
        ZOO_F(double d[2] = {0}; d[j] = 1; zoo_want("tangent", long_search_fwd(x, d, 1L << 40), by[j], 1e-9);)
    }
    (void)by;
}
