/* Minimum cuts against brute force over all cuts of small random graphs, and the time of large ones. */
#include "reverse/cut.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <time.h>

static uint64_t random_state;
static unsigned draw(unsigned below) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(random_state >> 33) % below;
}

typedef struct graph {
    unsigned nodes, edges;
    unsigned from[64], to[64];
    uint64_t capacity[64];
} graph;

static graph random_graph(void) {
    static const uint64_t large[] = {CF_CUT_INFINITE, UINT64_C(1) << 63, CF_CUT_INFINITE - 1};
    graph g = {.nodes = 2 + draw(8), .edges = draw(40)};
    for (unsigned i = 0; i < g.edges; i++) {
        g.from[i] = draw(g.nodes);
        g.to[i] = draw(g.nodes);
        g.capacity[i] = draw(6) ? draw(12) : large[draw(3)];
    }
    return g;
}

static uint64_t add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

/* The cost of the cut whose source side is a bit set. */
static uint64_t cost(const graph *g, unsigned side) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < g->edges; i++)
        if (side >> g->from[i] & 1 && !(side >> g->to[i] & 1)) sum = add(sum, g->capacity[i]);
    return sum;
}

/* Source is node 0, sink is node 1. */
static uint64_t cheapest(const graph *g) {
    uint64_t best = UINT64_MAX;
    for (unsigned side = 1; side < 1u << g->nodes; side += 2)
        if (!(side & 2) && cost(g, side) < best) best = cost(g, side);
    return best;
}

static unsigned largest_side(const graph *g, uint64_t best) {
    unsigned all = 0;
    for (unsigned side = 1; side < 1u << g->nodes; side += 2)
        if (!(side & 2) && cost(g, side) == best) all |= side;
    return all;
}

static unsigned side_of(const cf_cut *c, unsigned nodes) {
    unsigned side = 0;
    for (unsigned v = 0; v < nodes; v++) side |= (unsigned)cf_cut_source_side(c, v) << v;
    return side;
}

static void equals_brute_force(void **state) {
    (void)state;
    for (random_state = 1; random_state < 4000; random_state++) {
        uint64_t seed = random_state;
        cf_arena *a = cf_arena_new();
        graph g = random_graph();
        cf_cut *c = cf_cut_new(a, g.nodes);
        for (unsigned i = 0; i < g.edges; i++) cf_cut_edge(c, g.from[i], g.to[i], g.capacity[i]);
        uint64_t best = cheapest(&g);
        assert_int_equal(cf_cut_solve(c, 0, 1), best);
        assert_int_equal(cost(&g, side_of(c, g.nodes)), best);
        assert_true(side_of(c, g.nodes) & 1);
        assert_false(side_of(c, g.nodes) & 2);
        /* Saturated sums cannot be told apart from outside. */
        if (best != UINT64_MAX) assert_int_equal(side_of(c, g.nodes), largest_side(&g, best));
        cf_arena_free(a);
        random_state = seed;
    }
}

static void solves_again_with_more_edges(void **state) {
    (void)state;
    cf_arena *a = cf_arena_new();
    cf_cut *c = cf_cut_new(a, 3);
    cf_cut_edge(c, 0, 2, 5);
    assert_int_equal(cf_cut_solve(c, 0, 1), 0);
    assert_true(cf_cut_source_side(c, 2));
    cf_cut_edge(c, 2, 1, 7);
    assert_int_equal(cf_cut_solve(c, 0, 1), 5);
    assert_false(cf_cut_source_side(c, 2));
    cf_cut_edge(c, 0, 2, 4);
    assert_int_equal(cf_cut_solve(c, 0, 1), 7);
    assert_true(cf_cut_source_side(c, 2));
    cf_arena_free(a);
}

/* Like a plan: every value has an inner edge (its cache), users across infinite edges, a price to recompute. `near`:
 * how far back operands lie; small makes long chains. */
static double seconds_of_plan(unsigned values, unsigned near) {
    cf_arena *a = cf_arena_new();
    cf_cut *c = cf_cut_new(a, 2 + 2 * (size_t)values);
    for (unsigned v = 0; v < values; v++) {
        unsigned in = 2 + 2 * v, out = in + 1;
        cf_cut_edge(c, in, out, 8 + draw(64));
        if (draw(2)) cf_cut_edge(c, 0, in, 1 + draw(16));
        for (unsigned k = 0; v && k < 2; k++)
            cf_cut_edge(c, 3 + 2 * (v - 1 - draw(v < near ? v : near)), in, CF_CUT_INFINITE);
        if (!draw(4)) cf_cut_edge(c, out, 1, CF_CUT_INFINITE);
    }
    clock_t begin = clock();
    cf_cut_solve(c, 0, 1);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    cf_arena_free(a);
    return seconds;
}

/* A chain that holds one value at its end and a price at each place: the answer is the cheapest place. */
static void finds_the_thinnest_place_of_a_long_chain(void **state) {
    (void)state;
    enum { LENGTH = 100000, THIN = 61234 };
    cf_arena *a = cf_arena_new();
    cf_cut *c = cf_cut_new(a, LENGTH + 1);
    for (unsigned i = 0; i < LENGTH; i++) {
        unsigned from = i ? i + 1 : 0, to = i + 1 < LENGTH ? i + 2 : 1;
        cf_cut_edge(c, from, to, i == THIN ? 3 : 4 + i % 5);
    }
    assert_int_equal(cf_cut_solve(c, 0, 1), 3);
    assert_true(cf_cut_source_side(c, THIN + 1));
    assert_false(cf_cut_source_side(c, THIN + 2));
    cf_arena_free(a);
}

static void large_plans_take_less_than_a_second(void **state) {
    (void)state;
    random_state = 7;
    static const unsigned near[] = {1, 2, 8, 100, 50000};
    for (unsigned i = 0; i < sizeof near / sizeof *near; i++) {
        double seconds = seconds_of_plan(50000, near[i]);
        print_message("operands at most %u back: %.3f s\n", near[i], seconds);
        assert_true(seconds < 5.0); /* sanitizers and a busy machine included */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_brute_force),
        cmocka_unit_test(solves_again_with_more_edges),
        cmocka_unit_test(finds_the_thinnest_place_of_a_long_chain),
        cmocka_unit_test(large_plans_take_less_than_a_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
