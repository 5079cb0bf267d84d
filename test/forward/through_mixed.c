// RUN: %ad -g -O1 %s -I%S -lm -o %t && %t 2 && %not --crash %t 3 2>&1 | %FileCheck %s
// An active number that goes, at run time, through a pointer that turns out to have no shadow ends the program.
#include "check.h"

typedef struct {
    double *to;
} place;
static double f(place *p, double x) {
    // CHECK: through_mixed.c:[[#@LINE+1]]
    *p->to = x * x;
    return *p->to;
}
double f_tan(place *p, place *pd, double x, double xd);
CF_FORWARD(f_tan, f, "dup dup");
int main(int n, char **argv) {
    double a, ad;
    place p = {&a}, pd = {argv[n - 1][0] == '2' ? &ad : &a};
    WANT(f_tan(&p, &pd, 3, 1), 6);
    return wrong;
}
// CHECK-SAME: no shadow
