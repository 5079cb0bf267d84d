/* What contexts share: the stack of calls that a context is in, for those that tell who called (trace, profile, nan);
 * memory, a list of threads, the file of a report.
 *
 * A pre hook of "call" enters, a post hook leaves. A call that is left by longjmp or by an exception has no post hook, so
 * leaving takes everything away that lies above the call that returns; the second return of setjmp, and what comes behind
 * longjmp or a throw, go back to the depth of the function where that happens. */
#ifndef COFACTOR_CALLS_H
#define COFACTOR_CALLS_H
#include <cofactor/context.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is long and runs rarely, or with each call: it would be copied to every place where a hook runs. */
#define CALLS_APART static __attribute__((noinline, unused))

struct call {
    const cf_site *site;
    const char *name;        /* of the called function; "" when that is unknown */
    unsigned long long mark; /* whatever the context keeps with a call */
    long where;              /* … */
};

struct calls_jump {
    const cf_site *site;
    long depth;
};

struct calls {
    struct call *call;
    long depth, room;
    struct calls_jump jump[16]; /* the last calls of setjmp */
    unsigned jumps;
};

static inline void *calls_memory(void *old, size_t bytes) {
    void *p = realloc(old, bytes ? bytes : 1);
    if (!p) {
        fputs("cofactor context: out of memory\n", stderr);
        abort();
    }
    return p;
}

static inline void *calls_zeroed(size_t n, size_t bytes) {
    return memset(calls_memory(NULL, n * bytes), 0, n * bytes);
}

/* An array of n elements with room for one more; *room is how many it has room for. */
static inline void *calls_more(void *array, long n, long *room, size_t bytes) {
    if (n < *room) return array;
    *room = *room ? 2 * *room : 64;
    return calls_memory(array, (size_t)*room * bytes);
}

/* Puts the context of a new thread into the list that begins at the first thread's; `next` is a member of both. */
#define CALLS_JOIN(first, mine)                                                                              \
    do {                                                                                                     \
        (mine)->next = __atomic_load_n(&(first)->next, __ATOMIC_RELAXED);                                    \
        while (!__atomic_compare_exchange_n(&(first)->next, &(mine)->next, mine, 0, __ATOMIC_RELEASE,        \
                                            __ATOMIC_RELAXED)) {                                             \
        }                                                                                                    \
    } while (0)

/* The name of the called function. Through a pointer: of the one that the pointer leads to, if it is of this unit, else "".
 * The operands are those that a hook for any operands gets. */
CALLS_APART const char *calls_name(const cf_sites *table, const cf_site *s, const cf_value *operand) {
    if (*s->what) return s->what;
    for (unsigned i = 0; i < table->functions; i++)
        if (table->function[i].address == operand[s->operands].as.pointer) return table->function[i].name;
    return "";
}

/* The depth to which the program has come back when it is in s->function, and calls may have been left. A function that
 * nothing has called is the outermost. */
CALLS_APART long calls_depth_of(const struct calls *c, const cf_site *s) {
    for (long i = c->depth; i-- > 0;)
        if (!strcmp(c->call[i].name, s->function)) return i + 1;
    return 0;
}

CALLS_APART struct call *calls_enter(struct calls *c, const cf_site *s, const char *name) {
    if (strstr(s->what, "setjmp")) {
        struct calls_jump *j = &c->jump[c->jumps++ % 16];
        j->site = s;
        j->depth = c->depth;
    }
    c->call = (struct call *)calls_more(c->call, c->depth, &c->room, sizeof *c->call);
    struct call *top = &c->call[c->depth++];
    top->site = s;
    top->name = name;
    return top;
}

/* To how many calls the stack shrinks when the call at s returns: those at this index and above it are over. */
CALLS_APART long calls_leave_to(const struct calls *c, const cf_site *s) {
    for (long i = c->depth; i-- > 0;)
        if (c->call[i].site == s) return i;
    for (unsigned k = 0; k < 16; k++) {
        const struct calls_jump *j = &c->jump[(c->jumps - 1 - k) % 16];
        if (j->site == s) return j->depth < c->depth ? j->depth : c->depth;
    }
    return c->depth;
}

/* Whether the last call is one that does not return: what happens next is where it has led. */
static inline int calls_unwinds(const struct calls *c) {
    static const char *const name[] = {"__cxa_throw", "__cxa_rethrow", "longjmp", "_longjmp", "siglongjmp"};
    for (unsigned i = 0; c->depth && i < sizeof name / sizeof *name; i++)
        if (!strcmp(c->call[c->depth - 1].name, name[i])) return 1;
    return 0;
}

/* To how many calls the stack shrinks before an event at s. */
static inline long calls_enter_to(const struct calls *c, const cf_site *s) {
    int caught = s->event == CF_EVENT_CALL && !strcmp(s->what, "__cxa_begin_catch");
    return caught || calls_unwinds(c) ? calls_depth_of(c, s) : c->depth;
}

/* A report goes to the file that an environment variable names, else to standard error. */
static inline FILE *calls_output(const char *variable) {
    const char *name = getenv(variable);
    FILE *f = name && *name ? fopen(name, "w") : stderr;
    if (f) return f;
    perror(name);
    return stderr;
}

static inline void calls_output_end(FILE *f) {
    if (f != stderr)
        fclose(f);
    else
        fflush(f);
}

#endif
