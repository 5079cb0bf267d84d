/* Handlers of signals inside a context. The system gets one function for all of them, which finds the program's handler by
 * the number of the signal; what the system returns as the old handler is turned back into the program's.
 *
 * A handler may set handlers itself, so nothing here waits, and what a handler needs is never freed: a pair of context and
 * handler has one record for the life of the program. */
#include "runtime/context.h"
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct record {
    struct record *next;
    cf_callee callee;
} record;

typedef void handler(int);
typedef void info_handler(int, siginfo_t *, void *);
typedef void handler_run(void *, cf_any *, int);
typedef void info_handler_run(void *, cf_any *, int, siginfo_t *, void *);
typedef handler *setter(int, handler *);

enum { PLAIN, INFO, FORMS };

static _Atomic(record *) records;
static _Atomic(record *) handling[FORMS][_NSIG];

static record *record_of(cf_callee c) {
    for (record *r = records; r; r = r->next)
        if (r->callee.context == c.context && r->callee.function == c.function && r->callee.run == c.run)
            return r;
    record *r = malloc(sizeof *r);
    if (!r) return NULL;
    *r = (record){records, c};
    while (!atomic_compare_exchange_weak(&records, &r->next, r)) continue;
    return r;
}

static void on_signal(int number) {
    cf_callee c = handling[PLAIN][number]->callee;
    CF_RUN(c, handler_run)(c.context, c.function, number);
}

static void on_signal_info(int number, siginfo_t *info, void *machine) {
    cf_callee c = handling[INFO][number]->callee;
    CF_RUN(c, info_handler_run)(c.context, c.function, number, info, machine);
}

/* No function: default, ignored, held, error. */
static bool is_word(handler *h) {
    return h == SIG_DFL || h == SIG_IGN || h == SIG_ERR || h == (handler *)2; /* SIG_HOLD */
}
static bool is_signal(int number) { return number > 0 && number < _NSIG; }

/* What is installed by one of the simple functions. NULL: no memory. */
static record *install(int number, handler *h, void *context, handler_run *run) {
    record *now = record_of((cf_callee){context, (cf_any *)h, (cf_any *)run});
    if (now) handling[PLAIN][number] = now;
    return now;
}

/* `__sysv_signal` is what `signal` is in strictly standard C. */
extern setter __sysv_signal, sysv_signal, ssignal;
#define SET_BY(name)                                                                                         \
    handler *__cf_in_##name(int number, handler *h, void *context, handler_run *run) {                       \
        if (!is_signal(number)) return name(number, h);                                                      \
        record *was = handling[PLAIN][number];                                                               \
        bool word = is_word(h);                                                                              \
        if (!word && !install(number, h, context, run)) return errno = ENOMEM, SIG_ERR;                      \
        handler *old = name(number, word ? h : on_signal);                                                   \
        if (old == SIG_ERR) handling[PLAIN][number] = was;                                                   \
        return old == on_signal ? (handler *)was->callee.function : old;                                     \
    }
SET_BY(signal)
SET_BY(__sysv_signal)
SET_BY(sysv_signal)
SET_BY(ssignal)

/* Puts our function in the place of the program's. False: no memory. */
static bool wrap(int number, struct sigaction *a, void *context, handler_run *run,
                 info_handler_run *run_info) {
    bool info = a->sa_flags & SA_SIGINFO;
    if (is_word(a->sa_handler)) return true;
    cf_callee c = {context, (cf_any *)a->sa_handler, info ? (cf_any *)run_info : (cf_any *)run};
    record *now = record_of(c);
    if (!now) return false;
    handling[info ? INFO : PLAIN][number] = now;
    if (info)
        a->sa_sigaction = on_signal_info;
    else
        a->sa_handler = on_signal;
    return true;
}

int __cf_in_sigaction(int number, const struct sigaction *new, struct sigaction *old, void *context,
                      handler_run *run, info_handler_run *run_info) {
    if (!is_signal(number)) return sigaction(number, new, old);
    record *was[FORMS] = {handling[PLAIN][number], handling[INFO][number]};
    struct sigaction ours, before;
    if (new) {
        ours = *new;
        if (!wrap(number, &ours, context, run, run_info)) return errno = ENOMEM, -1;
    }
    int status = sigaction(number, new ? &ours : NULL, &before);
    if (status) {
        for (int i = 0; i < FORMS; i++) handling[i][number] = was[i];
        return status;
    }
    if (before.sa_handler == on_signal) before.sa_handler = (handler *)was[PLAIN]->callee.function;
    if (before.sa_sigaction == on_signal_info)
        before.sa_sigaction = (info_handler *)was[INFO]->callee.function;
    if (old) *old = before;
    return status;
}
