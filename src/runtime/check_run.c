/* Checked requests: evaluations in child processes. See check.h.
 *
 * In:     places, directions and weights, and what to evaluate
 * Out:    products of directions, weights and what was computed
 * Needs:  fork, pipe, mmap
 * Keeps:  the memory of the program, and its files
 *
 * A child has a copy of all memory, save what processes share (MAP_SHARED). Files that are open for reading it opens anew, at
 * the same position; all others lead nowhere. What would end it otherwise, ends it: exit, an exception that leaves the
 * evaluation (checked.c), and an alarm, for a lock that a thread holds which is not in the child. */
#include "runtime/check.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILES = 1024 };

/* ---- before and after, in the child ---- */

/* Another description of the file, with a position of its own; -1: nothing may be read from it, or reading takes from it. */
static int opened_again(int file, int flags) {
    struct stat about;
    char name[32];
    if ((flags & O_ACCMODE) == O_WRONLY || fstat(file, &about)) return -1;
    if (!S_ISREG(about.st_mode) && (!S_ISCHR(about.st_mode) || isatty(file))) return -1;
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    int again = open(name, O_RDONLY);
    off_t at = lseek(file, 0, SEEK_CUR);
    if (again >= 0 && at > 0) lseek(again, at, SEEK_SET);
    return again;
}

static void leave_files(const cf_check *c) {
    int nowhere = open("/dev/null", O_RDWR);
    for (int i = 0; i < FILES; i++) {
        int flags = fcntl(i, F_GETFL);
        bool mine = i == nowhere || (c->what == CF_RUN_RECORD && i == c->pipe);
        if (flags < 0 || mine || (i == STDERR_FILENO && __cf_check_settings.verbose)) continue;
        int again = opened_again(i, flags);
        dup2(again < 0 ? nowhere : again, i);
        if (again >= 0) close(again);
    }
}

static void stop(void *none) {
    (void)none;
    _exit(1);
}

_Noreturn void __cf_check_left(void) { _exit(1); }

/* Handlers of the program's for its end do not run. */
int __cxa_atexit(void (*f)(void *), void *argument, void *object);

static void guard(void) {
    sigset_t signals;
    __cxa_atexit(stop, NULL, NULL);
    signal(SIGALRM, SIG_DFL);
    sigemptyset(&signals);
    sigaddset(&signals, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
    alarm(__cf_check_settings.seconds);
}

static int varied(const cf_check *c, size_t i) { return i >= c->from && i < c->to; }

/* The adjoint that a place begins with which is only read: reverse mode must add to it. Forward mode has shown that it is. */
static double extra(const cf_check *c, size_t i) {
    if (c->places[i].flags != CF_PLACE_READ || c->v[i] == 0 || c->changed[i]) return 0;
    return i % 2 ? c->extra : -c->extra;
}

/* As it is read again from a place of that kind. */
static long double kept(const cf_spot *p, double v) {
    return p->kind == CF_PLACE_FLOAT ? (long double)(float)v : v;
}

static void prepare(cf_check *c) {
    for (size_t i = 0; i < c->n; i++) {
        const cf_spot *p = &c->places[i];
        long double v = varied(c, i) ? c->v[i] : 0, w = c->w[i] + extra(c, i);
        if (c->what != CF_RUN_PRIMAL)
            __cf_place_set(p->kind, p->shadow, c->blank ? 0 : c->what == CF_RUN_FORWARD ? v : w);
        else if (v != 0 && c->step != 0)
            __cf_place_set(p->kind, p->at, __cf_place_get(p->kind, p->at) + c->step * v);
    }
}

/* In the child, instead of returning from evaluate: leaves the runtime, with the evaluation under way. */
static _Noreturn void enter(cf_check *c) {
    leave_files(c);
    guard();
    if (c->what == CF_RUN_RECORD)
        __cf_record_begin(c);
    else
        prepare(c);
    longjmp(c->out, c->what);
}

static void add(cf_told *t, long double term) {
    t->sum += term;
    t->scale += fabsl(term);
}

static void weigh_primal(cf_check *c, size_t i) {
    const cf_spot *p = &c->places[i];
    long double y = __cf_place_get(p->kind, p->at);
    if (c->w[i] != 0) add(c->told, c->w[i] * y);
    if (!(p->flags & (CF_PLACE_WRITTEN | CF_PLACE_RESULT))) return;
    double *largest = &c->told->largest[p->argument <= c->n_arguments ? p->argument : 0];
    c->odd[i] = !isfinite(y);
    if (isfinite(y) && fabsl(y) > *largest) *largest = (double)fabsl(y);
}

_Noreturn void __cf_check_done(cf_check *c) {
    if (c->what == CF_RUN_RECORD) __cf_record_send(c->pipe);
    for (size_t i = 0; i < c->n && c->what != CF_RUN_RECORD; i++) {
        const cf_spot *p = &c->places[i];
        if (c->what == CF_RUN_PRIMAL) {
            weigh_primal(c, i);
            continue;
        }
        long double d = __cf_place_get(p->kind, p->shadow);
        if (c->what == CF_RUN_FORWARD && c->w[i] != 0) add(c->told, c->w[i] * d);
        if (c->what == CF_RUN_FORWARD && p->flags == CF_PLACE_READ && varied(c, i) && !c->blank &&
            d != kept(p, c->v[i]))
            c->changed[i] = 1;
        if (c->what != CF_RUN_REVERSE || !varied(c, i) || c->v[i] == 0) continue;
        add(c->told, c->v[i] * (d - extra(c, i)));
        if (fabsl(d) > c->told->most) c->told->most = (double)fabsl(d);
    }
    c->told->done = 1;
    _exit(0);
}

/* ---- the parent ---- */

static void await(cf_check *c, pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    c->late = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
}

static int receive(cf_check *c, int from) {
    size_t bytes = c->n * sizeof *c->places;
    for (;;) {
        if (bytes + sizeof *c->places > c->room * sizeof *c->places) {
            c->room = 2 * c->room + 64;
            cf_spot *grown = realloc(c->places, c->room * sizeof *c->places);
            if (!grown) return 0;
            c->places = grown;
        }
        ssize_t n = read(from, (char *)c->places + bytes, c->room * sizeof *c->places - bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        bytes += (size_t)n;
    }
    c->n = bytes / sizeof *c->places;
    return 1;
}

int __cf_check_record(cf_check *c) {
    int ends[2];
    if (pipe(ends)) return 0;
    c->what = CF_RUN_RECORD;
    c->told->done = 0;
    pid_t child = fork();
    if (!child) {
        close(ends[0]);
        c->pipe = ends[1];
        enter(c);
    }
    close(ends[1]);
    int good = child > 0 && receive(c, ends[0]);
    close(ends[0]);
    if (child > 0) await(c, child);
    return good && c->told->done;
}

const cf_told *__cf_check_evaluate(cf_check *c, int what) {
    memset(c->told, 0, sizeof *c->told + (c->n_arguments + 1) * sizeof *c->told->largest);
    c->what = what;
    pid_t child = fork();
    if (!child) enter(c);
    if (child > 0) await(c, child);
    return child > 0 && c->told->done ? c->told : NULL;
}
