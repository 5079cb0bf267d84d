/* float, double and long double together; half a word in an integer; _Complex. */
#include "zoo.h"
#include <complex.h>

static double widened(const float *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += (double)x[i] * x[i];
    return s;
}
static void float_inputs_P(zoo_io *io) {
    float x[2] = {(float)io->x[0], (float)io->x[1]};
    io->r = widened(x, 2);
}
ZOO_R(double widened_rev(const float *x, float *xb, int n); CF_REVERSE(widened_rev, widened, "dup const");
      static void float_inputs_R(zoo_io *io) {
          float x[2] = {(float)io->x[0], (float)io->x[1]}, b[2] = {(float)io->xs[0], (float)io->xs[1]};
          io->r = widened_rev(x, b, 2);
          io->xs[0] = b[0], io->xs[1] = b[1];
      })
ZOO_F(double widened_fwd(const float *x, const float *xd, int n);
      CF_FORWARD(widened_fwd, widened, "dup const"); static void float_inputs_F(zoo_io *io) {
          float x[2] = {(float)io->x[0], (float)io->x[1]}, d[2] = {(float)io->xs[0], (float)io->xs[1]};
          io->rs = widened_fwd(x, d, 2);
      })
ZOO_CASE(float_inputs, ZOO_RESULT | ZOO_COARSE, 2, 0, (2, 3), (13), (4, 6));

static double narrowed(double x, double y) {
    float a = (float)x, b = (float)(x * y);
    return (double)(a * b) + y;
}
ZOO_NUM2_FLAGS(narrowed, ZOO_COARSE, (2, 3), (12 + 3), (12, 4 + 1));

static double extended(double x, double y) {
    long double a = (long double)x * y, s = 0;
    for (int i = 0; i < 3; i++) s = s * x + a;
    return (double)(s * sqrtl(a));
}
/* s = xy (x^2 + x + 1), times sqrt(xy): (xy)^1.5 (x^2 + x + 1) */
ZOO_NUM2(extended, (2, 8), (64. * 7), (1.5 * 4 * 8 * 7 + 64. * 5, 1.5 * 4 * 2 * 7));

/* Number types in one struct; arrays of each. */
struct kinds {
    float f[3];
    double d;
    long double l;
    short k;
};
static double of_kinds(struct kinds *s) {
    s->d += s->f[0] * s->f[s->k];
    s->l *= s->d;
    return (double)(s->l + s->f[2]);
}
static double kinds(const double *x, int n) {
    struct kinds s = {{(float)x[0], 5, (float)x[1]}, x[1], x[0], 2};
    (void)n;
    return of_kinds(&s);
}
/* (b + ab) a + b */
ZOO_OF_FLAGS(kinds, ZOO_COARSE, 2, (2, 3), (18 + 3), (3 + 12, 2 + 4 + 1));

/* A float whose bits travel through an integer. */
static double bits_through_integer(double x) {
    unsigned long long u;
    double y;
    memcpy(&u, &x, sizeof u);
    memcpy(&y, &u, sizeof y);
    return y * y;
}
ZOO_NUM1(bits_through_integer, (3), (9), (6));

/* The sign bit is cleared by hand. */
static double absolute_by_bits(double x, double y) {
    union {
        double d;
        unsigned long long u;
    } v = {x};
    int negative = (int)(v.u >> 63);
    return negative ? -x * y : x * y;
}
ZOO_NUM2(absolute_by_bits, (-2, 3), (6), (-3, 2));

/* Complex numbers. */
static double product(double x, double y) {
    double complex z = x + y * I, w = z * z * (1 + 2 * I);
    return creal(w) * 3 + cimag(w);
}
/* z^2 = (x^2 - y^2) + 2xy i; w = (x^2 - y^2 - 4xy) + (2xy + 2x^2 - 2y^2) i: 5 x^2 - 5 y^2 - 10 xy */
ZOO_NUM2(product, (2, 3), (20 - 45 - 60), (20 - 30, -30 - 20));

