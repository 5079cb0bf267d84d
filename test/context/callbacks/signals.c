// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -pthread -o %t && %t || exit 1; done
// signal and sigaction: the handler runs inside the context that set it; what is asked for and given back are the program's
// own pointers; SIG_IGN and SIG_DFL stay what they are.
#define _GNU_SOURCE
#include "events.h"
#include <signal.h>

struct count { volatile long n; int last; };
CF_PREHOOK(count, "call note_signal") static void on_note(struct count *c, int s) { c->n++, c->last = s; }

static volatile int got, code;
APART void note_signal(int s) { got = got * 100 + s; }
APART void handler(int s) { note_signal(s); }
APART void other(int s) { note_signal(s), note_signal(-s); }
APART void with_info(int s, siginfo_t *info, void *context) { note_signal(s), code = info->si_signo * (context != NULL); }

static int by_signal(void) {
    got = 0;
    if (signal(SIGUSR1, handler) == SIG_ERR) return -1;
    raise(SIGUSR1);
    return got;
}
static int by_sigaction(void) {
    struct sigaction a;
    memset(&a, 0, sizeof a);
    got = code = 0;
    a.sa_handler = handler;
    if (sigaction(SIGUSR1, &a, NULL) != 0) return -1;
    raise(SIGUSR1);
    return got;
}
static int by_info(void) {
    struct sigaction a;
    memset(&a, 0, sizeof a);
    got = code = 0;
    a.sa_sigaction = with_info, a.sa_flags = SA_SIGINFO;
    if (sigaction(SIGUSR2, &a, NULL) != 0) return -1;
    raise(SIGUSR2);
    return got * 1000 + code;
}
/* Other names of it, some with the handler gone after the first signal. */
typedef void (*set(int, void (*)(int)))(int);
set __sysv_signal;
static int by_other_names(void) {
    got = 0;
    if (ssignal(SIGUSR1, handler) == SIG_ERR) return -1;
    raise(SIGUSR1);
    if (sysv_signal(SIGUSR1, handler) != handler) return -2;
    raise(SIGUSR1);
    if (__sysv_signal(SIGUSR1, handler) == SIG_ERR) return -3;
    raise(SIGUSR1);
    return signal(SIGUSR1, SIG_DFL) == SIG_DFL ? got : -4;
}
static int given_back(void) {
    struct sigaction a, before;
    memset(&a, 0, sizeof a);
    got = 0;
    signal(SIGUSR1, other);
    if (signal(SIGUSR1, handler) != other) return -1;
    a.sa_handler = other;
    sigaction(SIGUSR1, &a, &before);
    if (before.sa_handler != handler) return -2;
    sigaction(SIGUSR1, NULL, &before);
    if (before.sa_handler != other) return -3;
    /* Set again what was given back. */
    sigaction(SIGUSR1, &before, NULL);
    raise(SIGUSR1);
    if (got != SIGUSR1 * 100 - SIGUSR1) return -4;
    if (signal(SIGUSR1, SIG_IGN) != other) return -5;
    raise(SIGUSR1);
    return signal(SIGUSR1, SIG_DFL) == SIG_IGN ? 1 : -6;
}
#define IN(f) int f##_in(struct count *c); CF_IN(f##_in, f, count)
IN(by_signal);
IN(by_sigaction);
IN(by_info);
IN(by_other_names);
IN(given_back);

int main(void) {
    static struct count c, d;
    WANT(by_signal(), SIGUSR1), WANT(c.n, 0);
    WANT(by_signal_in(&c), SIGUSR1), WANT(c.n, 1), WANT(c.last, SIGUSR1);
    /* The handler stays in the context when the request has returned. */
    raise(SIGUSR1);
    WANT(c.n, 2);
    WANT(by_sigaction_in(&d), SIGUSR1), WANT(c.n, 2), WANT(d.n, 1);
    WANT(by_info_in(&d), SIGUSR2 * 1000 + SIGUSR2), WANT(d.n, 2), WANT(d.last, SIGUSR2);
    raise(SIGUSR1);
    WANT(d.n, 3);
    c.n = 2, d.n = 0;
    WANT(by_other_names_in(&d), (SIGUSR1 * 100 + SIGUSR1) * 100 + SIGUSR1), WANT(d.n, 3), WANT(c.n, 2);
    WANT(given_back_in(&c), 1), WANT(c.n, 4);
    WANT(given_back(), 1), WANT(c.n, 4);
    return wrong;
}
