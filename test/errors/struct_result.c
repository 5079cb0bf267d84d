// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// Results that have no adjoint of their own: structs in memory, and structs that are not numbers alone.
#include <cofactor/ad.h>

typedef struct triple { double a, b, c; } triple;
static triple three(double x) { return (triple){x, x * x, 1}; }
triple three_grad(double x, double *x_bar, triple seed);
// CHECK-DAG: struct_result.c:[[#@LINE+1]]{{.*}}`three` returns a struct in memory (it has more than 16 bytes): request a function that writes it through a pointer
CF_REVERSE(three_grad, three, "dup seed");
triple three_tan(double x, double x_dot, int n);
// CHECK-DAG: struct_result.c:[[#@LINE+1]]{{.*}}`three` returns a struct in memory
CF_FORWARD(three_tan, three, "dup");

typedef struct mixed { double a; int k; } mixed;
static mixed with_count(double x) { return (mixed){x * x, 3}; }
mixed with_count_grad(double x, double *x_bar, mixed seed);
// CHECK-DAG: struct_result.c:[[#@LINE+1]]{{.*}}`with_count` returns a struct in which not all is a number
CF_REVERSE(with_count_grad, with_count, "dup seed");

static int none(double x) { return x > 0; }
int none_grad(double x, double *x_bar, int seed);
// CHECK-DAG: struct_result.c:[[#@LINE+1]]{{.*}}`none` returns no floating number
CF_REVERSE(none_grad, none, "dup seed");