static double ratio(double x, double y) {
    double complex z = x + y * I, w = (3 + I) / z;
    return creal(w) + 2 * cimag(w);
}
/* (3 + i)(x - iy) / q = (3x + y + i (x - 3y)) / q, q = x^2 + y^2: (5x - 5y) / q */
ZOO_NUM2(ratio, (2, 1), (1), ((25 - 5 * 4) / 25., (-25 - 5 * 2) / 25.));

static double modulus(double x, double y) { return cabs(x + y * I) * carg(x + y * I); }
ZOO_NUM2(modulus, (3, 4), (5 * atan2(4, 3)),
         (0.6 * atan2(4, 3) - 5 * 4. / 25, 0.8 * atan2(4, 3) + 5 * 3. / 25));

static double complex_exp(double x, double y) {
    double complex w = cexp(x + y * I);
    return creal(w) + 2 * cimag(w);
}
ZOO_NUM2(complex_exp, (0.5, 1.25), (exp(0.5) * (cos(1.25) + 2 * sin(1.25))),
         (exp(0.5) * (cos(1.25) + 2 * sin(1.25)), exp(0.5) * (2 * cos(1.25) - sin(1.25))));

/* Complex values by value, in arrays and in loops. */
__attribute__((noinline)) static double complex step(double complex z, double complex c) { return z * z + c; }
static double iterated(double x, double y) {
    double complex z[4] = {0}, c = x + y * I;
    for (int i = 0; i < 2; i++) z[i + 1] = step(z[i], c);
    return creal(z[2]) + cimag(z[2]) * cimag(z[1]);
}
/* z1 = c, z2 = c^2 + c: x^2 - y^2 + x + (2xy + y) y = x^2 + x + 2 x y^2 */
ZOO_NUM2(iterated, (0.5, 0.25), (0.75 + 0.0625), (2 + 0.125, 4 * 0.5 * 0.25));

static double conjugate(double x, double y) {
    double complex z = x + y * I;
    return creal(z * conj(z)) + cimag(conj(z));
}
ZOO_NUM2(conjugate, (2, 3), (13 - 3), (4, 6 - 1));

static double float_complex(double x, double y) {
    float complex z = (float)x + (float)y * I;
    z = z * z;
    return crealf(z) + cimagf(z);
}
/* x^2 - y^2 + 2xy */
ZOO_NUM2_FLAGS(float_complex, ZOO_COARSE, (2, 3), (4 - 9 + 12), (4 + 6, -6 + 4));

/* The request's parameter is an array of complex numbers. */
static double energy(const double complex *z, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += creal(z[i]) * creal(z[i]) + 3 * cimag(z[i]);
    return s;
}
static void complex_inputs_P(zoo_io *io) {
    double complex z[2] = {io->x[0] + io->x[1] * I, io->x[2] + io->x[3] * I};
    io->r = energy(z, 2);
}
ZOO_R(double energy_rev(const double complex *z, double complex *zb, int n);
      CF_REVERSE(energy_rev, energy, "dup const"); static void complex_inputs_R(zoo_io *io) {
          double complex z[2], b[2];
          memcpy(z, io->x, sizeof z);
          memcpy(b, io->xs, sizeof b);
          io->r = energy_rev(z, b, 2);
          memcpy(io->xs, b, sizeof b);
      })
ZOO_F(double energy_fwd(const double complex *z, const double complex *zd, int n);
      CF_FORWARD(energy_fwd, energy, "dup const"); static void complex_inputs_F(zoo_io *io) {
          double complex z[2], d[2];
          memcpy(z, io->x, sizeof z);
          memcpy(d, io->xs, sizeof d);
          io->rs = energy_fwd(z, d, 2);
      })
ZOO_CASE(complex_inputs, ZOO_RESULT, 4, 0, (1, 2, 3, 4), (10 + 18), (2, 3, 6, 3));
