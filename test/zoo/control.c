/* Branches: if, switch, goto, irreducible loops, ternaries, early return. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */

static T both_ways(T x, T y) {
    if (x > y) return x * x;
    return x * y;
}
ZOO_NUM2(both_ways, (3, 2), (9), (6, 0));

static T other_way(T x, T y) {
    T r;
    if (x > y)
        r = x * x;
    else
        r = x * y;
    return r;
}
ZOO_NUM2(other_way, (2, 3), (6), (3, 2));

static T cases(const T *x, int n) {
    T r = 0;
    for (int i = 0; i < n; i++) {
        switch (i) {
        case 0: r += x[i]; break;
        case 1: r *= x[i]; break;
        case 2: r += 2; /* falls through */
        case 3: r = r * r + x[i]; break;
        default: r -= 3 * x[i];
        }
    }
    return r;
}
/* x = 1 2 3 4 5: r = x0 x1 + 2 = 4 at the square; s = r^2 + x2 = 19; t = s^2 + x3 = 365; t - 3 x4 */
ZOO_OF(cases, 5, (1, 2, 3, 4, 5), (350), (2 * 19 * 2 * 4 * 2, 2 * 19 * 2 * 4 * 1, 2 * 19, 1, -3));

/* A switch on sparse and negative values. */
static T sparse_switch(const T *x, int n) {
    static const int code[4] = {-7, 1000, 40, -7};
    T r = 1;
    for (int i = 0; i < n; i++) switch (code[i]) {
        case -7: r *= x[i]; break;
        case 40: r = M(sin)(r); break;
        case 1000: r += x[i]; break;
        }
    return r;
}
ZOO_OF(sparse_switch, 4, (0.5, 0.25, 9, 2), (2 * sin(0.75)), (2 * cos(0.75), 2 * cos(0.75), 0, sin(0.75)));

static T gotos(const T *x, int n) {
    int i = 0;
    T s = 0;
again:
    if (i == n) goto out;
    s = s * x[i] + 1;
    i++;
    if (s > 100) goto big;
    goto again;
big:
    s /= 10;
    goto again;
out:
    return s;
}
/* 2 9 8 3: s = 1, 10, 81, 244 -> 24.4 */
ZOO_OF(gotos, 4, (2, 9, 8, 3), (24.4), (0, 8 * 3 / 10., 10 * 3 / 10., 8.1));

/* A cycle that is entered at two places. */
static T irreducible(const T *x, int n) {
    int i = 0;
    T s = x[0];
    if (x[1] > 0) goto middle;
top:
    s = s * x[0];
middle:
    s = s + x[1] * x[1];
    i++;
    if (i < n) goto top;
    return s;
}
/* x = a, b > 0, n = 3: ((a + b2) a + b2) a + b2 = a^3 + b2 (a^2 + a + 1) */
ZOO_OF(irreducible, 3, (2, 3, 0), (8 + 9 * 7), (12 + 9 * 5, 6 * 7, 0));

static T irreducible_top(const T *x, int n) { return irreducible(x, n); }
/* b < 0: enters at the top: (((a a + b2) a + b2) a + b2 = a^4 + b2 (a^2 + a + 1) */
ZOO_OF(irreducible_top, 3, (2, -3, 0), (16 + 9 * 7), (32 + 9 * 5, -6 * 7, 0));

/* Two blocks that jump into each other, left from either. */
static T two_headed(const T *x, int n) {
    T s = x[0];
    int k = 0;
    if (x[1] < 0) goto b;
a:
    s = s * x[1];
    if (++k >= n) goto out;
b:
    s = s + x[2];
    if (++k >= n) goto out;
    goto a;
out:
    return s;
}
/* x = 2 3 5, n = 5?: count is n = 3: a b a: (2*3 + 5) * 3 = 33 */
ZOO_OF(two_headed, 3, (2, 3, 5), (33), (9, 2 * 2 * 3 + 5, 3));

static T nested_ifs(T x, T y, T z) {
    T r = 0;
    if (x > 0) {
        if (y > 0)
            r = x * y;
        else if (z > 0)
            r = x * z;
        else
            r = x;
        r += 1;
    }
    return r * r;
}
ZOO_NUM3(nested_ifs, (2, -1, 3), (49), (2 * 7 * 3, 0, 2 * 7 * 2));

static T ternaries(T x, T y) { return (x > y ? x : y) * (x > 0 ? x : -x) + (y > 5 ? 100 : y); }
ZOO_NUM2(ternaries, (-2, 3), (9), (-3, 3));

static T short_circuit(T x, T y) {
    if (x > 0 && y > 0 && x * y > 2) return x * x * y;
    if (x < 0 || y < 0) return x - y;
    return x + y;
}
ZOO_NUM2(short_circuit, (2, 3), (12), (12, 4));

static T early_return(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] < 0) return s * x[i];
        s += x[i] * x[i];
    }
    return s;
}
ZOO_OF(early_return, 4, (1, 2, -3, 4), (-15), (-6, -12, 5, 0));

/* The arm that is not taken has no value. */
static T return_from_nest(const T *x, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j && x[i] * x[j] > 5) return x[i] * x[i] * x[j];
    return 0;
}
/* 1 2 3 4: pairs (0,*) <= 4; (1,0) 2, (1,2) 6 -> 2 2 3 */
ZOO_OF(return_from_nest, 4, (1, 2, 3, 4), (12), (0, 12, 4, 0));

/* Duff's device: a switch into a loop. */
static T duff(const T *x, int n) {
    T s = 1;
    int trips = (n + 3) / 4;
    const T *p = x;
    switch (n % 4) {
    case 0: do { s *= *p++; /* falls through */
        case 3: s += *p++;  /* falls through */
        case 2: s *= *p++;  /* falls through */
        case 1: s += *p++;
        } while (--trips > 0);
    }
    return s;
}
/* n = 6 enters at case 2: ((1*x0 + x1) * x2 + x3) * x4 + x5 */
ZOO_OF(duff, 6, (2, 3, 4, 5, 6, 7), (((5 * 4) + 5) * 6 + 7), (24, 24, 30, 6, 25, 1));

/* A value chosen by a flag in an integer array. */
static T flagged(const T *x, int n) {
    int on[4] = {1, 0, 1, 1};
    T s = 0;
    for (int i = 0; i < n; i++) s += on[i] ? x[i] * x[i] : 7;
    return s;
}
ZOO_OF(flagged, 4, (1, 2, 3, 4), (33), (2, 0, 6, 8));

/* Computed goto: labels in a table. */
static T labels(const T *x, int n) {
    static void *const table[] = {&&add, &&mul, &&stop};
    static const unsigned char program[] = {0, 1, 0, 1, 2};
    T s = 1;
    int i = 0;
    goto *table[program[i]];
add:
    s += x[i % n];
    goto *table[program[++i]];
mul:
    s *= x[i % n];
    goto *table[program[++i]];
stop:
    return s;
}
/* ((1 + x0) x1 + x2) x0 */
ZOO_OF(labels, 3, (2, 3, 4), ((9 + 4) * 2), (3 * 2 + 13, 3 * 2, 2));

/* Phis that exchange their values. */
static T swap_values(T x, T y) {
    T a = x, b = y;
    for (int i = 0; i < 3; i++) {
        T t = a;
        a = b;
        b = t * 2;
    }
    return a * a + b;
}
/* (x,y) -> (y,2x) -> (2x,2y) -> (2y,4x) */
ZOO_NUM2(swap_values, (3, 5), (100 + 12), (4, 8 * 5));
