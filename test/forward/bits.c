// RUN: for l in -O0 -O2; do %ad $l %s -I%S -lm -o %t && %t || exit 1; done
// RUN: %not %ad -g -O1 -DHACK %s -I%S -o %t 2>&1 | %FileCheck %s
// Numbers in integers: moved, with signs changed; arithmetic on their bits is refused.
#include "check.h"
#include <stdint.h>

typedef union {
    double d;
    uint64_t u;
} pun;
static double absolute(double x) {
    pun p = {x};
    p.u &= 0x7fffffffffffffff;
    return p.d * x;
}
double absolute_tan(double x, double xd);
CF_FORWARD(absolute_tan, absolute, "dup");

static double negated(double x, double y) {
    pun p = {x * y}, q = {y};
    p.u ^= 0x8000000000000000;
    q.u |= 0x8000000000000000;
    return p.d + q.d;
}
double negated_tan(double x, double xd, double y, double yd);
CF_FORWARD(negated_tan, negated, "dup dup");

static double signed_like(double x, double y) {
    pun p = {x}, q = {y};
    p.u = (p.u & 0x7fffffffffffffff) | (q.u & 0x8000000000000000);
    return p.d;
}
double signed_like_tan(double x, double xd, double y, double yd);
CF_FORWARD(signed_like_tan, signed_like, "dup dup");

/* A structure that is passed in an integer register. */
typedef struct {
    float f;
    int i;
} mixed;
__attribute__((noinline)) static mixed shift(mixed m, float x) { return (mixed){m.f * x, m.i + 1}; }
static float packed(float x, int i) {
    mixed m = shift((mixed){x, i}, x);
    m = shift(m, 2);
    return m.f * (float)m.i;
}
float packed_tan(float x, float xd, int i);
CF_FORWARD(packed_tan, packed, "dup const");

/* Aligned by hand. */
static double aligned(double x) {
    char room[256];
    double *p = (double *)(((uintptr_t)room + 63) & ~(uintptr_t)63);
    p[3] = x * x;
    uintptr_t tagged = (uintptr_t)(p + 3) | 1;
    return *(double *)(tagged & ~(uintptr_t)7) * x;
}
double aligned_tan(double x, double xd);
CF_FORWARD(aligned_tan, aligned, "dup");

/* The exponent of a number is an integer, and carries nothing. */
static double scaled(double x) {
    pun p = {x};
    return x * (double)((p.u >> 52) & 0x7ff);
}
double scaled_tan(double x, double xd);
CF_FORWARD(scaled_tan, scaled, "dup");

#ifdef HACK
static double inverse_root(double x) {
    pun p = {x};
    p.u = 0x5fe6eb50c7b537a9 - (p.u >> 1);
    // CHECK: bits.c:{{[0-9]+}}:{{.*}}integer arithmetic on its bits
    return p.d * (1.5 - 0.5 * x * p.d * p.d);
}
double inverse_root_tan(double x, double xd);
CF_FORWARD(inverse_root_tan, inverse_root, "dup");
#endif

int main(void) {
    WANT(absolute_tan(-3, 1), 6), WANT(absolute_tan(3, 1), 6);
    WANT(negated_tan(2, 1, 3, 0), -3), WANT(negated_tan(2, 0, 3, 1), -2 - 1),
        WANT(negated_tan(2, 0, -3, 1), -2 + 1);
    WANT(signed_like_tan(2, 1, -1, 5), -1), WANT(signed_like_tan(-2, 1, -1, 0), 1),
        WANT(signed_like_tan(-2, 1, 1, 0), -1);
    WANT(packed_tan(3, 1, 5), 2 * 2 * 3 * 7);
    WANT(aligned_tan(2, 1), 12);
    WANT(scaled_tan(2, 1), 1024);
    return wrong;
}
