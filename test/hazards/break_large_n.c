// RUN: %S/run.sh "%ad" %s %t
// A loop that may run a billion times and leaves after ten takes memory for ten: nothing is set aside for the count that
// its condition suggests. The address space is bounded, so that 8 GB cannot be had.
#include "hazard.h"
#include <cofactor/tape.h>
#include <sys/resource.h>

static size_t peak;
void cofactor_tape_ended(size_t bytes) { peak = bytes > peak ? bytes : peak; }

static double leaves(const double *x, long n, double limit) {
    double s = 0;
    for (long i = 0; i < n; i++) {
        s += sin(s) + x[i % 4] * x[i % 4];
        if (s > limit) break;
    }
    return s;
}
static double walks(const double *x, long n, double limit) {
    double s = 1;
    for (const double *p = x; p != x + n; ++p) {
        double t = *p * s;
        if (t < limit) return t * t;
        s = t;
    }
    return s;
}
/* In a nest: the inner loop leaves at once, the outer one goes on. */
static double nest(const double *x, long n, double limit) {
    double s = 0;
    for (int k = 0; k < 5; k++)
        for (long i = 0; i < n; i++) {
            double v = x[i] * x[k % 4];
            s += v * v;
            if (v > limit) goto next;
        next:
            if (i > 1) break;
        }
    return s;
}
double r1(const double *x, double *b, long n, double limit),
    r2(const double *x, double *b, long n, double limit),
    r3(const double *x, double *b, long n, double limit);
double t1(const double *x, const double *d, long n, double limit),
    t2(const double *x, const double *d, long n, double limit),
    t3(const double *x, const double *d, long n, double limit);
CF_REVERSE(r1, leaves, "dup const const");
CF_REVERSE(r2, walks, "dup const const");
CF_REVERSE(r3, nest, "dup const const");
CF_FORWARD(t1, leaves, "dup const const");
CF_FORWARD(t2, walks, "dup const const");
CF_FORWARD(t3, nest, "dup const const");

int main(void) {
    const rlim_t some = 512 << 20;
    setrlimit(RLIMIT_AS, &(struct rlimit){some, some});
    const double x[4] = {0.5, 0.25, 2, 1.5}, d[4] = {1, 1, 1, 1};
    const long n = 1000000000;
    double b[4] = {0};
    /* s0 = x0^2, s1 = s0 + sin s0 + x1^2, s2 = s1 + sin s1 + x2^2 > 4 */
    double s0 = 0.25, s1 = s0 + sin(s0) + 0.0625, s2 = s1 + sin(s1) + 4, u1 = 1 + cos(s1),
           u0 = u1 * (1 + cos(s0));
    WANT(r1(x, b, n, 4), s2), WANT(b[0], u0), WANT(b[1], u1 * 0.5), WANT(b[2], 4), WANT(b[3], 0);
    WANT(t1(x, d, n, 4), u0 + u1 * 0.5 + 4);
    memset(b, 0, sizeof b);
    /* (x0 x1)^2 */
    WANT(r2(x, b, n, 0.2), 0.015625), WANT(b[0], 0.0625), WANT(b[1], 0.125), WANT(b[2], 0);
    WANT(t2(x, d, n, 0.2), 0.1875);
    memset(b, 0, sizeof b);
    /* (x0^2 + x1^2 + x2^2) (2 x0^2 + x1^2 + x2^2 + x3^2) */
    double p = 0.25 + 0.0625 + 4, q = 0.5 + 0.0625 + 4 + 2.25;
    WANT(r3(x, b, n, 9), p * q), WANT(b[0], q + 2 * p), WANT(b[1], 0.5 * (p + q)), WANT(b[2], 4 * (p + q));
    WANT(b[3], 3 * p), WANT(t3(x, d, n, 9), q + 2 * p + 4.5 * (p + q) + 3 * p);
    WANT(peak <= 65536, 1);
    return wrong;
}
