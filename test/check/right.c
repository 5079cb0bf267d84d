// Right derivatives of programs with memory of all shapes pass: no word on stderr, the status is 0, and what the program prints
// is printed once. `verbose` says that each was compared all three ways.
// RUN: rm -rf %t && mkdir %t
// RUN: for o in "-O0" "-O1 -g" "-O2" "-O3 -g"; do %ad $o %s -lm -o %t/a && %t/a >%t/out 2>%t/err || exit 1; \
// RUN:   %count 0 <%t/err && grep -c said %t/out | grep -qx 1 || exit 1; \
// RUN:   COFACTOR_CHECKED="calls=all verbose" %t/a 2>%t/all >%t/out && grep -c ", agrees in call" %t/all | grep -qx 30 || exit 1; \
// RUN:   ! grep "differences do not settle\|not checked\|nothing to compare" %t/all || exit 1; done
#include <cofactor/ad.h>
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows behind pointers; the matrix is changed in place. */
static double rows(double **a, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            a[i][k] = a[i][k] * a[k][i] + 0.1 * i;
            sum += a[i][k] * a[i][k];
        }
    return sum;
}
double rows_grad(double **a, double **a_bar, int n);
CF_REVERSE(rows_grad, rows, "dup const");
CF_CHECK(rows_grad);
double rows_tan(double **a, double **a_dot, int n);
CF_FORWARD(rows_tan, rows, "dup const");
CF_CHECK(rows_tan);

/* A list of nodes with integers and numbers of two widths, which grows by a node of the function's own. */
typedef struct node {
    int id;
    float weight;
    struct node *next;
    char tag;
    double value;
} node;
static double list(node *first, double scale) {
    node *own = malloc(sizeof *own);
    *own = (node){9, 0.5f, first, 'x', scale};
    double sum = 0;
    for (node *p = own; p; p = p->next) {
        sum += p->weight * exp(p->value * scale) + p->id;
        p->value = sum * 0.25;
    }
    free(own);
    return sum;
}
double list_grad(node *first, node *first_bar, double scale, double *scale_bar);
CF_REVERSE(list_grad, list, "dup dup");
CF_CHECK(list_grad);
double list_tan(node *first, node *first_dot, double scale, double scale_dot);
CF_FORWARD(list_tan, list, "dup dup");
CF_CHECK(list_tan);

/* Copies: whole structs, blocks, and words; a result behind a pointer alone. */
typedef struct pair {
    long n;
    double a, b;
} pair;
static void copies(const pair *in, pair *out, double *tail) {
    pair local[3];
    memcpy(local, in, sizeof local);
    pair swap = local[0];
    local[0] = local[2];
    local[2] = swap;
    for (int i = 0; i < 3; i++) local[i].a *= local[i].b * (double)local[i].n;
    memcpy(out, local, sizeof local);
    memmove(tail, &out[0].a, 2 * sizeof *tail);
    tail[1] += sin(out[2].a);
    printf("said\n");
}
void copies_grad(const pair *in, pair *in_bar, pair *out, pair *out_bar, double *tail, double *tail_bar);
CF_REVERSE(copies_grad, copies, "dup dup dup");
CF_CHECK(copies_grad);

/* Float alone. */
static float soft(const float *x, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += expf(x[i]) / (float)(i + 1);
    return logf(sum);
}
float soft_grad(const float *x, float *x_bar, int n);
CF_REVERSE(soft_grad, soft, "dup const");
CF_CHECK(soft_grad);

/* Wide numbers, and numbers that are passed and returned by value. */
static long double wide(long double x, const long double *y) { return x * x * y[0] + cosl(y[1] * x); }
long double wide_grad(long double x, long double *x_bar, const long double *y, long double *y_bar);
CF_REVERSE(wide_grad, wide, "dup dup");
CF_CHECK(wide_grad);
static double complex turn(double complex z, double angle) { return cexp(I * angle) * z * z; }
double complex turn_tan(double complex z, double complex z_dot, double angle, double angle_dot);
CF_FORWARD(turn_tan, turn, "dup dup");
CF_CHECK(turn_tan);

/* The adjoint of the result is given; several directions at once, one of them in each call. */
static double curve(const double *x, double t) { return x[0] + t * (x[1] + t * x[2] * x[2]); }
double curve_grad(const double *x, double *const x_bar[2], double t, double t_bar[2], const double seed[2]);
CF_REVERSE(curve_grad, curve, "dup dup seed width=2");
CF_CHECK(curve_grad);
double curve_tan(const double *x, double *const x_dot[2], double t, const double t_dot[2], double tangent[2]);
CF_FORWARD(curve_tan, curve, "dup dup width=2");
CF_CHECK(curve_tan);

/* A global in between, a block that comes from outside and is freed, a global that is an argument. */
static double state[3], table[3] = {0.5, 1.5, 2.5};
static double through(double *block, const double *t) {
    for (int i = 0; i < 3; i++) state[i] = block[i] * t[i];
    free(block);
    return state[0] * state[1] + sqrt(state[2]);
}
double through_grad(double *block, double *block_bar, const double *t, double *t_bar);
CF_REVERSE(through_grad, through, "dup dup");
CF_CHECK(through_grad);

