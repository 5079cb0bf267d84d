// What a check must not do, and what it cannot check. Nothing is printed or written twice, and files are read on from where they
// were; the state of the program is as it was; a primal that does not return, or whose result is made from something else each
// time, is left out with one message; kinks and steps are no disagreement.
// RUN: rm -rf %t && mkdir %t && printf '1 2 3 4 5' >%t/in
// RUN: for o in -O0 -O2; do %ad $o %s -lm -lpthread -o %t/a || exit 1; \
// RUN:   for c in prints reads counts random rounds kinks threads shared; do \
// RUN:     (cd %t && COFACTOR_CHECKED="calls=all verbose" ./a $c >$c.out 2>$c.err) || { echo "$o $c"; cat %t/$c.err; exit 1; }; \
// RUN:     %FileCheck %s --check-prefix=$c --input-file %t/$c.err || exit 1; done; \
// RUN:   test $(wc -l <%t/written) = 1001 && test $(wc -l <%t/prints.out) = 1001 || exit 1; \
// RUN:   for c in device quits waits; do \
// RUN:     (cd %t && COFACTOR_CHECKED="calls=all seconds=1" timeout -s KILL 100 ./a $c >$c.out 2>$c.err); \
// RUN:     echo "status $?" >>%t/$c.err; %FileCheck %s --check-prefix=$c --input-file %t/$c.err || exit 1; done; \
// RUN:   test "$(cat %t/quits.out)" = ended || exit 1; done
#include <cofactor/ad.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define CHECKED(f)                                                                                           \
    double f##_grad(const double *x, double *x_bar);                                                         \
    CF_REVERSE(f##_grad, f, "dup");                                                                          \
    CF_CHECK(f##_grad);

// prints: `prints_grad`, {{.*}}, agrees in call 1
static FILE *file;
static double prints(const double *x) {
    double s = x[0];
    for (int i = 0; i < 1000; i++) {
        s += 0.5 * sin(s);
        fprintf(file, "%d %g\n", i, s);
        printf("%d %g\n", i, s);
    }
    return s;
}
CHECKED(prints)

// reads: `reads_grad`, {{.*}}, agrees in call 1
static double reads(const double *x) {
    int n;
    double s = 0;
    while (fscanf(file, "%d", &n) == 1) s += n * x[0] * x[0];
    return s;
}
CHECKED(reads)

// counts: `counts_grad`, {{.*}}, agrees in call 1
// counts: `counts_grad`, {{.*}}, agrees in call 2
static int count;
static double counts(const double *x) { return x[0] * x[0] * ++count; }
CHECKED(counts)

// random: `random_grad`, {{.*}}, agrees in call 1
CF_INACTIVE(rand);
static double random_(const double *x) { return x[0] * (rand() % 100 + 1); }
double random_grad(const double *x, double *x_bar);
CF_REVERSE(random_grad, random_, "dup");
CF_CHECK(random_grad);

// rounds: `rounds_grad`, {{.*}}, agrees in call 1
static double rounds(const double *x) { return floor(x[0] * 10.5) + (double)(int)(x[1] * 100.3) + x[2]; }
CHECKED(rounds)

// kinks: agrees in both modes; differences do not settle, in call 1
// kinks: agrees in both modes; differences do not settle, in call 2
static double kinks(const double *x) { return fabs(x[0]) + fmax(x[1], x[2]) + (x[3] > 0 ? x[3] : -x[3]); }
CHECKED(kinks)

// Each thread checks its own calls; other threads are not there in an evaluation.
// threads-NOT: wrong
// threads: agrees in call 40
static double blocks(const double *x) {
    double *y = malloc(64);
    y[1] = x[0] * x[1];
    double s = y[1] * x[2];
    free(y);
    return s;
}
CHECKED(blocks)

// Two arguments point to the same numbers, each with a shadow of its own: what is shared is not varied.
// shared: `dot_grad`, {{.*}}, is not checked in call 1: the primal reads no number
// shared: `dot_grad`, {{.*}}, agrees in call 2
static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1]; }
double dot_grad(const double *a, double *a_bar, const double *b, double *b_bar);
CF_REVERSE(dot_grad, dot, "dup dup");
CF_CHECK(dot_grad);

// device: `device_grad`, {{.*}}, is not checked in call 1: from the same state the primal computes something else each time
// device-NEXT: status 0
__attribute__((noinline)) static double noise(void) {
    unsigned u = 0;
    FILE *f = fopen("/dev/urandom", "r");
    if (fread(&u, sizeof u, 1, f) != 1) abort();
    fclose(f);
    return u;
}
CF_INACTIVE(noise);
static double device(const double *x) { return x[0] * noise(); }
CHECKED(device)

// quits: `quits_grad`, {{.*}}, is not checked in call 1: the primal does not return
// quits-NEXT: status 3
static double quits(const double *x) {
    if (x[0] > 0) exit(3);
    return x[0];
}
CHECKED(quits)

// waits: `waits_grad`, {{.*}}, is not checked in call 1: the primal takes more than 1 s
// waits-NEXT: status 0
static int parent;
__attribute__((noinline)) static void look(void) {
    if (getpid() != parent) pause();
}
CF_INACTIVE(look);
static double waits(const double *x) {
    look();
    return x[0];
}
CHECKED(waits)

static void *thread(void *x) {
    double x_bar[4] = {0};
    for (int i = 0; i < 10; i++) blocks_grad(x, x_bar);
    return NULL;
}

static void ended(void) { puts("ended"); }

int main(int argc, char **argv) {
    const char *which = argc > 1 ? argv[1] : "";
    double x[4] = {1, 2, 3, 4}, x_bar[4] = {0}, zero[4] = {0}, even[4] = {1, 2, 2, 0};
    if (!strcmp(which, "prints")) {
        file = fopen("written", "w");
        fprintf(file, "head\n");
        printf("head\n");
        prints_grad(x, x_bar);
    }
    if (!strcmp(which, "reads")) {
        file = fopen("in", "r");
        reads_grad(x, x_bar);
        return x_bar[0] != 30;
    }
    if (!strcmp(which, "counts")) {
        counts_grad(x, x_bar), counts_grad(x, x_bar);
        return x_bar[0] != 6 || count != 2;
    }
    if (!strcmp(which, "random")) random_grad(x, x_bar);
    if (!strcmp(which, "rounds")) rounds_grad(x, x_bar);
    if (!strcmp(which, "kinks")) kinks_grad(zero, x_bar), kinks_grad(even, x_bar);
    if (!strcmp(which, "shared")) dot_grad(x, x_bar, x, x_bar + 2), dot_grad(x, x_bar, x + 1, x_bar + 1);
    if (!strcmp(which, "threads")) {
        pthread_t t[4];
        for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, thread, x);
        for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    }
    if (!strcmp(which, "device")) device_grad(x, x_bar);
    if (!strcmp(which, "quits")) atexit(ended), quits_grad(x, x_bar);
    if (!strcmp(which, "waits")) parent = getpid(), waits_grad(x, x_bar);
    return 0;
}
