// Derivatives that are wrong on purpose: the message names the request with its line, the call, the argument and where in its
// memory, and says which way is to blame. Status 1; with `continue` that of the program.
// RUN: rm -rf %t && mkdir %t
// RUN: for o in -O0 -O1 -O2 -O3 "-O0 -g" "-O2 -g"; do %ad $o %s -lm -o %t/a || exit 1; lines=NOLINES; names=NONAMES; \
// RUN:   case $o in *-g) lines=LINES; names=NAMES; esac; \
// RUN:   for c in RULE FORWARD INACTIVE HALVES INFINITE ASSIGNS LIST ROWS VALUE SECOND RESULT STRUCT BEHIND; do \
// RUN:     %t/a $c 2>%t/err; test $? = 1 || { echo "status, $o $c"; exit 1; }; \
// RUN:     %FileCheck %s --check-prefix=$c --input-file %t/err || { echo "$o $c"; exit 1; }; \
// RUN:     grep -c "cofactor:" %t/err | grep -qx 1 || exit 1; done; \
// RUN:   %t/a RULE 2>%t/err; %FileCheck %s --check-prefix=$lines --input-file %t/err || exit 1; \
// RUN:   %FileCheck %s --check-prefix=$names --input-file %t/err || exit 1; \
// RUN:   COFACTOR_CHECKED=continue %t/a RULE 2>%t/err; test $? = 7 || exit 1; \
// RUN:   %FileCheck %s --check-prefix=RULE --input-file %t/err || exit 1; \
// RUN:   COFACTOR_CHECKED="calls=1" %t/a SECOND 2>%t/err; test $? = 7 || exit 1; %count 0 <%t/err || exit 1; done
// LINES: wrong.c:45: cofactor: {{.*}} in call 1 ({{.*}}wrong.c:188)
// NOLINES: wrong.c:45: cofactor: {{.*}} in call 1{{$}}
// NAMES: by argument 1 (`x`),
// NONAMES: by argument 1,
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double twice(double x) { return 2 * x; }
static void twice_bar(double x, double *x_bar, double bar) {
    (void)x;
    *x_bar += 3 * bar;
}
CF_RULE_REVERSE(twice, twice_bar);
static double thrice(double x) { return 3 * x; }
static double thrice_dot(double x, double x_dot) { return x > 1 ? 2 * x_dot : 3 * x_dot; }
CF_RULE_FORWARD(thrice, thrice_dot);
static void thrice_bar(double x, double *x_bar, double bar) {
    (void)x;
    *x_bar += 3 * bar;
}
CF_RULE_REVERSE(thrice, thrice_bar);

// RULE: wrong.c:[[# @LINE + 6]]: cofactor: `rule_grad`, the derivative of `rule`, is wrong in call 1
// RULE-NEXT: by argument 1{{.*}}, at byte 16: double number 2, from 0
// RULE: Forward mode agrees with the program, reverse mode does not.
// RULE-NEXT: `twice` has a rule of the program's for reverse mode ({{.*}}wrong.c:29)
static double rule(const double *x, int n) { return sin(x[0]) * x[1] + twice(x[n - 1]); }
double rule_grad(const double *x, double *x_bar, int n);
CF_REVERSE(rule_grad, rule, "dup const");
CF_CHECK(rule_grad);

// FORWARD: `forward_grad`, {{.*}} is wrong in call 1
// FORWARD-NEXT: by argument 1{{.*}}, at byte 0
// FORWARD: Reverse mode agrees with the program, forward mode does not.
static double forward(const double *x) { return thrice(x[0]) * x[1]; }
double forward_grad(const double *x, double *x_bar);
CF_REVERSE(forward_grad, forward, "dup");
CF_CHECK(forward_grad);

