/* The problems, in the order in which they are run, and the cases whose inputs are files. */
#include "bench.h"

#define PROBLEMS(X)                                                                                          \
    X(lse)                                                                                                   \
    X(llsq)                                                                                                  \
    X(det) X(ode) X(gmm) X(lstm) X(ba) X(kmeans) X(heat) X(lj) X(bs) X(mgh) X(gpt2) X(ht) X(lbm) X(bruss)

#ifdef BENCH_FLOAT
#undef PROBLEMS
#define PROBLEMS(X) X(lse) X(gmm) X(lstm) X(gpt2)
#endif

const bench_file bench_files[] = {
    {"gmm_test", "gmm", "gmm_test", NULL},
    {"gmm_d2_K5", "gmm", "gmm_d2_K5", NULL},
    {"gmm_d10_K5", "gmm", "gmm_d10_K5", NULL},
    {"gmm_d10_K25", "gmm", "gmm_d10_K25", "gmm_gen_d10_K25_n1000_s14"},
    {"gmm_d20_K10", "gmm", "gmm_d20_K10", "gmm_gen_d20_K10_n1000_s15"},
    {"lstm_l2_c1024", "lstm", "lstm_l2_c1024", NULL},
    {"lstm_l4_c1024", "lstm", "lstm_l4_c1024", "lstm_gen_l4_c1024_b14_s33"},
    {"lstm_l4_c4096", "lstm", "lstm_l4_c4096", "lstm_gen_l4_c4096_b14_s34"},
    {"ba_test", "ba", "ba_test", NULL},
    {"ba_block", "ba", "ba1_n49_m7776_p31843", NULL},
    {"ba1_n49_m7776_p31843", "ba", "ba1_n49_m7776_p31843", "ba_gen_n49_m7776_p31843_s22"},
    {"ba5_n257_m65132_p225911", "ba", "ba5_n257_m65132_p225911", "ba_gen_n257_m65132_p225911_s23"},
    {"ht_test_simple", "ht", "ht_test_simple", NULL},
    {"ht_test_complicated", "ht", "ht_test_complicated", NULL},
    {"ht_simple_hand1", "ht", "ht_simple_hand1", NULL},
    {"ht_complicated_hand1", "ht", "ht_complicated_hand1", NULL},
    {"ht_simple_hand5", "ht", "ht_simple_hand5", "ht_gen_simple_n800_s155"},
    {"ht_complicated_hand5", "ht", "ht_complicated_hand5", "ht_gen_complicated_n800_s156"},
    {"ht_simple_hand5@16", "ht", "ht_simple_hand5", "ht_gen_simple_n12800_s157"},
    {"ht_complicated_hand5@16", "ht", "ht_complicated_hand5", "ht_gen_complicated_n12800_s158"},
    {NULL, NULL, NULL, NULL}};

#define DECLARE(name) extern const bench_problem bench_##name;
PROBLEMS(DECLARE)

#define ENTRY(name) &bench_##name,
const bench_problem *const bench_problems[] = {PROBLEMS(ENTRY) NULL};
