#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;

static double mul(double a, double b) { return a * b; }
static double add(double a, double b) { return a + b; }
static double f(double x, double y, double z) { return add(mul(x, y), mul(y, z)); }
static void leave(int n) { longjmp(back, n); }
static void deep(int n) { leave(n); }
static int after(char c, _Bool b) { return b ? c : 0; }

int main(void) {
    f(1, 2.5, 0.1);
    if (!setjmp(back)) deep(7);
    after('A', 1);
    return 0;
}
