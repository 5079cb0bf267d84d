// The contexts that ship, included by a C++ program.
// RUN: %adxx -std=c++17 -Wall -Wextra -Werror -O0 -I%S/../../context %s -o %t0 && %t0 | %FileCheck %s
// RUN: %adxx -std=c++17 -Wall -Wextra -Werror -O2 -I%S/../../context %s -o %t2 && %t2 | %FileCheck %s
#include "count.c"
#include "cover.c"
#include "memoize.h"
#include "nan.c"
#include "profile.c"
#include "round.c"
#include "slice.c"
#include "trace.c"
#include <vector>

static double mean(const std::vector<double> &x) {
    double sum = 0;
    for (double v : x) sum += v;
    printf("%zu numbers\n", x.size());
    return sum / double(x.size());
}
static const std::vector<double> *data;
static double run() { return mean(*data); }
static long choose(int n, int k) { return k == 0 || k == n ? 1 : choose(n - 1, k - 1) + choose(n - 1, k); }
MEMOIZE2(long, choose, int, int)

double run_counted(struct count *);
CF_IN(run_counted, run, count);
double run_checked(struct nan *);
CF_IN(run_checked, run, nan);
double run_profiled(struct profile *);
CF_IN(run_profiled, run, profile);
double run_rounded(struct round *);
CF_IN(run_rounded, run, round);
double run_sliced(struct slice *);
CF_IN(run_sliced, run, slice);
double run_traced(struct trace *);
CF_IN(run_traced, run, trace);
long choose_memoized(struct memoize *, int n, int k);
CF_IN(choose_memoized, choose, memoize);

static void report(struct nan *, const cf_site *s, const cf_value *, const cf_value *) {
    printf("%s in %s\n", s->what, s->function);
}

int main() {
    std::vector<double> x = {1, 2, 4, 4}, none;
    data = &x;
    struct count *count = count_new();
    double m = run_counted(count);
    printf("mean %g, %llu flops\n", m, count_flops(count));
    count_free(count);
    // CHECK: 4 numbers
    // CHECK-NEXT: mean 2.75, 5 flops

    struct slice slice = {};
    m = run_sliced(&slice);
    printf("before it\n");
    slice_replay(&slice);
    slice_free(&slice);
    // CHECK-NEXT: before it
    // CHECK-NEXT: 4 numbers

    struct round coarse = round_format("2:8");
    printf("coarse %g\n", run_rounded(&coarse));
    // CHECK-NEXT: 4 numbers
    // CHECK-NEXT: coarse 3

    data = &none;
    struct nan nan = {};
    nan.found = report;
    run_checked(&nan);
    // CHECK-NEXT: 0 numbers
    // CHECK-NEXT: fdiv in mean
    data = &x;

    struct memoize memoize = {};
    printf("%ld, %zu results\n", choose_memoized(&memoize, 60, 30), memoize.entries);
    memoize_free(&memoize);
    // CHECK-NEXT: 118264581564861424, {{[0-9]+}} results

    struct profile *profile = profile_new();
    run_profiled(profile);
    profile_print(profile, stdout);
    profile_free(profile);
    // CHECK: 0 run()
    // CHECK: 1 mean(std::vector

    fflush(stdout);
    struct trace *trace = trace_new();
    trace->out = stdout;
    run_traced(trace);
    trace_free(trace);
    // CHECK: mean(std::vector<double, std::allocator<double>{{ ?}}> const&)(0x
    // CHECK: printf(0x{{.*}}, 4)
    // CHECK: = 2.75
}
