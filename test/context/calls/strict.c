// RUN: for l in -O0 -O1 -O2 -O3; do for how in "" "-ffp-model=strict -DROUNDS" -frounding-math -ffp-exception-behavior=strict "-DPRAGMA -ffp-contract=off" "-ffp-model=strict -fno-math-errno" "-frounding-math -DROUNDS -ffp-contract=on"; do \
// RUN:     %ad $l $how -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done; done
// Under strict floating point an operation is a call of a constrained intrinsic: for hooks and overrides it is the operation all the
// same, and a function of libm is that function. What is built in the place of a fused operation rounds as the program says.
#include "events.h"
#include <fenv.h>
#include <math.h>
#ifdef PRAGMA
#pragma STDC FENV_ACCESS ON
#endif

struct log { struct events e; long fp; };
CF_CONTEXT(log, "optional");
CF_PREHOOK(log, "fp") static void on_fp(struct log *c) { c->fp++; }
CF_POSTHOOK(log, "compare") static _Bool compared(struct log *c, const cf_site *s, _Bool r, double x, double y) { return note(&c->e, "%s %g %g %d", s->what, x, y, r), r; }
CF_PREHOOK(log, "cast") static void on_cast(struct log *c, const cf_site *s) { note(&c->e, "%s %s", s->what, s->type); }
CF_PREHOOK(log, "fdiv") static void on_div(struct log *c, double x, double y) { note(&c->e, "%g/%g", x, y); }
CF_POSTHOOK(log, "fsub") static double after_sub(struct log *c, double r, double x, double y) { return note(&c->e, "%g=%g-%g", r, x, y), r + 106; }
CF_OVERDUB(log, "fneg") static double no_neg(struct log *c, double x) { return note(&c->e, "neg"), x; }
CF_OVERDUB(log, "frem") static double no_rem(struct log *c, double x, double y) { return note(&c->e, "rem"), x + y; }
CF_OVERDUB(log, fmod) static double no_mod(struct log *c, double x, double y) { return note(&c->e, "rem"), c->fp++, x + y; }
CF_OVERDUB(log, floor) static double my_floor(struct log *c, double x) { return note(&c->e, "floor"), x; }
CF_PREHOOK(log, "call sqrt,ceil*,lrint*") static void on_call(struct log *c, const cf_site *s, double x) { note(&c->e, "%s(%g)", s->what, x); }
CF_PREHOOK(log, "call ceil*") static void on_float(struct log *c, const cf_site *s, float x) { note(&c->e, "%s(%g)", s->what, x); }

APART double f(double x, float y, int n) {
    double s = x / y;
    s = s * n;
    s = (s - 1.0) + floor(s);
    if (s > x) s = sqrt(s) + (double)ceilf(y);
    if (s < x || !(s == 13.0)) return -s;
    return (double)(float)s + (unsigned)s + fmod(s, x) + (double)lrint(s);
}
double f_in(struct log *c, double x, float y, int n);
CF_IN(f_in, f, log);

struct mul { long n; };
CF_OVERDUB(mul, "fmul") static double no_mul(struct mul *c, double x, double y) { return c->n++, x + y; }
struct sum { long n; };
CF_PREHOOK(sum, "fadd") static void on_add(struct sum *c, double x, double y) { (void)x, (void)y, c->n++; }
APART double fused(double x, double y, double z) { return x * y + z; }
double fused_mul(struct mul *c, double x, double y, double z);
CF_IN(fused_mul, fused, mul);
double fused_sum(struct sum *c, double x, double y, double z);
CF_IN(fused_sum, fused, sum);

int main(void) {
    static struct log c;
    volatile double x = 6, tiny = 0x1p-80;
    volatile float y = 1.5f;
    WANT(f(x, y, 2), -(sqrt(15) + 2));
    WANT(f_in(&c, x, y, 2), 13 + 13 + 19 + 13), WANT(c.fp, 9);
    SAME(c.e, "fpext float 6/1.5 sitofp i32 7=8-1 floor fcmp 121 6 1 sqrt(121) ceilf(1.5) fpext float fcmp 13 6 0 fcmp 13 13 1 "
              "fptrunc double fpext float fptoui double uitofp i32 rem lrint(13) sitofp i64");
    WANT(f_in(&c, 100, 50, 0), sqrt(105) + 50); /* where the minus does nothing */
    struct mul m = {0};
    struct sum s = {0};
    WANT(fused_mul(&m, 3, 4, 5), 12), WANT(m.n, 1);
    WANT(fused_sum(&s, 3, 4, 5), 17), WANT(s.n, 1);
#ifdef ROUNDS
    fesetround(FE_UPWARD);
    double up = fused_sum(&s, 1, 1, tiny), half = fused_mul(&m, 1, tiny, 0);
    fesetround(FE_TONEAREST);
    WANT(up, 1 + 0x1p-52), WANT(half, 1 + 0x1p-52);
#endif
    WANT(fused_sum(&s, 1, 1, tiny), 1);
    return wrong;
}
