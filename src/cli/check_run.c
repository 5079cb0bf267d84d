/* Derivatives of a function along a direction, by forward mode, reverse mode and differences.
 *
 * In:     callers of the primal and its derivatives, data
 * Out:    the derivative of `sum of weight * output` along the direction, each way
 *
 * Idea: outputs are the result and every floating number behind a dup pointer, after the call. Forward mode gives their
 * tangents, which are multiplied by the weights; reverse mode starts from the weights and gives adjoints of the inputs,
 * which are multiplied by the direction. Differences are central ones, extrapolated to step 0 (Ridders, Accurate
 * computation of F'(x) and F'(x)F''(x), 1982): the step shrinks by 1.4, each row of the table takes away one more
 * power of it, and the entry that differs least from its neighbours is taken, with that difference as uncertainty.
 */
#include "cli/check.h"
#include <math.h>
#include <string.h>

/* First steps relative to inputs of size 1: a function that varies fast needs small ones, rounding wants large ones. And
 * by what a step shrinks. */
static const real first_steps[] = {0.05L, 0.002L, 0.0001L};
#define SHRINK 1.4L
enum { ROWS = 10 };

/* ---- going over the numbers of dup parameters ---- */

static bool is_active(const cf_data *d, size_t k) { return d->dup && d->cells[k].kind != CF_CELL_INTEGER; }

static uint64_t bytes_of(const cf_data *d) { return d->count * d->size; }

/* memory = start + step * direction. */
static void place_inputs(cf_trial *t, real step) {
    for (unsigned i = 0; i < t->n; i++) {
        cf_data *d = &t->data[i];
        memcpy(d->memory, d->start, bytes_of(d));
        for (uint64_t e = 0; d->dup && step != 0 && e < d->count; e++)
            for (size_t k = 0; k < d->n; k++) {
                if (!is_active(d, k)) continue;
                const char *from = d->start + e * d->size;
                cf_set(&d->cells[k], d->memory + e * d->size,
                       cf_get(&d->cells[k], from) + step * d->direction[e * d->n + k]);
            }
    }
}

/* shadow = numbers, or 0. */
static void place_shadow(cf_data *d, const real *numbers) {
    memset(d->shadow, 0, bytes_of(d));
    for (uint64_t e = 0; numbers && e < d->count; e++)
        for (size_t k = 0; k < d->n; k++)
            if (is_active(d, k)) cf_set(&d->cells[k], d->shadow + e * d->size, numbers[e * d->n + k]);
}

/* Sum of memory * numbers; adds the absolute values to *scale. */
static real product(const cf_data *d, const char *memory, const real *numbers, real *scale) {
    real sum = 0;
    for (uint64_t e = 0; d->dup && e < d->count; e++)
        for (size_t k = 0; k < d->n; k++) {
            if (!is_active(d, k)) continue;
            real term = cf_get(&d->cells[k], memory + e * d->size) * numbers[e * d->n + k];
            sum += term;
            if (scale) *scale += fabsl(term);
        }
    return sum;
}

/* ---- calls ---- */

/* A pointer is passed by the slot that holds it, a number by its own memory. */
static void *argument(cf_data *d) { return d->pointer ? (void *)&d->memory_slot : d->memory; }

/* Weighted sum of outputs at start + step * direction. */
static real primal_at(cf_trial *t, real step) {
    char result[32] = {0};
    place_inputs(t, step);
    for (unsigned i = 0; i < t->n; i++) t->slots[i] = argument(&t->data[i]);
    t->slots[t->n] = result;
    t->primal(t->slots);
    real sum = t->has_result ? t->result_weight * cf_get(&t->result, result) : 0;
    for (unsigned i = 0; i < t->n; i++)
        if (t->data[i].pointer) sum += product(&t->data[i], t->data[i].memory, t->data[i].weight, NULL);
    return sum;
}

bool cf_is_finite_here(cf_trial *t) { return isfinite(primal_at(t, 0)); }

static real forward(cf_trial *t, real *scale) {
    char result[32] = {0};
    unsigned at = 0;
    place_inputs(t, 0);
    for (unsigned i = 0; i < t->n; i++) {
        cf_data *d = &t->data[i];
        place_shadow(d, d->direction);
        t->slots[at++] = argument(d);
        if (d->dup) t->slots[at++] = d->pointer ? (void *)&d->shadow_slot : d->shadow;
    }
    t->slots[at] = result;
    t->forward(t->slots);
    real sum = t->has_result ? t->result_weight * cf_get(&t->result, result) : 0;
    *scale += fabsl(sum);
    for (unsigned i = 0; i < t->n; i++)
        if (t->data[i].pointer) sum += product(&t->data[i], t->data[i].shadow, t->data[i].weight, scale);
    return sum;
}

