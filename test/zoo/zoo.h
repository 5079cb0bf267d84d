/* The zoo: small programs whose derivatives are known in closed form.
 *
 * A case is a static primal in a topic file, its requests, inputs, and hand-derived outputs and Jacobian. A
 * macro below makes the requests and three adapters (primal, reverse, forward) that carry numbers between the
 * primal's own types and `zoo_io`, and puts the case into the runner's table. The runner (main.c) checks, for
 * each case:
 *
 *   value      the primal's outputs are the expected ones
 *   reverse    for each output alone, and for a mixture of all: adjoints of inputs are the expected sums;
 * what was in the shadow before is added to; outputs are the primal's; shadows of outputs that the primal
 * overwrites are zero afterwards; nothing outside the arrays has changed forward    for each input alone and
 * for a mixture: tangents of outputs are the expected ones
 *
 * With -DZOO_NUMERIC there are no requests: the runner compares the hand-derived Jacobian with extrapolated
 * differences of the primal. With -DZOO_NO_REVERSE or -DZOO_NO_FORWARD that half of the requests is left out. -DZOO_PAIRS
 * goes with COFACTOR_NO_INLINE: functions that only derive when they are inlined are left out.
 *
 * T is the floating type of a topic: double, or float with -DZOO_FLOAT, long double with -DZOO_LONG. M(sin)
 * is the sine of that type. Lists stand in parentheses: (1, 2, 3). A Jacobian has a row for each output. */
#ifndef ZOO_H
#define ZOO_H

#ifndef ZOO_NUMERIC
#include <cofactor/ad.h>
#endif
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#if defined ZOO_FLOAT
#define T float
#define ZOO_TYPE "float"
#define M(cf_f) cf_f##f
#elif defined ZOO_LONG
#define T long double
#define ZOO_TYPE "long double"
#define M(cf_f) cf_f##l
#else
#define T double
#define ZOO_TYPE "double"
#define M(cf_f) cf_f
#endif

enum {
    ZOO_MAX = 40,        /* longest input or output */
    ZOO_RESULT = 1,      /* the primal returns a number: output 0 */
    ZOO_INPLACE = 2,     /* x is input and output: its n results are the last outputs */
    ZOO_ACCUMULATES = 4, /* the primal adds to y; otherwise it overwrites y */
    ZOO_SEEDED = 8,      /* the reverse adapter honours io->rs as the seed; otherwise the seed is 1 */
    ZOO_KINK = 16,       /* differences do not converge at this point */
    ZOO_COARSE = 32      /* float inside: compare as floats */
};

typedef struct zoo_io {
    double x[ZOO_MAX], xs[ZOO_MAX]; /* inputs and their shadows */
    double y[ZOO_MAX], ys[ZOO_MAX]; /* outputs through a pointer, and their shadows */
    double r, rs;                   /* result; its seed (reverse, in) or tangent (forward, out) */
} zoo_io;

typedef void zoo_adapter(zoo_io *io);

typedef struct zoo_case {
    const char *file, *name, *type;
    int n, m, flags;
    const double *in, *out, *jac; /* n; k; k x n with k = result + m + (in place: n) */
    size_t in_count, out_count, jac_count;
    zoo_adapter *primal, *reverse, *forward;
    void (*check)(void); /* a case with a check of its own; all else is then 0 */
    struct zoo_case *next;
} zoo_case;

#ifdef __cplusplus
extern "C" {
#endif
/* Put a case together: its lists (sizes in bytes; copied), its adapters, and into the runner's table. */
void zoo_lists(zoo_case *c, const double *in, size_t in_size, const double *out, size_t out_size,
               const double *jac, size_t jac_size);
void zoo_shape(zoo_case *c, int n, int m, int flags, zoo_adapter *primal, zoo_adapter *reverse,
               zoo_adapter *forward);
void zoo_register(zoo_case *c, const char *file, const char *name, const char *type);
/* For checks of their own: compare, print and count a difference. */
void zoo_want(const char *what, double got, double want, double tolerance);
#ifdef __cplusplus
}
#endif

#define ZOO_TOL (sizeof(T) == sizeof(float) ? 3e-5 : 1e-11)
#define ZOO_WANT(got, want) zoo_want(#got, (double)(got), (double)(want), ZOO_TOL)
#define ZOO_WANT_F(got, want) zoo_want(#got, (double)(got), (double)(want), 3e-5)

