/* Loops of every kind. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */

static T sum_of_squares(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    return s;
}
ZOO_OF(sum_of_squares, 4, (1, 2, 3, 4), (30), (2, 4, 6, 8));

static T zero_trips(const T *x, int n) {
    T s = x[0];
    for (int i = n; i < n; i++) s *= x[i];
    return s;
}
ZOO_OF(zero_trips, 2, (5, 6), (5), (1, 0));

static T one_trip(const T *x, int n) {
    T p = 1;
    for (int i = 0; i < n; i++) p *= x[i] * x[i];
    return p;
}
ZOO_OF(one_trip, 1, (3), (9), (6));

static T product(const T *x, int n) {
    T p = 1;
    for (int i = 0; i < n; i++) p *= x[i];
    return p;
}
ZOO_OF(product, 4, (1, 2, 3, 4), (24), (24, 12, 8, 6));

static T down(const T *x, int n) {
    T s = 0;
    for (int i = n - 1; i >= 0; i--) s = s * x[0] + x[i];
    return s;
}
/* Horner at x0 with coefficients x0 x1 x2: a + x1 a + x2 a^2 */
ZOO_OF(down, 3, (2, 3, 5), (2 + 6 + 20), (1 + 3 + 2 * 5 * 2, 2, 4));

static T unsigned_down(const T *x, int n) {
    T s = 1;
    for (size_t i = (size_t)n; i-- > 0;) s = M(sin)(s) * x[i];
    return s;
}
ZOO_OF(unsigned_down, 2, (2, 3), (sin(sin(1) * 3) * 2), (sin(sin(1) * 3), 2 * cos(sin(1) * 3) * sin(1)));

static T strided(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i += 3) s += x[i] * (T)i;
    return s;
}
ZOO_OF(strided, 7, (1, 2, 3, 4, 5, 6, 7), (12 + 42), (0, 0, 0, 3, 0, 0, 6));

static T nest(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) s += x[i] * x[j] * (T)(i + 2 * j);
    return s;
}
/* gradient k: sum_j x_j ((k + 2j) + (j + 2k)) = sum_j 3 (k + j) x_j */
ZOO_OF(nest, 3, (1, 2, 3), (1 * 0 + 2 * 2 + 3 * 4 + 2 * 1 + 4 * 3 + 6 * 5 + 3 * 2 + 6 * 4 + 9 * 6),
       (3 * (0 * 1 + 1 * 2 + 2 * 3), 3 * (1 * 1 + 2 * 2 + 3 * 3), 3 * (2 * 1 + 3 * 2 + 4 * 3)));

static T triangle(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) s += x[i] * x[j];
    return s;
}
ZOO_OF(triangle, 4, (1, 2, 3, 4), (2 + 3 + 6 + 4 + 8 + 12), (9, 8, 7, 6));

/* Inner loop whose values are carried across the outer one. */
static T triangle_product(const T *x, int n) {
    T s = 1;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) s *= x[j];
    return s;
}
/* x0 x1^2 x2^3 */
ZOO_OF(triangle_product, 3, (2, 3, 5), (2 * 9 * 125), (9 * 125, 2 * 2 * 3 * 125, 2 * 9 * 3 * 25));

static T three_deep(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            for (int k = j; k < n; k++) s += x[i] * x[j] * x[k];
    return s;
}
/* complete symmetric polynomial h3 of 1 2 3; dh3/dxk = h2 of (1 2 3 k) */
ZOO_OF(three_deep, 3, (1, 2, 3), (90), (25 + 6 + 1, 25 + 12 + 4, 25 + 18 + 9));

static T stops_at_break(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) {
        if (s > (T)5.5) break;
        s += x[i] * x[i];
    }
    return s * s;
}
ZOO_OF(stops_at_break, 5, (1, 2, 3, 4, 5), (14 * 14), (2 * 14 * 2, 2 * 14 * 4, 2 * 14 * 6, 0, 0));

