// RUN: %S/run.sh "%ad" %s %t
// RUN: %clang -O2 -w -I%include -Dmain=prog_main -c -emit-llvm %s -o %t.bc
// RUN: %cofactor grad %t.bc -o %t.o
// RUN: echo 'int prog_main(void); int main(void) { return prog_main(); }' > %t.main.c
// RUN: %clang %t.o %t.main.c -lm -o %t.grad && %t.grad
// RUN: %opt -load-pass-plugin=%plugin -passes='default<O2>' %t.bc -o %t.opt.bc
// RUN: %clang -w %t.opt.bc %t.main.c -lm -o %t.opt && %t.opt
// Calling conventions: of functions that stay calls, that pass structs in registers, in memory and as several arguments, and
// that are called through pointers. In code that was optimised before, local functions have one of LLVM's own.
#include "hazard.h"

struct pair {
    double a, b;
};
struct quad {
    double a, b, c, d;
};
struct held {
    double a[5];
    double *p;
};

#define FUNCTIONS(how, CONVENTION)                                                                           \
    APART CONVENTION double chain_##how(double *p, int n) {                                                  \
        p[1] *= p[0];                                                                                        \
        return n > 0 ? sin(p[0]) * chain_##how(p, n - 1) : p[1];                                             \
    }                                                                                                        \
    APART CONVENTION struct pair pair_##how(struct pair t, float f, double *p, int n) {                      \
        if (n) return pair_##how(t, f, p, n - 1);                                                            \
        p[0] *= t.a;                                                                                         \
        return (struct pair){t.a * f * p[0], t.b};                                                           \
    }                                                                                                        \
    APART CONVENTION struct quad quad_##how(struct quad s, int n, double k) {                                \
        if (n) return quad_##how(s, n - 1, k);                                                               \
        s.a *= k * s.b * s.c * s.d;                                                                          \
        return s;                                                                                            \
    }                                                                                                        \
    APART CONVENTION struct held held_##how(struct held s, int n, double k) {                                \
        if (n) return held_##how(s, n - 1, k);                                                               \
        s.p[0] = s.a[0] *= s.p[1] * k;                                                                       \
        return s;                                                                                            \
    }                                                                                                        \
    CONVENTION static double square_##how(double x, double *p) { return x * x * p[0]; }                      \
    CONVENTION static double cube_##how(double x, double *p) { return x * x * x * p[1]; }                    \
    typedef CONVENTION double function_##how(double, double *);                                              \
    static function_##how *const either_##how[2] = {square_##how, cube_##how};                               \
    static double how(double *x, int n) {                                                                    \
        double y[2] = {x[0], x[1]}, s = chain_##how(y, n);                                                   \
        struct pair t = pair_##how((struct pair){x[0], x[1]}, 2, y, n);                                      \
        struct quad q = quad_##how((struct quad){x[0], x[1], 2, 3}, n, x[1]);                                \
        struct held h = held_##how((struct held){{x[0]}, y}, n, x[1]);                                       \
        s += t.a * t.b * y[0] + q.a * q.b + h.a[0] * h.p[0];                                                 \
        return s * either_##how[n & 1](x[0], x);                                                             \
    }                                                                                                        \
    GRADIENT(how);

FUNCTIONS(plain, )
FUNCTIONS(microsoft, __attribute__((ms_abi)))
FUNCTIONS(unix_, __attribute__((sysv_abi)))
FUNCTIONS(most, __attribute__((preserve_most)))
FUNCTIONS(all, __attribute__((preserve_all)))
FUNCTIONS(vectors, __attribute__((vectorcall)))
FUNCTIONS(registers, __attribute__((regcall)))
FUNCTIONS(none, __attribute__((preserve_none)))
FUNCTIONS(swift, __attribute__((swiftcall)))

static double (*volatile reference)(double *, int) = plain;
static void check(const char *name, gradient *reverse, gradient *forward) {
    for (int n = 0; n < 3; n++) {
        double x[2] = {1.5, 0.75}, b[2] = {0}, h = 1e-6;
        want(name, reverse(x, b, n), reference(x, n), 1e-12);
        for (int i = 0; i < 2; i++) {
            double p[2] = {x[0], x[1]}, m[2] = {x[0], x[1]}, d[2] = {i == 0, i == 1};
            p[i] += h, m[i] -= h;
            want(name, b[i], (reference(p, n) - reference(m, n)) / (2 * h), 1e-7);
            want(name, forward(x, d, n), b[i], 1e-12);
        }
    }
}
#define COMPARE(f) check(#f, f##_r, f##_t)

int main(void) {
    COMPARE(plain), COMPARE(microsoft), COMPARE(unix_), COMPARE(most), COMPARE(all);
    COMPARE(vectors), COMPARE(registers), COMPARE(none), COMPARE(swift);
    return wrong;
}
