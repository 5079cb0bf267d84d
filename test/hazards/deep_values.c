// RUN: for l in -O0 -O2; do timeout 120 %ad $l %s -lm -o %t && %t || exit 1; done
// RUN: env COFACTOR_NO_INLINE=1 timeout 120 %ad -O1 %s -lm -o %t && %t
// However deep a value is made, it is what it is: pointers to pointers, addresses chosen and moved many times, structs within structs,
// constants that share their parts so often that counting them one by one would never end.
#include <cofactor/ad.h>
#include <stdio.h>

#define BOTH(f)                                                                                              \
    double f##_rev(double x, double *xb, int n);                                                             \
    CF_REVERSE(f##_rev, f, "dup const");                                                                     \
    double f##_fwd(double x, double xd, int n);                                                              \
    CF_FORWARD(f##_fwd, f, "dup const");
static int bad;
#define TEST(f, x, n, wanted)                                                                                \
    do {                                                                                                     \
        double b = 0;                                                                                        \
        f##_rev(x, &b, n);                                                                                   \
        if (b != (wanted)) bad++, printf(#f " reverse %g, not %g\n", b, (double)(wanted));                   \
        double t = f##_fwd(x, 1, n);                                                                         \
        if (t != (wanted)) bad++, printf(#f " forward %g, not %g\n", t, (double)(wanted));                   \
    } while (0)

/* Twenty pointers, each to the next. */
#define TO(k, next) void *p##k = &next;
__attribute__((noinline)) static double *end_of(void **p, int n) {
    for (int i = 0; i < n; i++) p = *p;
    return (double *)p;
}
static double far_away(double x, int n) {
    double v = 1;
    TO(1, v) TO(2, p1) TO(3, p2) TO(4, p3) TO(5, p4) TO(6, p5) TO(7, p6) TO(8, p7) TO(9, p8) TO(10, p9)
    TO(11, p10) TO(12, p11) TO(13, p12) TO(14, p13) TO(15, p14) TO(16, p15) TO(17, p16) TO(18, p17) TO(19, p18) TO(20, p19)
    *end_of((void **)&p20, n) = x * x;
    return v * x;
}
BOTH(far_away)

/* An address that is chosen and moved forty times before a number is stored there. */
#define CHOOSE(i) p = n >> (i) % 8 & 1 ? p + step[(i) % 4] : q;
#define MOVE(i) q = q + step[((i) + 1) % 4]; CHOOSE(i) CHOOSE((i) + 1)
static int step[4] = {0, 0, 0, 0};
static double chosen(double x, int n) {
    double a[2] = {0, 1}, b[2] = {2, 3}, *p = a, *q = b;
    MOVE(0) MOVE(2) MOVE(4) MOVE(6) MOVE(8) MOVE(10) MOVE(12) MOVE(14) MOVE(16) MOVE(18)
    p[0] = x * x * x;
    return a[0] + 2 * b[0] + x;
}
BOTH(chosen)

/* Structs within structs, the innermost of which has a union. */
#define WITHIN(k, inner) struct s##k { struct s##inner in; int n##k; };
struct s0 { union { double number; long whole; } u; };
WITHIN(1, 0) WITHIN(2, 1) WITHIN(3, 2) WITHIN(4, 3) WITHIN(5, 4) WITHIN(6, 5) WITHIN(7, 6) WITHIN(8, 7) WITHIN(9, 8) WITHIN(10, 9)
WITHIN(11, 10) WITHIN(12, 11)
static double innermost(double x, int n) {
    struct s12 a = {0}, b[2];
    a.in.in.in.in.in.in.in.in.in.in.in.in.u.number = x * x;
    b[n & 1] = a;
    a = b[n & 1];
    return a.in.in.in.in.in.in.in.in.in.in.in.in.u.number * x;
}
BOTH(innermost)

/* Each constant is made of the one before, twice. */
static double left[4], right[4];
#define MIX v = v ^ (w + v), w = w ^ (v + w);
#define MIX8 MIX MIX MIX MIX MIX MIX MIX MIX
static double shared(double x, int n) {
    unsigned long v = (unsigned long)&left[0], w = (unsigned long)&right[0];
    MIX8 MIX8 MIX8 MIX8 MIX8 MIX8
    left[0] = x * x;
    return v != w ? left[0] * n : 0;
}
BOTH(shared)

int main(void) {
    TEST(far_away, 3, 20, 27);
    TEST(chosen, 2, 0, 25);
    TEST(chosen, 2, 255, 13);
    TEST(innermost, 3, 5, 27);
    TEST(shared, 3, 2, 12);
    return bad != 0;
}
