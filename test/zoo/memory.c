/* What memory held when the forward sweep saw it: values used after their place was overwritten, stores through
 * aliases, in place updates, and the primal's results afterwards. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */

/* The value of a load is used after a store over it. */
static T hole(T *x, int n) {
    T t = x[0];
    x[0] = x[1];
    (void)n;
    return t * x[2];
}
ZOO_MUT(hole, 3, (3, 4, 5), (15, 4, 4, 5), (5, 0, 3, 0, 1, 0, 0, 1, 0, 0, 0, 1));

/* The same, with the clobber after the last use. */
static T soft(T *x, int n) {
    T t = x[0] * x[1];
    x[0] = 7;
    x[1] = x[1] * 2;
    (void)n;
    return t;
}
ZOO_MUT(soft, 2, (3, 4), (12, 7, 8), (4, 3, 0, 0, 0, 2));

/* Load, store, load of one place: three instances. */
static T instances(T *x, int n) {
    T a = x[0];
    x[0] = a * a;
    T b = x[0];
    x[0] = b * x[1];
    T c = x[0];
    (void)n;
    return a * b * c;
}
/* a a^2 a^2 y = a^5 y; x0 after = a^2 y */
ZOO_MUT(instances, 2, (2, 3), (96, 12, 3), (5 * 16 * 3, 32, 12, 4, 0, 1));

static void scale_in_place(T *x, int n) {
    for (int i = 0; i < n; i++) x[i] *= 3;
}
ZOO_INOUT(scale_in_place, 2, (1, 2), (3, 6), (3, 0, 0, 3));

static void square_in_place(T *x, int n) {
    for (int i = 0; i < n; i++) x[i] *= x[i];
}
ZOO_INOUT(square_in_place, 3, (1, 2, 3), (1, 4, 9), (2, 0, 0, 0, 4, 0, 0, 0, 6));

static void square_thrice(T *x, int n) {
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++) x[i] *= x[i];
}
ZOO_INOUT(square_thrice, 2, (1.5, 2), (pow(1.5, 8), 256), (8 * pow(1.5, 7), 0, 0, 8 * 128));

static void prefix_sums(T *x, int n) {
    for (int i = 1; i < n; i++) x[i] += x[i - 1];
}
ZOO_INOUT(prefix_sums, 3, (1, 2, 4), (1, 3, 7), (1, 0, 0, 1, 1, 0, 1, 1, 1));

static void prefix_products(T *x, int n) {
    for (int i = 1; i < n; i++) x[i] *= x[i - 1];
}
ZOO_INOUT(prefix_products, 3, (2, 3, 5), (2, 6, 30), (1, 0, 0, 3, 2, 0, 15, 10, 6));

/* Reads ahead of what it overwrites. */
static void shift_products(T *x, int n) {
    for (int i = 0; i + 1 < n; i++) x[i] = x[i] * x[i + 1];
}
ZOO_INOUT(shift_products, 3, (2, 3, 5), (6, 15, 5), (3, 2, 0, 0, 5, 3, 0, 0, 1));

/* A recurrence of second order in place. */
static void recurrence(T *x, int n) {
    for (int i = 2; i < n; i++) x[i] = x[i - 1] * x[i - 2] + x[i];
}
/* x2' = x1 x0 + x2 = 7, x3' = x2' x1 + x3 */
ZOO_INOUT(recurrence, 4, (1, 2, 5, 4), (1, 2, 7, 18),
          (1, 0, 0, 0, 0, 1, 0, 0, 2, 1, 1, 0, 2 * 2, 1 * 2 + 7, 2, 1));

static void reverse_order(T *x, int n) {
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        T t = x[i];
        x[i] = x[j];
        x[j] = t;
    }
}
ZOO_INOUT(reverse_order, 3, (1, 2, 3), (3, 2, 1), (0, 0, 1, 0, 1, 0, 1, 0, 0));

