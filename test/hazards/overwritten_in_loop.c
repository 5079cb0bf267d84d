// RUN: %S/run.sh "%ad" %s %t
// Stores over what the same statement, the next iteration or the last call has read.
#include "hazard.h"

static double self_clobber(double *x, int n) {
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++) x[i] *= x[i];
    return x[0] + 2 * x[1];
}
GRADIENT(self_clobber);

/* a[i + 1] is read as a[i] in the next iteration. */
static double recurrence(double *a, int n) {
    for (int i = 0; i + 1 < n; i++) a[i + 1] = a[i] * a[i + 1];
    return a[n - 1] * a[n - 1];
}
GRADIENT(recurrence);
static double backwards(double *a, int n) {
    for (int i = n - 1; i > 0; i--) a[i - 1] *= a[i] * a[i];
    return a[0];
}
GRADIENT(backwards);

/* The next iteration reads where this one has written, at a place that is told at run time. */
static double scattered(double *a, int n) {
    static const int to[4] = {2, 0, 2, 1};
    double s = 0;
    for (int i = 0; i < 4; i++) {
        s += a[i % n] * a[to[i]];
        a[to[i]] = s;
    }
    return s;
}
GRADIENT(scattered);

/* Two buffers that change roles. */
static double double_buffer(double *x, int n) {
    double other[8], *now = x, *next = other;
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++) next[i] = now[i] * now[(i + 1) % n];
        double *swap = now;
        now = next;
        next = swap;
    }
    return now[0];
}
GRADIENT(double_buffer);

/* The same on the heap, in structs. */
struct buffers {
    double *now, *next;
};
static double in_struct(double *x, int n) {
    struct buffers b = {malloc(8 * sizeof(double)), malloc(8 * sizeof(double))};
    for (int i = 0; i < n; i++) b.now[i] = x[i];
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < n; i++) b.next[i] = b.now[i] * b.now[(i + 1) % n];
        b = (struct buffers){b.next, b.now};
    }
    double r = b.now[0] * x[0];
    free(b.now), free(b.next);
    return r;
}
GRADIENT(in_struct);

int main(void) {
    CHECK(self_clobber, 2, LIST(2, 1.5), 256 + 2 * pow(1.5, 8), LIST(1024, 16 * pow(1.5, 7)),
          LIST(256, pow(1.5, 8)));
    /* (a0 a1 a2)^2 */
    CHECK(recurrence, 3, LIST(2, 3, 5), 900, LIST(900, 600, 360), LIST(2, 6, 30));
    /* a0 a1^2 a2^4 */
    CHECK(backwards, 3, LIST(2, 3, 2), 288, LIST(144, 192, 576), LIST(288, 12, 2));
    /* s1 = ac; c' = s1; s2 = s1 + ba; a' = s2; s3 = s2 + s1 s1; c'' = s3; s4 = s3 + s2 b (a' at 3 % 3, b at 1) */
    const double a = 2, b = 3, c = 0.5, s1 = a * c, s2 = s1 + a * b, s3 = s2 + s1 * s1, s4 = s3 + s2 * b;
    CHECK(scattered, 3, LIST(a, b, c), s4,
          LIST((c + b) * (1 + b) + 2 * s1 * c, a * (1 + b) + s2, a * (1 + b) + 2 * s1 * a), LIST(s2, s4, s3));
    /* n = 2: both are xy, then x^2 y^2, then x^4 y^4; x holds the second */
    CHECK(double_buffer, 2, LIST(2, 1.5), 81, LIST(162, 216), LIST(9, 9));
    /* x^2 y^2 x */
    CHECK_SAME(in_struct, 2, LIST(2, 1.5), 18, LIST(27, 24));
    return wrong;
}
