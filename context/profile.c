/* profile: who calls whom, how often, and how many operations that costs.
 *
 *     cofactor run --context profile prog.c                      a table on standard error (PROFILE_FILE=name: there)
 *     PROFILE_DOT=p.dot cofactor run … && dot -Tpng p.dot -o p.png     the call graph as a picture, by Graphviz
 *
 * In a program: `struct profile *p = profile_new();`, a CF_IN function with p, `profile_print(p, stdout)` and
 * `profile_dot(p, file)`, `profile_free(p)`.
 *
 * Operations are those of LLVM IR, calls not counted. Inclusive: in the function and what it calls; a recursive function counts
 * its outermost call.
 *
 * Hooks: "op", "call" and "callback". Threads: each one that the program starts gets its own profile; the report is their sum. */
#include "calls.h"
#include <stdint.h>

#ifndef PROFILE_WORDS
#define PROFILE_WORDS ""
#endif
CF_CONTEXT(profile, "optional " PROFILE_WORDS);

CF_SITES(profile_sites, profile);

struct profile_edge {
    int from, to;
    unsigned long long calls;
};

struct profile_node {
    const char *name;
    unsigned long long inclusive, exclusive, calls;
    long active; /* calls of it that run */
};

struct profile {
    struct calls calls; /* mark: operations when the call began; where: the function called, or -1 */
    unsigned long long operations;
    int *from, *to; /* by site: the function where it stands, the one it calls */
    struct profile_node *node;
    int nodes, here; /* here: the function whose event was the last */
    int root;        /* the function that nothing in the context called, and what was counted when it began */
    unsigned long long root_mark;
    unsigned long long *times;         /* by site: calls of the function that the site names */
    struct profile_edge *edge;         /* calls of others: through pointers, or by what has no body */
    struct profile_function *function; /* that pointers may lead to, by address */
    long edges, edge_room;
    struct profile *next; /* of another thread */
};

struct profile_function {
    const void *address;
    int node;
};

#define PROFILE_POINTER "(pointer)"

