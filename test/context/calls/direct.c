// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Direct calls: arguments of every type, no argument, no result, results of every type.
#include "every.h"

struct typed { struct events e; };
CF_PREHOOK(typed, "call") static void none(struct typed *c, const cf_site *s) { if (s->operands == 0) note(&c->e, "%s()", s->what); }
CF_PREHOOK(typed, "call") static void of_char(struct typed *c, const cf_site *s, signed char a) { note(&c->e, "%s(%d)", s->what, a); }
CF_PREHOOK(typed, "call") static void of_short(struct typed *c, const cf_site *s, short a) { note(&c->e, "%s(%d)", s->what, a); }
CF_PREHOOK(typed, "call") static void of_bool(struct typed *c, const cf_site *s, _Bool a) { note(&c->e, "%s(%d)", s->what, a); }
CF_PREHOOK(typed, "call") static void of_int(struct typed *c, const cf_site *s, int a) { note(&c->e, "%s(%d)", s->what, a); }
CF_PREHOOK(typed, "call") static void of_long(struct typed *c, const cf_site *s, long a) { note(&c->e, "%s(%ld)", s->what, a); }
CF_PREHOOK(typed, "call") static void of_float(struct typed *c, const cf_site *s, float a) { note(&c->e, "%s(%g)", s->what, a); }
CF_PREHOOK(typed, "call") static void of_double(struct typed *c, const cf_site *s, double a) { note(&c->e, "%s(%g)", s->what, a); }
CF_PREHOOK(typed, "call") static void of_extended(struct typed *c, const cf_site *s, long double a) { note(&c->e, "%s(%Lg)", s->what, a); }
CF_PREHOOK(typed, "call") static void of_pointer(struct typed *c, const cf_site *s, const char *a) { note(&c->e, "%s(%s)", s->what, a); }
CF_PREHOOK(typed, "call") static void of_all(struct typed *c, const cf_site *s, signed char a, short b, int d, long e, float f, double g, const char *h, long double i) {
    note(&c->e, "%s(%d,%d,%d,%ld,%g,%g,%s,%Lg)", s->what, a, b, d, e, f, g, h, i);
}
CF_POSTHOOK(typed, "call") static void char_result(struct typed *c, signed char r) { note(&c->e, "=%d", r); }
CF_POSTHOOK(typed, "call") static void short_result(struct typed *c, short r) { note(&c->e, "=%d", r); }
CF_POSTHOOK(typed, "call") static void long_result(struct typed *c, long r) { note(&c->e, "=%ld", r); }
CF_POSTHOOK(typed, "call") static void bool_result(struct typed *c, _Bool r) { note(&c->e, "=%d", r); }
CF_POSTHOOK(typed, "call") static void float_result(struct typed *c, float r) { note(&c->e, "=%g", r); }
CF_POSTHOOK(typed, "call") static void extended_result(struct typed *c, long double r) { note(&c->e, "=%Lg", r); }
CF_POSTHOOK(typed, "call") static void pointer_result(struct typed *c, const cf_site *s, const char *r) { (void)s, note(&c->e, "=%s", r); }

static long seen;
APART void tick(void) { seen++; }
APART signed char negated(signed char a) { return (signed char)-a; }
APART short half(short a) { return (short)(a / 2); }
APART _Bool inverse(_Bool a) { return !a; }
APART void take(int a) { seen += a; }
APART long wide(long a) { return a * 3; }
APART float third(float a) { return a / 4; }
APART void keep(double a) { seen += (long)a; }
APART long double extended(long double a) { return a * 2; }
APART const char *tail(const char *a) { return a + 2; }
APART long all(signed char a, short b, int d, long e, float f, double g, const char *h, long double i) {
    return a + b + d + e + (long)f + (long)g + h[0] + (long)i;
}

static long program(int n) {
    tick();
    long r = negated((signed char)n) + half((short)(n - 300)) + inverse(n > 3);
    take(n), keep(n + 0.5);
    r += wide(1L << 40) + (long)third(10) + (long)extended(2.25L) + *tail("abc");
    return r + all(-1, -300, 70000, -(1L << 33), 0.5f, -0.25, "xyz", 1e20L / 1e18L);
}
long program_in(struct typed *c, int n);
CF_IN(program_in, program, typed);
long program_every(struct every *c, int n);
CF_IN(program_every, program, every);

int main(void) {
    static struct typed c;
    static struct every d;
    long want = program(5);
    seen = 0;
    WANT(program_in(&c, 5), want), WANT(seen, 1 + 5 + 5);
    SAME(c.e, "tick() negated(5) =-5 half(-295) =-147 inverse(1) =0 take(5) keep(5.5) wide(1099511627776) =3298534883328 "
              "third(10) =2.5 extended(2.25) =4.5 tail(abc) =c all(-1,-300,70000,-8589934592,0.5,-0.25,xyz,100) =-8589864673");
    WANT(program_every(&d, 5), want);
    SAME(d.e, "tick( ) [tick ] negated( 5 ) [negated -5 ] half( -295 ) [half -147 ] inverse( 1 ) [inverse 0 ] take( 5 ) [take ] keep( 5.5 ) [keep ] "
              "wide( 1099511627776 ) [wide 3298534883328 ] third( 10 ) [third 2.5 ] extended( 80-bits ) [extended 80-bits ] tail( ptr ) [tail ptr ] "
              "all( -1 -300 70000 -8589934592 0.5 -0.25 ptr 80-bits ) [all -8589864673 ]");
    return wrong;
}
