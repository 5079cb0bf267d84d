// RUN: rm -f %t.o
// RUN: %not %ad -O1 -w -c %s -o %t.o 2>%t.txt; %FileCheck %s < %t.txt
// RUN: test ! -e %t.o

// Requests that contradict themselves or each other, and descriptors that this version did not write.
#include <cofactor/ad.h>

static double square(double x) { return x * x; }
static void nothing(double x) { (void)x; }
double seeded(double x, double *x_bar, double seed);
// CHECK-DAG: requests.c:[[#@LINE+1]]:1: error: `seed` stands twice in the request
CF_REVERSE(seeded, square, "dup seed seed");
void valued(double x, double x_dot, double *value);
// CHECK-DAG: requests.c:[[#@LINE+1]]:1: error: `value`: `nothing` returns nothing
CF_FORWARD(valued, nothing, "dup value");
void seed_of_nothing(double x, double *x_bar, double seed);
// CHECK-DAG: requests.c:[[#@LINE+1]]:1: error: `seed`: `nothing` returns no floating number, so there is no adjoint to give
CF_REVERSE(seed_of_nothing, nothing, "dup seed");

double circle_tan(double x, double x_dot);
static double circle(double x) { return x > 1 ? circle_tan(x / 2, 1) : x; }
// CHECK-DAG: requests.c:[[#@LINE+1]]:1: error: `circle_tan` is asked to differentiate code that calls it
CF_FORWARD(circle_tan, circle, "dup");

double made(double x, double x_dot);
typedef struct descriptor {
    unsigned version, line;
    const char *kind, *words, *file;
    double (*primal)(double), (*request)(double, double);
} descriptor;
#define PUT __attribute__((section("cofactor"), used)) static const
// CHECK-DAG: error: `foreign` in section `cofactor` is not a request that this version of Cofactor can read
PUT int foreign = 3;
// CHECK-DAG: error: `empty` in section `cofactor` is not a request
PUT descriptor empty = {1, 1, "forward", "dup", __FILE__, 0, 0};
// CHECK-DAG: error: `newer` in section `cofactor` is not a request
PUT descriptor newer = {9, 1, "forward", "dup", __FILE__, square, made};
// CHECK-DAG: requests.c:17:1: error: this version of Cofactor knows no request of kind `sideways`
PUT descriptor sideways = {1, 17, "sideways", "dup", __FILE__, square, made};
// CHECK-DAG: requests.c:19:1: error: `made` is requested twice in this unit
PUT descriptor first = {1, 18, "forward", "dup", __FILE__, square, made};
PUT descriptor second = {1, 19, "forward", "dup", __FILE__, square, made};
