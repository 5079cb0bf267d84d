// RUN: %S/run.sh "%ad" %s %t
// A tape that gets no memory tells the program's handler how much it needs, which may leave; sizes that do not fit into
// an integer are told too, and never set aside too little. Without a handler the program ends with a message.
// RUN: %ad -O1 -DNO_HANDLER %s -I%S -lm -pthread -o %t.none && %not --crash %t.none 2>&1 | %FileCheck %s
// CHECK: cofactor: out of memory: the tape of a gradient
#include "hazard.h"
#include <cofactor/tape.h>
#include <setjmp.h>
#include <sys/resource.h>

static double long_chain(const double *x, long n) {
    double s = x[0];
    for (long i = 0; i < n; i++) s = sin(s) * x[1];
    return s;
}
double r1(const double *x, double *b, long n);
CF_REVERSE(r1, long_chain, "dup const");

static double huge(const double *x, long n, long m) {
    double s = x[0];
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            for (long k = 0; k < m; k++) s = sin(s) * x[1];
    return s;
}
double r2(const double *x, double *b, long n, long m);
CF_REVERSE(r2, huge, "dup const const");

static jmp_buf back;
static size_t told;
#ifndef NO_HANDLER
void cofactor_out_of_memory(size_t bytes) {
    told = bytes;
    longjmp(back, 1);
}
#endif

int main(void) {
    const rlim_t some = 256 << 20;
    setrlimit(RLIMIT_AS, &(struct rlimit){some, some});
    const double x[2] = {0.5, 1};
    double b[2] = {0};
    volatile int left = 0;
    if (!setjmp(back))
        r1(x, b, 1L << 28);
    else
        left = 1;
    WANT(left, 1), WANT(told > (size_t)some / 8, 1);
    left = 0, told = 0;
    if (!setjmp(back))
        r2(x, b, 1L << 31, 1L << 31);
    else
        left = 1;
    WANT(left, 1), WANT(told > (size_t)some, 1);
    /* What is small goes on as before. */
    memset(b, 0, sizeof b);
    WANT(r1(x, b, 2), sin(sin(0.5))), WANT(b[0], cos(sin(0.5)) * cos(0.5));
    WANT(b[1], sin(sin(0.5)) + cos(sin(0.5)) * sin(0.5));
    return wrong;
}