/* The number of a name, by a table of `size` places. */
static inline int profile_node_of(struct profile *p, int *table, unsigned size, const char *name) {
    unsigned h = 2166136261u;
    for (const char *s = name; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
    for (;; h++) {
        int *at = &table[h & (size - 1)];
        if (!*at) {
            p->node[p->nodes].name = name;
            *at = ++p->nodes;
        }
        if (!strcmp(p->node[*at - 1].name, name)) return *at - 1;
    }
}

static inline int profile_by_address(const void *a, const void *b) {
    uintptr_t x = (uintptr_t)((const struct profile_function *)a)->address;
    uintptr_t y = (uintptr_t)((const struct profile_function *)b)->address;
    return (x > y) - (x < y);
}

static inline struct profile *profile_new(void) {
    struct profile *p = (struct profile *)calls_zeroed(1, sizeof *p);
    unsigned n = profile_sites.n, names = 2 * n + profile_sites.functions, size = 1;
    while (size < 2 * names + 2) size *= 2;
    int *table = (int *)calls_zeroed(size, sizeof *table);
    p->from = (int *)calls_zeroed(n, sizeof *p->from);
    p->to = (int *)calls_zeroed(n, sizeof *p->to);
    p->times = (unsigned long long *)calls_zeroed(n, sizeof *p->times);
    p->node = (struct profile_node *)calls_zeroed(names + 1, sizeof *p->node);
    for (unsigned i = 0; i < n; i++) {
        const cf_site *s = &profile_sites.site[i];
        p->from[i] = profile_node_of(p, table, size, s->function);
        p->to[i] = -1;
        if (s->event == CF_EVENT_CALL || s->event == CF_EVENT_CALLBACK)
            p->to[i] = profile_node_of(p, table, size, *s->what ? s->what : PROFILE_POINTER);
    }
    unsigned functions = profile_sites.functions;
    p->function = (struct profile_function *)calls_zeroed(functions, sizeof *p->function);
    for (unsigned i = 0; i < functions; i++) {
        p->function[i].address = profile_sites.function[i].address;
        p->function[i].node = profile_node_of(p, table, size, profile_sites.function[i].name);
    }
    qsort(p->function, functions, sizeof *p->function, profile_by_address);
    free(table);
    p->here = p->root = -1;
    return p;
}

static inline void profile_add_edge(struct profile *p, int from, int to, unsigned long long calls) {
    for (long i = 0; i < p->edges; i++)
        if (p->edge[i].from == from && p->edge[i].to == to) {
            p->edge[i].calls += calls;
            return;
        }
    p->edge = (struct profile_edge *)calls_more(p->edge, p->edges, &p->edge_room, sizeof *p->edge);
    struct profile_edge *e = &p->edge[p->edges++];
    e->from = from;
    e->to = to;
    e->calls = calls;
}

/* A function that nothing in the context called is done, or begins. */
static inline void profile_root(struct profile *p, int node) {
    if (p->root >= 0 && !--p->node[p->root].active)
        p->node[p->root].inclusive += p->operations - p->root_mark;
    p->root = node;
    p->root_mark = p->operations;
    if (node >= 0) p->node[node].active++;
}

/* The calls above `depth` are over. */
CALLS_APART void profile_leave_to(struct profile *p, long depth) {
    while (p->calls.depth > depth) {
        struct call *top = &p->calls.call[--p->calls.depth];
        unsigned id = top->site->id;
        int known = p->to[id], to = top->where < 0 ? known : (int)top->where;
        p->node[to].calls++;
        if (top->where >= 0 && !--p->node[to].active) p->node[to].inclusive += p->operations - top->mark;
        if (to == known)
            p->times[id]++;
        else
            profile_add_edge(p, p->from[id], to, 1);
        p->here = p->from[id];
    }
}

/* An event of another function than the last event's: of one that a pointer led to, of one that a function without a body
 * has called back, or of one that nothing called. */
CALLS_APART void profile_arrive(struct profile *p, const cf_site *s) {
    int node = p->from[s->id];
    if (calls_unwinds(&p->calls)) profile_leave_to(p, calls_depth_of(&p->calls, s));
    struct call *top = p->calls.depth ? &p->calls.call[p->calls.depth - 1] : NULL;
    if (!top) {
        if (node != p->root) profile_root(p, node);
    } else if (top->where < 0) {
        top->where = node;
        p->node[node].active++;
    } else if (top->where != node) {
        profile_add_edge(p, (int)top->where, node, 0);
    }
    p->here = node;
}

CF_PREHOOK(profile, "op") static void profile_operation(struct profile *p, const cf_site *s) {
    int node = p->from[s->id];
    if (p->here != node) profile_arrive(p, s);
    p->node[node].exclusive++;
    p->operations++;
}

/* The function that a call leads to; -1: it is not of this unit, and known from its first event, if it has any. */
static inline int profile_called(const struct profile *p, const cf_site *s, const cf_value *operand) {
    if (*s->what) return p->to[s->id];
    struct profile_function key = {operand[s->operands].as.pointer, 0};
    const struct profile_function *f = (const struct profile_function *)bsearch(
        &key, p->function, profile_sites.functions, sizeof key, profile_by_address);
    return f ? f->node : -1;
}

CF_PREHOOK_ANY(profile, "call")
CF_PREHOOK_ANY(profile, "callback")
CALLS_APART void profile_call(struct profile *p, const cf_site *s, const cf_value *operand) {
    profile_leave_to(p, calls_enter_to(&p->calls, s));
    if (p->here != p->from[s->id]) profile_arrive(p, s);
    int to = profile_called(p, s, operand);
    struct call *top = calls_enter(&p->calls, s, to < 0 ? "" : p->node[to].name);
    top->mark = p->operations;
    top->where = to;
    if (to >= 0) p->node[to].active++;
    p->here = to;
}

CF_POSTHOOK(profile, "call")
CF_POSTHOOK(profile, "callback")
static void profile_return(struct profile *p, const cf_site *s) {
    profile_leave_to(p, calls_leave_to(&p->calls, s));
}

CF_ENTER(profile, "call pthread_create,thrd_create,std::thread::_M_start_thread*")
static struct profile *profile_thread(struct profile *p) {
    struct profile *mine = profile_new();
    CALLS_JOIN(p, mine);
    return mine;
}

/* ---- reports ---- */

/* Calls that still run are over, and what other threads counted is added to p. All profiles have the same nodes. */
static inline void profile_finish(struct profile *p) {
    for (struct profile *t = p; t; t = t->next) {
        profile_leave_to(t, 0);
        profile_root(t, -1);
        t->here = -1;
    }
    for (struct profile *t = p->next; t; t = t->next) {
        p->operations += t->operations;
        for (int i = 0; i < p->nodes; i++) {
            p->node[i].inclusive += t->node[i].inclusive;
            p->node[i].exclusive += t->node[i].exclusive;
            p->node[i].calls += t->node[i].calls;
        }
        for (unsigned i = 0; i < profile_sites.n; i++) p->times[i] += t->times[i];
        for (long i = 0; i < t->edges; i++)
            profile_add_edge(p, t->edge[i].from, t->edge[i].to, t->edge[i].calls);
        t->operations = 0;
        memset(t->times, 0, profile_sites.n * sizeof *t->times);
        for (int i = 0; i < t->nodes; i++) t->node[i].inclusive = t->node[i].exclusive = t->node[i].calls = 0;
        t->edges = 0;
    }
    for (unsigned i = 0; i < profile_sites.n; i++) {
        if (p->times[i]) profile_add_edge(p, p->from[i], p->to[i], p->times[i]);
        p->times[i] = 0;
    }
}

static inline int profile_by_inclusive(const void *a, const void *b) {
    const struct profile_node *x = *(const struct profile_node *const *)a,
                              *y = *(const struct profile_node *const *)b;
    if (x->inclusive != y->inclusive) return x->inclusive < y->inclusive ? 1 : -1;
    if (x->calls != y->calls) return x->calls < y->calls ? 1 : -1;
    return strcmp(x->name, y->name);
}

static inline int profile_ran(const struct profile_node *n) {
    return n->calls || n->inclusive || n->exclusive;
}

static inline void profile_print(struct profile *p, FILE *f) {
    profile_finish(p);
    const struct profile_node **row =
        (const struct profile_node **)calls_zeroed((size_t)p->nodes, sizeof *row);
    int n = 0;
    for (int i = 0; i < p->nodes; i++)
        if (profile_ran(&p->node[i])) row[n++] = &p->node[i];
    qsort(row, (size_t)n, sizeof *row, profile_by_inclusive);
    fprintf(f, "%llu operations\n%14s %14s %12s  function\n", p->operations, "inclusive", "exclusive",
            "calls");
    for (int i = 0; i < n; i++)
        fprintf(f, "%14llu %14llu %12llu  %s\n", row[i]->inclusive, row[i]->exclusive, row[i]->calls,
                row[i]->name);
    free(row);
}

static inline void profile_quoted(FILE *f, const char *s) {
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') fputc('\\', f);
        fputc(*s, f);
    }
}

