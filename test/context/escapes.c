// RUN: for l in -O0 -O2; do %ad $l -D_GNU_SOURCE -Wall -Wextra -I%S %s -lm -o %t && %t %S || exit 1; done
// What leaves the context though the C library calls back: callbacks in structures, on other stacks and in processes of
// their own. The program does what it does natively; what the callbacks call is seen by no hook. (Functions that stay inside:
// test/context/callbacks.)
#include "events.h"
#include <argp.h>
#include <fts.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

struct count {
    long n;
};
CF_PREHOOK(count, "call step") static void on_step(struct count *c) { __atomic_add_fetch(&c->n, 1, __ATOMIC_SEQ_CST); }

static long natively;
APART int step(int x) { return __atomic_add_fetch(&natively, 1, __ATOMIC_SEQ_CST), x + 1; }

static ssize_t write_cookie(void *cookie, const char *text, size_t n) {
    (void)text;
    *(int *)cookie = step(*(int *)cookie);
    return (ssize_t)n;
}
static int cookie(int x) {
    cookie_io_functions_t f = {.write = write_cookie};
    FILE *out = fopencookie(&x, "w", f);
    setvbuf(out, NULL, _IONBF, 0);
    return fputs("text", out), fclose(out), x;
}

static int compare(const FTSENT **a, const FTSENT **b) { return step(strcmp((*a)->fts_name, (*b)->fts_name)) - 1; }
static const char *folder;
static int walk(int x) {
    char *paths[] = {(char *)folder, NULL};
    FTS *f = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, compare);
    fts_read(f);
    for (FTSENT *e = fts_children(f, 0); e; e = e->fts_link) x += e->fts_link && strcmp(e->fts_name, e->fts_link->fts_name) > 0;
    return fts_close(f), x;
}

static error_t option(int key, char *argument, struct argp_state *state) {
    (void)argument;
    if (key != 'x') return ARGP_ERR_UNKNOWN;
    return *(int *)state->input = step(*(int *)state->input), 0;
}
static int options(int x) {
    static const struct argp_option all[] = {{"x", 'x', NULL, 0, "x", 0}, {0}};
    static const struct argp a = {all, option, NULL, NULL, NULL, NULL, NULL};
    char *words[] = {"program", "-x", NULL};
    return argp_parse(&a, 2, words, 0, NULL, &x), x;
}

static ucontext_t here, there;
static int carried;
static void other_stack(void) { carried = step(carried); }
static int coroutine(int x) {
    static char stack[1 << 16];
    carried = x;
    getcontext(&there);
    there.uc_stack.ss_sp = stack, there.uc_stack.ss_size = sizeof stack, there.uc_link = &here;
    makecontext(&there, other_stack, 0);
    swapcontext(&here, &there);
    return carried;
}

static int child(void *p) { return step(*(int *)p); }
static int process(int x) {
    static char stack[1 << 16] __attribute__((aligned(64)));
    int status;
    pid_t id = clone(child, stack + sizeof stack, CLONE_VM | SIGCHLD, &x); /* in this memory, so that it can be seen */
    return waitpid(id, &status, 0) == id ? WEXITSTATUS(status) : -1;
}

static volatile int rang;
static void ring(union sigval v) { rang = step(v.sival_int); }
static int timer(int x) {
    timer_t t;
    struct sigevent e = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_int = x, ._sigev_un._sigev_thread._function = ring};
    struct itimerspec at = {.it_value.tv_nsec = 1000};
    rang = 0;
    if (timer_create(CLOCK_MONOTONIC, &e, &t) || timer_settime(t, 0, &at, NULL)) return -1;
    for (int i = 0; !rang && i < 5000; i++) usleep(1000);
    return timer_delete(t), rang;
}

#define IN(f) int f##_in(struct count *c, int x); CF_IN(f##_in, f, count)
IN(cookie);
IN(walk);
IN(options);
IN(coroutine);
IN(process);
IN(timer);

/* The same result; something was called, and nothing of it inside. */
#define ESCAPES(f)                                                                                                  \
    do {                                                                                                            \
        struct count c = {0};                                                                                       \
        int want = f(3);                                                                                            \
        natively = 0;                                                                                               \
        WANT(f##_in(&c, 3), want), WANT(c.n, 0);                                                                    \
        if (!natively) printf("%s called nothing\n", #f), wrong = 1;                                                \
    } while (0)

int main(int argc, char **argv) {
    (void)argc;
    folder = argv[1];
    ESCAPES(cookie);
    ESCAPES(walk);
    ESCAPES(options);
    ESCAPES(coroutine);
    ESCAPES(process);
    ESCAPES(timer);
    return wrong;
}
