// Derivatives of derivatives come in order, whatever the order of the text; a derivative that needs itself is refused.
// RUN: %not %ad -O0 -DCIRCLE -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=CIRCLE %s
// RUN: %ad -O0 %s -o %t0 && %t0 | %FileCheck %s
// RUN: %ad -O2 -g %s -o %t2 && %t2 | %FileCheck %s
#include <cofactor/ad.h>
#include <stdio.h>
double tan2(double x, double x_dot, double x_two, double x_dot_two);
double tan1(double x, double x_dot);
CF_FORWARD(tan2, tan1, "dup dup");
double cube(double x) { return x * x * x; }
CF_FORWARD(tan1, cube, "dup");

/* A program that uses a derivative is differentiated, too. */
static double newton(double x) { return x - (x * x * x - 8) / tan1(x, 1); }
double newton_tan(double x, double x_dot);
CF_FORWARD(newton_tan, newton, "dup");
#ifdef CIRCLE
double circle_tan(double x, double x_dot);
static double circle(double x) { return circle_tan(x, 1); }
// CIRCLE: circle.c:[[#@LINE+1]]:1: error: `circle_tan` is asked to differentiate code that calls it
CF_FORWARD(circle_tan, circle, "dup");
#endif

int main(void) {
    // CHECK: 12.0 12.0 0.47
    printf("%.1f %.1f %.2f\n", tan1(2, 1), tan2(2, 1, 1, 0), newton_tan(3, 1));
}
