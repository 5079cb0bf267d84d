/* A rule of one's own: a square root by Newton's iteration. Differentiating the iteration would follow every step;
 * the rule says the derivative of what it converges to, in both modes.
 *
 *     clang-22 -O2 -Iinclude -fpass-plugin=build/22/lib/cofactor-pass.so examples/rule.c -lm -o rule */
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>

static double root(double a) {
    double x = a > 1 ? a : 1;
    while (fabs(x * x - a) > 1e-15 * a) {
        double next = (x + a / x) / 2;
        if (next == x) break;
        x = next;
    }
    return x;
}

/* The tangent of the result. */
static double root_dot(double a, double a_dot) { return a_dot / (2 * root(a)); }
CF_RULE_FORWARD(root, root_dot);

/* Adds to the adjoint of a what the adjoint of the result gives it. */
static void root_bar(double a, double *a_bar, double result_bar) { *a_bar += result_bar / (2 * root(a)); }
CF_RULE_REVERSE(root, root_bar);

/* Writes a message; nothing in it is to be differentiated. */
static void watch(double x) { printf("root of %g\n", x); }
CF_INACTIVE(watch);

static double length(double x, double y) {
    watch(x * x + y * y);
    return root(x * x + y * y);
}
double length_tan(double x, double x_dot, double y, double y_dot);
CF_FORWARD(length_tan, length, "dup dup");
double length_grad(double x, double *x_bar, double y, double *y_bar);
CF_REVERSE(length_grad, length, "dup dup");

int main(void) {
    double x_bar = 0, y_bar = 0;
    printf("tangent %.4f\n", length_tan(3, 1, 4, 0));
    double l = length_grad(3, &x_bar, 4, &y_bar);
    printf("length %.4f, gradient (%.4f, %.4f)\n", l, x_bar, y_bar);
}
