// RUN: %S/run.sh "%ad" %s %t
// What was freed is handed out again by malloc: the reverse sweep still reads the old block, and adds to the old shadow.
#include "hazard.h"

static double reused(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        double *t = malloc(64);
        t[0] = x[i] * x[i];
        t[1] = t[0] * x[i];
        s += t[0] * t[1];
        free(t);
    }
    return s;
}
GRADIENT(reused);

/* Freed in a callee; the block is needed by what was computed before. */
APART void drop(double *p, int deep) { deep ? drop(p, deep - 1) : free(p); }
APART double *fresh(double v, int deep) {
    if (deep) return fresh(v, deep - 1);
    double *p = malloc(64);
    p[0] = v, p[1] = v * v;
    return p;
}
static double by_callees(double *x, int n) {
    double s = 1;
    for (int i = 0; i < n; i++) {
        double *p = fresh(x[i], 1);
        s *= p[0] * p[1];
        drop(p, 1);
    }
    return s;
}
GRADIENT(by_callees);

/* realloc moves numbers and pointers; the old block is needed. */
static double grows(double *x, int n) {
    double *v = NULL, s = 0;
    for (int i = 0; i < n; i++) {
        v = realloc(v, (size_t)(i + 1) * sizeof *v);
        v[i] = x[i];
        for (int j = 0; j <= i; j++) v[j] *= x[0];
        s += v[0] * v[i];
    }
    free(v);
    return s;
}
GRADIENT(grows);

/* A list: blocks that point to blocks, freed while it is walked. */
struct node {
    struct node *next;
    double v;
};
static double list(double *x, int n) {
    struct node *head = NULL;
    for (int i = 0; i < n; i++) {
        struct node *one = malloc(sizeof *one);
        *one = (struct node){head, x[i] * x[i]};
        head = one;
    }
    double s = 0, w = 1;
    while (head) {
        struct node *next = head->next;
        s += w++ * head->v * head->v;
        free(head);
        head = next;
    }
    return s;
}
GRADIENT(list);

/* Memory of calloc is 0, and so is its shadow, each time. */
static double cleared(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        double *t = calloc(2, sizeof *t);
        if (i & 1) t[0] = x[i];
        t[1] += t[0] * x[0];
        s += t[1] * t[1];
        free(t);
    }
    return s;
}
GRADIENT(cleared);

int main(void) {
    CHECK_SAME(reused, 2, LIST(2, 1.5), 32 + pow(1.5, 5), LIST(80, 5 * pow(1.5, 4)));
    CHECK_SAME(by_callees, 2, LIST(2, 3), 216, LIST(324, 216));
    /* i=0: v0 = x0^2: s += x0^4; i=1: v0 = x0^3, v1 = x1 x0: s += x0^4 x1; i=2: v0 = x0^4, v2 = x2 x0: x0^5 x2 */
    CHECK_SAME(grows, 3, LIST(2, 3, 5), 16 + 48 + 160, LIST(32 + 96 + 400, 16, 32));
    CHECK_SAME(list, 3, LIST(2, 3, 1), 3 * 16 + 2 * 81 + 1, LIST(12 * 8, 8 * 27, 4));
    /* (x1 x0)^2 + (x3 x0)^2 */
    CHECK_SAME(cleared, 4, LIST(2, 3, 7, 5), 36 + 100, LIST(2 * 34 * 2, 24, 0, 40));
    return wrong;
}
