/* The contexts that ship, included by a program that asks for its functions inside of them.
 *
 * RUN: %ad -std=gnu11 -Wall -Wextra -Werror -O0 -I%S/../../context %s -lm -o %t0 && %t0 2>&1 | %FileCheck %s
 * RUN: %ad -std=gnu11 -Wall -Wextra -Werror -O2 -I%S/../../context %s -lm -o %t2 && %t2 2>&1 | %FileCheck %s
 */
#include "count.c"
#include "cover.c"
#include "memoize.h"
#include "nan.c"
#include "profile.c"
#include "round.c"
#include "slice.c"
#include "trace.c"

#define NO_MAIN
#include "Inputs/prints.c"

static double dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}
static double norm(const double *x, int n) { return sqrt(dot(x, x, n)); }
static long fib(int n) { return n < 3 ? 1 : fib(n - 2) + fib(n - 1); }
MEMOIZE1(long, fib, int)

double norm_counted(struct count *, const double *x, int n);
CF_IN(norm_counted, norm, count);
double norm_rounded(struct round *, const double *x, int n);
CF_IN(norm_rounded, norm, round);
double norm_checked(struct nan *, const double *x, int n);
CF_IN(norm_checked, norm, nan);
double norm_traced(struct trace *, const double *x, int n);
CF_IN(norm_traced, norm, trace);
double norm_profiled(struct profile *, const double *x, int n);
CF_IN(norm_profiled, norm, profile);
double norm_covered(struct cover *, const double *x, int n);
CF_IN(norm_covered, norm, cover);
int run_sliced(struct slice *);
CF_IN(run_sliced, run, slice);
long fib_memoized(struct memoize *, int n);
CF_IN(fib_memoized, fib, memoize);

static int found;
static void report(struct nan *n, const cf_site *s, const cf_value *operand, const cf_value *result) {
    (void)n, (void)operand, (void)result;
    printf("%s in %s\n", s->what, s->function);
    found++;
}

static void piece(void *data, FILE *to, const char *text, size_t length) {
    printf("%d %s: %.*s\n", ++*(int *)data, to == stdout ? "out" : "err", (int)length - 1, text);
}

int main(void) {
    static const double x[3] = {1, 4, 8}, wide[2] = {1e200, 1};
    struct count *count = count_new();
    double result = norm_counted(count, x, 3);
    printf("%g: %llu flops, %llu loads, %llu stores, %llu bytes\n", result, count_flops(count), count_loads(count),
           count_stores(count), count_bytes(count));
    count_free(count);
    // CHECK: 9: 6 flops, 6 loads, 0 stores, 48 bytes

    struct round half = round_format("float16");
    printf("%g\n", norm_rounded(&half, x, 2));
    // CHECK-NEXT: 4.125

    struct nan nan = {.found = report};
    norm_checked(&nan, wide, 2);
    printf("%d found\n", found);
    // CHECK-NEXT: fmul in dot
    // CHECK-NEXT: 1 found

    struct slice slice = {0};
    int pieces = 0, sum = run_sliced(&slice);
    printf("%d and nothing else\n", sum);
    slice_each(&slice, piece, &pieces);
    slice_free(&slice);
    // CHECK-NEXT: 5 and nothing else
    // CHECK-NEXT: 1 out: a is 2
    // CHECK-NEXT: 2 err: b is 3

    struct memoize memoize = {0};
    printf("%ld %zu\n", fib_memoized(&memoize, 50), memoize.entries);
    memoize_free(&memoize);
    // CHECK: 12586269025 49

    struct profile *profile = profile_new();
    norm_profiled(profile, x, 3);
    profile_print(profile, stdout);
    profile_free(profile);
    // CHECK: operations
    // CHECK-NEXT: inclusive exclusive calls function
    // CHECK-NEXT: 0 norm
    // CHECK-NEXT: 1 dot
    // CHECK-NEXT: 1 sqrt

    struct cover *cover = cover_new();
    norm_covered(cover, x, 3);
    cover_print(cover, stdout);
    cover_free(cover);
    // CHECK: have no line: compile with -g

    fflush(stdout);
    struct trace *trace = trace_new();
    norm_traced(trace, x, 3);
    trace_free(trace);
    // CHECK: dot(0x{{.*}}, 0x{{.*}}, 3) = 81
    // CHECK-NEXT: sqrt(81) = 9
}
