// Words about the result and the order of arguments, structs by value, results in other types, and functions that are inactive.
// RUN: for l in "-O0 -g" -O1 -O2 -O3; do %ad $l -w %s -lm -o %t && %t || exit 1; done
// RUN: %not %ad -O1 -g -w -DBAD -c %s -o %t.o 2>&1 | %FileCheck %s
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

int enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_const, enzyme_width, enzyme_interleave;
int enzyme_primal_return, enzyme_noret, enzyme_const_return, enzyme_active_return, enzyme_dup_return;

struct pair { double x, y; };
struct two { double a, b; };
struct nested { struct two first; struct { float c[2]; } rest; };
struct counted { long n; double bar; };
struct view { const double *data; long n; };
struct view_bar { double *data; long n; };
struct whether { bool is; double bar; };
typedef double complex cdouble;

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
struct two __enzyme_autodiff_two(void *, ...);
struct two __enzyme_fwddiff_two(void *, ...);
struct nested __enzyme_autodiff_nested(void *, ...);
struct nested __enzyme_fwddiff_nested(void *, ...);
struct counted __enzyme_autodiff_counted(void *, ...);
struct whether __enzyme_autodiff_whether(void *, ...);
struct pair __enzyme_autodiff_pair(void *, ...);
cdouble __enzyme_autodiff_complex(void *, ...);
int __enzyme_fwddiff_int(void *, ...);
float __enzyme_autodiff_float(void *, ...);

static int bad;
static void want(double got, double wanted, int line) {
    if (!(fabs(got - wanted) <= 1e-9)) bad++, printf("line %d: %g, not %g\n", line, got, wanted);
}
#define WANT(got, wanted) want(got, wanted, __LINE__)

static double cube(double x) { return x * x * x; }
static double quotient(double x, double y) { return x / y; }
static double weigh(struct pair p, double w) { return p.x * p.x * p.y * w; }
static double sum(struct view v, double w) {
    double s = 0;
    for (long i = 0; i < v.n; i++) s += w * v.data[i] * v.data[i];
    return s;
}
static double norm(cdouble z) { return creal(z) * creal(z) + 3 * creal(z) * cimag(z); }
static double four(double a, double b, double c, double d) { return a * b * c * d; }
static long steps(double *x) { return (long)(*x *= *x); }
static bool is_large(double x, double *out) { return *out = x * x, x > 2; }
static double through(double *x, double *y) { return *y = *x * *x * *x, *x; }

/* Inactive by a global, by an annotation; a hint that changes nothing. */
static double offset(double x) { return 5 * x; }
static void measure(const double *x, double *y) { *y = 7 * *x; }
__attribute__((annotate("enzyme_inactive"))) static double scale(double x) { return x + 2; }
__attribute__((annotate("enzyme_shouldrecompute"))) static double twice(double x) { return 2 * x; }
void *__enzyme_inactivefn[] = {(void *)offset, (void *)measure};
void *__enzyme_nofree_twice = (void *)twice;
static double partly(double x) {
    double y;
    measure(&x, &y);
    return twice(x) * scale(x) + offset(x) + y * x;
}

static void results(void) {
    struct two v = __enzyme_fwddiff_two((void *)cube, enzyme_primal_return, 2.0, 1.0);
    WANT(v.a, 8), WANT(v.b, 12);
    v = __enzyme_fwddiff_two((void *)cube, enzyme_dup, 2.0, 1.0, enzyme_dup_return, enzyme_primal_return);
    WANT(v.a, 8), WANT(v.b, 12);
    WANT(__enzyme_fwddiff((void *)cube, enzyme_noret, 2.0, 1.0), 12);
    WANT(__enzyme_fwddiff((void *)cube, enzyme_const_return, enzyme_primal_return, 2.0, 1.0), 8);
    WANT(__enzyme_autodiff((void *)cube, enzyme_active_return, enzyme_noret, 2.0), 12);
    WANT(__enzyme_autodiff((void *)cube, enzyme_const_return, 2.0), 0);
    WANT(__enzyme_autodiff((void *)cube, enzyme_const_return, enzyme_primal_return, enzyme_const, 2.0), 8);
    double x = 3, xb = 0, y = 0, yb = 1; /* the adjoint of *y alone */
    __enzyme_autodiff_void((void *)through, enzyme_const_return, enzyme_dup, &x, &xb, &y, &yb);
    WANT(xb, 27), WANT(y, 27), WANT(yb, 0);
    struct nested n = __enzyme_autodiff_nested((void *)four, 2.0, 3.0, 5.0, 7.0);
    WANT(n.first.a, 105), WANT(n.first.b, 70), WANT(n.rest.c[0], 42), WANT(n.rest.c[1], 30);
    n = __enzyme_fwddiff_nested((void *)cube, enzyme_width, 3, enzyme_primal_return, 2.0, 1.0, 2.0, 3.0);
    WANT(n.first.a, 8), WANT(n.first.b, 12), WANT(n.rest.c[0], 24), WANT(n.rest.c[1], 36);
    WANT(__enzyme_autodiff_float((void *)cube, 2.0), 12);
    x = 3;
    WANT(__enzyme_fwddiff_int((void *)is_large, enzyme_primal_return, enzyme_const, 3.0, enzyme_const, &y), 1);
    yb = 1;
    struct whether w = __enzyme_autodiff_whether((void *)is_large, enzyme_primal_return, 3.0, &y, &yb);
    WANT(w.is, 1), WANT(w.bar, 6);
}

