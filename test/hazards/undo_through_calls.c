// RUN: %S/run.sh "%ad" %s %t
// What callees overwrite is undone by them when somebody before them loads it again, at any depth, in loops and branches.
#include "hazard.h"

APART void square_all(double *x, int n, int deep) {
    if (deep) {
        square_all(x, n, deep - 1);
        return;
    }
    for (int i = 0; i < n; i++) x[i] *= x[i];
}
APART double sum_squares(const double *x, int n, int deep) {
    if (deep) return sum_squares(x, n, deep - 1);
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    return s;
}
static double reads_then_writes(double *x, int n) {
    double s = sum_squares(x, n, 1);
    square_all(x, n, 2);
    s += sum_squares(x, n, 0);
    square_all(x, n, 0);
    return s + sum_squares(x, n, 1);
}
GRADIENT(reads_then_writes);

static double in_loop(double *x, int n) {
    double s = 0;
    for (int k = 0; k < 4; k++) {
        if (k & 1)
            square_all(x, n, 1);
        else
            s += sum_squares(x, n, k);
    }
    return s;
}
GRADIENT(in_loop);

/* Through a global, with a block move, and by two functions that call each other. */
static double state[4];
APART void odd(int n);
APART void even(int n) {
    if (!n) return;
    state[0] *= state[1];
    odd(n - 1);
}
APART void odd(int n) {
    if (!n) return;
    memmove(state + 1, state, 2 * sizeof *state);
    even(n - 1);
}
APART double peek(int deep) { return deep ? peek(deep - 1) : state[0] * state[1] * state[2]; }
static double mutual(double *x, int n) {
    memcpy(state, x, 3 * sizeof *state);
    double s = peek(1);
    even(n);
    s += peek(2);
    odd(2);
    return s + peek(0);
}
GRADIENT(mutual);

/* A callee that returns early, and one that writes what its caller has just written. */
APART int maybe(double *x, int i, int deep) {
    if (deep) return maybe(x, i, deep - 1);
    if (x[i] > 2) return 1;
    x[i] = x[i] * x[0] + 1;
    return 0;
}
static double early(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += x[i] * x[i];
        x[i] *= 2;
        if (!maybe(x, i, 1)) s += x[i];
    }
    return s * x[0];
}
GRADIENT(early);

int main(void) {
    CHECK(reads_then_writes, 2, LIST(2, 1.5), 4 + 2.25 + 16 + pow(1.5, 4) + 256 + pow(1.5, 8),
          LIST(4 + 32 + 1024, 3 + 4 * pow(1.5, 3) + 8 * pow(1.5, 7)), LIST(16, pow(1.5, 4)));
    CHECK(in_loop, 2, LIST(2, 1.5), 4 + 2.25 + 16 + pow(1.5, 4), LIST(4 + 32, 3 + 4 * pow(1.5, 3)),
          LIST(16, pow(1.5, 4)));
    /* abc; even(3): a' = ab; (a', a', b) ; a'' = a'^2: (a'^2, a', b): a'^3 b = a^3 b^4;
     * odd(2): (a''=a^2 b^2, a^2 b^2, ab), then a'' squared: a^4 b^4: a^4 b^4 a^2 b^2 a b = a^7 b^7 */
    const double a = 1.5, b = 0.5, c = 3;
    CHECK_SAME(mutual, 3, LIST(a, b, c), a * b * c + pow(a, 3) * pow(b, 4) + pow(a * b, 7),
               LIST(b * c + 3 * a * a * pow(b, 4) + 7 * pow(a, 6) * pow(b, 7),
                    a * c + 4 * pow(a * b, 3) + 7 * pow(a, 7) * pow(b, 6), a * b));
    /* i=0: s = x0^2, x0 -> 2 x0 = 0.5 -> (2 x0)^2 + 1 = y; s += y; i=1: s += x1^2, x1 -> 2 x1 = 6: stays; s y */
    const double x0 = 0.25, y = 4 * x0 * x0 + 1, s = x0 * x0 + y + 9;
    CHECK(early, 2, LIST(x0, 3), s * y, LIST((2 * x0 + 8 * x0) * y + s * 8 * x0, 6 * y), LIST(y, 6));
    return wrong;
}
