// Code without a body that gets nothing active is called as it is. Where it may know a global that holds numbers which depend on
// the inputs, there is a warning with the way out, in both modes; not for functions of the C library, for what is called before
// such a number is there, for static globals whose address stays here, nor where the program says that it is meant.
// RUN: for l in "-O0 -g" "-O2 -g"; do %ad $l -DWARN -c %s -o %t.o 2>&1 | %FileCheck --implicit-check-not=warning: %s || exit 1; done
// RUN: env COFACTOR_NO_INLINE=1 %ad -O1 -g -DWARN -c %s -o %t.o 2>&1 | %FileCheck --implicit-check-not=warning: %s
// RUN: %ad -O1 -g -DWARN -DFORWARD_ALONE -c %s -o %t.o 2>&1 | %FileCheck --implicit-check-not=warning: %s
// RUN: %ad -O1 -g -DWARN -DREVERSE_ALONE -c %s -o %t.o 2>&1 | %FileCheck --implicit-check-not=warning: %s
// RUN: %clang -O1 -I%include -I%S/../hazards -DOTHER -c %s -o %t.other.o
// RUN: for l in -O0 -O2; do %ad $l -I%S/../hazards %s %t.other.o -lm -o %t 2>%t.txt && test ! -s %t.txt && %t || exit 1; done
#ifdef WARN
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>
#ifdef FORWARD_ALONE
#define REVERSE(f)
#else
#define REVERSE(f)                                                                                           \
    double f##_r(const double *x, double *b, int n);                                                         \
    CF_REVERSE(f##_r, f, "dup const");
#endif
#ifdef REVERSE_ALONE
#define FORWARD(f)
#else
#define FORWARD(f)                                                                                           \
    double f##_t(const double *x, const double *d, int n);                                                   \
    CF_FORWARD(f##_t, f, "dup const");
#endif
#define BOTH(f) REVERSE(f) FORWARD(f)

double state, weights[4];
void step(void), each(void (*)(void)), reset(void), tick(int), say(const char *);
double current(void);
__attribute__((const)) double factor(int);
__attribute__((pure)) int level(void);
__attribute__((pure)) double total(void);

static double writes(const double *x, int n) {
    state = x[0] * x[0];
    // CHECK-DAG: unseen.c:[[#@LINE+1]]:{{.*}}warning: `step`, which has no body here, may read or write `state`{{.*}}CF_INACTIVE(step)
    step();
    return state * n;
}
BOTH(writes)

static double reads(const double *x, int n) {
    state = x[0] * n;
    // CHECK-DAG: unseen.c:[[#@LINE+1]]:{{.*}}warning: `current`, which
    return current();
}
BOTH(reads)

static double reads_only(const double *x, int n) {
    state = x[0] * n;
    // CHECK-DAG: unseen.c:[[#@LINE+1]]:{{.*}}warning: `total`, which
    return total() + level() * factor(n);
}
BOTH(reads_only)

/* In a function that has been handed the address, and behind a call. */
__attribute__((noinline)) static void put(double *to, const double *x, int n) {
    if (n > 1) put(to + 1, x + 1, n - 1);
    *to = *x;
}
__attribute__((noinline)) static void tell(int n) {
    if (n > 1) tell(n - 1);
    // CHECK-DAG: unseen.c:[[#@LINE+1]]:{{.*}}warning: `tick`, which
    tick(n);
}
static double handed(const double *x, int n) {
    put(weights, x, n);
    tell(n);
    return weights[0] * weights[1];
}
BOTH(handed)

/* In the next step of a loop. */
static double loop(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        // CHECK-DAG: unseen.c:[[#@LINE+1]]:{{.*}}warning: `reset`, which
        reset();
        state = x[i];
        s += state;
    }
    return s;
}
BOTH(loop)

/* A function of the program that code elsewhere may call back. */
static double hidden;
static void twice(void) { hidden *= 2; }
static double back(const double *x, int n) {
    hidden = x[0] * n;
    // CHECK-DAG: unseen.c:[[#@LINE+1]]:{{.*}}warning: `each`, which
    each(twice);
    return hidden;
}
BOTH(back)

/* Assembly that names memory; what only holds the compiler back does nothing. */
static double assembly(const double *x, int n) {
    state = x[0] * n;
    __asm__ volatile("" ::: "memory");
    // CHECK-DAG: unseen.c:[[#@LINE+1]]:{{.*}}warning: this assembly may read or write
    __asm__ volatile("fninit" ::: "memory");
    return state;
}
BOTH(assembly)

/* A pointer for which no function is here. */
struct hooks {
    short (*hook)(short);
};
static double pointer(const double *x, int n) {
    extern const struct hooks *hooks;
    state = x[0] * n;
    // CHECK-DAG: unseen.c:[[#@LINE+1]]:{{.*}}warning: the function that is called through this pointer
    hooks->hook(1);
    return state;
}
BOTH(pointer)

/* No warning: before, and where no number is. */
static double before(const double *x, int n) {
    say("begin");
    state = x[0] * n;
    printf("%d\n", n);
    double y = state;
    state = 0;
    return y;
}
BOTH(before)
static double inside, count;
static double stays(const double *x, int n) {
    double *p = n > 3 ? &inside : &count;
    *p = x[0];
    say("between");
    return *p * n;
}
BOTH(stays)

#else
#include "hazard.h"
extern double state;
void step(void), log_state(int);
CF_INACTIVE(log_state);
int calls(void);
#ifdef OTHER
static int n_calls;
void step(void) { n_calls++; }
void log_state(int n) { n_calls += n * (state > 1e9); }
int calls(void) { return n_calls; }
#else
double state;
static double own;
/* The ways out: static, and said to be inactive. */
static double f(double *x, int n) {
    own = x[0] * x[0];
    step();
    state = own;
    log_state(n);
    state *= x[1];
    return state;
}
GRADIENT(f);
int main(void) {
    CHECK_SAME(f, 2, LIST(3, 5), 45, LIST(30, 9));
    WANT(calls(), 6);
    return wrong;
}
#endif
#endif
