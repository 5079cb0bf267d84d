/* Calls: helpers, results through pointers, recursion, mutual recursion, deep recursion. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */

static T half_square(T x) { return x * x / 2; }
static T twice_called(T x, T y) { return half_square(x) * half_square(y) + half_square(x + y); }
ZOO_NUM2(twice_called, (2, 3), (2 * 4.5 + 12.5), (2 * 4.5 + 5, 2 * 3 + 5));

__attribute__((noinline)) static T opaque_square(T x) { return x * x; }
static T through_noinline(T x) { return opaque_square(opaque_square(x)) + opaque_square(3); }
ZOO_NUM1(through_noinline, (1.5), (pow(1.5, 4) + 9), (4 * pow(1.5, 3)));

__attribute__((noinline)) static void two_results(T x, T y, T *sum, T *product) {
    *sum = x + y;
    *product = x * y;
}
static T results_by_pointer(T x, T y) {
    T s, p;
    two_results(x, y, &s, &p);
    two_results(s, p, &s, &p);
    return s * p;
}
/* s = x + y + xy = 11, p = (x + y) xy = 30 */
ZOO_NUM2(results_by_pointer, (2, 3), (330), (4 * 30 + 11 * (6 + 15), 3 * 30 + 11 * (6 + 10)));

/* The same callee with active, inactive and mixed arguments. */
__attribute__((noinline)) static T weighted(T a, T b, T w) { return w * a + (1 - w) * b * b; }
static T keys(T x, T y) {
    return weighted(x, 2, 3) * weighted(2, y, 3) + weighted(1, 2, x) + weighted(x, x, x);
}
/* (3x - 8) (6 - 2y^2) + (x + 4 - 4x) + (x^2 + x^2 - x^3) */
ZOO_NUM2(keys, (2, 3), ((3 * 2 - 8) * (6. - 18) + 4 - 6 + 8 - 8),
         (3 * (6. - 18) - 3 + 4 * 2 - 3 * 4, (3 * 2 - 8) * -12));

__attribute__((noinline)) static T power_by_recursion(T x, int n) {
    return n == 0 ? 1 : x * power_by_recursion(x, n - 1);
}
static T recursion(T x) { return power_by_recursion(x, 5); }
ZOO_NUM1(recursion, (1.5), (pow(1.5, 5)), (5 * pow(1.5, 4)));

__attribute__((noinline)) static T power_by_squaring(T x, int n) {
    if (n == 0) return 1;
    T h = power_by_squaring(x, n / 2);
    return n % 2 ? h * h * x : h * h;
}
static T divide_and_conquer(T x) { return power_by_squaring(x, 11); }
ZOO_NUM1(divide_and_conquer, (1.25), (pow(1.25, 11)), (11 * pow(1.25, 10)));

static T tree_sum(const T *x, int lo, int hi) {
    if (hi - lo == 1) return x[lo] * x[lo];
    int mid = (lo + hi) / 2;
    return tree_sum(x, lo, mid) * 2 + tree_sum(x, mid, hi);
}
static T two_recursive_calls(const T *x, int n) { return tree_sum(x, 0, n); }
ZOO_OF(two_recursive_calls, 4, (1, 2, 3, 4), (4 + 8 + 18 + 16), (8, 8, 12, 8));

static T odd(T x, int n);
__attribute__((noinline)) static T even(T x, int n) { return n == 0 ? 1 : x * odd(x, n - 1); }
__attribute__((noinline)) static T odd(T x, int n) { return n == 0 ? 2 : x + even(x, n - 1); }
static T mutual(T x) { return even(x, 4); }
/* even4 = x (x + x (x + 1)) = x^2 + x^3 + x^2 */
ZOO_NUM1(mutual, (2), (16), (4 * 2 + 3 * 4));

static T odd_exit(T x) { return even(x, 3); }
/* x (x + x odd0) = x (x + 2x) */
ZOO_NUM1(odd_exit, (2), (12), (12));

/* Recursion that changes memory on its way down and up. */
static void down_and_up(T *x, int n) {
    if (n == 0) return;
    x[n - 1] *= x[n];
    down_and_up(x, n - 1);
    x[n] += x[n - 1] * x[n - 1];
}
static void recursion_on_memory(T *x, int n) { down_and_up(x, n - 1); }
/* a b c: b' = bc, a' = a b', b'' = b' + a'^2, c' = c + b''^2. a=1 b=2 c=1: b'=2 a'=2 b''=6 c'=37 */
ZOO_INOUT(recursion_on_memory, 3, (1, 2, 1), (2, 6, 37),
          (/* a' = abc */ 2, 1, 2, /* b'' = bc + (abc)^2 */ 8, 1 + 4, 2 + 8, 12 * 8, 12 * 5, 1 + 12 * 10));

__attribute__((noinline)) static T ackermann(T x, int m, int n) {
    if (m == 0) return x + (T)n;
    if (n == 0) return ackermann(x, m - 1, 1);
    return ackermann(x, m - 1, 2) * ackermann(x, m, n - 1) / 8;
}
static T nested_recursion(T x) { return ackermann(x, 2, 1); }
/* A(2,1) = A(1,2) A(2,0) / 8; A(1,0) = x+1; A(1,1) = (x+2)(x+1)/8; A(1,2) = (x+2) A(1,1) / 8; A(2,0) = A(1,1)
 * = (x+2)^3 (x+1)^2 / 8^4 */
