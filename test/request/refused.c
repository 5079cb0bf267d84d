// What a request cannot be for, and what its words may not say: one message each, at the request, with what to do.
// RUN: %not %ad -ferror-limit=0 -std=c11 -O0 -c %s -o %t.o 2>%t.txt; %FileCheck %s < %t.txt
// RUN: %not %ad -ferror-limit=0 -std=c11 -O2 -g -c %s -o %t.o 2>%t.txt; %FileCheck %s < %t.txt
// RUN: test ! -e %t.o
#include <cofactor/ad.h>
typedef struct { double a, b, c, d; } four;
typedef struct { double a, b; } pair;
typedef struct { double a; float b; int n; } packed;
typedef struct { long a, b; } numbers;
typedef struct { float a, b, c; } three;
typedef double v2 __attribute__((vector_size(16)));

double split(packed p) { return p.a * p.b * p.n; }
double split_grad(packed p, packed *p_bar);
// CHECK: refused.c:[[#@LINE+2]]:1: error: parameter 1 of `split` is a struct with numbers and integers that are passed in one register: request a function that takes a pointer to it
// CHECK-NEXT: CF_REVERSE(split_grad
CF_REVERSE(split_grad, split, "dup");

double pieces(pair p, double x) { return p.a * p.b * x; }
double pieces_grad(pair p, pair *p_bar, double x, double *x_bar);
// CHECK: refused.c:[[#@LINE+1]]:1: error: `pieces` has 2 parameters, the request has words for 3: one word, `const` or `dup`, for each parameter
CF_REVERSE(pieces_grad, pieces, "dup dup dup");
double pieces_tan(pair p, pair *p_dot, double x, double x_dot);
// CHECK: refused.c:[[#@LINE+1]]:1: error: `pieces_tan` does not fit `pieces`: its parameter 3 must be the tangent of parameter 1, a double
CF_FORWARD(pieces_tan, pieces, "dup dup");
double whole(numbers p, double x) { return p.a * p.b * x; }
double whole_grad(numbers p, numbers *p_bar, double x);
// CHECK: refused.c:[[#@LINE+1]]:1: error: parameter 1 of `whole` has no number and no pointer: say `const`
CF_REVERSE(whole_grad, whole, "dup const");
float floats(three p) { return p.a * p.b * p.c; }
float floats_grad(three p, three p_bar[2]);
// CHECK: refused.c:[[#@LINE+1]]:1: error: `width=2`: `floats` takes or returns a struct of floats by value: request a function that takes a pointer to it
CF_REVERSE(floats_grad, floats, "dup width=2");

double big(four p) { return p.a * p.d; }
double big_grad(four p, four *p_bar);
// CHECK: refused.c:[[#@LINE+1]]:1: error: parameter 1 of `big`, as compiled, is a struct that is passed by value in memory: request
CF_REVERSE(big_grad, big, "dup");

four result(double x) { four r = {x, x, x, x}; return r; }
four result_tan(double x, double x_dot);
// CHECK: refused.c:[[#@LINE+1]]:1: error: parameter 1 of `result`, as compiled, is the struct that it returns: request
CF_FORWARD(result_tan, result, "const dup");

double many(double x, ...) { return x; }
double many_tan(double x, double x_dot);
// CHECK: refused.c:[[#@LINE+1]]:1: error: `many` takes a variable number of arguments: request a function that calls it
CF_FORWARD(many_tan, many, "dup");

v2 vector(double x) { return (v2){x, 2 * x}; }
v2 vector_grad(double x, double *x_bar);
// CHECK: refused.c:[[#@LINE+1]]:1: error: `vector` returns several numbers, so its adjoint must be said: add the word `seed`
CF_REVERSE(vector_grad, vector, "dup");

double f(double x, int n, const double *p) { return x * n * *p; }
void a_tan(double x, double x_dot, int n, const double *p, const double *p_dot);
// CHECK: refused.c:[[#@LINE+1]]:1: error: `a_tan` does not fit `f`: it must return double; it is `void (double, double, 32-bit integer, pointer, pointer)`, these words ask for `double (double, double, 32-bit integer, pointer, pointer)`
CF_FORWARD(a_tan, f, "dup const dup");
double b_tan(double x, double x_dot, int n, const double *p);
// CHECK: refused.c:[[#@LINE+1]]:1: error: `b_tan` does not fit `f`: the shadow of parameter 3 is missing after its 4 parameters; it is
CF_FORWARD(b_tan, f, "dup const dup");
double c_tan(double x, double x_dot, int n, const double *p, double *p_dot, double *value);
// CHECK: refused.c:[[#@LINE+1]]:1: error: `c_tan` does not fit `f`: it has more than 5 parameters; it is
CF_FORWARD(c_tan, f, "dup const dup");
double d_tan(double x, int n, const double *p);
// CHECK: refused.c:[[#@LINE+1]]:1: error: `d_tan` does not fit `f`: its parameter 2 must be the tangent of parameter 1, a double; it is
CF_FORWARD(d_tan, f, "dup const dup");
double e_tan(double x, double x_dot, int n, const double *p, double *value);
// CHECK: refused.c:[[#@LINE+1]]:1: error: unknown word `valu` in the request: did you mean `value`?
CF_FORWARD(e_tan, f, "dup const const valu");
double g_tan(double x, double x_dot, int n, const double *p, double *value);
// CHECK: refused.c:[[#@LINE+1]]:1: error: unknown word `banana` in the request: parameters are `const` or `dup`, options are
CF_FORWARD(g_tan, f, "dup const banana");
double h_tan(double x, double x_dot, int n, const double *p);
// CHECK: refused.c:[[#@LINE+1]]:1: error: `f` has 3 parameters, the request has words for 2: one word, `const` or `dup`, for each
CF_FORWARD(h_tan, f, "dup const");
// CHECK: refused.c:[[#@LINE+2]]:1: error: parameter 2 of `f` is an integer: only pointers and floating numbers can be `dup`; say `const`
double i_tan(double x, double x_dot, int n, int n_dot, const double *p);
CF_FORWARD(i_tan, f, "dup dup const");
double j_tan(double x, int n, const double *p, double *v);
// CHECK: refused.c:[[#@LINE+1]]:1: error: `seed` belongs to a reverse request, this is a forward one
CF_FORWARD(j_tan, f, "const const const seed");
double k_grad(double x, int n, const double *p);
// CHECK: refused.c:[[#@LINE+1]]:1: error: `width=0` in the request: the width is a whole number from 1 to 256, as in `width=4`
CF_REVERSE(k_grad, f, "const const const width=0");
double l_tan(double x, int n, const double *p, double *v, double *t);
// CHECK: refused.c:[[#@LINE+1]]:1: error: `value` is not needed with `width=2`
CF_FORWARD(l_tan, f, "const const const width=2 value");

double again(double x) { return x; }
double own(double x, double x_dot) { return x + x_dot; }
// CHECK: refused.c:[[#@LINE+1]]:1: error: `own` has a body already
CF_FORWARD(own, again, "dup");

double wrong_rule(double x) { return x; }
// CHECK: refused.c:[[#@LINE+1]]:1: error: `wrong_rule` is not a forward rule for `again`: it is `double (double)`, expected is `double (double, double)`
CF_RULE_FORWARD(again, wrong_rule);
// CHECK: 22 errors generated
