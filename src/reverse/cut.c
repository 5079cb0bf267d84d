/* Minimum cut of a directed graph.
 *
 * In:     nodes, edges with capacities
 * Out:    the capacity of the cut, the side of each node
 * Needs:  nothing                           Keeps: the edges, so that more can be added
 *
 * Idea: push-relabel with exact heights at the start and again after every n relabelled nodes, the highest active
 * node first, and gaps. Only preflow is made: a node from which no residual path leads to the sink is on the source's
 * side, and so is all excess that stays in such nodes. Goldberg, Tarjan: A new approach to the maximum-flow problem,
 * 1988; Cherkassky, Goldberg: On implementing the push-relabel method, 1997.
 *
 * Tuned for plans: 10^5 nodes, three times as many edges, long thin chains (which augmenting paths are slow on).
 */
#include "reverse/cut.h"
#include "support/vec.h"
#include <assert.h>

/* Sums of 2^32 finite capacities stay below INFINITE, and sums of 2^32 infinite ones fit. */
__extension__ typedef unsigned __int128 amount;
#define INFINITE ((amount)1 << 95)
#define NONE UINT32_MAX

typedef struct edge {
    uint32_t from, to;
    uint64_t capacity;
} edge;

typedef struct arc {
    uint32_t to, twin; /* the arc in the other direction */
    amount residual;
} arc;

struct cf_cut {
    cf_arena *arena;
    uint32_t n, source, sink;
    CF_VEC(edge) edges;
    arc *arcs;
    uint32_t *first;   /* arcs of node v: first[v] … first[v+1]-1 */
    uint32_t *current; /* the arc that v pushes along next */
    uint32_t *height;  /* least number of residual arcs to the sink, at most; n: none */
    amount *excess;
    uint32_t *active, *active_next;            /* per height: stack of nodes with excess */
    uint32_t *layer, *layer_next, *layer_prev; /* per height: all nodes of that height */
    uint32_t *queue;
    uint32_t highest, relabels;
};

cf_cut *cf_cut_new(cf_arena *a, size_t nodes) {
    assert(nodes < NONE);
    cf_cut *c = CF_NEW(a, cf_cut);
    c->arena = a;
    c->n = (uint32_t)nodes;
    return c;
}

void cf_cut_edge(cf_cut *c, unsigned from, unsigned to, uint64_t capacity) {
    assert(from < c->n && to < c->n);
    if (from != to && capacity) cf_push(c->arena, &c->edges, (edge){from, to, capacity});
}

static void allocate(cf_cut *c) {
    size_t n = c->n;
    c->arcs = CF_ARRAY(c->arena, arc, 2 * c->edges.n + 1);
    c->first = CF_ARRAY(c->arena, uint32_t, n + 2);
    c->excess = CF_ARRAY(c->arena, amount, n);
    uint32_t **array[] = {&c->current, &c->height,     &c->active,     &c->active_next,
                          &c->layer,   &c->layer_next, &c->layer_prev, &c->queue};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) *array[i] = CF_ARRAY(c->arena, uint32_t, n + 1);
}

/* Sorts the arcs of all edges by their first node. */
static void build_arcs(cf_cut *c) {
    for (size_t i = 0; i < c->edges.n; i++) {
        c->first[c->edges.at[i].from + 2]++;
        c->first[c->edges.at[i].to + 2]++;
    }
    for (uint32_t v = 2; v <= c->n; v++) c->first[v + 1] += c->first[v];
    for (size_t i = 0; i < c->edges.n; i++) {
        edge e = c->edges.at[i];
        uint32_t forth = c->first[e.from + 1]++, back = c->first[e.to + 1]++;
        c->arcs[forth] = (arc){e.to, back, e.capacity == CF_CUT_INFINITE ? INFINITE : e.capacity};
        c->arcs[back] = (arc){e.from, forth, 0};
    }
}

static void activate(cf_cut *c, uint32_t v) {
    uint32_t h = c->height[v];
    c->active_next[v] = c->active[h];
    c->active[h] = v;
    if (h > c->highest) c->highest = h;
}

static void enter_layer(cf_cut *c, uint32_t v) {
    uint32_t h = c->height[v], old = c->layer[h];
    c->layer_next[v] = old;
    c->layer_prev[v] = NONE;
    if (old != NONE) c->layer_prev[old] = v;
    c->layer[h] = v;
}

