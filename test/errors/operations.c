// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -w -c %s -o %t.o 2>%t.txt; %FileCheck %s < %t.txt
// RUN: test ! -e %t.o

// What happens to active numbers that no derivative follows: each operation is named, at its line, in both modes.
#include <cofactor/ad.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double bits(double x) {
    uint64_t i;
    memcpy(&i, &x, sizeof i);
    // CHECK-DAG: operations.c:[[#@LINE+2]]:{{.*}} error: the bits of an active number go through integer arithmetic (`{{sub|lshr}}`); its derivative would be lost. Use fabs, copysign, frexp, ldexp or a rule (CF_RULE_REVERSE) instead
    // CHECK-DAG: operations.c:[[#@LINE+1]]:{{.*}} error: an active number is computed by integer arithmetic on its bits (`{{sub|lshr}}`), which cannot be differentiated; give the function a rule (CF_RULE_FORWARD)
    i = 0x5fe6eb50c7b537a9 - (i >> 1);
    memcpy(&x, &i, sizeof i);
    return x;
}
double bits_grad(double x, double *x_bar);
CF_REVERSE(bits_grad, bits, "dup");
double bits_tan(double x, double x_dot);
CF_FORWARD(bits_tan, bits, "dup");

double backwards(double x);
void backwards_rev(double x, double *x_bar, double bar);
CF_RULE_REVERSE(backwards, backwards_rev);
// CHECK-DAG: operations.c:[[#@LINE+1]]:{{.*}} error: `backwards` has a rule for reverse mode alone, and no body
static double only_reverse(double x) { return backwards(x) * x; }
double only_reverse_tan(double x, double x_dot);
CF_FORWARD(only_reverse_tan, only_reverse, "dup");

double forwards(double x);
double forwards_fwd(double x, double dot);
CF_RULE_FORWARD(forwards, forwards_fwd);
// CHECK-DAG: operations.c:[[#@LINE+1]]:{{.*}} error: function forwards has a forward rule only; give it a reverse rule too: CF_RULE_REVERSE(forwards, rule)
static double only_forward(double x) { return forwards(x) * x; }
double only_forward_grad(double x, double *x_bar);
CF_REVERSE(only_forward_grad, only_forward, "dup");

static double reads(double x, const char *text, const char *format) {
    double a[2] = {x, x};
    // CHECK-DAG: operations.c:[[#@LINE+2]]:{{.*}} error: function {{.*}}sscanf writes to memory that carries derivatives, and how much is not known
    // CHECK-DAG: operations.c:[[#@LINE+1]]:{{.*}} error: what `{{.*}}sscanf` stores cannot be told from its format
    sscanf(text, format, &a[0], &a[1]);
    return a[0] * a[1];
}
double reads_grad(double x, double *x_bar, const char *text, const char *format);
CF_REVERSE(reads_grad, reads, "dup const const");
double reads_tan(double x, double x_dot, const char *text, const char *format);
CF_FORWARD(reads_tan, reads, "dup const const");

static double grows(double x, int n) {
    double *a = malloc(sizeof *a), last;
    a[0] = x;
    for (int i = 1; i < n; i++) {
        // CHECK-DAG: operations.c:[[#@LINE+1]]:{{.*}} error: realloc is not differentiated for several adjoints at once; use width=1
        a = realloc(a, (size_t)(i + 1) * sizeof *a);
        a[i] = a[i - 1] * x;
    }
    last = a[n - 1];
    free(a);
    return last;
}
double grows_grad(double x, double x_bar[2], int n);
CF_REVERSE(grows_grad, grows, "dup const width=2");

static double swaps(double x, double *p) {
    double old = 1;
    // CHECK-DAG: operations.c:[[#@LINE+1]]:{{.*}} error: an atomic compare and exchange of an active number is not differentiated in reverse mode
    __atomic_compare_exchange(p, &old, &x, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return *p * x;
}
double swaps_grad(double x, double *x_bar, double *p, double *p_bar);
CF_REVERSE(swaps_grad, swaps, "dup dup");

// CHECK-DAG: operations.c:[[#@LINE+2]]:{{.*}} error: copies of numbers of this type are not differentiated
static double halves(_Float16 *a, _Float16 *b, int n) {
    memcpy(b, a, sizeof *a * n);
    return (double)b[0] * (double)b[1];
}
double halves_grad(_Float16 *a, _Float16 *a_bar, _Float16 *b, _Float16 *b_bar, int n);
CF_REVERSE(halves_grad, halves, "dup dup const");

static double swapped(double x) {
    uint64_t i;
    memcpy(&i, &x, sizeof i);
    // CHECK-DAG: operations.c:[[#@LINE+2]]:{{.*}} error: the bits of an active number go through integer arithmetic (`llvm.bswap.i64`)
    // CHECK-DAG: operations.c:[[#@LINE+1]]:{{.*}} error: an active number is computed by integer arithmetic on its bits (`llvm.bswap.i64`)
    i = __builtin_bswap64(i);
    memcpy(&x, &i, sizeof i);
    return x;
}
double swapped_grad(double x, double *x_bar);
CF_REVERSE(swapped_grad, swapped, "dup");
double swapped_tan(double x, double x_dot);
CF_FORWARD(swapped_tan, swapped, "dup");

static double copies(double *a, double *log, int n) {
    // CHECK-DAG: operations.c:[[#@LINE+1]]:{{.*}} error: active values are copied into an argument that is called `const`
    memcpy(log, a, sizeof *a * (size_t)n);
    return a[0] * log[0];
}
double copies_grad(double *a, double *a_bar, double *log, int n);
CF_REVERSE(copies_grad, copies, "dup const const");

static double maximum(double x, double *p) {
    // CHECK-DAG: operations.c:[[#@LINE+1]]:{{.*}} error: an atomic operation of this kind on an active number is not differentiated
    __atomic_fetch_max(p, x, __ATOMIC_SEQ_CST);
    return *p;
}
double maximum_grad(double x, double *x_bar, double *p, double *p_bar);
CF_REVERSE(maximum_grad, maximum, "dup dup");
