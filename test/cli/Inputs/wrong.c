#include <cofactor/ad.h>

double square(double x) { return x * x; }
/* The factor 2 is missing. */
void square_rule(double x, double *x_bar, double r_bar) { *x_bar += x * r_bar; }
CF_RULE_REVERSE(square, square_rule);

double f(double x, double y) { return square(x) + 3 * y; }
