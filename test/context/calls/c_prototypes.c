// RUN: for l in -O0 -O1 -O2 -O3; do for how in "" -fno-math-errno; do %ad $l $how -D_GNU_SOURCE -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done; done
// An intrinsic has C's prototype, for the search and for the hooks: memset's byte is an int, memcpy returns where it copies to,
// abs has one operand, frexp and its like give one result by an address. Each function is the only thing that happens in a
// function of its own, so that nothing else leads there.
#include "events.h"
#include <math.h>
#include <stdlib.h>

struct log { struct events e; };
CF_PREHOOK(log, "call memset") static void set(struct log *c, void *p, int byte, size_t n) { note(&c->e, "set %d %zu", byte, n), (void)p; }
CF_PREHOOK(log, memset) static void set_there(struct log *c, const cf_site *s, void *p, int byte, size_t n) { note(&c->e, "%s %s %d %zu", s->function, s->what, byte, n), (void)p; }
CF_POSTHOOK(log, memmove) static void moved(struct log *c, const cf_site *s, void *r, void *to, const void *from, size_t n) { note(&c->e, "%s %d %zu", s->what, r == to && from, n); }
CF_OVERDUB(log, memcpy) static void *reversed(struct log *c, void *to, const void *from, size_t n) {
    for (size_t i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[n - 1 - i];
    return note(&c->e, "reversed %zu", n), to;
}
CF_OVERDUB(log, abs) static int no_abs(struct log *c, int x) { return note(&c->e, "abs %d", x), x; }
CF_PREHOOK(log, labs) static void on_labs(struct log *c, long x) { note(&c->e, "labs %ld", x); }
CF_POSTHOOK(log, llabs) static long long after_llabs(struct log *c, const cf_site *s, long long r, long long x) { return note(&c->e, "llabs %lld", x), r + (long long)s->operands; }
CF_OVERDUB(log, fmaximum) static double no_maximum(struct log *c, double x, double y) { return note(&c->e, "maximum"), x + y; }

APART void clear(char *p, size_t n) { memset(p, 'x', n); }
APART void clear_by(char *p, int byte, size_t n) { memset(p, byte, n); }
APART void move(char *p, size_t n) { memmove(p, p + 1, n); }
APART void copy(char *p, const char *q, size_t n) { memcpy(p, q, n); }
APART int absolute(int x) { return abs(x); }
APART long long absolute_long(long x) { return labs(x); }
static int f(char *text) {
    char back[5];
    clear(text, 3), clear_by(text + 3, 0x179, 1), move(text, 5);
    copy(back, text + 2, 4), back[4] = 0;
    return absolute(-3) * 100 + (int)absolute_long(-7) * 10 + strcmp(back, "ffey");
}
int f_in(struct log *c, char *text);
CF_IN(f_in, f, log);
#if __has_builtin(__builtin_elementwise_maximum)
static double maximum(double x, double y) { return __builtin_elementwise_maximum(x, y); }
#else
double fmaximum(double x, double y); /* of C23 */
double fmaximum(double x, double y) { return x > y ? x : y; }
static double maximum(double x, double y) { return fmaximum(x, y); }
#endif
double maximum_in(struct log *c, double x, double y);
CF_IN(maximum_in, maximum, log);

/* Of the functions with results at addresses clang makes intrinsics now and then. */
struct parts { struct events e; };
CF_PREHOOK(parts, frexp) static void on_frexp(struct parts *c, double x, int *e) { note(&c->e, "frexp %g %d", x, e != 0); }
CF_OVERDUB(parts, modf) static double my_modf(struct parts *c, double x, double *whole) { return note(&c->e, "modf %g", x), *whole = 40, 2; }
CF_POSTHOOK(parts, sincos) static void after_sincos(struct parts *c, double x, double *s, double *k) { note(&c->e, "sincos %g %g", x, *k), *s = 5; }
CF_POSTHOOK(parts, "call frexpf") static float after_frexpf(struct parts *c, const cf_site *s, float r, float x, int *e) { return note(&c->e, "%s %g %d", s->what, x, *e), *e = 9, r + 1; }
APART double pieces(double x) {
    int e, ef;
    double whole, sine, cosine, fraction = __builtin_frexp(x, &e), rest = __builtin_modf(x, &whole);
    float ff = __builtin_frexpf((float)x, &ef);
    sincos(x, &sine, &cosine);
    return fraction + 10 * e + 100 * rest + 1000 * whole + 1e6 * ((double)ff + ef) + 1e8 * (sine + (cosine == cos(x)));
}
double pieces_in(struct parts *c, double x);
CF_IN(pieces_in, pieces, parts);

int main(void) {
    static struct log c;
    static struct parts d;
    char text[8] = "abcdefg";
    WANT(f_in(&c, text), -300 + 80);
    TEXT(text, "xxyeffg");
    SAME(c.e, "set 120 3 clear memset 120 3 set 121 1 clear_by memset 121 1 memmove 1 5 reversed 4 abs -3 labs -7 llabs -7");
    WANT(maximum_in(&c, 3, 4), 7);
    SAME(c.e, "maximum");
    WANT(pieces_in(&d, 6.0), 0.75 + 30 + 200 + 40000 + 1e6 * (1.75 + 9) + 1e8 * 6);
    SAME(d.e, "frexp 6 1 modf 6 frexpf 6 3 sincos 6 0.96017");
    return wrong;
}
