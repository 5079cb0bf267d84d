/* What a context costs: the same work in a context and in a copy that is edited by hand, timed in turns in one process.
 * One line of JSON each.
 *
 *     gemm    c += a b of n x n matrices, flops, loads and stores of double counted in fields of a struct
 *     sin     a sum of sines, sin replaced by cos
 *     empty   gemm in a context that does nothing, against gemm itself */
#include <cofactor/context.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- gemm ---- */

struct tally {
    long flops, loads, stores;
};
CF_PREHOOK(tally, "fp type=double") static void tally_flop(struct tally *t) { t->flops++; }
CF_PREHOOK(tally, "load type=double") static void tally_load(struct tally *t) { t->loads++; }
CF_PREHOOK(tally, "store type=double") static void tally_store(struct tally *t) { t->stores++; }

__attribute__((noinline)) static void gemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

void gemm_tally(struct tally *t, int n, const double *a, const double *b, double *c);
CF_IN(gemm_tally, gemm, tally);

__attribute__((noinline)) static void gemm_hand(struct tally *t, int n, const double *a, const double *b,
                                                double *c) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) {
                t->loads++;
                t->loads++;
                t->loads++;
                t->flops++;
                t->flops++;
                t->stores++;
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
}

struct nothing {
    int none;
};
CF_CONTEXT(nothing, "");
void gemm_nothing(struct nothing *t, int n, const double *a, const double *b, double *c);
CF_IN(gemm_nothing, gemm, nothing);

/* ---- sin and cos ---- */

struct turned {
    int none;
};
CF_OVERDUB(turned, sin) static double turned_sin(struct turned *t, double x) {
    (void)t;
    return cos(x);
}

__attribute__((noinline)) static double wave(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * sin(x[i]);
    return sum;
}

double wave_turned(struct turned *t, const double *x, int n);
CF_IN(wave_turned, wave, turned);

__attribute__((noinline)) static double wave_hand(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * cos(x[i]);
    return sum;
}

/* ---- timing ---- */

enum { n = 256, length = 200000 };
static double a[n * n], b[n * n], c[n * n], x[length];
static struct tally in_context, by_hand;
static volatile double result;

static void run_gemm(void) { gemm(n, a, b, c); }
static void run_gemm_tally(void) { gemm_tally(&in_context, n, a, b, c); }
static void run_gemm_hand(void) { gemm_hand(&by_hand, n, a, b, c); }
static void run_gemm_nothing(void) {
    struct nothing none = {0};
    gemm_nothing(&none, n, a, b, c);
}
static void run_wave_turned(void) {
    struct turned t = {0};
    result = wave_turned(&t, x, length);
}
static void run_wave_hand(void) { result = wave_hand(x, length); }

static double seconds(void (*run)(void)) {
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    run();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* The least of so many times each, taken in turns: what else the machine does meets both alike. */
static void compare(const char *name, void (*context)(void), void (*hand)(void), int times) {
    double best = INFINITY, best_hand = INFINITY;
    for (int i = 0; i < times; i++) {
        best = fmin(best, seconds(context));
        best_hand = fmin(best_hand, seconds(hand));
    }
    printf("{\"case\":\"%s\",\"context_s\":%.6g,\"hand_s\":%.6g,\"ratio\":%.4f}\n", name, best, best_hand,
           best / best_hand);
    fflush(stdout);
}

int main(int argc, char **argv) {
    int times = argc > 1 ? atoi(argv[1]) : 40;
    for (int i = 0; i < n * n; i++) a[i] = i % 7, b[i] = i % 5;
    for (int i = 0; i < length; i++) x[i] = 1e-3 * i;
    run_gemm_tally();
    run_gemm_hand();
    if (memcmp(&in_context, &by_hand, sizeof in_context)) {
        fprintf(stderr, "counts differ: %ld %ld %ld in the context, %ld %ld %ld by hand\n", in_context.flops,
                in_context.loads, in_context.stores, by_hand.flops, by_hand.loads, by_hand.stores);
        return 1;
    }
    run_wave_turned();
    double turned = result;
    run_wave_hand();
    if (turned != result) {
        fprintf(stderr, "sums differ: %.17g in the context, %.17g by hand\n", turned, result);
        return 1;
    }
    compare("gemm_256_counted", run_gemm_tally, run_gemm_hand, times);
    compare("gemm_256_empty", run_gemm_nothing, run_gemm, times);
    compare("sin_to_cos_200000", run_wave_turned, run_wave_hand, times);
}
