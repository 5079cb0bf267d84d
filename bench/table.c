/* The problems, in the order in which they are run. */
#include "bench.h"

extern const bench_problem bench_lse, bench_llsq, bench_det, bench_ode, bench_gmm, bench_lstm, bench_ba,
    bench_kmeans, bench_heat, bench_lj, bench_bs;

const bench_problem *const bench_problems[] = {&bench_lse,  &bench_llsq, &bench_det, &bench_ode,
                                               &bench_gmm,  &bench_lstm, &bench_ba,  &bench_kmeans,
                                               &bench_heat, &bench_lj,   &bench_bs,  NULL};
