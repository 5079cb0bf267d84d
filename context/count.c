/* count: how often each operation runs, by kind, function and line.
 *
 *     cofactor run --context count prog.c                        tables on standard error (COUNT_FILE=name: there)
 *
 * In a program: `struct count *c = count_new();`, a CF_IN function with c, `count_flops(c)` and its like or
 * `count_print(c, stdout)`, `count_free(c)`.
 *
 * A flop is an fadd, fsub, fmul, fdiv or frem; one on a vector is as many as it has elements, an fma is two. Locals lie on
 * the stack in the program that a context sees, so that loads and stores there are told apart: what is left are those of
 * globals and of the heap.
 *
 * Hooks: "op" and "call", with a counter for each place. Threads: each one that the program starts gets its own counters;
 * the report is their sum. */
#include "calls.h"
#include <stdint.h>

#ifndef COUNT_WORDS
#define COUNT_WORDS ""
#endif
CF_CONTEXT(count, "optional " COUNT_WORDS);

CF_SITES(count_sites, count);

struct count_place {
    unsigned long long times, stack; /* stack: of them, loads and stores there */
};

struct count {
    struct count_place *place; /* by the number of the site */
    uintptr_t stack;           /* an address near the beginning of the stack, or 0 */
    struct count *next;        /* of another thread */
};

static inline struct count *count_new(void) {
    struct count *c = (struct count *)calls_zeroed(1, sizeof *c);
    c->place = (struct count_place *)calls_zeroed(count_sites.n, sizeof *c->place);
    return c;
}

CF_PREHOOK(count, "op") static void count_operation(struct count *c, const cf_site *s) {
    c->place[s->id].times++;
}
CF_PREHOOK(count, "call") static void count_call(struct count *c, const cf_site *s) {
    c->place[s->id].times++;
}

/* Within 8 MiB, a stack's usual size, below where the first event was, or a little above. */
CF_PREHOOK_ANY(count, "memory")
static void count_address(struct count *c, const cf_site *s, const cf_value *operand) {
    unsigned at = strcmp(s->what, "store") ? 0 : 1;
    uintptr_t address = (uintptr_t)operand[at].as.pointer;
    c->stack = c->stack ? c->stack : (uintptr_t)__builtin_frame_address(0); /* no branch at each access */
    c->place[s->id].stack += c->stack + 65536 - address < (8u << 20);
}

CF_ENTER(count, "call pthread_create,thrd_create,std::thread::_M_start_thread*")
static struct count *count_thread(struct count *c) {
    struct count *mine = count_new();
    CALLS_JOIN(c, mine);
    return mine;
}

/* ---- results ---- */

/* Sums over some sites. */
struct count_row {
    const cf_site *site;
    unsigned long long times, flops, loads, stores, stack, bytes, calls;
};

static inline unsigned count_flops_of(const cf_site *s) {
    static const char *const name[] = {"fadd", "fsub", "fmul", "fdiv", "frem"};
    for (int i = 0; s->event == CF_EVENT_OPERATION && i < 5; i++)
        if (!strcmp(s->what, name[i])) return s->lanes;
    int fma = !strcmp(s->what, "fma") || !strcmp(s->what, "fmaf") || !strcmp(s->what, "fmal");
    return s->event == CF_EVENT_CALL && fma ? 2 * s->lanes : 0;
}

static inline void count_add(struct count_row *r, const cf_site *s, unsigned long long times,
                             unsigned long long stack) {
    int operation = s->event == CF_EVENT_OPERATION;
    int load = operation && !strcmp(s->what, "load"), store = operation && !strcmp(s->what, "store");
    r->times += times;
    r->flops += times * count_flops_of(s);
    r->stack += stack;
    if (load) r->loads += times - stack;
    if (store) r->stores += times - stack;
    if (load || store) r->bytes += (times - stack) * s->bytes;
    if (!operation) r->calls += times;
}

static inline struct count_row count_sum(const struct count *c, const cf_site *s) {
    struct count_row r;
    memset(&r, 0, sizeof r);
    r.site = s;
    for (; c; c = c->next) count_add(&r, s, c->place[s->id].times, c->place[s->id].stack);
    return r;
}

static inline void count_merge(struct count_row *to, struct count_row from) {
    to->times += from.times, to->flops += from.flops, to->calls += from.calls;
    to->loads += from.loads, to->stores += from.stores, to->stack += from.stack, to->bytes += from.bytes;
}

