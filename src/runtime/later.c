/* Library functions that call back after they have returned, or in another thread. A callback that gets an argument of
 * the program's gets a block with everything in its place; one that gets none finds what belongs to it by the order of
 * the calls (ends of the program), by its own address (a fixed number of them), or by the number of the signal (signal.c). */
#include "runtime/context.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <threads.h>

/* ---- with an argument ---- */

typedef struct block {
    cf_callee callee;
    void *argument;
} block;

typedef void *start_run(void *, cf_any *, void *);
typedef int start_c_run(void *, cf_any *, void *);
typedef void end_run(void *, cf_any *, void *);
typedef void end_status_run(void *, cf_any *, int, void *);

static block *new_block(void *context, cf_any *function, cf_any *run, void *argument) {
    block *b = malloc(sizeof *b);
    if (b) *b = (block){{context, function, run}, argument};
    return b;
}

/* What is in a block, which is freed. */
static block take(void *p) {
    block b = *(block *)p;
    free(p);
    return b;
}

static void *start(void *p) {
    block b = take(p);
    return CF_RUN(b.callee, start_run)(b.callee.context, b.callee.function, b.argument);
}

int __cf_in_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*f)(void *),
                           void *argument, void *context, start_run *run) {
    block *b = new_block(context, (cf_any *)f, (cf_any *)run, argument);
    if (!b) return 11; /* EAGAIN: no memory */
    int status = pthread_create(thread, attributes, start, b);
    if (status) free(b);
    return status;
}

static int start_c(void *p) {
    block b = take(p);
    return CF_RUN(b.callee, start_c_run)(b.callee.context, b.callee.function, b.argument);
}

int __cf_in_thrd_create(thrd_t *thread, thrd_start_t f, void *argument, void *context, start_c_run *run) {
    block *b = new_block(context, (cf_any *)f, (cf_any *)run, argument);
    if (!b) return thrd_nomem;
    int status = thrd_create(thread, start_c, b);
    if (status != thrd_success) free(b);
    return status;
}

static void end_status(int status, void *p) {
    block b = take(p);
    CF_RUN(b.callee, end_status_run)(b.callee.context, b.callee.function, status, b.argument);
}

int __cf_in_on_exit(void (*f)(int, void *), void *argument, void *context, end_status_run *run) {
    block *b = new_block(context, (cf_any *)f, (cf_any *)run, argument);
    if (!b) return -1;
    int status = on_exit(end_status, b);
    if (status) free(b);
    return status;
}

static void end(void *p) {
    block b = take(p);
    CF_RUN(b.callee, end_run)(b.callee.context, b.callee.function, b.argument);
}

/* Of the Itanium C++ ABI; weak, because C programs may have no library of C++. */
typedef int registers(void (*)(void *), void *, void *);
extern registers __cxa_atexit;
__attribute__((weak)) extern registers __cxa_thread_atexit;
extern registers __cxa_thread_atexit_impl;

#define END_BY(name)                                                                                         \
    int __cf_in_##name(void (*f)(void *), void *argument, void *object, void *context, end_run *run) {       \
        block *b = new_block(context, (cf_any *)f, (cf_any *)run, argument);                                 \
        if (!b) return -1;                                                                                   \
        int status = name(end, b, object);                                                                   \
        if (status) free(b);                                                                                 \
        return status;                                                                                       \
    }
END_BY(__cxa_atexit)
END_BY(__cxa_thread_atexit)
END_BY(__cxa_thread_atexit_impl)

/* ---- by the order of the calls ---- */

typedef atomic_flag lock;
static void take_lock(lock *l) {
    while (atomic_flag_test_and_set_explicit(l, memory_order_acquire)) sched_yield();
}
static void leave_lock(lock *l) { atomic_flag_clear_explicit(l, memory_order_release); }

/* Functions that run when the program ends, the last one first. */
typedef struct ending {
    struct ending *before;
    cf_callee callee;
} ending;
typedef struct endings {
    lock lock;
    ending *last;
} endings;
typedef void plain_run(void *, cf_any *);

static endings at_exit = {ATOMIC_FLAG_INIT, NULL}, at_quick = {ATOMIC_FLAG_INIT, NULL};

static void run_last(endings *all) {
    take_lock(&all->lock);
    ending *e = all->last;
    all->last = e->before;
    leave_lock(&all->lock);
    cf_callee c = e->callee;
    free(e);
    CF_RUN(c, plain_run)(c.context, c.function);
}

static void run_at_exit(void) { run_last(&at_exit); }
static void run_at_quick(void) { run_last(&at_quick); }

/* Registered and put on the stack in one go, so that both orders agree whatever other threads do. */
#define ADD_ENDING(name, all, wrapper)                                                                       \
    int __cf_in_##name(void (*f)(void), void *context, plain_run *run) {                                     \
        ending *e = malloc(sizeof *e);                                                                       \
        if (!e) return -1;                                                                                   \
        take_lock(&(all).lock);                                                                              \
        int status = name(wrapper);                                                                          \
        if (!status) {                                                                                       \
            *e = (ending){(all).last, {context, f, (cf_any *)run}};                                          \
            (all).last = e;                                                                                  \
        }                                                                                                    \
        leave_lock(&(all).lock);                                                                             \
        if (status) free(e);                                                                                 \
        return status;                                                                                       \
    }
