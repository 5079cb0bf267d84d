// RUN: %S/run.sh "%ad" %s %t
// After the gradient, memory that the caller sees holds what the primal leaves there, though it was undone on the way.
#include "hazard.h"

static double global[4];
static double updates(double *x, int n) {
    double s = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++) {
            x[i] = x[i] * x[(i + 1) % n];
            s += x[i] * x[i];
            global[i] = s;
        }
    return s;
}
GRADIENT(updates);

/* By blocks, by callees, through pointers in memory. */
struct hold {
    double *p;
};
APART void step(struct hold *h, int n, int deep) {
    if (deep) {
        step(h, n, deep - 1);
        return;
    }
    double t[8];
    for (int i = 0; i < n; i++) t[i] = h->p[i] * h->p[n - 1 - i];
    memcpy(h->p, t, (size_t)n * sizeof *t);
}
static double by_callees(double *x, int n) {
    struct hold h = {x};
    double s = 0;
    for (int k = 0; k < 2; k++) {
        step(&h, n, 1);
        s += x[0] * x[1];
    }
    return s;
}
GRADIENT(by_callees);

/* `consume` gives that up; the derivatives are the same. */
double updates_c(double *x, double *bar, int n);
CF_REVERSE(updates_c, updates, "dup const consume");

static double plain(double *x, double *g) {
    double s = updates(x, 2);
    memcpy(g, global, sizeof global);
    return s;
}

int main(void) {
    /* x = (a, b): a' = ab, b' = ab b = ab^2, and so on: exponents of (a, b) */
    const double a = 1.5, b = 0.5;
    static const int e[6][2] = {{1, 1}, {1, 2}, {2, 3}, {3, 5}, {5, 8}, {8, 13}};
    double value = 0, ga = 0, gb = 0;
    for (int i = 0; i < 6; i++) {
        double v = pow(a, e[i][0]) * pow(b, e[i][1]);
        value += v * v, ga += 2 * v * e[i][0] * v / a, gb += 2 * v * e[i][1] * v / b;
    }
    double x[2] = {a, b}, bar[2] = {0}, g[4];
    plain(x, g);
    CHECK(updates, 2, LIST(a, b), value, LIST(ga, gb), LIST(x[0], x[1]));
    memset(global, 0, sizeof global);
    double y[2] = {a, b};
    updates_r(y, bar, 2);
    WANT(memcmp(global, g, sizeof g), 0);
    memset(bar, 0, sizeof bar), y[0] = a, y[1] = b;
    WANT(updates_c(y, bar, 2), value), WANT(bar[0], ga), WANT(bar[1], gb);
    /* both become ab, then a^2 b^2: s = a^2 b^2 + a^4 b^4 */
    CHECK(by_callees, 2, LIST(2, 0.5), 2, LIST(1 + 2, 4 + 8), LIST(1, 1));
    return wrong;
}
