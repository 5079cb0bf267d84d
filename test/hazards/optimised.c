// RUN: %S/run.sh "%ad" %s %t
// RUN: %S/optimised.sh %clang %opt %plugin %include %s %t
// RUN: %S/optimised.sh %clang %opt %plugin %include %S/alignment.c %t
// RUN: %S/optimised.sh %clang %opt %plugin %include %S/escaping_alloca.c %t
// RUN: %S/optimised.sh %clang %opt %plugin %include %S/two_edges.c %t
// RUN: %S/optimised.sh %clang %opt %plugin %include %S/tail_calls.c %t
// Code that an optimiser has been over: jumps through labels that are copied to the end of each block, so that loops have
// no way in or out of their own; numbers side by side in one vector, some lanes of which are nothing or something else.
#include "hazard.h"

/* An interpreter: the code of a program n, four programs. */
static double interpreted(double *x, int n) {
    static const unsigned char code[][8] = {
        {0, 1, 2, 3, 4, 0, 3, 5}, {3, 3, 2, 1, 0, 5}, {1, 1, 4, 2, 0, 5}, {2, 0, 4, 4, 5}};
    static const void *const label[] = {&&add, &&multiply, &&sine, &&swap, &&again, &&end};
    const unsigned char *at = code[n & 3];
    double a = x[0], b = x[1], t;
    int turns = 0;
#define NEXT goto *label[*at++]
    NEXT;
add:
    a += b * x[2];
    NEXT;
multiply:
    a = a * b > 9 ? 3 + 0.1 * a : a * b;
    NEXT;
sine:
    b = sin(a) + x[3];
    NEXT;
swap:
    t = a, a = b, b = t;
    NEXT;
again:
    if (turns++ < 2) a *= 1.1, at = code[n & 3];
    NEXT;
end:
    return a * b;
}
GRADIENT(interpreted);

/* A machine of states: loops within loops, all through labels. */
static double states(double *x, int n) {
    static const void *const from[2][3] = {{&&inner, &&inner, &&outer}, {&&outer, &&inner, &&outer}};
    double s = x[0];
    int i = 0, k = 0;
outer:
    if (i++ > n) return s * x[3];
    s += x[i & 3];
    k = 0;
    goto *from[i & 1][0];
inner:
    s = s * x[1] + k * x[2];
    if (s > 90) goto out;
    goto *from[i & 1][k++ < n ? 1 : 2];
out:
    return s * s;
}
GRADIENT(states);

/* Side by side: some of four products, a quotient and a root of some. */
static double beside(double *x, int n) {
    double a = x[0] * x[0], b = x[1] * x[1], c = x[2] / x[0], d = x[3] / x[1], r[4];
    r[0] = n & 1 ? a * b : a + b, r[1] = sqrt(c) / d, r[2] = sqrt(d) * c, r[3] = a * d - b * c;
    for (int i = 0; i < n; i++) {
        double p = r[0] * r[1], q = r[2] / r[3];
        r[0] = p + x[0], r[1] = q + x[1], r[2] = p * q, r[3] = p - q;
    }
    return n > 2 ? r[0] * r[1] : r[3];
}
GRADIENT(beside);
struct points {
    double x, y, z, w;
};
APART struct points turned(struct points p, int n) {
    struct points q = {p.y * p.x, p.x + p.y, p.w / p.z, p.z};
    return n ? turned(q, n - 1) : (struct points){q.y, q.x * 0.5, q.w * q.x, q.z};
}
static double swapped(double *x, int n) {
    struct points p = turned((struct points){x[0], x[1], x[2], x[3]}, n);
    return p.x * p.y + p.z * p.w;
}
GRADIENT(swapped);

/* A number beside an address and beside a count: loaded as one vector, of which a part is a number. */
struct held {
    _Alignas(16) double a;
    double *p;
    double b;
    long n;
};
typedef double four __attribute__((vector_size(32)));
APART double held_by(struct held h, four v, int n) {
    v *= h.a + (v - v);
    h.p[0] *= v[1] + h.b;
    v += h.b;
    return n ? held_by(h, v, n - 1) + v[n & 3] * (double)h.n : v[2] * h.p[0];
}
static double holds(double *x, int n) {
    double y[1] = {x[0]};
    return held_by((struct held){x[1], y, x[2], 3}, (four){1, 2, 3, 4} * x[3], n);
}
GRADIENT(holds);

typedef double primal(double *x, int n);
static void check(const char *name, primal *f, gradient *reverse, gradient *forward) {
    for (int n = 0; n < 5; n++) {
        double x[4] = {1.1, 0.8, 1.3, 0.6}, b[4] = {0}, h = 1e-6;
        want(name, reverse(x, b, n), f(x, n), 1e-12);
        for (int i = 0; i < 4; i++) {
            double p[4], m[4], d[4] = {0};
            memcpy(p, x, sizeof p), memcpy(m, x, sizeof m);
            p[i] += h, m[i] -= h, d[i] = 1;
            want(name, b[i], (f(p, n) - f(m, n)) / (2 * h), 1e-6);
            want(name, forward(x, d, n), b[i], 1e-12);
        }
    }
}
#define COMPARE(f) check(#f, f, f##_r, f##_t)

int main(void) {
    COMPARE(interpreted);
    COMPARE(states);
    COMPARE(beside);
    COMPARE(swapped);
    COMPARE(holds);
    return wrong;
}