static void rotate(T *x, int n) {
    T first = x[0];
    for (int i = 0; i + 1 < n; i++) x[i] = x[i + 1];
    x[n - 1] = first * first;
}
ZOO_INOUT(rotate, 3, (2, 3, 5), (3, 5, 4), (0, 1, 0, 0, 0, 1, 4, 0, 0));

/* Zeroing kills the derivative. */
static void overwritten_by_constant(T *x, int n) {
    x[0] = 0;
    x[1] = x[0] + x[1];
    (void)n;
}
ZOO_INOUT(overwritten_by_constant, 2, (2, 3), (0, 3), (0, 0, 0, 1));

static void through_pointer(T *p, const T *q) { *p = *p * *q; }

/* Both pointers point to one place. */
static void aliased_callee(T *x, int n) {
    through_pointer(x, x);
    through_pointer(x + 1, x);
    (void)n;
}
ZOO_INOUT(aliased_callee, 2, (3, 5), (9, 45), (6, 0, 30, 9));

/* A store that may or may not hit what is read. */
static T maybe_alias(T *x, int n) {
    T *p = n > 2 ? &x[1] : &x[0];
    T before = x[1];
    *p = before * before;
    return x[1] * before + x[0];
}
ZOO_MUT(maybe_alias, 3, (2, 3, 1), (29, 2, 9, 1), (1, 3 * 9, 0, 1, 0, 0, 0, 6, 0, 0, 0, 1));

/* The address of the store is computed from an index that changes. */
static void scatter(T *x, int n) {
    static const int to[3] = {2, 0, 2};
    for (int i = 0; i < n; i++) x[to[i]] += x[i] * x[i];
}
/* x2 += x0^2; x0 += x1^2; x2 += x2^2, with a=1 b=2 c=3: c1 = 4, a1 = 5, c2 = 4 + 16 */
ZOO_INOUT(scatter, 3, (1, 2, 3), (5, 2, 20), (1, 4, 0, 0, 1, 0, 2 * 9, 0, 9));

static T gather_twice(const T *x, int n) {
    int at[4] = {0, 1, 1, 0};
    T s = 1;
    for (int i = 0; i < n + 2; i++) s *= x[at[i]];
    return s;
}
ZOO_OF(gather_twice, 2, (2, 3), (36), (2 * 2 * 9, 2 * 3 * 4));

/* A temporary array is reused by each trip of the outer loop. */
static T reused_temporary(const T *x, int n) {
    T t[4], s = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) t[j] = x[i] * x[j];
        for (int j = 0; j < n; j++) t[j] = t[j] * t[j];
        for (int j = 0; j < n; j++) s += t[j];
    }
    return s;
}
/* (sum x^2)^2 */
ZOO_OF(reused_temporary, 3, (1, 2, 3), (196), (4 * 14, 8 * 14, 12 * 14));

/* A state vector overwritten by each time step. */
static T time_steps(const T *x, int n) {
    T u[2] = {x[0], x[1]};
    for (int t = 0; t < 3; t++) {
        T a = u[0] * u[1], b = u[0] + u[1];
        u[0] = a;
        u[1] = b;
    }
    (void)n;
    return u[0] + u[1];
}
/* (1,2) -> (2,3) -> (6,5) -> (30,11). d by x0: (1,0) -> (2,1) -> (8,3)... a' = da b + a db */
ZOO_OF(time_steps, 2, (1, 2), (41),
       (/* (1,0): (2,1): (3*2+2*1, 3)=(8,3): (5*8+6*3, 11) */ 58 + 11,
        /* (0,1): (1,1): (3+2, 2)=(5,2): (5*5+6*2, 7) */ 37 + 7));

