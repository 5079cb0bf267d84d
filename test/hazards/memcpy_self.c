// RUN: %S/run.sh "%ad" %s %t
// Source and destination of a copy may be the same (struct assignment), or overlap (memmove).
#include "hazard.h"

struct big {
    double v[40];
};
struct small {
    double v[2];
};
APART void assign_big(struct big *to, const struct big *from, int deep) {
    if (deep)
        assign_big(to, from, deep - 1);
    else
        *to = *from;
}
static double big_to_itself(double *x, int n) {
    struct big a = {{0}}, b = {{0}};
    for (int i = 0; i < n; i++) a.v[i] = x[i] * x[i];
    assign_big(&a, &a, 1);
    assign_big(&b, &a, 1);
    return a.v[0] * b.v[1];
}
GRADIENT(big_to_itself);

static double small_to_itself(double *x, int n) {
    struct small *p = (struct small *)x, *q = n > 1 ? p : p + 1;
    *p = *q;
    return x[0] * x[0] * x[1];
}
GRADIENT(small_to_itself);

/* Of a size that is told at run time. */
static double by_size(double *x, int n) {
    memmove(x, x, (size_t)n * sizeof *x);
    return x[0] * x[n - 1];
}
GRADIENT(by_size);
static double down(double *x, int n) {
    memmove(x, x + 1, (size_t)(n - 1) * sizeof *x);
    double s = 0;
    for (int i = 0; i < n; i++) s += (i + 1) * x[i] * x[i];
    return s;
}
GRADIENT(down);
static double up(double *x, int n) {
    memmove(x + 1, x, (size_t)(n - 1) * sizeof *x);
    double s = 0;
    for (int i = 0; i < n; i++) s += (i + 1) * x[i] * x[i];
    return s;
}
GRADIENT(up);

int main(void) {
    CHECK_SAME(big_to_itself, 2, LIST(2, 3), 36, LIST(36, 24));
    CHECK_SAME(small_to_itself, 2, LIST(7, 3), 147, LIST(42, 49));
    CHECK_SAME(by_size, 3, LIST(7, 1, 8), 56, LIST(8, 0, 7));
    /* 1 x1^2 + 2 x2^2 + 3 x2^2 */
    CHECK(down, 3, LIST(2, 3, 5), 9 + 125, LIST(0, 6, 50), LIST(3, 5, 5));
    /* 1 x0^2 + 2 x0^2 + 3 x1^2 */
    CHECK(up, 3, LIST(2, 3, 5), 12 + 27, LIST(12, 18, 0), LIST(2, 2, 3));
    return wrong;
}
