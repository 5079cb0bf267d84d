// RUN: %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck --implicit-check-not=warning: %s
// RUN: env COFACTOR_NO_INLINE=1 %ad -g -O0 -c %s -o %t.o 2>&1 | %FileCheck --implicit-check-not=warning: %s
// RUN: %ad -g -O1 -DREVERSE_ALONE -c %s -o %t.o 2>&1 | %FileCheck --implicit-check-not=warning: %s
// RUN: %ad -g -O1 -DFORWARD_ALONE -c %s -o %t.o 2>&1 | %FileCheck --implicit-check-not=warning: %s

// Numbers that a global keeps from one request to the next are constants of the next: a warning where a request may read one
// before it has written it, and writes what depends on its inputs; not for globals that are written first, nor for what
// does not depend on the inputs, nor where the program says that it is meant.
#include <cofactor/ad.h>
#include <math.h>

#ifdef FORWARD_ALONE
#define REVERSE(f)
#else
#define REVERSE(f)                                                                                           \
    double f##_rev(double x, double *xb, int n);                                                             \
    CF_REVERSE(f##_rev, f, "dup const");
#endif
#ifdef REVERSE_ALONE
#define FORWARD(f)
#else
#define FORWARD(f)                                                                                           \
    double f##_fwd(double x, double xd, int n);                                                              \
    CF_FORWARD(f##_fwd, f, "dup const");
#endif

/* A table of results. */
static struct {
    int full;
    double key, value;
} table[16];
__attribute__((noinline)) static double looked_up(double x) {
    unsigned h = (unsigned)(x * 100) % 16;
    // CHECK-DAG: kept.c:[[#@LINE+1]]:{{.*}}warning: {{.*}}`table` keeps numbers{{.*}}CF_KEPT(table)
    if (table[h].full && table[h].key == x) return table[h].value;
    table[h].full = 1, table[h].key = x, table[h].value = exp(x) * x;
    return table[h].value;
}
static double memo(double x, int n) { return looked_up(x) * n + looked_up(x * 2); }
REVERSE(memo) FORWARD(memo)

/* A search that begins where the last one ended. */
static double root(double x, int n) {
    static double guess = 1;
    double y = 0;
    // CHECK-DAG: kept.c:[[#@LINE+1]]:{{.*}}warning: {{.*}}`{{.*}}guess` keeps numbers
    y = guess;
    for (int i = 0; i < n; i++) y = (y + x / y) / 2;
    guess = y;
    return y;
}
REVERSE(root) FORWARD(root)

/* A sum that goes on, through a function that knows the global by a pointer to an element. */
static double history[4];
__attribute__((noinline)) static void keep(double v, int n) {
    // CHECK-DAG: kept.c:[[#@LINE+1]]:{{.*}}warning: {{.*}}`history` keeps numbers
    for (int i = 0; i < 4; i++) history[i] = history[i] * 0.5 + v * (i == n);
}
static double averaged(double x, int n) {
    keep(x * x, n);
    return history[0] + history[3];
}
REVERSE(averaged) FORWARD(averaged)

/* Work space that a loop fills before another reads it, in every step. */
static double work[64];
static double in_work_space(double x, int n) {
    double s = 0;
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++) work[i] = sin(x * i + t);
        for (int i = 0; i < n; i++) s += work[i] * work[i];
    }
    return s;
}
REVERSE(in_work_space) FORWARD(in_work_space)

/* Cleared by a function; then summed up. */
static double total[2];
__attribute__((noinline)) static void clear(void) {
    for (int i = 0; i < 2; i++) total[i] = 0;
}
__attribute__((noinline)) static void add_to(double v, int i) { total[i & 1] += v; }
static double cleared(double x, int n) {
    clear();
    for (int i = 0; i < n; i++) add_to(x * i, i);
    return total[0] * total[1];
}
REVERSE(cleared) FORWARD(cleared)

/* What is kept depends on no input: a generator of random numbers, a factor that was set elsewhere. */
static double seed = 0.5, factor = 2;
void set_factor(double to) { factor = to; }
static double random_walk(double x, int n) {
    for (int i = 0; i < n; i++) {
        seed = 3.7 * seed * (1 - seed);
        x += seed * factor * sin(x);
    }
    return x;
}
REVERSE(random_walk) FORWARD(random_walk)

/* It is meant. */
static double last_solution = 1;
CF_KEPT(last_solution);
static double warm(double x, int n) {
    static double other = 1;
    CF_KEPT(other);
    double y = last_solution * other;
    for (int i = 0; i < n; i++) y = (y + x / y) / 2;
    other = last_solution = y;
    return y;
}
REVERSE(warm) FORWARD(warm)