/* Double buffering: the two arrays change roles. */
static T double_buffer(const T *x, int n) {
    T a[3], b[3], *from = a, *to = b;
    for (int i = 0; i < n; i++) a[i] = x[i];
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++) to[i] = from[i] * from[(i + 1) % n];
        T *swap = from;
        from = to;
        to = swap;
    }
    return from[0];
}
/* n = 3, a b c: (ab, bc, ca) -> (ab^2c, bc^2a, ca^2b) -> ab^2c bc^2a = a^2 b^3 c^3 */
ZOO_OF(double_buffer, 3, (2, 3, 1), (4 * 27), (4 * 27, 3 * 4 * 9, 3 * 4 * 27));

static void jacobi(T *x, int n) {
    T old[8];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++) old[i] = x[i];
        for (int i = 1; i + 1 < n; i++) x[i] = (old[i - 1] + old[i + 1]) / 2;
    }
}
/* 4 points: x1' = (x0 + x2)/2, x2' = (x1 + x3)/2; again */
ZOO_INOUT(jacobi, 4, (1, 2, 4, 8), (1, 3, 5.25, 8),
          (1, 0, 0, 0, 0.5, 0.25, 0, 0.25, 0.25, 0, 0.25, 0.5, 0, 0, 0, 1));

static void clobber(T *p, T v) { *p = v; }

/* A callee overwrites what the caller still needs. */
static T clobbered_by_callee(T *x, int n) {
    T s = x[0] * x[1];
    clobber(&x[1], s);
    s *= x[1];
    clobber(&x[1], 1);
    (void)n;
    return s;
}
ZOO_MUT(clobbered_by_callee, 2, (2, 3), (36, 2, 1), (2 * 2 * 9, 2 * 4 * 3, 1, 0, 0, 0));

/* Reads its own output. */
static void feedback(const T *x, T *y, int n) {
    y[0] = 1;
    for (int i = 0; i < n; i++) y[0] = y[0] * x[i] + y[0];
}
ZOO_MAP(feedback, 2, 1, (2, 3), (12), (4, 3));

static void accumulates(const T *x, T *y, int n) {
    for (int i = 0; i < n; i++) y[i] += x[i] * x[i];
}
ZOO_MAP_FLAGS(accumulates, ZOO_ACCUMULATES, 2, 2, (2, 3), (4.25, 9.5), (4, 0, 0, 6));

/* Gaussian elimination without pivoting, in place: the determinant. */
static T determinant(T *a, int n) {
    T d = 1;
    int m = n == 4 ? 2 : 3;
    for (int k = 0; k < m; k++) {
        d *= a[k * m + k];
        for (int i = k + 1; i < m; i++) {
            T f = a[i * m + k] / a[k * m + k];
            for (int j = k; j < m; j++) a[i * m + j] -= f * a[k * m + j];
        }
    }
    return d;
}
static T determinant_of_copy(const T *x, int n) {
    T a[9];
    for (int i = 0; i < n; i++) a[i] = x[i];
    return determinant(a, n);
}
/* cofactors of 2 1 0 / 1 3 1 / 0 1 4 */
ZOO_OF(determinant_of_copy, 9, (2, 1, 0, 1, 3, 1, 0, 1, 4), (18), (11, -4, 1, -4, 8, -2, 1, -2, 5));

/* Bubble sort: which exchanges happen depends on the data. */
static void sort(T *x, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n - i; j++)
            if (x[j] > x[j + 1]) {
                T t = x[j];
                x[j] = x[j + 1];
                x[j + 1] = t;
            }
}
static T median_times_max(const T *x, int n) {
    T a[8];
    for (int i = 0; i < n; i++) a[i] = x[i];
    sort(a, n);
    return a[n / 2] * a[n - 1];
}
ZOO_OF(median_times_max, 5, (4, 1, 5, 2, 3), (15), (0, 0, 3, 0, 5));

static void sort_in_place(T *x, int n) { sort(x, n); }
ZOO_INOUT(sort_in_place, 3, (3, 1, 2), (1, 2, 3), (0, 1, 0, 0, 0, 1, 1, 0, 0));
