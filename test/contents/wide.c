// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -Wall -Wextra %s -lm -o %t && %t || exit 1; done
// RUN: for f in "-O0 -g" "-O2 -fno-builtin" "-O2 -g"; do %ad $f %s -lm -o %t && %t || exit 1; done
// RUN: for f in -O1 "-O2 -fno-builtin"; do env COFACTOR_NO_INLINE=1 %ad $f %s -lm -o %t && %t || exit 1; done
// Numbers in integers of 128 bits, two in each, which lie in memory that is told to hold integers.
#include "agree.h"
#include <stdint.h>
#define APART __attribute__((noinline)) static
typedef unsigned __int128 wide;

static wide pack(double a, double b) {
    uint64_t p, q;
    memcpy(&p, &a, 8);
    memcpy(&q, &b, 8);
    return (wide)p << 64 | q;
}
static double half_of(wide v, int upper) {
    uint64_t p = upper ? (uint64_t)(v >> 64) : (uint64_t)v;
    double d;
    memcpy(&d, &p, 8);
    return d;
}

/* In an array. */
static double values(const double *x, int n) {
    wide a[MOST];
    double s = 0;
    for (int i = 0; i + 1 < n; i++) a[i] = pack(x[i], x[i + 1]);
    for (int i = 0; i + 1 < n; i++) s += (i + 1) * half_of(a[i], 1) * half_of(a[i], 0);
    return s;
}
PROGRAM(values)

/* By functions that know bytes alone. */
APART wide joined(const double *a, const double *b) {
    uint64_t p, q;
    memcpy(&p, a, 8);
    memcpy(&q, b, 8);
    return (wide)p << 64 | q;
}
APART void upper(double *d, const wide *v) {
    uint64_t p = (uint64_t)(*v >> 64);
    memcpy(d, &p, 8);
}
APART void lower(double *d, const wide *v) {
    uint64_t p = (uint64_t)*v;
    memcpy(d, &p, 8);
}
static double bytes(const double *x, int n) {
    wide a[MOST];
    double s = 0;
    for (int i = 0; i < n; i++) a[i] = joined(x + i, x + n - 1 - i);
    for (int i = 0; i < n; i++) {
        double u, l;
        upper(&u, a + i);
        lower(&l, a + n - 1 - i);
        s += (i + 1) * u * l;
    }
    return s;
}
PROGRAM(bytes)

int main(void) { return AGREE(values, 5) + AGREE(bytes, 4); }