static T several_exits(const T *x, int n) {
    T s = 1;
    int i;
    for (i = 0; i < n; i++) {
        if (x[i] > 10) return s * x[i];
        if (x[i] < -5) goto zero;
        if (x[i] < 0) break;
        s *= x[i];
    }
    return s + (T)i;
zero:
    return s * s;
}
ZOO_OF(several_exits, 4, (2, 3, -7, 7), (36), (2 * 6 * 3, 2 * 6 * 2, 0, 0));

static T exit_by_break(const T *x, int n) { return several_exits(x, n); }
ZOO_OF(exit_by_break, 4, (2, 3, -1, 7), (8), (3, 2, 0, 0));

static T exit_by_return(const T *x, int n) { return several_exits(x, n); }
ZOO_OF(exit_by_return, 4, (2, 3, 4, 11), (264), (132, 88, 66, 24));

static T unknown_count(const T *x, int n) {
    T s = x[0];
    while (s < 100) s = s * x[1] + x[n - 1];
    return s;
}
/* 1 -> 3*1+5 = 8 -> 29 -> 92 -> 281: a b^4 + c (1 + b + b^2 + b^3) */
ZOO_OF(unknown_count, 3, (1, 3, 5), (281), (81, 4 * 27 + 5 * (1 + 6 + 27), 40));

/* Newton's iteration for sqrt(x0): derivative converges with the value. */
static T newton(const T *x, int n) {
    T s = 1, old;
    do {
        old = s;
        s = (s + x[0] / s) / 2;
    } while (M(fabs)(s - old) > (T)1e-3);
    (void)n;
    s = (s + x[0] / s) / 2;
    s = (s + x[0] / s) / 2;
    return s;
}
ZOO_OF(newton, 1, (2), (sqrt(2)), (0.5 / sqrt(2)));

static T do_once(const T *x, int n) {
    T s = x[0];
    int i = 0;
    do s *= x[i];
    while (++i < n - 1);
    return s;
}
ZOO_OF(do_once, 2, (3, 4), (9), (6, 0));

static T skips(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) {
        if (i % 2) continue;
        if (x[i] < 0) {
            s -= x[i];
            continue;
        }
        s += x[i] * x[i];
    }
    return s;
}
ZOO_OF(skips, 5, (1, 2, -3, 4, 5), (1 + 3 + 25), (2, 0, -1, 0, 10));

static T fibonacci(const T *x, int n) {
    T a = x[0], b = x[1];
    for (int i = 0; i < 4 + n; i++) {
        T t = a + b;
        a = b;
        b = t;
    }
    return a * b;
}
/* n = 2, six steps: a = 5 x0 + 8 x1, b = 8 x0 + 13 x1 */
ZOO_OF(fibonacci, 2, (1, 2), (21. * 34), (5 * 34 + 8 * 21, 8 * 34 + 13 * 21));

/* The count itself comes out of a loop. */
static T count_from_loop(const T *x, int n) {
    int m = 0;
    T s = 1;
    for (int i = 0; i < n; i++) m += x[i] > 1;
    for (int i = 0; i < m; i++) s *= x[i] + 1;
    return s;
}
ZOO_OF(count_from_loop, 4, (2, 0, 3, 5), (3 * 1 * 4), (4, 12, 3, 0));

/* Inner trip count varies with the data of the outer loop. */
static T ragged(const T *x, int n) {
    static const int len[3] = {2, 0, 3};
    T s = 0;
    for (int i = 0; i < n; i++) {
        T p = 1;
        for (int j = 0; j < len[i]; j++) p *= x[i];
        s += p;
    }
    return s;
}
ZOO_OF(ragged, 3, (2, 3, 5), (4 + 1 + 125), (4, 0, 75));

static T while_in_for(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) {
        T v = x[i];
        while (v > (T)1.1) {
            v /= 2;
            s += v;
        }
    }
    return s;
}
/* 5: 2.5 + 1.25 + .625; 3: 1.5 + .75; 1: none */
ZOO_OF(while_in_for, 3, (5, 3, 1), (4.375 + 2.25), (0.875, 0.75, 0));

