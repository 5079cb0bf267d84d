/* The words of requests: const, dup, seed, value, width, consume; void results; several requests of one primal. */
#include "zoo.h"

/* seed: the adjoint of the result is the last parameter. */
static double seeded(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i] * (i + 1);
    return s;
}
static void seeded_P(zoo_io *io) { io->r = seeded(io->x, 2); }
ZOO_R(double seeded_rev(const double *x, double *xb, int n, double seed);
      CF_REVERSE(seeded_rev, seeded, "dup const seed");
      static void seeded_R(zoo_io *io) { io->r = seeded_rev(io->x, io->xs, 2, io->rs); })
/* value: the result goes to the last parameter. */
ZOO_F(double seeded_fwd(const double *x, const double *xd, int n, double *value);
      CF_FORWARD(seeded_fwd, seeded, "dup const value");
      static void seeded_F(zoo_io *io) { io->rs = seeded_fwd(io->x, io->xs, 2, &io->r); })
ZOO_CASE(seeded, ZOO_RESULT | ZOO_SEEDED, 2, 0, (2, 3), (4 + 18), (4, 12));

/* A result beside outputs through a pointer. */
static double both(const double *x, double *y, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * x[i];
        s += y[i] * x[0];
    }
    return s;
}
static void both_P(zoo_io *io) { io->r = both(io->x, io->y, 2); }
ZOO_R(double both_rev(const double *x, double *xb, double *y, double *yb, int n, double seed);
      CF_REVERSE(both_rev, both, "dup dup const seed");
      static void both_R(zoo_io *io) { io->r = both_rev(io->x, io->xs, io->y, io->ys, 2, io->rs); })
ZOO_F(double both_fwd(const double *x, const double *xd, double *y, double *yd, int n, double *value);
      CF_FORWARD(both_fwd, both, "dup dup const value");
      static void both_F(zoo_io *io) { io->rs = both_fwd(io->x, io->xs, io->y, io->ys, 2, &io->r); })
/* s = a^3 + a b^2 */
ZOO_CASE(both, ZOO_RESULT | ZOO_SEEDED, 2, 2, (2, 3), (26, 4, 9), (12 + 9, 12, 4, 0, 0, 6));

/* Numbers and pointers mixed; a const pointer and a const number between them. */
static double mixed(double a, const double *w, const double *x, double b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += w[i] * x[i] * a;
    return s * b;
}
static const double mixed_w[2] = {3, 4};
static void mixed_P(zoo_io *io) { io->r = mixed(io->x[0], mixed_w, io->x + 1, 2, 2); }
ZOO_R(double mixed_rev(double a, double *ab, const double *w, const double *x, double *xb, double b, int n);
      CF_REVERSE(mixed_rev, mixed, "dup const dup const const"); static void mixed_R(zoo_io *io) {
          io->r = mixed_rev(io->x[0], io->xs, mixed_w, io->x + 1, io->xs + 1, 2, 2);
      })
ZOO_F(double mixed_fwd(double a, double ad, const double *w, const double *x, const double *xd, double b,
                       int n);
      CF_FORWARD(mixed_fwd, mixed, "dup const dup const const"); static void mixed_F(zoo_io *io) {
          io->rs = mixed_fwd(io->x[0], io->xs[0], mixed_w, io->x + 1, io->xs + 1, 2, 2);
      })
ZOO_CASE(mixed, ZOO_RESULT, 3, 0, (2, 1, 5), (4 * 23), (2 * 23, 12, 16));

/* Another request of the same primal: other words. */
static void mixed_again_P(zoo_io *io) { io->r = mixed(2, io->x + 1, mixed_w, io->x[0], 2); }
ZOO_R(double mixed_again_rev(double a, const double *w, double *wb, const double *x, double b, double *bb,
                             int n);
      CF_REVERSE(mixed_again_rev, mixed, "const dup const dup const"); static void mixed_again_R(zoo_io *io) {
          io->r = mixed_again_rev(2, io->x + 1, io->xs + 1, mixed_w, io->x[0], io->xs, 2);
      })
ZOO_F(double mixed_again_fwd(double a, const double *w, const double *wd, const double *x, double b,
                             double bd, int n);
      CF_FORWARD(mixed_again_fwd, mixed, "const dup const dup const"); static void mixed_again_F(zoo_io *io) {
          io->rs = mixed_again_fwd(2, io->x + 1, io->xs + 1, mixed_w, io->x[0], io->xs[0], 2);
      })
/* 2 b (3 w0 + 4 w1) */
ZOO_CASE(mixed_again, ZOO_RESULT, 3, 0, (5, 1, 2), (110), (22, 30, 40));

