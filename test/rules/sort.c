// qsort moves numbers: derivatives follow them, forward and reverse. bsearch finds one, forward.
// RUN: %ad -O0 %s -o %t.0 && %t.0
// RUN: %ad -O2 %s -o %t.2 && %t.2
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct item {
    double key, value;
} item;

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static int by_key(const void *a, const void *b) {
    const item *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

// 1 smallest + 4 next + 9 next + …
static double ranked(const double *x, int n) {
    double sorted[16], sum = 0;
    memcpy(sorted, x, (size_t)n * sizeof *x);
    qsort(sorted, (size_t)n, sizeof *sorted, by_number);
    for (int i = 0; i < n; i++) sum += (i + 1) * (i + 1) * sorted[i];
    return sum;
}
double ranked_tan(const double *x, const double *xd, int n);
CF_FORWARD(ranked_tan, ranked, "dup const");
double ranked_grad(const double *x, double *xb, int n);
CF_REVERSE(ranked_grad, ranked, "dup const");

// The square of the value that stands beside key 2, in a sorted table.
static double looked_up(const double *x, int n) {
    item table[16], wanted = {2, 0};
    for (int i = 0; i < n; i++) table[i] = (item){(double)((i * 7) % n), x[i]};
    qsort(table, (size_t)n, sizeof *table, by_key);
    const item *found = bsearch(&wanted, table, (size_t)n, sizeof *table, by_key);
    return found->value * found->value;
}
double looked_up_tan(const double *x, const double *xd, int n);
CF_FORWARD(looked_up_tan, looked_up, "dup const");

static int wrong;
static void check(const char *what, int i, double got, double want) {
    if (fabs(got - want) < 1e-12 * (1 + fabs(want))) return;
    wrong++;
    printf("%s %d: %.17g, want %.17g\n", what, i, got, want);
}

int main(void) {
    static const double x[5] = {3, -1, 4, 1.5, 2}, ranks[5] = {4, 1, 5, 2, 3};
    double bar[5] = {0};
    ranked_grad(x, bar, 5);
    for (int i = 0; i < 5; i++) {
        double dot[5] = {0};
        dot[i] = 1;
        // key (i * 7) % 5 is 2 for i = 1
        double want = i == 1 ? 2 * x[1] : 0;
        check("ranked, reverse", i, bar[i], ranks[i] * ranks[i]);
        check("ranked, forward", i, ranked_tan(x, dot, 5), ranks[i] * ranks[i]);
        check("looked_up, forward", i, looked_up_tan(x, dot, 5), want);
    }
    printf("%d wrong\n", wrong);
    return wrong > 0;
}