static real reverse(cf_trial *t, real *scale) {
    char result[32] = {0}, seed[32] = {0};
    unsigned at = 0;
    place_inputs(t, 0);
    for (unsigned i = 0; i < t->n; i++) {
        cf_data *d = &t->data[i];
        place_shadow(d, d->pointer ? d->weight : NULL);
        t->slots[at++] = argument(d);
        if (d->dup) t->slots[at++] = &d->shadow_slot;
    }
    if (t->has_result) {
        cf_set(&t->result, seed, t->result_weight);
        t->slots[at++] = seed;
    }
    t->slots[at] = result;
    t->reverse(t->slots);
    real sum = 0;
    for (unsigned i = 0; i < t->n; i++)
        sum += product(&t->data[i], t->data[i].shadow, t->data[i].direction, scale);
    return sum;
}

/* ---- differences ---- */

static real central(cf_trial *t, real step) {
    return (primal_at(t, step) - primal_at(t, -step)) / (2 * step);
}

static real extrapolated_from(cf_trial *t, real step, real *uncertainty) {
    real table[ROWS][ROWS], best = NAN;
    *uncertainty = INFINITY;
    for (int i = 0; i < ROWS; i++, step /= SHRINK) {
        real factor = SHRINK * SHRINK;
        table[i][0] = central(t, step);
        for (int k = 1; k <= i; k++, factor *= SHRINK * SHRINK) {
            table[i][k] = (table[i][k - 1] * factor - table[i - 1][k - 1]) / (factor - 1);
            real error =
                fmaxl(fabsl(table[i][k] - table[i][k - 1]), fabsl(table[i][k] - table[i - 1][k - 1]));
            if (!(error <= *uncertainty)) continue;
            *uncertainty = error;
            best = table[i][k];
        }
        if (i && fabsl(table[i][i] - table[i - 1][i - 1]) >= 2 * *uncertainty) break;
    }
    return best;
}

/* The best of several first steps; the later ones only where the earlier did not settle. */
static real extrapolated(cf_trial *t, real *uncertainty) {
    real best = NAN;
    *uncertainty = INFINITY;
    for (size_t i = 0; i < sizeof first_steps / sizeof *first_steps; i++) {
        real error, value = extrapolated_from(t, first_steps[i], &error);
        if (!(error < *uncertainty)) continue;
        *uncertainty = error;
        best = value;
        if (error <= 1e-7L * fabsl(value)) break;
    }
    return best;
}

/* By how much the slopes to both sides differ. */
static real bend(cf_trial *t, real step) {
    real here = primal_at(t, 0);
    return fabsl(primal_at(t, step) - here - (here - primal_at(t, -step))) / step;
}

/* Of a smooth function a bend shrinks with the step. */
static bool has_kink(cf_trial *t, real step, real scale) {
    real wide = bend(t, step), narrow = bend(t, step / 10);
    return narrow > 1e-3L * scale && narrow > wide / 2;
}

/* ---- trials ---- */

void cf_draw(cf_trial *t, const cf_data *only, uint64_t *random) {
    t->result_weight = 0.5L + (real)cf_random(random);
    for (unsigned i = 0; i < t->n; i++) {
        cf_data *d = &t->data[i];
        for (uint64_t k = 0; k < d->count * d->n; k++) {
            real direction = 2 * (real)cf_random(random) - 1;
            d->weight[k] = 2 * (real)cf_random(random) - 1;
            d->direction[k] = !only || only == d ? direction : 0;
        }
    }
}

cf_outcome cf_try(cf_trial *t, real step) {
    cf_outcome o = {0};
    real scale = 0;
    o.difference = extrapolated(t, &o.uncertainty);
    if (t->forward) o.forward = forward(t, &scale);
    o.scale = scale;
    scale = 0;
    if (t->reverse) o.reverse = reverse(t, &scale);
    o.scale = fmaxl(fmaxl(o.scale, scale), fabsl(o.difference));
    o.kink = has_kink(t, step, o.scale);
    return o;
}
