// Enzyme's names are read to the letter: words that do not exist, or stand where they mean nothing, and registrations that are
// not read, are errors; variables of the program's own whose names look like words are data.
// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -w %s -lm -o %t && %t || exit 1; done
// RUN: %not %ad -O2 -w -g -DBAD -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: for k in 1 2 3 4 5; do %not %ad -O1 -g -w -DSAID=$k -c %s -o %t.o 2>&1 | grep 'enzyme-strict.c:[0-9]*:.*is not read; say' || exit 1; done
// RUN: for k in 1 2 3 4; do %not %ad -O1 -w -DSAID=$k -c %s -o %t.o 2>&1 | grep 'error: .*enzyme-strict.c: .*is not read; say' || exit 1; done
#include <math.h>
#include <stdio.h>

int enzyme_dup, enzyme_out, enzyme_const, enzyme_width, enzyme_primal_return, enzyme_tape, enzyme_nonsense;
int enzyme_noret, enzyme_interleave, enzyme_active_return, enzyme_dup_return;
double counted__enzyme_calls(void *, double);
double enzyme_rate = 3, enzyme_level[2] = {2, 3}, level_bar[2];
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double square(double x) { return x * x; }
static double product(double *x) { return x[0] * x[1]; }
static float narrow(float x, float y, float z) { return x * y * z; }
static double four(double x, double y, double z, double w) { return x * y * z * w; }

struct three { double a, b, c; };
struct four { double a, b, c, d; };
struct with_value { double value, a, b, c, d; };
struct three __enzyme_autodiff_three(void *, ...);
struct four __enzyme_autodiff_four(void *, ...);
struct with_value __enzyme_autodiff_value(void *, ...);

static int bad;
static void want(double got, double wanted, int line) {
    if (fabs(got - wanted) > 1e-9) bad++, printf("line %d: %g, not %g\n", line, got, wanted);
}
#define WANT(got, wanted) want(got, wanted, __LINE__)

#if SAID == 1
void *__enzyme_register_derivative_square[] = {(void *)square};
#elif SAID == 2
void *__enzyme_register_gradient_square[] = {(void *)square};
#elif SAID == 3
void *__enzyme_function_like[] = {(void *)square, (void *)"log1p"};
#elif SAID == 4
void *__enzyme_inactive_global[] = {(void *)&enzyme_rate};
#elif SAID == 5
__attribute__((annotate("enzyme_function_like"))) static double told(double x) { return x; }
double (*keep)(double) = told;
#endif

int main(void) {
    WANT(__enzyme_autodiff((void *)square, enzyme_rate), 6);
    __enzyme_autodiff_void((void *)product, enzyme_level, level_bar);
    WANT(level_bar[0], 3), WANT(level_bar[1], 2);
    double x[2] = {3, 5}, b[2] = {0};
    WANT(__enzyme_autodiff((void *)product, enzyme_primal_return, enzyme_dup, x, b), 15);
    WANT(b[0], 5), WANT(b[1], 3);
    struct three n = __enzyme_autodiff_three((void *)narrow, 2.f, 3.f, 5.f);
    WANT(n.a, 15), WANT(n.b, 10), WANT(n.c, 6);
    struct four f = __enzyme_autodiff_four((void *)four, 2., 3., 5., 7.);
    WANT(f.a, 105), WANT(f.d, 30);
    struct with_value v = __enzyme_autodiff_value((void *)four, enzyme_primal_return, 2., 3., 5., 7.);
    WANT(v.value, 210), WANT(v.a, 105), WANT(v.d, 30);
#ifdef BAD
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: enzyme_nonsense is not supported
    x[0] += __enzyme_autodiff((void *)square, enzyme_out, 3.0, enzyme_nonsense);
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: enzyme_{{tape|nonsense|dup}} is not supported
    x[0] += __enzyme_fwddiff((void *)square, enzyme_tape, enzyme_nonsense, enzyme_dup, 3.0, 1.0);
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: the result of this call is used, but the derivatives asked for are not returned
    x[0] += __enzyme_autodiff((void *)product, x, b);
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: this call returns something else than the derivatives asked for
    struct three t = __enzyme_autodiff_three((void *)four, 2., 3., 5., 7.);
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: this call returns something else than the derivatives asked for: its type has 1 value, they are 2
    x[0] += __enzyme_fwddiff((void *)square, enzyme_primal_return, 3.0, 1.0) + t.a;
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: enzyme_out stands where an argument or its shadow should stand
    x[0] += __enzyme_autodiff((void *)square, enzyme_const, enzyme_out, 3.0);
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: enzyme_primal_return stands where an argument or its shadow should stand
    x[0] += __enzyme_autodiff((void *)product, enzyme_dup, x, enzyme_primal_return, b);
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: enzyme_dup stands where the end of the arguments should stand
    x[0] += __enzyme_autodiff((void *)square, 3.0, enzyme_dup);
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: enzyme_width stands twice in this call
    x[0] += __enzyme_fwddiff((void *)square, enzyme_width, 1, 3.0, 1.0, enzyme_width, 1);
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: enzyme_noret and enzyme_primal_return contradict each other
    x[0] += __enzyme_autodiff((void *)product, enzyme_noret, enzyme_primal_return, x, b);
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: enzyme_active_return: that is for reverse mode
    x[0] += __enzyme_fwddiff((void *)square, enzyme_active_return, 3.0, 1.0);
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: enzyme_dup_return: in reverse mode there is no shadow of the result of `square`
    x[0] += __enzyme_autodiff((void *)square, enzyme_dup_return, 3.0);
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: an argument for parameter 1 of `product`, or its shadow, is missing
    x[0] += __enzyme_fwddiff((void *)product, enzyme_dup, x, enzyme_interleave);
    // CHECK: enzyme-strict.c:[[#@LINE+1]]:{{[0-9]+}}: error: this call has more arguments than `product` needs
    x[0] += __enzyme_fwddiff((void *)product, enzyme_dup, x, enzyme_interleave, b, b);
#endif
    return bad;
}
