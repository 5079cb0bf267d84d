// RUN: for l in -O0 -O2; do %adxx $l -std=c++17 -Wall -Wextra -Werror -I%S/.. %s -pthread -o %t || exit 1; \
// RUN:     for what in key tss fork new_handler terminate thrown; do %t $what || exit 1; done; done
// Callbacks that get no argument of their own: there is room for those of 32 contexts, and they stay there when they are
// handed over again; those of a 33rd run outside.
#include "events.h"
#include <exception>
#include <new>
#include <pthread.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

struct count {
    long n;
};
CF_PREHOOK(count, "call step*") static void on_step(struct count *c) { c->n++; }

static long natively;
APART int step(int x) { return natively++, x + 1; }

static void destroy(void *p) { *static_cast<int *>(p) = step(*static_cast<int *>(p)); }
static pthread_key_t key_of;
static tss_t tss_of;
static void *hold_key(void *p) { return pthread_setspecific(key_of, p), nullptr; }
static void *hold_tss(void *p) { return tss_set(tss_of, p), nullptr; }
static int in_thread(void *(*f)(void *), int x) {
    pthread_t t;
    pthread_create(&t, nullptr, f, &x);
    pthread_join(t, nullptr);
    return x;
}
static void prepare() { step(0); }
static void handler() { step(0); }
struct thrown {
    int x;
    explicit thrown(int n) : x(n) {}
    thrown(const thrown &t) : x(t.x) {}
    ~thrown() { step(0); }
};

extern "C" {
static int key(int x) {
    pthread_key_create(&key_of, destroy);
    x = in_thread(hold_key, x);
    return pthread_key_delete(key_of), x;
}
static int tss(int x) {
    tss_create(&tss_of, destroy);
    x = in_thread(hold_tss, x);
    return tss_delete(tss_of), x;
}
static int forks(int x) { return pthread_atfork(prepare, nullptr, nullptr), x + 1; }
static int new_handler(int x) { return std::set_new_handler(handler), x + 1; }
static int terminate(int x) { return std::set_terminate(handler), x + 1; }
static int throws(int x) {
    try {
        throw thrown(x);
    } catch (const thrown &t) {
        return t.x + 1;
    }
}
}

#define IN(f) extern "C" int f##_in(struct count *c, int x); CF_IN(f##_in, f, count)
IN(key);
IN(tss);
IN(new_handler);
IN(terminate);
IN(throws);
IN(forks);

// What makes the callback run, from outside.
static void nothing() {}
static void do_fork() {
    int status = 0;
    pid_t p = fork();
    if (p == 0) _exit(0);
    WANT(waitpid(p, &status, 0) == p && status == 0, 1);
}
static void handle_new() { std::get_new_handler()(); }
static void end() { std::get_terminate()(); }

int main(int, char **argv) {
    static const struct {
        const char *name;
        int (*in)(struct count *, int);
        void (*each)(), (*all)();
    } callbacks[] = {{"key", key_in, nothing, nothing},
                     {"tss", tss_in, nothing, nothing},
                     {"fork", forks_in, nothing, do_fork},
                     {"new_handler", new_handler_in, handle_new, nothing},
                     {"terminate", terminate_in, end, nothing},
                     {"thrown", throws_in, nothing, nothing}};
    static count many[33];
    long want = 0;
    for (const auto &k : callbacks)
        for (int round = 1; strcmp(k.name, argv[1]) == 0 && round <= 2; round++) {
            natively = 0;
            for (int i = 0; i < 33; i++) WANT(k.in(&many[i], i), i + 1), k.each();
            k.all();
            int times = k.all == do_fork ? round : 1; // what is registered for fork adds up
            WANT(natively, 33 * times), want += times;
            for (int i = 0; i < 33; i++) WANT(many[i].n, i < 32 ? want : 0);
        }
    WANT(want > 0, 1);
    return wrong;
}
