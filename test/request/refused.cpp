// A static request of a function that another unit defines can come from nowhere.
// RUN: %not %adxx -w -O0 -c %s -o %t.o 2>&1 | %FileCheck %s
#include <cofactor/ad.h>
double far(double x);
static double far_tan(double x, double x_dot);
// CHECK: refused.cpp:[[#@LINE+1]]:1: error: `_Z3fard` is not defined in this unit, so only another unit can provide `_ZL7far_tandd`, but that is static here
CF_FORWARD(far_tan, far, "dup");