/* A number is not read (0 stays what it is), another is overwritten before it is; adjoints are large and small. */
static double partly(double *x) {
    x[1] = x[0] * 1e-9;
    return x[2] > 0 ? x[0] * 1e6 + x[1] : x[3];
}
double partly_grad(double *x, double *x_bar);
CF_REVERSE(partly_grad, partly, "dup");
CF_CHECK(partly_grad);

/* Numbers that integers move. */
static double words(const double *x, double *y, int n) {
    const uint64_t *from = (const uint64_t *)x;
    uint64_t *to = (uint64_t *)y;
    for (int i = 0; i < n; i++) to[n - 1 - i] = from[i];
    return y[0] * y[1] + sin(y[n - 1]);
}
double words_grad(const double *x, double *x_bar, double *y, double *y_bar, int n);
CF_REVERSE(words_grad, words, "dup dup const");
CF_CHECK(words_grad);
double words_tan(const double *x, const double *x_dot, double *y, double *y_dot, int n);
CF_FORWARD(words_tan, words, "dup dup const");
CF_CHECK(words_tan);

static int near(double a, double b) { return fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b)); }

static int memory(void) {
    double a[3][3], bar[3][3] = {{0}}, *r[3], *b[3];
    for (int i = 0; i < 3; i++) {
        r[i] = a[i], b[i] = bar[i];
        for (int k = 0; k < 3; k++) a[i][k] = 0.3 * i + 0.7 * k + 0.2;
    }
    double first = a[0][0], value = rows_grad(r, b, 3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) a[i][k] = 0.3 * i + 0.7 * k + 0.2, bar[i][k] = i == 0 && k == 0;
    double slope = rows_tan(r, b, 3);
    return !near(a[0][0], first * first) || value <= 0 || slope == 0;
}

static int linked(void) {
    node n[3] = {{1, 1, n + 1, 'a', 0.5}, {2, 2, n + 2, 'b', 0.25}, {3, 3, NULL, 'c', -0.5}};
    node bar[3] = {{.next = bar + 1}, {.next = bar + 2}, {.next = NULL}};
    double scale_bar = 0;
    list_grad(n, bar, 1.25, &scale_bar);
    list_tan(n, bar, 1.25, 1);
    return scale_bar == 0;
}

static int moved(void) {
    pair in[3] = {{1, 2, 3}, {2, 0.5, 4}, {3, 1, 0.25}}, in_bar[3] = {{0}}, out[3], out_bar[3] = {{0}};
    double tail[2], tail_bar[2] = {1, 1};
    copies_grad(in, in_bar, out, out_bar, tail, tail_bar);
    return !near(in_bar[0].a, 3 * cos(6)) || tail[0] != 0.75;
}

static int values(void) {
    float x[4] = {0.5f, -1, 2, 0}, x_bar[4] = {0};
    long double y[2] = {2, 0.5L}, y_bar[2] = {0}, z_bar = 0;
    soft_grad(x, x_bar, 4);
    wide_grad(1.5L, &z_bar, y, y_bar);
    double complex d = turn_tan(1 + 2 * I, 1, 0.5, 0);
    return y_bar[0] != 2.25L || !near(creal(d), creal(2 * cexp(0.5 * I) * (1 + 2 * I)));
}

static int several(void) {
    double x[3] = {1, 2, 3}, one[3] = {0}, two[3] = {0}, *const bar[2] = {one, two}, t_bar[2] = {0};
    double tangent[2];
    const double seed[2] = {1, 10}, t_dot[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        curve_grad(x, bar, 0.5, t_bar, seed);
        memset(one, 0, sizeof one), memset(two, 0, sizeof two);
        one[0] = two[1] = 1;
        curve_tan(x, bar, 0.5, t_dot, tangent);
    }
    return tangent[0] != 1 || tangent[1] != 0.5;
}

static int global(void) {
    double *block = malloc(3 * sizeof *block), *block_bar = calloc(3, sizeof *block), bar[3] = {0};
    for (int i = 0; i < 3; i++) block[i] = i + 1;
    through_grad(block, block_bar, table, bar);
    double x[4] = {2, 3, 1, 0}, x_bar[4] = {0, 0, 0, 5};
    partly_grad(x, x_bar);
    return !near(bar[0], 1 * 2 * 1.5) || x_bar[0] != 1e6 + 1e-9 || x_bar[3] != 5;
}

static int moved_as_integers(void) {
    double x[3] = {1, 2, 3}, x_bar[3] = {0}, y[3], y_bar[3] = {0};
    words_grad(x, x_bar, y, y_bar, 3);
    return !near(x_bar[0], cos(1)) || x_bar[1] != 3 || words_tan(x, x_bar, y, y_bar, 3) == 0;
}

/* Many calls of one function. */
static int often(void) {
    float x[4] = {0.5f, -1, 2, 0}, x_bar[4] = {0};
    for (int i = 0; i < 14; i++) x[3] = (float)i / 4, soft_grad(x, x_bar, 4);
    return 0;
}

int main(void) {
    int bad = memory() | linked() << 1 | moved() << 2 | values() << 3 | several() << 4 | global() << 5 | moved_as_integers() << 6;
    return bad | often();
}
