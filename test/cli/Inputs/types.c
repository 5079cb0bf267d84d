#include <stddef.h>

struct node {
    double v;
    struct node *next;
};
enum colour { RED, GREEN };

double all(const double *restrict x, const double (*m)[3], struct node *list, enum colour c,
           double (*fn)(double, void *), void *data, size_t k, float s, const char *text) {
    (void)fn;
    (void)data;
    return x[0] * m[1][2] * list->v * s + c + (double)k + text[0];
}

double wide(double a, const double *x, int n) { return a * x[n]; }