static void interleaved(void) {
    WANT(__enzyme_fwddiff((void *)quotient, 6.0, 2.0, enzyme_interleave, 1.0, 10.0), 0.5 - 15);
    WANT(__enzyme_fwddiff((void *)quotient, enzyme_const, 6.0, enzyme_dup, 2.0, enzyme_interleave, 10.0), -15);
    WANT(__enzyme_fwddiff((void *)quotient, enzyme_dup, 6.0, enzyme_const, 2.0, enzyme_interleave, 1.0), 0.5);
    struct two w = __enzyme_fwddiff_two((void *)quotient, enzyme_width, 2, 6.0, 2.0, enzyme_interleave, 1.0, 0.0, 0.0, 1.0);
    WANT(w.a, 0.5), WANT(w.b, -1.5);
    double x = 3, xb = 0, y, yb = 1;
    WANT(__enzyme_autodiff((void *)through, enzyme_primal_return, &x, &y, enzyme_interleave, &xb, &yb), 3);
    WANT(xb, 28);
}

static void by_value(void) {
    struct pair p = {2, 3}, d = {1, 10};
    WANT(__enzyme_fwddiff((void *)weigh, enzyme_dup, p, d, enzyme_const, 7.0), 7 * (2 * 2 * 3 + 4 * 10));
    WANT(__enzyme_fwddiff((void *)weigh, p, 7.0, enzyme_interleave, d, 1.0), 7 * 52 + 12);
    struct pair g = __enzyme_autodiff_pair((void *)weigh, enzyme_out, p, enzyme_const, 7.0);
    WANT(g.x, 84), WANT(g.y, 28);
    double data[3] = {1, 2, 3}, bar[3] = {0};
    struct view v = {data, 3};
    struct view_bar b = {bar, 3};
    WANT(__enzyme_autodiff((void *)sum, enzyme_dup, v, b, 2.0), 14);
    WANT(bar[0], 4), WANT(bar[2], 12);
    cdouble z = 2.0 + 5.0 * I, gz = __enzyme_autodiff_complex((void *)norm, z);
    WANT(creal(gz), 4 + 15), WANT(cimag(gz), 6);
    WANT(__enzyme_fwddiff((void *)norm, z, (cdouble)(1 + 10 * I)), 19 + 60);
}

int main(void) {
    results();
    interleaved();
    by_value();
    WANT(__enzyme_autodiff((void *)partly, 3.0), 2 * 5 + 21);
    WANT(__enzyme_fwddiff((void *)partly, 3.0, 1.0), 2 * 5 + 21);
#ifdef BAD
    struct pair p = {2, 3};
    struct view v = {&p.x, 2};
    // CHECK: enzyme-words.c:[[#@LINE+1]]:{{[0-9]+}}: error: parameter 1 of `weigh` cannot be enzyme_dup: it is a floating number, say enzyme_out
    __enzyme_autodiff((void *)weigh, enzyme_dup, p, p, 7.0);
    // CHECK: enzyme-words.c:[[#@LINE+1]]:{{[0-9]+}}: error: parameter 1 of `weigh` cannot be enzyme_dup: it is a struct by value, which has no width
    __enzyme_fwddiff((void *)weigh, enzyme_width, 2, p, p, p, 7.0, 1.0, 1.0);
    // CHECK: enzyme-words.c:[[#@LINE+1]]:{{[0-9]+}}: error: parameter 1 of `sum` cannot be enzyme_out: it is not a floating number
    __enzyme_autodiff((void *)sum, enzyme_out, v, 7.0);
    // CHECK: enzyme-words.c:[[#@LINE+1]]:{{[0-9]+}}: error: this call returns something else than the derivatives asked for: its type has 2 values, they are 2 of other types
    __enzyme_autodiff_counted((void *)quotient, 3.0, 4.0);
    // CHECK: enzyme-words.c:[[#@LINE+1]]:{{[0-9]+}}: error: enzyme_primal_return asks for the value of `measure`, which has none
    __enzyme_autodiff((void *)measure, enzyme_primal_return, v.data, v.data, v.data, v.data);
#endif
    return bad;
}
