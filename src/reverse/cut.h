/* Minimum cut of a directed graph. Pure arithmetic: knows nothing of programs. */
#ifndef CF_CUT_H
#define CF_CUT_H
#include "support/arena.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct cf_cut cf_cut;

/* An edge of this capacity is never cut unless there is no other way. */
#define CF_CUT_INFINITE UINT64_MAX

/* A graph of nodes 0 … nodes-1 without edges. */
cf_cut *cf_cut_new(cf_arena *a, size_t nodes);
/* Several edges between the same nodes add up. */
void cf_cut_edge(cf_cut *c, unsigned from, unsigned to, uint64_t capacity);
/* The capacity of the cheapest cut that separates source from sink (which differ), CF_CUT_INFINITE when it is that
 * much or more. Edges may be added afterwards and the graph solved again. */
uint64_t cf_cut_solve(cf_cut *c, unsigned source, unsigned sink);
/* After cf_cut_solve: the side of a node. Of all minimum cuts it is the one nearest the sink: the sink's side is the
 * smallest. */
bool cf_cut_source_side(const cf_cut *c, unsigned node);

#endif
