// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -pthread -o %t && %t || exit 1; done
// pthread_once, call_once: the function gets no argument; it runs inside the context of the call that ran it.
#include "events.h"
#include <pthread.h>
#include <threads.h>

struct count { long n; };
CF_PREHOOK(count, "call helper") static void on_helper(struct count *c) { c->n++; }

static long made;
APART void helper(long x) { made += x; }
APART void start(void) { helper(1), helper(10); }
APART void start_standard(void) { helper(100); }
static pthread_once_t once = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;
static long f(long x) {
    for (int i = 0; i < 3; i++) pthread_once(&once, start), call_once(&flag, start_standard);
    return x + made;
}
long f_in(struct count *c, long x);
CF_IN(f_in, f, count);

int main(void) {
    static struct count c, d;
    WANT(f_in(&c, 5), 116), WANT(c.n, 3);
    WANT(f_in(&d, 5), 116), WANT(d.n, 0);
    return wrong;
}
