/* The problems, in the order in which they are run. */
#include "bench.h"

#define PROBLEMS(X)                                                                                          \
    X(lse)                                                                                                   \
    X(llsq)                                                                                                  \
    X(det) X(ode) X(gmm) X(lstm) X(ba) X(kmeans) X(heat) X(lj) X(bs) X(mgh) X(gpt2) X(ht) X(lbm) X(bruss)

#ifdef BENCH_FLOAT
#undef PROBLEMS
#define PROBLEMS(X) X(lse) X(gmm) X(lstm) X(gpt2)
#endif

#define DECLARE(name) extern const bench_problem bench_##name;
PROBLEMS(DECLARE)

#define ENTRY(name) &bench_##name,
const bench_problem *const bench_problems[] = {PROBLEMS(ENTRY) NULL};