// A number that only an inactive function reads.
// INACTIVE: `inactive_tan`, {{.*}} is wrong in call 1
// INACTIVE-NEXT: by argument 2{{.*}}, at byte 4: float number 1, from 0
// INACTIVE: Both modes agree and the program differs
// INACTIVE: `weight` is called inactive
static float weight(const float *w) { return w[0] + w[1] * w[1]; }
CF_INACTIVE(weight);
static float inactive(const float *x, const float *w) { return x[0] * weight(w + (x[1] > 0)) + w[0]; }
float inactive_tan(const float *x, const float *x_dot, const float *w, const float *w_dot);
CF_FORWARD(inactive_tan, inactive, "dup dup");
CF_CHECK(inactive_tan);

// HALVES: `halves_grad`, {{.*}} is wrong in call 1
// HALVES: Both modes agree and the program differs
static double halves(double a) {
    double low = 0, high = 10;
    while (high - low > 1e-13) {
        double mid = (low + high) / 2;
        if (mid * mid * mid > a)
            high = mid;
        else
            low = mid;
    }
    return low;
}
double halves_grad(double a, double *a_bar);
CF_REVERSE(halves_grad, halves, "dup");
CF_CHECK(halves_grad);

// INFINITE: `infinite_grad`, {{.*}} is not finite in call 1
// INFINITE-NEXT: by argument 1{{.*}}, at byte 8
// INFINITE: The program's values there are finite.
static double infinite(const double *x) { return x[0] + sqrt(x[1]); }
double infinite_grad(const double *x, double *x_bar);
CF_REVERSE(infinite_grad, infinite, "dup");
CF_CHECK(infinite_grad);

// ASSIGNS: `assigns_grad`, {{.*}} does not add to what its shadows hold in call 1
// ASSIGNS-NEXT: by argument 1{{.*}}, at byte 8
static double total(const double *x) { return x[0] + x[1]; }
static void total_bar(const double *x, double *x_bar, double bar) {
    (void)x;
    x_bar[0] += bar;
    x_bar[1] = bar;
}
CF_RULE_REVERSE(total, total_bar);
static double assigns(const double *x) { return exp(total(x)); }
double assigns_grad(const double *x, double *x_bar);
CF_REVERSE(assigns_grad, assigns, "dup");
CF_CHECK(assigns_grad);

typedef struct node {
    char name[5];
    struct node *next;
    float f;
    double d;
} node;
// LIST: `list_grad`, {{.*}} is wrong in call 1
// LIST-NEXT: by argument 2{{.*}}, through 2 pointers, the last at byte 8, at byte 24: a double
static double list(int n, const node *p) {
    double sum = 0;
    for (int i = 0; p; p = p->next, i++) sum += p->f * (i == n ? twice(p->d) : p->d);
    return sum;
}
double list_grad(int n, const node *p, node *p_bar);
CF_REVERSE(list_grad, list, "const dup");
CF_CHECK(list_grad);

// ROWS: `rows_grad`, {{.*}} is wrong in call 1
// ROWS-NEXT: by argument 1{{.*}}, through the pointer at byte 8, at byte 16: double number 2, from 0
static void rows(double **x, double *y) { y[0] = x[0][0] * x[1][1] + twice(x[1][2]), y[1] = x[0][2]; }
void rows_grad(double **x, double **x_bar, double *y, double *y_bar);
CF_REVERSE(rows_grad, rows, "dup dup");
CF_CHECK(rows_grad);

// VALUE: `value_grad`, {{.*}} is wrong in call 1
// VALUE-NEXT: by argument 2
static double value(double a, double b) { return a * twice(b); }
double value_grad(double a, double *a_bar, double b, double *b_bar);
CF_REVERSE(value_grad, value, "dup dup");
CF_CHECK(value_grad);

// SECOND: `second_tan`, {{.*}} is wrong in call 2
// SECOND: Reverse mode agrees with the program, forward mode does not.
static double second(double a) { return thrice(a); }
double second_tan(double a, double a_dot);
CF_FORWARD(second_tan, second, "dup");
CF_CHECK(second_tan);

