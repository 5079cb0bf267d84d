// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// The operations of a gradient and of a tangent, counted one by one: polynomials without a call or a loop, so that each of them follows by hand.
#include "events.h"
#include <cofactor/ad.h>

struct count { long mul, add, fp; };
CF_PREHOOK(count, "fmul") static void on_mul(struct count *c) { c->mul++; }
CF_PREHOOK(count, "fadd") static void on_add(struct count *c) { c->add++; }
CF_PREHOOK(count, "fp") static void on_fp(struct count *c) { c->fp++; }

static double square(double x) { return x * x; }
static double line(double x, double y) { return x * y + x; }
static double cubic(double x, double y) {
    double t = x * x;
    return t * y + x;
}
double square_grad(double x, double *x_bar);
CF_REVERSE(square_grad, square, "dup");
double square_in(struct count *c, double x, double *x_bar);
CF_IN(square_in, square_grad, count);
#define TWO(f)                                                                                                      \
    double f##_grad(double x, double *x_bar, double y, double *y_bar);                                             \
    CF_REVERSE(f##_grad, f, "dup dup");                                                                             \
    double f##_in(struct count *c, double x, double *x_bar, double y, double *y_bar);                              \
    CF_IN(f##_in, f##_grad, count);                                                                                 \
    double f##_tan(double x, double x_dot, double y, double y_dot);                                                \
    CF_FORWARD(f##_tan, f, "dup dup");                                                                              \
    double f##_tan_in(struct count *c, double x, double x_dot, double y, double y_dot);                            \
    CF_IN(f##_tan_in, f##_tan, count);
TWO(line)
TWO(cubic)

static void operations(const struct count *c, long mul, long add) { WANT(c->mul, mul), WANT(c->add, add), WANT(c->fp, mul + add); }

int main(void) {
    struct count c = {0};
    double x = 10, y = 20;
    /* The value x x. With 1 for its adjoint: p = 1 x, the same for both factors, so it is one product; p + p; that is added to
     * what x_bar held. */
    WANT(square_in(&c, 3, &x), 9), WANT(x, 10 + 6), operations(&c, 1 + 1, 1 + 1);

    /* The value: x y, + x. The adjoint 1 of the sum goes to both its terms as it is; of the product 1 y to x, 1 x to y. The two
     * parts of x are added up, and both adjoints to what x_bar and y_bar held. */
    c = (struct count){0}, x = 10, y = 20;
    WANT(line_in(&c, 3, &x, 5, &y), 18), WANT(x, 10 + 6), WANT(y, 20 + 3), operations(&c, 1 + 2, 1 + 1 + 2);

    /* The value: t = x x, t y, + x. t_bar = 1 y, y's adjoint 1 t, and t_bar x, one product for both factors of t. Three parts of
     * x are added up, and both adjoints to what was held. */
    c = (struct count){0}, x = 10, y = 20;
    WANT(cubic_in(&c, 3, &x, 5, &y), 48), WANT(x, 10 + 31), WANT(y, 20 + 9), operations(&c, 2 + 2 + 1, 1 + 2 + 2);

    /* Forward: the value, x y, + x; and x' y, x y', their sum, + x'. */
    c = (struct count){0};
    WANT(line_tan_in(&c, 3, 1, 5, 2), 5 + 6 + 1), operations(&c, 1 + 2, 1 + 2);
    /* The value: t = x x, t y, + x; t' is x' x, one product for both factors, and p + p; t' y, t y', their sum, + x'. */
    c = (struct count){0};
    WANT(cubic_tan_in(&c, 3, 1, 5, 2), 30 + 18 + 1), operations(&c, 2 + 1 + 2, 1 + 1 + 2);
    return wrong;
}
