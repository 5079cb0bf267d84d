// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l %s -lm -o %t && %t || exit 1; done
// RUN: env COFACTOR_NO_INLINE=1 %ad -O2 %s -lm -o %t && %t
// Numbers that are cut: halves of doubles in words, structs that are copied by words and by bytes, from the last byte down.
#include "agree.h"
#include <stdint.h>
#define APART __attribute__((noinline)) static
static double halves(const double *x, int n) {
    uint32_t lo[MOST], hi[MOST]; double s = 0, b[MOST];
    for (int i = 0; i < n; i++) { uint64_t v; double d = x[i] * x[i]; memcpy(&v, &d, 8); lo[i] = (uint32_t)v; hi[i] = (uint32_t)(v >> 32); b[i] = d; }
    for (int i = 0; i < n; i++) { uint64_t v = lo[n - 1 - i] | (uint64_t)hi[n - 1 - i] << 32; double d; memcpy(&d, &v, 8); s += d * (i + 1) + b[i]; }
    for (int i = 0; i < n; i++) { uint64_t v = lo[i] | (uint64_t)hi[i] << 32; double d; memcpy(&d, &v, 8); s += d * d; }
    return s;
}
PROGRAM(halves)
struct two { float a, b; };
APART struct two mix(struct two p, struct two q) { return (struct two){p.a * q.b, p.b + q.a}; }
static double pairs(const double *x, int n) {
    struct two p = {1, 2}; double s = 0;
    for (int i = 0; i < n; i++) { p = mix(p, (struct two){(float)x[i], (float)(x[i] * x[0])}); s += p.a; }
    return s + p.b;
}
PROGRAM(pairs)
static double swap32(const double *x, int n) {
    double s = 0, b[MOST];
    for (int i = 0; i < n; i++) b[i] = x[i] * x[i];
    for (int i = 0; i + 1 < n; i++) for (int k = 0; k < 2; k++) { uint32_t t, *p = (uint32_t *)&b[i] + k, *q = (uint32_t *)&b[i + 1] + k; memcpy(&t, p, 4); memcpy(p, q, 4); memcpy(q, &t, 4); }
    for (int i = 0; i < n; i++) s += (i + 1) * b[i];
    return s;
}
PROGRAM(swap32)
struct mixed { const double *p; char c; long k; float f; double d; };
typedef uint32_t __attribute__((may_alias)) word;
APART void by_words(void *to, const void *from, size_t n) {
    for (size_t i = 0; i + 4 <= n; i += 4) *(word *)((char *)to + i) = *(const word *)((const char *)from + i);
}
APART void by_bytes_down(void *to, const void *from, size_t n) {
    while (n--) ((unsigned char *)to)[n] = ((const unsigned char *)from)[n];
}
static double copies(const double *x, int n) {
    double s = 0, y[MOST];
    struct mixed a[MOST], b[MOST];
    for (int i = 0; i < n; i++) y[i] = x[i] * x[0];
    for (int i = 0; i < n; i++) {
        a[i] = (struct mixed){&y[i], (char)i, i, (float)(x[i] * x[0]), x[i]};
        b[i] = (struct mixed){&y[(i + 1) % n], (char)i, i, (float)(x[i] * x[i]), x[i] * x[0]};
    }
    for (int q = 0; q < n; q++) by_bytes_down(&a[q], &b[n - 1 - q], sizeof *a);
    by_words(&a[n - 1].d, &b[(n + 1) / 2].d, 8);
    for (int i = 0; i < n; i++) s += (i + 1) * (*a[i].p + (double)a[i].f + 5 * a[i].d + (double)a[i].k + a[i].c);
    for (int i = 0; i < n; i++) s += (i + 2) * (*b[i].p + (double)b[i].f + 5 * b[i].d);
    return s;
}
PROGRAM(copies)
int main(void) { return AGREE_FLOAT(copies, 5) + AGREE_FLOAT(pairs, 4) + AGREE(halves, 4) + AGREE(swap32, 4); }