static void leave_layer(cf_cut *c, uint32_t v) {
    uint32_t next = c->layer_next[v], prev = c->layer_prev[v];
    if (next != NONE) c->layer_prev[next] = prev;
    if (prev != NONE)
        c->layer_next[prev] = next;
    else
        c->layer[c->height[v]] = next;
}

/* Sets every height to the true distance to the sink. */
static void measure(cf_cut *c) {
    for (uint32_t v = 0; v < c->n; v++) c->height[v] = c->n;
    uint32_t head = 0, tail = 0;
    c->height[c->sink] = 0;
    c->queue[tail++] = c->sink;
    while (head < tail) {
        uint32_t v = c->queue[head++];
        for (uint32_t i = c->first[v]; i < c->first[v + 1]; i++) {
            uint32_t u = c->arcs[i].to;
            if (c->height[u] < c->n || u == c->source || !c->arcs[c->arcs[i].twin].residual) continue;
            c->height[u] = c->height[v] + 1;
            c->queue[tail++] = u;
        }
    }
}

/* Measures, and sorts the nodes by height anew. */
static void restart(cf_cut *c) {
    measure(c);
    c->highest = c->relabels = 0;
    for (uint32_t h = 0; h <= c->n; h++) c->active[h] = c->layer[h] = NONE;
    for (uint32_t v = 0; v < c->n; v++) {
        c->current[v] = c->first[v];
        if (c->height[v] == c->n || v == c->sink) continue;
        enter_layer(c, v);
        if (c->excess[v]) activate(c, v);
    }
}

static void push(cf_cut *c, uint32_t v, arc *a) {
    amount moved = c->excess[v] < a->residual ? c->excess[v] : a->residual;
    a->residual -= moved;
    c->arcs[a->twin].residual += moved;
    c->excess[v] -= moved;
    if (!c->excess[a->to] && a->to != c->sink) activate(c, a->to);
    c->excess[a->to] += moved;
}

/* No node is left at this height: from those above, no way leads to the sink. */
static void close_gap(cf_cut *c, uint32_t height) {
    for (uint32_t h = height + 1; h < c->n && c->layer[h] != NONE; h++) {
        for (uint32_t v = c->layer[h]; v != NONE; v = c->layer_next[v]) c->height[v] = c->n;
        c->layer[h] = NONE;
    }
}

static void relabel(cf_cut *c, uint32_t v) {
    uint32_t least = c->n, old = c->height[v];
    for (uint32_t i = c->first[v]; i < c->first[v + 1]; i++) {
        if (!c->arcs[i].residual || c->height[c->arcs[i].to] + 1 >= least) continue;
        least = c->height[c->arcs[i].to] + 1;
        c->current[v] = i;
    }
    c->relabels++;
    leave_layer(c, v);
    if (c->layer[old] == NONE) {
        close_gap(c, old);
        least = c->n;
    }
    c->height[v] = least;
    if (least < c->n) enter_layer(c, v);
}

/* Pushes all excess of a node on, lifting it as far as needed. */
static void discharge(cf_cut *c, uint32_t v) {
    while (c->excess[v] && c->height[v] < c->n) {
        if (c->current[v] == c->first[v + 1]) {
            relabel(c, v);
            continue;
        }
        arc *a = &c->arcs[c->current[v]];
        if (a->residual && c->height[v] == c->height[a->to] + 1) push(c, v, a);
        if (c->excess[v]) c->current[v]++;
    }
}

static void saturate_source(cf_cut *c) {
    for (uint32_t i = c->first[c->source]; i < c->first[c->source + 1]; i++) {
        arc *a = &c->arcs[i];
        c->excess[a->to] += a->residual;
        c->arcs[a->twin].residual += a->residual;
        a->residual = 0;
    }
}

uint64_t cf_cut_solve(cf_cut *c, unsigned source, unsigned sink) {
    assert(source < c->n && sink < c->n && source != sink);
    c->source = source;
    c->sink = sink;
    allocate(c);
    build_arcs(c);
    saturate_source(c);
    restart(c);
    while (c->highest) {
        uint32_t v = c->active[c->highest];
        if (v == NONE) {
            c->highest--;
            continue;
        }
        c->active[c->highest] = c->active_next[v];
        if (c->height[v] == c->highest) discharge(c, v);
        if (c->relabels >= c->n) restart(c);
    }
    measure(c);
    return c->excess[sink] < CF_CUT_INFINITE ? (uint64_t)c->excess[sink] : CF_CUT_INFINITE;
}

bool cf_cut_source_side(const cf_cut *c, unsigned node) { return c->height[node] == c->n; }