static inline void zoo_get(T *to, const double *from) {
    for (int i = 0; i < ZOO_MAX; i++) to[i] = (T)from[i];
}
static inline void zoo_put(double *to, const T *from) {
    for (int i = 0; i < ZOO_MAX; i++) to[i] = (double)from[i];
}

#define ZOO_LIST(...) {__VA_ARGS__}
#define ZOO_SOME(...) __VA_ARGS__
#define ZOO_NONE(...)

#if defined ZOO_NUMERIC || defined ZOO_NO_REVERSE
#define ZOO_R ZOO_NONE
#define ZOO_RP(f) 0
#else
#define ZOO_R ZOO_SOME
#define ZOO_RP(f) f
#endif
#if defined ZOO_NUMERIC || defined ZOO_NO_FORWARD
#define ZOO_F ZOO_NONE
#define ZOO_FP(f) 0
#else
#define ZOO_F ZOO_SOME
#define ZOO_FP(f) f
#endif
#ifdef ZOO_NUMERIC
#define ZOO_N ZOO_NONE
#else
#define ZOO_N ZOO_SOME
#endif

/* A case with adapters of its own: static void NAME_P(zoo_io *), and within ZOO_R(...) and ZOO_F(...) the
 * requests with NAME_R and NAME_F. */
#define ZOO_CASE(name, flags, n, m, in, out, jac)                                                            \
    __attribute__((constructor)) static void name##_register(void) {                                         \
        static zoo_case c;                                                                                   \
        const double name_in[] = ZOO_LIST in, name_out[] = ZOO_LIST out, name_jac[] = ZOO_LIST jac;          \
        zoo_lists(&c, name_in, sizeof name_in, name_out, sizeof name_out, name_jac, sizeof name_jac);        \
        zoo_shape(&c, n, m, flags, name##_P, ZOO_RP(name##_R), ZOO_FP(name##_F));                            \
        zoo_register(&c, __FILE__, #name, ZOO_TYPE);                                                         \
    }                                                                                                        \
    extern int zoo_semicolon

/* A case that is only a check: ZOO_FREE(name) { ... ZOO_WANT(got, want); ... } */
#define ZOO_FREE(name)                                                                                       \
    static void name##_check(void);                                                                          \
    __attribute__((constructor)) static void name##_register(void) {                                         \
        static zoo_case c;                                                                                   \
        c.check = name##_check;                                                                              \
        zoo_register(&c, __FILE__, #name, ZOO_TYPE);                                                         \
    }                                                                                                        \
    static void name##_check(void)

/* T name(T) */
#define ZOO_NUM1(name, in, value, grad) ZOO_NUM1_FLAGS(name, 0, in, value, grad)
#define ZOO_NUM1_FLAGS(name, flags, in, value, grad)                                                         \
    static void name##_P(zoo_io *io) { io->r = (double)name((T)io->x[0]); }                                  \
    ZOO_R(T name##_rev(T x, T *xb); CF_REVERSE(name##_rev, name, "dup"); static void name##_R(zoo_io *io) {  \
        T xb[ZOO_MAX];                                                                                       \
        zoo_get(xb, io->xs);                                                                                 \
        io->r = (double)name##_rev((T)io->x[0], xb);                                                         \
        zoo_put(io->xs, xb);                                                                                 \
    })                                                                                                       \
    ZOO_F(T name##_fwd(T x, T xd); CF_FORWARD(name##_fwd, name, "dup");                                      \
          static void name##_F(zoo_io *io) { io->rs = (double)name##_fwd((T)io->x[0], (T)io->xs[0]); })      \
    ZOO_CASE(name, ZOO_RESULT | (flags), 1, 0, in, (value), grad)

/* T name(T, T) */
#define ZOO_NUM2(name, in, value, grad) ZOO_NUM2_FLAGS(name, 0, in, value, grad)
#define ZOO_NUM2_FLAGS(name, flags, in, value, grad)                                                         \
    static void name##_P(zoo_io *io) { io->r = (double)name((T)io->x[0], (T)io->x[1]); }                     \
    ZOO_R(T name##_rev(T x, T *xb, T y, T *yb); CF_REVERSE(name##_rev, name, "dup dup");                     \
          static void name##_R(zoo_io *io) {                                                                 \
              T xb[ZOO_MAX];                                                                                 \
              zoo_get(xb, io->xs);                                                                           \
              io->r = (double)name##_rev((T)io->x[0], &xb[0], (T)io->x[1], &xb[1]);                          \
              zoo_put(io->xs, xb);                                                                           \
          })                                                                                                 \
    ZOO_F(T name##_fwd(T x, T xd, T y, T yd); CF_FORWARD(name##_fwd, name, "dup dup");                       \
          static void name##_F(zoo_io *io) {                                                                 \
              io->rs = (double)name##_fwd((T)io->x[0], (T)io->xs[0], (T)io->x[1], (T)io->xs[1]);             \
          })                                                                                                 \
    ZOO_CASE(name, ZOO_RESULT | (flags), 2, 0, in, (value), grad)