// One of several outputs is wrong by little, and small.
// RESULT: `result_grad`, {{.*}} is wrong in call 1
// RESULT-NEXT: by argument 1{{.*}}, at byte 8
static void result(const double *x, double *y, double *z) {
    y[0] = 1e8 * x[0];
    z[0] = 1e-8 * twice(x[1]);
}
void result_grad(const double *x, double *x_bar, double *y, double *y_bar, double *z, double *z_bar);
CF_REVERSE(result_grad, result, "dup dup dup");
CF_CHECK(result_grad);

// Structs by value: in themselves, and behind a pointer in them.
// STRUCT: `by_value_grad`, {{.*}} is wrong in call 1
// STRUCT-NEXT: by argument 1{{.*}}, at byte 8: double number 1, from 0
// BEHIND: `behind_grad`, {{.*}} is wrong in call 1
// BEHIND-NEXT: by argument 2{{.*}}, through the pointer at byte 8, at byte 16: double number 2, from 0
typedef struct two {
    double a, b;
} two;
typedef struct view {
    double scale;
    double *at;
} view;
static double by_value(two t, view v) { return t.a * v.scale * v.at[1] + twice(t.b); }
double by_value_grad(two t, two *t_bar, view v, view *v_bar);
CF_REVERSE(by_value_grad, by_value, "dup dup");
CF_CHECK(by_value_grad);
static double behind(two t, view v) { return t.a * t.b * v.scale + twice(v.at[2]); }
double behind_grad(two t, two *t_bar, view v, view *v_bar);
CF_REVERSE(behind_grad, behind, "dup dup");
CF_CHECK(behind_grad);

int main(int argc, char **argv) {
    const char *which = argc > 1 ? argv[1] : "";
    double x[3] = {0.5, 2, 3}, x_bar[3] = {0}, y[2], y_bar[2] = {1, 1}, z, z_bar = 1;
    double edge[2] = {1, 0}, a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, *r[2] = {a, b}, *r_bar[2] = {x_bar, y};
    float f[2] = {1, 2}, w[3] = {3, 4, 5}, f_dot[2] = {1, 0}, w_dot[3] = {0};
    node n[3] = {{"a", n + 1, 1, 2}, {"b", n + 2, 3, 4}, {"c", NULL, 5, 6}}, n_bar[3] = {{"", n_bar + 1, 0, 0}};
    n_bar[1].next = n_bar + 2;
    double row_bar[3] = {0};
    two t_bar = {0, 0};
    view v_bar = {0, x_bar};
    r_bar[1] = row_bar;
    if (!strcmp(which, "RULE")) rule_grad(x, x_bar, 3);
    if (!strcmp(which, "FORWARD")) x[0] = 1.5, forward_grad(x, x_bar);
    if (!strcmp(which, "INACTIVE")) inactive_tan(f, f_dot, w, w_dot);
    if (!strcmp(which, "HALVES")) halves_grad(8.5, x_bar);
    if (!strcmp(which, "INFINITE")) infinite_grad(edge, x_bar);
    if (!strcmp(which, "ASSIGNS")) assigns_grad(x, x_bar);
    if (!strcmp(which, "LIST")) list_grad(2, n, n_bar);
    if (!strcmp(which, "ROWS")) rows_grad(r, r_bar, y, y_bar);
    if (!strcmp(which, "VALUE")) value_grad(1, x_bar, 2, x_bar + 1);
    if (!strcmp(which, "SECOND")) second_tan(0.5, 1), second_tan(1.5, 1);
    if (!strcmp(which, "STRUCT")) by_value_grad((two){1, 2}, &t_bar, (view){2, x}, &v_bar);
    if (!strcmp(which, "BEHIND")) behind_grad((two){1, 2}, &t_bar, (view){2, x}, &v_bar);
    if (!strcmp(which, "RESULT")) result_grad(x, x_bar, y, y_bar, &z, &z_bar);
    return 7;
}
