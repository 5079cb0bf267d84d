// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -pthread -o %t && %t || exit 1; done
// pthread_create, thrd_create: the thread runs inside the context that was there when it was made, each thread in its own.
#include "events.h"
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

struct count { _Atomic long work; _Atomic long mul; int id; };
CF_PREHOOK(count, "call work") static void on_work(struct count *c) { c->work++; }
CF_PREHOOK(count, "mul type=i64") static void on_mul(struct count *c) { c->mul++; }

APART long work(long x) { return x * 3; }
APART void *posix(void *p) {
    long *x = p;
    for (int i = 0; i < 1000; i++) *x = work(*x) % 1000003;
    return x;
}
APART int standard(void *p) {
    long *x = p;
    for (int i = 0; i < 500; i++) *x = work(*x) % 1000003;
    return (int)*x;
}
static long f(long x) {
    pthread_t t[2];
    thrd_t s;
    long v[3] = {x, x + 1, x + 2}, *end = NULL;
    int result = 0;
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, posix, &v[i]);
    thrd_create(&s, standard, &v[2]);
    for (int i = 0; i < 2; i++) pthread_join(t[i], (void **)&end);
    thrd_join(s, &result);
    return v[0] + v[1] + v[2] + (end == &v[1]) + result;
}
long f_in(struct count *c, long x);
CF_IN(f_in, f, count);

static struct count of_thread[2];
static void *user(void *p) {
    struct count *c = p;
    return (void *)(intptr_t)f_in(c, c->id);
}

int main(void) {
    static struct count c;
    WANT(f_in(&c, 5), f(5));
    WANT(c.work, 2500), WANT(c.mul, 2500);
    /* Two threads of the user's, each with a context, at the same time. */
    pthread_t t[2];
    void *r[2];
    for (int i = 0; i < 2; i++) of_thread[i].id = i + 1, pthread_create(&t[i], NULL, user, &of_thread[i]);
    for (int i = 0; i < 2; i++) pthread_join(t[i], &r[i]);
    for (int i = 0; i < 2; i++) WANT((intptr_t)r[i], f(i + 1)), WANT(of_thread[i].work, 2500), WANT(of_thread[i].mul, 2500);
    return wrong;
}