static inline struct count_row count_all(const struct count *c) {
    struct count_row sum;
    memset(&sum, 0, sizeof sum);
    for (unsigned i = 0; i < count_sites.n; i++) count_merge(&sum, count_sum(c, &count_sites.site[i]));
    return sum;
}
static inline unsigned long long count_flops(const struct count *c) { return count_all(c).flops; }
static inline unsigned long long count_loads(const struct count *c) { return count_all(c).loads; }
static inline unsigned long long count_stores(const struct count *c) { return count_all(c).stores; }
static inline unsigned long long count_bytes(const struct count *c) { return count_all(c).bytes; }

/* ---- tables ---- */

static inline int count_by_operation(const void *a, const void *b) {
    const cf_site *x = ((const struct count_row *)a)->site, *y = ((const struct count_row *)b)->site;
    int order = (x->event == CF_EVENT_CALL) - (y->event == CF_EVENT_CALL);
    if (!order) order = strcmp(x->what, y->what);
    return order || x->event == CF_EVENT_CALL ? order : strcmp(x->type, y->type);
}
static inline int count_by_function(const void *a, const void *b) {
    return strcmp(((const struct count_row *)a)->site->function,
                  ((const struct count_row *)b)->site->function);
}
static inline int count_by_line(const void *a, const void *b) {
    const cf_site *x = ((const struct count_row *)a)->site, *y = ((const struct count_row *)b)->site;
    int order = strcmp(x->file, y->file);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Sums rows that compare equal; returns how many are left. */
static inline unsigned count_group(struct count_row *row, unsigned n,
                                   int (*compare)(const void *, const void *)) {
    unsigned groups = 0;
    qsort(row, n, sizeof *row, compare);
    for (unsigned i = 0; i < n; i++) {
        if (!groups || compare(&row[groups - 1], &row[i]))
            row[groups++] = row[i];
        else
            count_merge(&row[groups - 1], row[i]);
    }
    return groups;
}

static inline void count_table(const struct count *c, FILE *f, const char *title,
                               int (*compare)(const void *, const void *)) {
    struct count_row *row = (struct count_row *)calls_zeroed(count_sites.n, sizeof *row);
    unsigned n = 0;
    for (unsigned i = 0; i < count_sites.n; i++) {
        row[n] = count_sum(c, &count_sites.site[i]);
        n += row[n].times && (compare != count_by_line || row[n].site->line);
    }
    n = count_group(row, n, compare);
    if (n && compare == count_by_operation)
        fprintf(f, "\n%14s %14s  %s\n", "times", "flops", title);
    else if (n)
        fprintf(f, "\n%14s %12s %12s %14s %10s  %s\n", "flops", "loads", "stores", "bytes", "calls", title);
    for (unsigned i = 0; i < n; i++) {
        const struct count_row *r = &row[i];
        const cf_site *s = r->site;
        int call = s->event == CF_EVENT_CALL;
        if (compare == count_by_line && !r->flops && !r->loads && !r->stores && !r->calls) continue;
        if (compare == count_by_operation)
            fprintf(f, "%14llu %14llu  %s%s%s%s\n", r->times, r->flops, call ? "call " : "",
                    *s->what ? s->what : "(pointer)", call ? "" : " ", call ? "" : s->type);
        else
            fprintf(f, "%14llu %12llu %12llu %14llu %10llu  ", r->flops, r->loads, r->stores, r->bytes,
                    r->calls);
        if (compare == count_by_function) fprintf(f, "%s\n", s->function);
        if (compare == count_by_line) fprintf(f, "%s:%u\n", s->file, s->line);
    }
    free(row);
}

static inline void count_print(const struct count *c, FILE *f) {
    struct count_row all = count_all(c);
    fprintf(f, "%llu flops, %llu loads and %llu stores (%llu bytes), %llu more on the stack, %llu calls\n",
            all.flops, all.loads, all.stores, all.bytes, all.stack, all.calls);
    count_table(c, f, "operation", count_by_operation);
    count_table(c, f, "function", count_by_function);
    count_table(c, f, "line", count_by_line);
}

static inline void count_free(struct count *c) {
    while (c) {
        struct count *next = c->next;
        free(c->place);
        free(c);
        c = next;
    }
}

CF_BEGIN(count) static struct count *count_begin(void) { return count_new(); }
CF_END(count) static void count_end(struct count *c) {
    FILE *f = calls_output("COUNT_FILE");
    count_print(c, f);
    calls_output_end(f);
    count_free(c);
}
