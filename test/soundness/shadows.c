// What is taken for granted of shadows is looked at where the program is checked (CF_CHECK): a shadow that is the primal's own
// memory, or lies in it, in either mode; one that is missing. Two arguments may be one object with one shadow.
// RUN: for l in -O0 -O2; do %ad -g $l %s -lm -o %t || exit 1; \
// RUN:   for k in itself inside other tangent; do %not %t $k 2>%t.txt; %FileCheck --check-prefix=$k --input-file %t.txt %s || exit 1; done; \
// RUN:   %not --crash %t missing 2>%t.txt; %FileCheck --check-prefix=missing --input-file %t.txt %s || exit 1; \
// RUN:   %t good 2>&1 | %FileCheck --check-prefix=good %s || exit 1; done
#include <cofactor/ad.h>
#include <stdio.h>
#include <string.h>

static double dot(const double *a, const double *b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
double grad(const double *a, double *a_bar, const double *b, double *b_bar, int n);
CF_REVERSE(grad, dot, "dup dup const");
CF_CHECK(grad);
double tan_(const double *a, const double *a_dot, const double *b, int n);
CF_FORWARD(tan_, dot, "dup const const");
CF_CHECK(tan_);

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    double x[6] = {1, 2, 3, 4, 5, 6}, y[3] = {1, 0, 2}, x_bar[3] = {0}, y_bar[3] = {0};
    // itself: shadows.c:[[#@LINE-9]]: cofactor: `grad`, the derivative of `dot`, gets a shadow that overlaps what is differentiated in call 1 ({{.*}}shadows.c:[[#@LINE+2]])
    // itself-NEXT: the shadow of argument 1 (`a`)
    if (!strcmp(how, "itself")) grad(x, x, y, y_bar, 3);
    // inside: the shadow of argument 1 (`a`)
    if (!strcmp(how, "inside")) grad(x, x + 2, y, y_bar, 3);
    // other: the shadow of argument 2 (`b`)
    if (!strcmp(how, "other")) grad(x, x_bar, x + 3, x, 3);
    // tangent: `tan_`, the derivative of `dot`, gets a shadow that overlaps
    if (!strcmp(how, "tangent")) tan_(x, x, y, 3);
    // missing: `grad`, {{.*}}, is not checked in call 1 {{.*}}: the derivative does not return
    if (!strcmp(how, "missing")) grad(x, argc > 9 ? x_bar : NULL, y, y_bar, 3);
    if (strcmp(how, "good") != 0) return 0;
    grad(x, x_bar, x, x_bar, 3);
    // good: 2 4 6
    // good-NOT: cofactor
    printf("%g %g %g\n", x_bar[0], x_bar[1], x_bar[2]);
    grad(x, x_bar, x + 3, y_bar, 3);
    return 0;
}
