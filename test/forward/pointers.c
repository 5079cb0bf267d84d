// RUN: for l in -O0 -O2; do %ad -g $l %s -I%S -lm -o %t && %t || exit 1; done
// Function pointers that only the caller of the request knows; pointers that may or may not have a shadow.
#include "check.h"

typedef struct model {
    double (*f)(double, double);
    const double *weights;
    double *state;
    int n;
} model;
static double times(double a, double b) { return a * b; }
/* Never called by a derivative: that it has none is no error. */
static double opaque(double a, double b) {
    __asm__("addsd %1, %0" : "+x"(a) : "x"(b));
    return a;
}
static double over(double a, double b) { return a / b; }
__attribute__((noinline)) static double run(model *m, double x) {
    double s = 0;
    for (int i = 0; i < m->n; i++) {
        m->state[i] = m->f(x + i, m->weights[i]);
        s += m->state[i] * m->state[i];
    }
    return s;
}
double run_tan(model *m, model *md, double x, double xd);
CF_FORWARD(run_tan, run, "dup dup");

__attribute__((noinline)) static double pick(const double *a, const double *b, double x, int i) {
    const double *p = i & 1 ? a : b;
    return p[i] * x + p[0];
}
double pick_tan(const double *a, const double *ad, const double *b, double x, double xd, int i);
CF_FORWARD(pick_tan, pick, "dup const dup const");

typedef struct node {
    struct node *next;
    double v;
} node;
__attribute__((noinline)) static double list(const double *x, int n) {
    node *head = NULL;
    double s = 0;
    for (int i = 0; i < n; i++) {
        node *k = malloc(sizeof *k);
        *k = (node){head, x[i] * x[i]};
        head = k;
    }
    for (node *k = head; k; k = k->next) s += k->v * (k->next ? k->next->v : 1);
    while (head) {
        node *next = head->next;
        free(head);
        head = next;
    }
    return s;
}
double list_tan(const double *x, const double *xd, int n);
CF_FORWARD(list_tan, list, "dup const");

int main(void) {
    double w[2] = {2, 3}, wd[2] = {1, 0}, s[2], sd[2] = {7, 7};
    /* The shadow of a function pointer is not looked at; a shadow pointer that is the pointer itself, or null, says that
     * there is no shadow. */
    model m = {times, w, s, 2}, md = {NULL, wd, sd, 0};
    WANT(run_tan(&m, &md, 5, 1), 2 * 10 * (2 + 5) + 2 * 18 * 3);
    WANT(sd[0], 7);
    WANT(sd[1], 3);
    md.weights = w;
    WANT(run_tan(&m, &md, 5, 1), 2 * 10 * 2 + 2 * 18 * 3);
    md.weights = NULL;
    WANT(run_tan(&m, &md, 5, 1), 2 * 10 * 2 + 2 * 18 * 3);
    m.f = pow;
    WANT(run_tan(&m, &md, 5, 1), 2 * 25 * 10 + 2 * 216 * 108);
    m.f = opaque;
    WANT(m.f(1, 2), 3);
    m.f = over;
    md.weights = wd;
    WANT(run_tan(&m, &md, 5, 1), 2 * 2.5 * (0.5 - 5. / 4) + 2 * 2 * (1. / 3));

    double a[2] = {2, 3}, ad[2] = {1, 1}, b[2] = {4, 5};
    WANT(pick_tan(a, ad, b, 10, 1, 1), 10 + 3 + 1);
    WANT(pick_tan(a, ad, b, 10, 1, 0), 4);

    double x[3] = {1, 2, 3}, xd[3] = {1, 0, 0};
    WANT(list_tan(x, xd, 3), 2 * 4 + 2); /* c b + b a + a */
    return wrong;
}
