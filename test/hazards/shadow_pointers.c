// RUN: %S/run.sh "%ad" %s %t
// A shadow holds pointers, which the forward sweep keeps like the primal's, and adjoints, which only the reverse sweep
// changes: copies, memset and overwritten pointers respect both.
#include "hazard.h"

struct matrix {
    double *at;
    long n;
    double scale;
};
static double total(const struct matrix *m) {
    double s = 0;
    for (long i = 0; i < m->n; i++) s += m->at[i] * m->at[i];
    return s * m->scale;
}
static double copies(double *x, int n) {
    struct matrix a = {x, n, x[0]}, b, c[2];
    memcpy(&b, &a, sizeof b);
    b.scale *= 2;
    memset(c, 0, sizeof c);
    c[1] = b;
    c[0] = a;
    memmove(&c[0], &c[1], sizeof *c);
    return total(&c[0]) + total(&b);
}
GRADIENT(copies);

/* The pointer is overwritten between its uses, in loops and in callees. */
APART void swap(struct matrix *a, struct matrix *b, int deep) {
    if (deep) {
        swap(a, b, deep - 1);
        return;
    }
    double *p = a->at;
    a->at = b->at;
    b->at = p;
}
static double swapped(double *x, int n) {
    double y[8];
    for (int i = 0; i < n; i++) y[i] = x[i] * 2;
    struct matrix a = {x, n, 1}, b = {y, n, 1};
    double s = 0;
    for (int k = 0; k < 3; k++) {
        swap(&a, &b, 1);
        for (int i = 0; i < n; i++) a.at[i] *= x[0];
        s += a.at[1] * b.at[0];
    }
    return s;
}
GRADIENT(swapped);

/* A walk along pointers that changes them on its way. */
struct node {
    struct node *next;
    double v;
};
static double reversed_list(double *x, int n) {
    struct node pool[8], *head = NULL, *back = NULL;
    for (int i = 0; i < n; i++) pool[i] = (struct node){head, x[i]}, head = &pool[i];
    double w = 1, s = 0;
    while (head) {
        struct node *next = head->next;
        head->next = back;
        s += w++ * head->v * head->v;
        back = head;
        head = next;
    }
    for (struct node *p = back; p; p = p->next) s += w++ * p->v;
    return s;
}
GRADIENT(reversed_list);

/* Pointers to pointers, in memory of the heap that moves. */
static double rows(double *x, int n) {
    double **row = malloc(sizeof *row);
    double s = 0;
    for (int i = 0; i < n; i++) {
        row = realloc(row, (size_t)(i + 1) * sizeof *row);
        row[i] = malloc((size_t)n * sizeof **row);
        for (int j = 0; j < n; j++) row[i][j] = x[i] * x[j];
        if (i) {
            double *p = row[0];
            row[0] = row[i];
            row[i] = p;
        }
        s += row[0][0] * row[i][n - 1];
    }
    for (int i = 0; i < n; i++) free(row[i]);
    free(row);
    return s;
}
GRADIENT(rows);

int main(void) {
    /* 4 x0 (x0^2 + x1^2) */
    CHECK_SAME(copies, 2, LIST(2, 3), 104, LIST(4 * (12 + 9), 4 * 12));
    {
        /* y = 2x. k=0: y *= x0, s += y1 x0; k=1: x *= x0 (x0 -> x0^2 first, then x1 by it), s += x1' y0; k=2: y *= x0^2 */
        const double a = 2, b = 3;
        /* y0 = 2a^2, y1 = 2ab: s = 2 a^2 b; x0 = a^2, x1 = a^2 b: s += a^2 b 2 a^2; y *= a^2: y1 = 2 a^3 b: s += 2 a^3 b a^2 */
        CHECK(swapped, 2, LIST(a, b), 2 * a * a * b + 2 * pow(a, 4) * b + 2 * pow(a, 5) * b,
              LIST(4 * a * b + 8 * a * a * a * b + 10 * pow(a, 4) * b,
                   2 * a * a + 2 * pow(a, 4) + 2 * pow(a, 5)),
              LIST(a * a, a * a * b));
    }
    /* 1 x2^2 + 2 x1^2 + 3 x0^2 + 4 x0 + 5 x1 + 6 x2 */
    CHECK_SAME(reversed_list, 3, LIST(2, 3, 5), 25 + 18 + 12 + 8 + 15 + 30, LIST(16, 17, 16));
    /* i=0: x0^2 x0 x1; i=1: row0 = (x1 x0, x1^2), row1 = (x0^2, x0 x1): x1 x0 x0 x1 */
    CHECK_SAME(rows, 2, LIST(2, 3), 24 + 36, LIST(36 + 36, 8 + 24));
    return wrong;
}