/* Graphviz: redder where more happens inside, thicker where more calls are. A dashed arrow: called back. */
static inline void profile_dot(struct profile *p, FILE *f) {
    profile_finish(p);
    double all = p->operations ? (double)p->operations : 1;
    fputs("digraph profile {\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n  edge "
          "[fontname=\"sans-serif\"];\n",
          f);
    for (int i = 0; i < p->nodes; i++) {
        const struct profile_node *n = &p->node[i];
        double inside = (double)n->inclusive / all, self = (double)n->exclusive / all;
        if (!profile_ran(n)) continue;
        fprintf(f, "  n%d [label=\"", i);
        profile_quoted(f, n->name);
        fprintf(f, "\\n%.1f %%, itself %.1f %%\", fillcolor=\"%.3f %.3f 1.0\"];\n", 100 * inside, 100 * self,
                0.12 - 0.12 * self, 0.1 + 0.6 * inside);
    }
    unsigned long long most = 1;
    for (long i = 0; i < p->edges; i++)
        if (p->edge[i].calls > most) most = p->edge[i].calls;
    for (long i = 0; i < p->edges; i++) {
        const struct profile_edge *e = &p->edge[i];
        fprintf(f, "  n%d -> n%d ", e->from, e->to);
        if (e->calls)
            fprintf(f, "[label=\"%llu\", penwidth=%.2f];\n", e->calls,
                    1 + 3 * (double)e->calls / (double)most);
        else
            fputs("[style=dashed];\n", f);
    }
    fputs("}\n", f);
}

static inline void profile_free(struct profile *p) {
    while (p) {
        struct profile *next = p->next;
        free(p->calls.call);
        free(p->from);
        free(p->to);
        free(p->times);
        free(p->node);
        free(p->edge);
        free(p->function);
        free(p);
        p = next;
    }
}

CF_BEGIN(profile) static struct profile *profile_begin(void) { return profile_new(); }
CF_END(profile) static void profile_end(struct profile *p) {
    FILE *f = calls_output("PROFILE_FILE");
    profile_print(p, f);
    calls_output_end(f);
    if (getenv("PROFILE_DOT")) {
        f = calls_output("PROFILE_DOT");
        profile_dot(p, f);
        calls_output_end(f);
    }
    profile_free(p);
}