ADD_ENDING(atexit, at_exit, run_at_exit)
ADD_ENDING(at_quick_exit, at_quick, run_at_quick)

/* ---- by the address of the function handed over ---- */

#define EACH_8(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define EACH(X) EACH_8(X, 0) EACH_8(X, 01) EACH_8(X, 02) EACH_8(X, 03)
enum { SLOTS = 32 }; /* octal 00 … 037 */

typedef struct slots {
    lock lock;
    cf_callee callee[SLOTS];
} slots;

/* The slot of a callback in a context; SLOTS when all are taken. */
static int slot_of(slots *s, cf_callee c) {
    int i = 0;
    take_lock(&s->lock);
    while (i < SLOTS && s->callee[i].run &&
           (s->callee[i].context != c.context || s->callee[i].function != c.function ||
            s->callee[i].run != c.run))
        i++;
    if (i < SLOTS) s->callee[i] = c;
    leave_lock(&s->lock);
    return i;
}

static slots values, forks, thrown;
#define VALUE(i)                                                                                             \
    static void end_value_##i(void *value) {                                                                 \
        CF_RUN(values.callee[i], end_run)(values.callee[i].context, values.callee[i].function, value);       \
    }
#define FORK(i)                                                                                              \
    static void fork_##i(void) {                                                                             \
        CF_RUN(forks.callee[i], plain_run)(forks.callee[i].context, forks.callee[i].function);               \
    }
/* What is thrown is destroyed long after the call. */
#define THROWN(i)                                                                                            \
    static void end_thrown_##i(void *object) {                                                               \
        CF_RUN(thrown.callee[i], end_run)(thrown.callee[i].context, thrown.callee[i].function, object);      \
    }
EACH(VALUE)
EACH(FORK)
EACH(THROWN)
#define VALUE_NAME(i) end_value_##i,
#define FORK_NAME(i) fork_##i,
#define THROWN_NAME(i) end_thrown_##i,
static void (*const end_value[SLOTS])(void *) = {EACH(VALUE_NAME)};
static void (*const at_fork[SLOTS])(void) = {EACH(FORK_NAME)};
static void (*const end_thrown[SLOTS])(void *) = {EACH(THROWN_NAME)};

typedef void end_of_value(void *);

static end_of_value *value_wrapper(end_of_value *f, void *context, end_run *run) {
    int i = f ? slot_of(&values, (cf_callee){context, (cf_any *)f, (cf_any *)run}) : SLOTS;
    return i < SLOTS ? end_value[i] : f;
}

int __cf_in_pthread_key_create(pthread_key_t *key, end_of_value *f, void *context, end_run *run) {
    return pthread_key_create(key, value_wrapper(f, context, run));
}
int __cf_in_tss_create(tss_t *key, end_of_value *f, void *context, end_run *run) {
    return tss_create(key, value_wrapper(f, context, run));
}

static cf_any *fork_wrapper(cf_any *f, void *context, plain_run *run) {
    int i = f ? slot_of(&forks, (cf_callee){context, f, (cf_any *)run}) : SLOTS;
    return i < SLOTS ? at_fork[i] : f;
}

int __cf_in_pthread_atfork(cf_any *prepare, cf_any *parent, cf_any *child, void *context, plain_run *run) {
    return pthread_atfork(fork_wrapper(prepare, context, run), fork_wrapper(parent, context, run),
                          fork_wrapper(child, context, run));
}

__attribute__((weak, noreturn)) extern void __cxa_throw(void *object, void *type, end_of_value *destroy);
__attribute__((noreturn)) void __cf_in___cxa_throw(void *object, void *type, end_of_value *destroy,
                                                   void *context, end_run *run) {
    int i = destroy ? slot_of(&thrown, (cf_callee){context, (cf_any *)destroy, (cf_any *)run}) : SLOTS;
    __cxa_throw(object, type, i < SLOTS ? end_thrown[i] : destroy);
}

/* std::set_terminate and the like: they return what was set before. */
typedef cf_any *setter(cf_any *);
static cf_any *unwrapped(cf_any *f) {
    for (int i = 0; i < SLOTS; i++)
        if (f == at_fork[i]) return forks.callee[i].function;
    return f;
}
#define SET(name)                                                                                            \
    __attribute__((weak)) extern setter name;                                                                \
    cf_any *__cf_in_##name(cf_any *f, void *context, plain_run *run) {                                       \
        return unwrapped(name(fork_wrapper(f, context, run)));                                               \
    }
SET(_ZSt13set_terminatePFvvE)
SET(_ZSt14set_unexpectedPFvvE)
SET(_ZSt15set_new_handlerPFvvE)