/* T name(T, T, T) */
#define ZOO_NUM3(name, in, value, grad)                                                                      \
    static void name##_P(zoo_io *io) { io->r = (double)name((T)io->x[0], (T)io->x[1], (T)io->x[2]); }        \
    ZOO_R(T name##_rev(T x, T *xb, T y, T *yb, T z, T *zb); CF_REVERSE(name##_rev, name, "dup dup dup");     \
          static void name##_R(zoo_io *io) {                                                                 \
              T xb[ZOO_MAX];                                                                                 \
              zoo_get(xb, io->xs);                                                                           \
              io->r = (double)name##_rev((T)io->x[0], &xb[0], (T)io->x[1], &xb[1], (T)io->x[2], &xb[2]);     \
              zoo_put(io->xs, xb);                                                                           \
          })                                                                                                 \
    ZOO_F(T name##_fwd(T x, T xd, T y, T yd, T z, T zd); CF_FORWARD(name##_fwd, name, "dup dup dup");        \
          static void name##_F(zoo_io *io) {                                                                 \
              io->rs = (double)name##_fwd((T)io->x[0], (T)io->xs[0], (T)io->x[1], (T)io->xs[1], (T)io->x[2], \
                                          (T)io->xs[2]);                                                     \
          })                                                                                                 \
    ZOO_CASE(name, ZOO_RESULT, 3, 0, in, (value), grad)

/* T name(const T *x, int n) */
#define ZOO_OF(name, n, in, value, grad) ZOO_OF_FLAGS(name, 0, n, in, value, grad)
#define ZOO_OF_FLAGS(name, flags, count, in, value, grad)                                                    \
    static void name##_P(zoo_io *io) {                                                                       \
        T x[ZOO_MAX];                                                                                        \
        zoo_get(x, io->x);                                                                                   \
        io->r = (double)name(x, count);                                                                      \
    }                                                                                                        \
    ZOO_R(T name##_rev(const T *x, T *xb, int n); CF_REVERSE(name##_rev, name, "dup const");                 \
          static void name##_R(zoo_io *io) {                                                                 \
              T x[ZOO_MAX], xb[ZOO_MAX];                                                                     \
              zoo_get(x, io->x);                                                                             \
              zoo_get(xb, io->xs);                                                                           \
              io->r = (double)name##_rev(x, xb, count);                                                      \
              zoo_put(io->x, x);                                                                             \
              zoo_put(io->xs, xb);                                                                           \
          })                                                                                                 \
    ZOO_F(T name##_fwd(const T *x, const T *xd, int n); CF_FORWARD(name##_fwd, name, "dup const");           \
          static void name##_F(zoo_io *io) {                                                                 \
              T x[ZOO_MAX], xd[ZOO_MAX];                                                                     \
              zoo_get(x, io->x);                                                                             \
              zoo_get(xd, io->xs);                                                                           \
              io->rs = (double)name##_fwd(x, xd, count);                                                     \
              zoo_put(io->x, x);                                                                             \
              zoo_put(io->xs, xd);                                                                           \
          })                                                                                                 \
    ZOO_CASE(name, ZOO_RESULT | (flags), count, 0, in, (value), grad)

/* T name(T *x, int n): returns a number and changes x. out = (result, x...), jac has 1 + n rows. */
#define ZOO_MUT(name, count, in, out, jac) ZOO_MUT_(name, T, ZOO_SOME, ZOO_RESULT, count, in, out, jac)