/* Nothing is differentiated: the requests are the primal. */
static double all_const(const double *x, int n) { return x[0] * x[n - 1]; }
ZOO_R(double all_const_rev(const double *x, int n); CF_REVERSE(all_const_rev, all_const, "const const");)
ZOO_F(double all_const_fwd(const double *x, int n); CF_FORWARD(all_const_fwd, all_const, "const const");)
ZOO_FREE(all_const) {
    double x[2] = {3, 4};
    (void)x;
    ZOO_WANT(all_const(x, 2), 12);
    ZOO_R(ZOO_WANT(all_const_rev(x, 2), 12);)
    ZOO_F(ZOO_WANT(all_const_fwd(x, 2), 0);)
}

/* The primal has no parameter that is a number, and no result: everything goes through one pointer. */
struct job {
    double in, out;
};
static void run(struct job *j) { j->out = j->in * j->in; }
static void by_struct_P(zoo_io *io) {
    struct job j = {io->x[0], 9};
    run(&j);
    io->y[0] = j.out;
}
ZOO_R(void run_rev(struct job *j, struct job *jb); CF_REVERSE(run_rev, run, "dup");
      static void by_struct_R(zoo_io *io) {
          struct job j = {io->x[0], 9}, b = {io->xs[0], io->ys[0]};
          run_rev(&j, &b);
          io->y[0] = j.out, io->xs[0] = b.in, io->ys[0] = b.out;
      })
ZOO_F(void run_fwd(struct job *j, struct job *jd); CF_FORWARD(run_fwd, run, "dup");
      static void by_struct_F(zoo_io *io) {
          struct job j = {io->x[0], 9}, d = {io->xs[0], io->ys[0]};
          run_fwd(&j, &d);
          io->y[0] = j.out, io->ys[0] = d.out;
      })
ZOO_CASE(by_struct, 0, 1, 1, (3), (9), (6));

/* width: three directions at once. */
static double wide(const double *x, double k, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i] * k;
    return s;
}
ZOO_F(double wide_fwd(const double *x, const double *const xd[3], double k, const double kd[3], int n,
                      double tangent[3]);
      CF_FORWARD(wide_fwd, wide, "dup dup const width=3");)
ZOO_R(double wide_rev(const double *x, double *const xb[2], double k, double kb[2], int n,
                      const double seed[2]);
      CF_REVERSE(wide_rev, wide, "dup dup const seed width=2");)
ZOO_FREE(width) {
    double x[2] = {2, 3};
    ZOO_WANT(wide(x, 5, 2), 65);
    ZOO_F(double e0[2] = {1, 0}; double e1[2] = {0, 1}; double z[2] = {0, 0};
          const double *const xd[3] = {e0, e1, z}; const double kd[3] = {0, 0, 1}; double t[3] = {9, 9, 9};
          ZOO_WANT(wide_fwd(x, xd, 5, kd, 2, t), 65); ZOO_WANT(t[0], 20); ZOO_WANT(t[1], 30);
          ZOO_WANT(t[2], 13);)
    ZOO_R(double b0[2] = {1, 0}; double b1[2] = {0, 1}; double *const xb[2] = {b0, b1}; double kb[2] = {0, 5};
          const double seed[2] = {1, 10}; ZOO_WANT(wide_rev(x, xb, 5, kb, 2, seed), 65); ZOO_WANT(b0[0], 21);
          ZOO_WANT(b0[1], 30); ZOO_WANT(b1[0], 200); ZOO_WANT(b1[1], 301); ZOO_WANT(kb[0], 13);
          ZOO_WANT(kb[1], 135);)
}

/* width with outputs through a pointer, loops that overwrite, calls. */
__attribute__((noinline)) static void twist(double *x, int n) {
    for (int i = 1; i < n; i++) x[i] *= x[i - 1];
}
static void wide_outputs(const double *x, double *y, int n) {
    for (int i = 0; i < n; i++) y[i] = x[i];
    twist(y, n);
    twist(y, n);
}
ZOO_F(void wide_outputs_fwd(const double *x, const double *const xd[2], double *y, double *const yd[2],
                            int n);
      CF_FORWARD(wide_outputs_fwd, wide_outputs, "dup dup const width=2");)
ZOO_R(void wide_outputs_rev(const double *x, double *const xb[2], double *y, double *const yb[2], int n);
      CF_REVERSE(wide_outputs_rev, wide_outputs, "dup dup const width=2");)
