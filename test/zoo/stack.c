/* Arrays of automatic storage: fixed, variable length, alloca, of several dimensions. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */
#include <alloca.h>

static T variable_length(const T *x, int n) {
    T t[n + 1];
    t[0] = 1;
    for (int i = 0; i < n; i++) t[i + 1] = t[i] * x[i] + x[0];
    return t[n];
}
/* a + a = 2a; 2ab + a */
ZOO_OF(variable_length, 2, (2, 3), (14), (7, 4));

static T variable_length_in_loop(const T *x, int n) {
    T s = 0;
    for (int i = 1; i <= n; i++) {
        T t[i];
        for (int j = 0; j < i; j++) t[j] = x[j] * x[i - 1];
        for (int j = 0; j < i; j++) s += t[j] * t[j];
    }
    return s;
}
/* a^4 + a^2 b^2 + b^4 */
ZOO_OF(variable_length_in_loop, 2, (2, 3), (16 + 36 + 81), (32 + 36, 24 + 108));

static T with_alloca(const T *x, int n) {
    T *t = alloca((size_t)n * sizeof *t);
    for (int i = 0; i < n; i++) t[i] = x[i] * x[i];
    for (int i = 1; i < n; i++) t[i] *= t[i - 1];
    return t[n - 1];
}
ZOO_OF(with_alloca, 3, (1, 2, 3), (36), (72, 36, 24));

/* alloca in a loop: the blocks live together, in a list. */
struct link {
    T v;
    struct link *next;
};
static T alloca_list(const T *x, int n) {
    struct link *list = NULL;
    for (int i = 0; i < n; i++) {
        struct link *l = alloca(sizeof *l);
        l->v = x[i];
        l->next = list;
        list = l;
    }
    T s = 1;
    for (; list; list = list->next) s = s * list->v + list->v;
    return s;
}
/* c + c, (2c) b + b, ... : ((2c + 1) b + 1) a */
ZOO_OF(alloca_list, 3, (2, 3, 5), (2 * (33 + 1)), (34, 22, 12));

static T matrix_product(const T *x, int n) {
    T a[2][2] = {{x[0], x[1]}, {x[1], 2}}, b[2][2] = {{1, x[0]}, {x[1], 1}}, c[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            c[i][j] = 0;
            for (int k = 0; k < 2; k++) c[i][j] += a[i][k] * b[k][j];
        }
    (void)n;
    return c[0][0] * c[1][1] - c[0][1] * c[1][0];
}
/* det a det b = (2a - b^2) (1 - ab) */
ZOO_OF(matrix_product, 2, (2, 3), (-5. * -5), (2. * -5 - -5. * 3, -6. * -5 - -5. * 2));

static T two_dimensional_vla(const T *x, int n) {
    T a[n][n + 1];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n; j++) a[i][j] = i == 0 || j == 0 ? x[i] : a[i - 1][j] + a[i][j - 1] * x[j % n];
    return a[n - 1][n];
}
/* n = 2: a0* = a; a10 = b; a11 = a + b b; a12 = a + a11 a = a + a^2 + a b^2 */
ZOO_OF(two_dimensional_vla, 2, (2, 3), (2 + 4 + 18), (1 + 4 + 9, 12));

/* A whole array is passed on by pointer to its rows. */
static T trace(T (*a)[3], int n) {
    T s = 0;
    for (int i = 0; i < n; i++) s += a[i][i] * a[i][(i + 1) % 3];
    return s;
}
static T row_pointers(const T *x, int n) {
    T a[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a[i][j] = x[(i + j) % n];
    return trace(a, 3);
}
/* n = 3: a00 a01 + a11 a12 + a22 a20 = x0 x1 + x2 x0 + x1 x2 */
ZOO_OF(row_pointers, 3, (2, 3, 5), (6 + 10 + 15), (8, 7, 5));

/* A variable declared in a loop is a new one in each iteration. */
static T declared_in_loop(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) {
        T t;
        if (x[i] > 0)
            t = x[i] * x[i];
        else
            t = 0;
        T u[2] = {t, s};
        s = u[0] + u[1] * x[0];
    }
    return s;
}
/* a^2; then b^2 + a^3; then 0 + (b^2 + a^3) a */
ZOO_OF(declared_in_loop, 3, (2, 3, -1), (34), (4 * 8 + 9, 12, 0));

/* Uninitialised elements that are never read, and an array read only in part. */
static T partly_used(const T *x, int n) {
    T t[100];
    for (int i = 0; i < n; i++) t[i * 7] = x[i] * x[i];
    return t[0] + t[7] * t[0];
}
ZOO_OF(partly_used, 2, (2, 3), (40), (4 + 36, 24));