/* void name(T *x, int n): changes x */
#define ZOO_INOUT(name, count, in, out, jac) ZOO_MUT_(name, void, ZOO_NONE, 0, count, in, out, jac)

#define ZOO_MUT_(name, R, unless_void, flags, count, in, out, jac)                                           \
    static void name##_P(zoo_io *io) {                                                                       \
        T x[ZOO_MAX];                                                                                        \
        zoo_get(x, io->x);                                                                                   \
        unless_void(io->r = (double)) name(x, count);                                                        \
        zoo_put(io->x, x);                                                                                   \
    }                                                                                                        \
    ZOO_R(R name##_rev(T *x, T *xb, int n); CF_REVERSE(name##_rev, name, "dup const");                       \
          static void name##_R(zoo_io *io) {                                                                 \
              T x[ZOO_MAX], xb[ZOO_MAX];                                                                     \
              zoo_get(x, io->x);                                                                             \
              zoo_get(xb, io->xs);                                                                           \
              unless_void(io->r = (double)) name##_rev(x, xb, count);                                        \
              zoo_put(io->x, x);                                                                             \
              zoo_put(io->xs, xb);                                                                           \
          })                                                                                                 \
    ZOO_F(R name##_fwd(T *x, T *xd, int n); CF_FORWARD(name##_fwd, name, "dup const");                       \
          static void name##_F(zoo_io *io) {                                                                 \
              T x[ZOO_MAX], xd[ZOO_MAX];                                                                     \
              zoo_get(x, io->x);                                                                             \
              zoo_get(xd, io->xs);                                                                           \
              unless_void(io->rs = (double)) name##_fwd(x, xd, count);                                       \
              zoo_put(io->x, x);                                                                             \
              zoo_put(io->xs, xd);                                                                           \
          })                                                                                                 \
    ZOO_CASE(name, ZOO_INPLACE | (flags), count, 0, in, out, jac)

/* void name(const T *x, T *y, int n): m results in y */
#define ZOO_MAP(name, n, m, in, out, jac) ZOO_MAP_FLAGS(name, 0, n, m, in, out, jac)
#define ZOO_MAP_FLAGS(name, flags, count, m, in, out, jac)                                                   \
    static void name##_P(zoo_io *io) {                                                                       \
        T x[ZOO_MAX], y[ZOO_MAX];                                                                            \
        zoo_get(x, io->x);                                                                                   \
        zoo_get(y, io->y);                                                                                   \
        name(x, y, count);                                                                                   \
        zoo_put(io->y, y);                                                                                   \
    }                                                                                                        \
    ZOO_R(void name##_rev(const T *x, T *xb, T *y, T *yb, int n);                                            \
          CF_REVERSE(name##_rev, name, "dup dup const"); static void name##_R(zoo_io *io) {                  \
              T x[ZOO_MAX], xb[ZOO_MAX], y[ZOO_MAX], yb[ZOO_MAX];                                            \
              zoo_get(x, io->x);                                                                             \
              zoo_get(xb, io->xs);                                                                           \
              zoo_get(y, io->y);                                                                             \
              zoo_get(yb, io->ys);                                                                           \
              name##_rev(x, xb, y, yb, count);                                                               \
              zoo_put(io->x, x);                                                                             \
              zoo_put(io->xs, xb);                                                                           \
              zoo_put(io->y, y);                                                                             \
              zoo_put(io->ys, yb);                                                                           \
          })                                                                                                 \
    ZOO_F(void name##_fwd(const T *x, const T *xd, T *y, T *yd, int n);                                      \
          CF_FORWARD(name##_fwd, name, "dup dup const"); static void name##_F(zoo_io *io) {                  \
              T x[ZOO_MAX], xd[ZOO_MAX], y[ZOO_MAX], yd[ZOO_MAX];                                            \
              zoo_get(x, io->x);                                                                             \
              zoo_get(xd, io->xs);                                                                           \
              zoo_get(y, io->y);                                                                             \
              zoo_get(yd, io->ys);                                                                           \
              name##_fwd(x, xd, y, yd, count);                                                               \
              zoo_put(io->x, x);                                                                             \
              zoo_put(io->xs, xd);                                                                           \
              zoo_put(io->y, y);                                                                             \
              zoo_put(io->ys, yd);                                                                           \
          })                                                                                                 \
    ZOO_CASE(name, flags, count, m, in, out, jac)

#endif
