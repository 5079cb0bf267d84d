// A pointer may lead to a function that cannot be differentiated, and to one that can: the program is compiled, and only
// the call of the first ends it, with a message that names the operation. Called directly, it is an error.
// RUN: %ad -g -O1 %s -o %t
// RUN: %t reverse good | %FileCheck --check-prefix=GOOD %s
// RUN: %t forward good | %FileCheck --check-prefix=GOOD %s
// RUN: %not --crash %t reverse bad 2>&1 | %FileCheck --check-prefix=BAD %s
// RUN: %not --crash %t forward bad 2>&1 | %FileCheck --check-prefix=BAD %s
// RUN: %not %ad -g -O1 -DDIRECT -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=DIRECT %s
#include <cofactor/ad.h>
#include <stdio.h>
#include <string.h>

typedef double function(double);
static double square(double x) { return x * x; }
static double inner(double x) {
    // BAD: pointer_candidates.c:[[#@LINE+2]]:{{.*}}: cofactor: inline assembly
    // DIRECT: pointer_candidates.c:[[#@LINE+1]]:{{.*}}: error: inline assembly
    __asm__("unpcklpd %0, %0" : "+x"(x));
    return x;
}
static double doubled(double x) { return inner(x) + 1; }

static double f(function *g, double x) {
#ifdef DIRECT
    x += inner(x);
#endif
    return g(x) * x;
}
double f_grad(function *g, double x, double *x_bar);
CF_REVERSE(f_grad, f, "const dup");
double f_tan(function *g, double x, double x_dot);
CF_FORWARD(f_tan, f, "const dup");

int main(int argc, char **argv) {
    function *g = argc > 2 && !strcmp(argv[2], "good") ? square : doubled;
    double bar = 0;
    if (argc > 1 && !strcmp(argv[1], "reverse"))
        f_grad(g, 3, &bar);
    else
        bar = f_tan(g, 3, 1);
    // GOOD: derivative 27
    // BAD-NOT: derivative 2
    printf("derivative %g\n", bar);
    return 0;
}
