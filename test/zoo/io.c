/* Calls of libc beside active values: printing, parsing, strings, files. What they write over is clobbered, and its
 * derivative is zero; what they read goes on. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */
#include <assert.h>
#include <stdio.h>
#include <time.h>

static T prints(const T *x, int n) {
    FILE *f = fopen("/dev/null", "w");
    T s = 0;
    for (int i = 0; i < n; i++) {
        s += x[i] * x[i];
        if (f) fprintf(f, "%d: %g of %s\n", i, (double)s, "squares");
    }
    if (f) fclose(f);
    return s;
}
ZOO_OF(prints, 3, (1, 2, 3), (14), (2, 4, 6));

/* What is printed into a string is read back: the way through text carries no derivative. */
static T through_text(T x, T y) {
    char text[64];
    snprintf(text, sizeof text, "%.3f %d", (double)x, 42);
    double back = 0;
    int k = 0;
    if (sscanf(text, "%lf %d", &back, &k) != 2) return 0;
    return (T)back * y + (T)k * x;
}
ZOO_NUM2_FLAGS(through_text, ZOO_KINK, (1.5, 2), (3 + 63), (42, 1.5));

/* sscanf writes over active memory. */
static T scanned_over(T *x, int n) {
    double d[2] = {(double)(x[0] * x[0]), (double)x[1]};
    T before = (T)d[0] * (T)d[1];
    sscanf("2.5 rest", "%lf", &d[0]);
    (void)n;
    x[0] = (T)d[0];
    return before + (T)d[0] * (T)d[1];
}
/* a^2 b + 2.5 b; x0 after = 2.5 */
ZOO_MUT(scanned_over, 2, (2, 3), (12 + 7.5, 2.5, 3), (12, 4 + 2.5, 0, 0, 0, 1));

/* strtod: its result is inactive, and the pointer that it sets is no number. */
static T parsed(T x, T y) {
    char *rest;
    double a = strtod("1.5abc", &rest);
    long k = strtol("12", NULL, 10);
    return x * (T)a + y * (T)k * (T)(rest[0] == 'a') + (T)atof("0.25") * x;
}
ZOO_NUM2(parsed, (2, 3), (3 + 36 + 0.5), (1.75, 12));

/* frexp and modf write through a pointer: frexp an integer, modf a number that is constant between steps. */
static T split_number(T x) {
    int e;
    T whole, m = M(frexp)(x, &e), fraction = M(modf)(x, &whole);
    return m * (T)e + fraction * whole * x;
}
/* 5.5 = 0.6875 2^3: 3 x / 8 + (x - 5) 5 x */
ZOO_NUM1(split_number, (5.5), (3 * 0.6875 + 13.75), (3. / 8 + 10 * 5.5 - 25));

/* fgets and fread over a buffer that held numbers. */
static T read_over(T x) {
    union {
        double d[4];
        char text[32];
    } u;
    u.d[0] = (double)(x * x);
    T first = (T)u.d[0];
    FILE *f = fopen("/dev/zero", "r");
    if (!f) return 0;
    size_t got = fread(u.d, sizeof u.d[0], 4, f);
    fclose(f);
    return first + x * (T)(u.d[0] + u.d[3] + (double)got);
}
ZOO_NUM1(read_over, (3), (9 + 12), (6 + 4));

static T strings(const T *x, int n) {
    const char *names[] = {"alpha", "beta", "gamma"};
    char line[64] = "";
    T s = 0;
    for (int i = 0; i < n; i++) {
        strcat(line, names[i]);
        s += x[i] * (T)strlen(names[i]);
        if (!strcmp(names[i], "beta")) s *= x[i];
    }
    char *copy = strdup(line), *b = strchr(copy, 'b');
    s *= (T)(b - copy);
    free(copy);
    return s;
}
/* ((5a + 4b) b + 5c) 5 */
ZOO_OF(strings, 3, (2, 3, 1), ((22 * 3 + 5) * 5), (75, (22 + 12) * 5, 25));

/* The environment, the clock and asserts do not matter. */
static T surroundings(T x) {
    assert(x > 0);
    const char *home = getenv("ZOO_SURELY_NOT_SET");
    time_t now = time(NULL);
    clock_t c = clock();
    if (now == (time_t)-1 || c == (clock_t)-2) abort();
    if (x > 1000) exit(3);
    return home ? 0 : x * x;
}
ZOO_NUM1(surroundings, (3), (9), (6));

/* Integer work beside the numbers: indices, hashes, sorting of a permutation. */
static T integers(const T *x, int n) {
    int order[8];
    unsigned hash = 2166136261u;
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (x[order[i]] < x[order[j]]) {
                int t = order[i];
                order[i] = order[j];
                order[j] = t;
            }
    for (int i = 0; i < n; i++) hash = (hash ^ (unsigned)order[i]) * 16777619u;
    T s = 0;
    for (int i = 0; i < n; i++) s += (T)(i + 1) * x[order[i]] * x[order[i]];
    return s + (T)(hash & 0u);
}
ZOO_OF(integers, 3, (2, 7, 3), (49 + 2 * 9 + 3 * 4), (12, 14, 12));

/* The C library's generator: inactive numbers of a known sequence. */
static T inactive_noise(const T *x, int n) {
    unsigned short seed[3] = {1, 2, 3};
    T s = 0;
    for (int i = 0; i < n; i++) {
        T w = erand48(seed) < 2 ? (T)0.5 : 0;
        s += w * x[i] * x[i];
    }
    return s;
}
ZOO_OF(inactive_noise, 2, (2, 3), (6.5), (2, 3));

/* Varargs of a callee that is known: its numbers are only printed. */
static T printed_results(const T *x, int n) {
    char text[128];
    T a = x[0] * x[n - 1];
    int length = snprintf(text, sizeof text, "%.1f|%d|%s", (double)a, n, "end");
    return a * (T)length;
}
/* "6.0|2|end" has 9 characters */
ZOO_OF(printed_results, 2, (2, 3), (54), (27, 18));
