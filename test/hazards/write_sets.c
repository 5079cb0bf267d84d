// RUN: %S/run.sh "%ad" %s %t
// Functions without a body write what their row says: the primal's memory is clobbered, and the derivative there is 0.
#include "hazard.h"

/* strtod writes the end pointer, and its result carries no derivative. */
static double parsed(double *x, int n) {
    char text[32], *end;
    snprintf(text, sizeof text, "%.2f rest", x[0]);
    double v = strtod(text, &end);
    return v * x[n - 1] * (double)(end - text);
}
GRADIENT(parsed);

/* memset and fread over numbers that were used. */
static double set(double *x, int n) {
    double before = x[0] * x[1];
    memset(x, 0, sizeof *x);
    return before + x[0] * x[1] + n;
}
GRADIENT(set);
static double read_over(double *x, int n) {
    double b[2] = {x[0] * x[0], x[1]};
    double before = b[0] * b[1];
    FILE *f = tmpfile();
    const double out = 7;
    fwrite(&out, sizeof out, 1, f);
    rewind(f);
    size_t got = fread(b, sizeof *b, 1, f);
    fclose(f);
    return before + b[0] * b[1] * (double)got + n;
}
GRADIENT(read_over);

/* frexp and modf write through a pointer, and what they write may be a number with a derivative. */
static double parts(double *x, int n) {
    int e;
    double whole, m = frexp(x[0], &e), f = modf(x[1], &whole);
    x[0] = whole;
    return m * e + f * f * whole + n;
}
GRADIENT(parts);

/* sscanf by its format. */
static double scanned(double *x, int n) {
    double d[2] = {x[0] * x[1], x[1]};
    float f = 3;
    int k = n;
    double before = d[0] * d[1];
    if (sscanf("2.5 4 1.5", "%lf %d %f", d, &k, &f) != 3) return 0;
    return before + d[0] * d[1] * k * f;
}
GRADIENT(scanned);

/* In a callee, where nothing else is known of the memory. */
APART void wipe(double *p, size_t n, int deep) {
    if (deep)
        wipe(p, n, deep - 1);
    else
        memset(p, 0, n * sizeof *p);
}
static double wiped(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    wipe(x, (size_t)n - 1, 1);
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    return s;
}
GRADIENT(wiped);

int main(void) {
    CHECK_SAME(parsed, 2, LIST(1.5, 3), 18, LIST(0, 6));
    CHECK(set, 2, LIST(2, 3), 8, LIST(3, 2), LIST(0, 3));
    CHECK_SAME(read_over, 2, LIST(2, 3), 12 + 21 + 2, LIST(12, 4 + 7));
    /* 5.5 = 0.6875 2^3; 2.25 */
    CHECK(parts, 2, LIST(5.5, 2.25), 0.6875 * 3 + 0.125 + 2, LIST(3. / 8, 1), LIST(2, 2.25));
    CHECK_SAME(scanned, 2, LIST(2, 3), 18 + 2.5 * 3 * 6, LIST(9, 12 + 15));
    CHECK(wiped, 3, LIST(2, 3, 5), 38 + 25, LIST(4, 6, 20), LIST(0, 0, 5));
    return wrong;
}
