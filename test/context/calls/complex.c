// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Complex numbers, vectors and 128-bit integers, as arguments and results.
#include "every.h"
#include <complex.h>

typedef float v4 __attribute__((vector_size(16)));
APART double complex square(double complex z) { return z * z; }
APART v4 add(v4 a, v4 b) { return a + b; }
APART __int128 shift(__int128 x, int n) { return x << n; }
static double f(double x, double y) {
    double complex z = square(x + y * I);
    v4 w = add((v4){1, 2, 3, 4}, (v4){10, 20, 30, 40});
    __int128 s = shift(3, 70);
    return creal(z) * 100 + cimag(z) + (double)(w[0] + w[3]) + (double)(long)(s >> 68);
}
struct lanes { struct events e; };
CF_PREHOOK(lanes, "fadd in=add") static void on_add(struct lanes *c, const cf_site *s) { note(&c->e, "%s %s %u lanes, %llu bytes", s->what, s->type, s->lanes, s->bytes); }
CF_PREHOOK(lanes, "call shift") static void on_shift(struct lanes *c, const cf_site *s) { note(&c->e, "%s", s->what); }
CF_POSTHOOK_ANY(lanes, "call add") static void after(struct lanes *c, const cf_site *s, const cf_value *v, const cf_value *r) {
    (void)s, note(&c->e, "%g+%g=%g", ((const float *)v[0].as.pointer)[3], ((const float *)v[1].as.pointer)[3], ((const float *)r->as.pointer)[3]);
}
double f_in(struct lanes *c, double x, double y);
CF_IN(f_in, f, lanes);

int main(void) {
    static struct lanes c;
    /* (3 + 2i)^2 = 5 + 12i */
    WANT(f(3, 2), 500 + 12 + 55 + 12), WANT(f_in(&c, 3, 2), 579);
    SAME(c.e, "fadd <4 x float> 4 lanes, 16 bytes 4+40=44 shift");
    return wrong;
}