/* Pointers run instead of an index. */
static T running_pointers(const T *x, int n) {
    const T *end = x + n;
    T s = 0;
    for (const T *p = x, *q = end - 1; p != end; p++, q--) s += *p * *p * *q;
    return s;
}
ZOO_OF(running_pointers, 2, (2, 3), (4 * 3 + 9 * 2), (2 * 2 * 3 + 9, 4 + 2 * 3 * 2));

/* Infinite loop with an exit in the middle. */
static T middle_exit(const T *x, int n) {
    T s = 0;
    int i = 0;
    for (;;) {
        s += x[i] * x[i];
        if (++i == n) break;
        s *= x[i];
    }
    return s;
}
/* ((a2) b + b2) c + c2 */
ZOO_OF(middle_exit, 3, (2, 3, 4), ((12 + 9) * 4 + 16), (4 * 3 * 4, (4 + 6) * 4, 21 + 8));

/* Unsigned and 64-bit counters, step by multiplication. */
static T doubling(const T *x, int n) {
    T s = x[0];
    for (unsigned long k = 1; k < (unsigned long)n * 8; k *= 2) s = s * x[1] + (T)k;
    return s;
}
/* n = 2: k = 1 2 4 8: a b^4 + b^3 + 2 b^2 + 4 b + 8 */
ZOO_OF(doubling, 2, (3, 2), (48 + 8 + 8 + 8 + 8), (16, 3 * 4 * 8 + 12 + 8 + 4));

/* Loop-carried branch: which arm ran depends on the trip. */
static T alternating(const T *x, int n) {
    T s = 1;
    for (int i = 0; i < n; i++) {
        if (i & 1)
            s *= x[i];
        else
            s += x[i];
    }
    return s;
}
ZOO_OF(alternating, 4, (2, 3, 4, 5), ((3 * 3 + 4) * 5), (15, 15, 5, 13));

/* Two loops after one another over the same memory. */
static T normalised(const T *x, int n) {
    T s = 0, r = 0;
    for (int i = 0; i < n; i++) s += x[i];
    for (int i = 0; i < n; i++) r += (x[i] / s) * (x[i] / s);
    return r;
}
/* 1 2 3: 14/36; d/dk = 2 xk / 36 - 2 * 14 / 216 */
ZOO_OF(normalised, 3, (1, 2, 3), (14. / 36), (2. / 36 - 28. / 216, 4. / 36 - 28. / 216, 6. / 36 - 28. / 216));

/* Largest element and where it stands. */
static T largest_index(const T *x, int n) {
    int k = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > x[k]) k = i;
    return x[k] * x[k];
}
ZOO_OF(largest_index, 4, (1, 5, 3, 4), (25), (0, 10, 0, 0));

static T log_sum_exp(const T *x, int n) {
    T m = x[0], s = 0;
    for (int i = 1; i < n; i++) m = M(fmax)(m, x[i]);
    for (int i = 0; i < n; i++) s += M(exp)(x[i] - m);
    return m + M(log)(s);
}
ZOO_OF(log_sum_exp, 2, (1, 2), (2 + log(1 + exp(-1))), (exp(-1) / (1 + exp(-1)), 1 / (1 + exp(-1))));

static void matvec(const T *x, T *y, int n) {
    static const T a[2][3] = {{1, 2, 3}, {4, 5, 6}};
    for (int i = 0; i < 2; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) y[i] += a[i][j] * x[j];
    }
}
ZOO_MAP(matvec, 3, 2, (1, 1, 2), (9, 21), (1, 2, 3, 4, 5, 6));

/* A difference equation through an array of states. */
static T through_states(const T *x, int n) {
    T state[20];
    state[0] = x[0];
    for (int t = 0; t < 3; t++) state[t + 1] = state[t] * state[t] - x[1] * state[t];
    (void)n;
    return state[3];
}
/* a=2 b=1: s1 = 4-2 = 2, s2 = 2, s3 = 2; ds' = (2 s - b) ds - s db */
ZOO_OF(through_states, 2, (2, 1), (2), (27, /* d1=-2, d2=3*-2-2=-8, d3=3*-8-2 */ -26));