/* (a, a (ab)) */
ZOO_FREE(width_outputs) {
    double x[2] = {2, 3}, y[2];
    wide_outputs(x, y, 2);
    ZOO_WANT(y[1], 12);
    ZOO_F(double d0[2] = {1, 0}; double d1[2] = {0, 1}; const double *const xd[2] = {d0, d1};
          double t0[2] = {7, 7}; double t1[2] = {7, 7}; double *const yd[2] = {t0, t1}; y[0] = y[1] = 0;
          wide_outputs_fwd(x, xd, y, yd, 2); ZOO_WANT(y[1], 12); ZOO_WANT(t0[0], 1); ZOO_WANT(t0[1], 12);
          ZOO_WANT(t1[0], 0); ZOO_WANT(t1[1], 4);)
    ZOO_R(double b0[2] = {0, 0}; double b1[2] = {0, 0}; double *const xb[2] = {b0, b1}; double s0[2] = {1, 0};
          double s1[2] = {0, 1}; double *const yb[2] = {s0, s1}; y[0] = y[1] = 0;
          wide_outputs_rev(x, xb, y, yb, 2); ZOO_WANT(y[0], 2); ZOO_WANT(y[1], 12); ZOO_WANT(b0[0], 1);
          ZOO_WANT(b0[1], 0); ZOO_WANT(b1[0], 12); ZOO_WANT(b1[1], 4); ZOO_WANT(s0[0], 0);
          ZOO_WANT(s1[1], 0);)
}

/* Two arguments are one object, and so are their shadows. */
static double dot(const double *a, const double *b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
static void same_object_P(zoo_io *io) { io->r = dot(io->x, io->x, 2); }
ZOO_R(double dot_rev(const double *a, double *ab, const double *b, double *bb, int n);
      CF_REVERSE(dot_rev, dot, "dup dup const");
      static void same_object_R(zoo_io *io) { io->r = dot_rev(io->x, io->xs, io->x, io->xs, 2); })
ZOO_F(double dot_fwd(const double *a, const double *ad, const double *b, const double *bd, int n);
      CF_FORWARD(dot_fwd, dot, "dup dup const");
      static void same_object_F(zoo_io *io) { io->rs = dot_fwd(io->x, io->xs, io->x, io->xs, 2); })
ZOO_CASE(same_object, ZOO_RESULT, 2, 0, (2, 3), (13), (4, 6));

static void update(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++) y[i] = y[i] * x[n - 1 - i];
}
static void same_object_changed_P(zoo_io *io) { update(io->x, io->x, 2); }
ZOO_R(void update_rev(double *y, double *yb, const double *x, double *xb, int n);
      CF_REVERSE(update_rev, update, "dup dup const");
      static void same_object_changed_R(zoo_io *io) { update_rev(io->x, io->xs, io->x, io->xs, 2); })
ZOO_F(void update_fwd(double *y, double *yd, const double *x, const double *xd, int n);
      CF_FORWARD(update_fwd, update, "dup dup const");
      static void same_object_changed_F(zoo_io *io) { update_fwd(io->x, io->xs, io->x, io->xs, 2); })
/* a' = ab, b' = b a' = a b^2 */
ZOO_CASE(same_object_changed, ZOO_INPLACE, 2, 0, (2, 3), (6, 18), (3, 2, 9, 12));

/* consume: the primal's results need not be there afterwards; the adjoints are the same. */
static void consumed(double *x, int n) {
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n; i++) x[i] *= x[i];
}
ZOO_R(void consumed_rev(double *x, double *xb, int n);
      CF_REVERSE(consumed_rev, consumed, "dup const consume");)
ZOO_FREE(consume) {
    double x[2] = {2, 3};
    consumed(x, 2);
    ZOO_WANT(x[0], 16);
    ZOO_R(double y[2] = {2, 3}; double b[2] = {1, 2}; consumed_rev(y, b, 2); ZOO_WANT(b[0], 32);
          ZOO_WANT(b[1], 2 * 108);)
}

/* A primal that returns an integer, or a pointer, beside its outputs. */
static int count(const double *x, double *y, int n) {
    int k = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 1) y[k++] = x[i] * x[i];
    return k;
}
static void integer_result_P(zoo_io *io) {
    io->y[0] = io->y[1] = 0;
    if (count(io->x, io->y, 3) != 2) io->y[0] = NAN;
}
ZOO_R(int count_rev(const double *x, double *xb, double *y, double *yb, int n);
      CF_REVERSE(count_rev, count, "dup dup const"); static void integer_result_R(zoo_io *io) {
          if (count_rev(io->x, io->xs, io->y, io->ys, 3) != 2) io->y[0] = NAN;
      })
ZOO_F(void count_fwd(const double *x, const double *xd, double *y, double *yd, int n);
      CF_FORWARD(count_fwd, count, "dup dup const");
      static void integer_result_F(zoo_io *io) { count_fwd(io->x, io->xs, io->y, io->ys, 3); })
ZOO_CASE(integer_result, 0, 3, 2, (2, 0.5, 3), (4, 9), (4, 0, 0, 0, 0, 6));

/* Calls of a request inside other code, and of a request of a request's helper. */
static double inner_square(double x) { return x * x * x; }
ZOO_R(double inner_rev(double x, double *xb); CF_REVERSE(inner_rev, inner_square, "dup");)
ZOO_FREE(accumulates_twice) {
    ZOO_WANT(inner_square(2), 8);
    ZOO_R(double b = 100; inner_rev(2, &b); inner_rev(1, &b); ZOO_WANT(b, 100 + 12 + 3);)
}