ZOO_NUM1(nested_recursion, (2), (64. * 9 / 4096), ((3 * 16. * 9 + 64 * 2 * 3) / 4096));

__attribute__((noinline)) static T descend(T x, T s, int n) {
    if (n == 0) return s;
    return descend(x, s * (T)0.5 + x, n - 1) * (T)1.0;
}
static T deep_recursion(T x) { return descend(x, 0, 10000); }
ZOO_NUM1(deep_recursion, (3), (6), (2));

/* Each level keeps an array whose address goes down. */
__attribute__((noinline)) static T with_frame(const T *above, T x, int n) {
    T here[2] = {above[0] * x, above[1] + above[0]};
    if (n == 0) return here[0] + here[1];
    T r = with_frame(here, x, n - 1);
    return r + here[1];
}
static T escaping_frames(T x) {
    T top[2] = {1, 0};
    return with_frame(top, x, 2);
}
/* (x, 1), (x^2, 1+x), (x^3, 1+x+x^2): x^3 + (1 + x + x^2) + (1 + x) + 1 */
ZOO_NUM1(escaping_frames, (2), (8 + 7 + 3 + 1), (12 + 5 + 1));

/* A helper whose result does not matter, and one that is called for its effect on memory only. */
__attribute__((noinline)) static T add_to(T *p, T v) {
    *p += v * v;
    return *p;
}
static T effects(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) (void)add_to(&s, x[i]);
    return s * s;
}
ZOO_OF(effects, 2, (1, 2), (25), (20, 40));

/* Call in a loop with an early return inside. */
__attribute__((noinline)) static int bisect(const T *x, T *lo, T *hi) {
    T mid = (*lo + *hi) / 2;
    if (mid * mid > x[0]) {
        *hi = mid;
        return 1;
    }
    *lo = mid;
    return 0;
}
static T calls_in_loop(const T *x, int n) {
    T lo = x[1], hi = x[2];
    for (int i = 0; i < n; i++)
        if (bisect(x, &lo, &hi)) lo += x[0] / 16;
    return lo * hi;
}
/* x = 2, 0, 4: mid 2 -> hi = (l + h)/2 = 2, lo = l + x/16 = .125; mid 1.0625 (1.13 < 2) -> lo = 1.0625;
 * mid 1.53125 (2.34 > 2) -> hi = 1.53125, lo = 1.0625 + .125 */
ZOO_OF(calls_in_loop, 3, (2, 0, 4), (1.1875 * 1.53125),
       (/* dlo1 = 1/16, dhi1 = 0; lo2 1/32; hi3 1/64; lo3 1/32 + 1/16 */ 3 * 1.53125 / 32 + 1.1875 / 64,
        /* dlo1 = 1, dhi1 = 1/2; lo2 3/4; hi3 5/8; lo3 3/4 */ 0.75 * 1.53125 + 1.1875 * 5 / 8,
        /* dlo1 = 0, dhi1 = 1/2; lo2 1/4; hi3 3/8; lo3 1/4 */ 0.25 * 1.53125 + 1.1875 * 3 / 8));

/* Many arguments, some through the stack. */
__attribute__((noinline)) static T many(T a, int i, T b, T c, long j, T d, T e, T f, T g, T h, T k, T l,
                                        const T *p) {
    return a * b + c * d + e * f + g * h + k * l + (T)i * p[0] + (T)j * p[1];
}
static T many_arguments(const T *x, int n) {
    (void)n;
    return many(x[0], 2, x[1], x[0], 3, x[0], x[1], x[1], 5, x[0], x[1], 7, x);
}
/* ab + aa + bb + 5a + 7b + 2a + 3b */
ZOO_OF(many_arguments, 2, (2, 3), (6 + 4 + 9 + 14 + 30), (3 + 4 + 7, 2 + 6 + 10));

/* Pointers that come back from a callee. */
__attribute__((noinline)) static const T *pick(const T *x, int i) { return x + i; }
static T returned_pointer(const T *x, int n) { return *pick(x, 0) * *pick(x, n - 1) * *pick(x, n - 1); }
ZOO_OF(returned_pointer, 3, (2, 5, 3), (18), (9, 0, 12));

__attribute__((noinline)) static T *larger(T *a, T *b) { return *a > *b ? a : b; }
static void through_returned_pointer(T *x, int n) {
    T *p = larger(&x[0], &x[n - 1]);
    *p = *p * *p + x[1];
}
ZOO_INOUT(through_returned_pointer, 3, (2, 5, 3), (2, 5, 14), (1, 0, 0, 0, 1, 0, 0, 1, 6));

/* A dead call and a call whose argument is inactive. */
__attribute__((noinline)) static T table(int i) { return (T)i * (T)0.5; }
static T inactive_callee(T x) { return x * table(3) + table(2); }
ZOO_NUM1(inactive_callee, (2), (4), (1.5));
