// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// Adjoints are added to shadows: a shadow that points to const is a mistake, often that primal and shadow changed places.
#include <cofactor/ad.h>

static double f(const double *x, int n) { return x[0] * x[n - 1]; }
double swapped(double *x_bar, const double *x, int n);
// CHECK: const_shadow.c:[[#@LINE+1]]{{.*}}its parameter 2 is the shadow of parameter 1 and points to const
CF_REVERSE(swapped, f, "dup const");

typedef struct pair { double a, b; } pair;
static double g(int n, const pair *p) { return n * p->a * p->b; }
double of_struct(int n, const pair *p, const pair *p_bar);
// CHECK: const_shadow.c:[[#@LINE+1]]{{.*}}its parameter 3 is the shadow of parameter 2 and points to const
CF_REVERSE(of_struct, g, "const dup");

static void h(const double *x, double *y) { *y = *x * *x; }
void of_output(const double *x, double *x_bar, double *y, const double *y_bar);
// CHECK: const_shadow.c:[[#@LINE+1]]{{.*}}its parameter 4 is the shadow of parameter 2 and points to const
CF_REVERSE(of_output, h, "dup dup");

// What is only read may be const: tangents of inputs, what has no shadow, a pointer that is itself const.
double tangent(const double *x, const double *x_dot, int n);
CF_FORWARD(tangent, f, "dup const");
double right(const double *x, double *const x_bar, int n);
CF_REVERSE(right, f, "dup const");
// CHECK-NOT: tangent
// CHECK-NOT: right
// CHECK: 3 errors generated
