// RUN: for l in -O0 -O1 -O2 -O3; do %adxx $l -Wall -Wextra %s -lm -o %t && %t || exit 1; done
// RUN: env COFACTOR_NO_INLINE=1 %adxx -O1 -g %s -lm -o %t && %t
// Memory that globals have led to since before the request: it has no shadow, and is constant, however it is reached.
#include <cmath>
#include <cofactor/ad.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

static int bad;
static void near_to(const char *what, double got, double want) {
    if (std::fabs(got - want) <= 1e-12 * (1 + std::fabs(want))) return;
    std::printf("%s: %.17g, right is %.17g\n", what, got, want);
    bad = 1;
}

/* By a static in a function, which is asked for twice. */
struct powers {
    std::vector<double> at;
    powers() {
        for (int i = 0; i < 4; i++) at.push_back(1 << i);
    }
};
static const powers &table() {
    static powers t;
    return t;
}
static double looked_up(double x) { return table().at[(int)x] * x * x * table().at[1]; }

/* By an argument, through a recursive function. */
struct cache {
    double *filled;
};
static struct cache coefficients;
static struct cache *prepared(struct cache *c) {
    if (!c->filled) {
        c->filled = (double *)std::malloc(2 * sizeof(double));
        c->filled[0] = 3, c->filled[1] = 5;
    }
    return c;
}
static double nested(struct cache *c, double v, int depth) {
    c = prepared(c);
    double r = v * c->filled[1];
    return depth ? nested(c, r, depth - 1) * prepared(c)->filled[0] : r;
}
static double by_argument(double x) { return nested(&coefficients, x, 2); }

#define BOTH(f)                                                                                              \
    double f##_rev(double x, double *x_bar);                                                                 \
    CF_REVERSE(f##_rev, f, "dup");                                                                           \
    double f##_fwd(double x, double x_dot);                                                                  \
    CF_FORWARD(f##_fwd, f, "dup");
BOTH(looked_up)
BOTH(by_argument)

#define TWICE(f, x, want)                                                                                    \
    for (int i = 0; i < 2; i++) {                                                                            \
        double b = 0;                                                                                        \
        f##_rev(x, &b);                                                                                      \
        near_to(#f ", reverse", b, want);                                                                    \
        near_to(#f ", forward", f##_fwd(x, 1), want);                                                        \
    }

int main() {
    near_to("looked_up", looked_up(2.5), 50);
    TWICE(looked_up, 2.5, 2 * 4 * 2 * 2.5)
    near_to("by_argument", by_argument(2), 2 * 125 * 9);
    TWICE(by_argument, 2, 125 * 9)
    return bad;
}
