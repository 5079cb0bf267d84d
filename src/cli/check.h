/* The parts of `cofactor check`: data for a function's parameters, and derivatives along a direction. */
#ifndef CF_CHECK_H
#define CF_CHECK_H
#include "jit/prototype.h"
#include "jit/session.h"
#include <stdbool.h>
#include <stdint.h>

/* All arithmetic of the check itself. */
typedef long double real;

/* ---- check_data.c ---- */

typedef enum cf_cell_kind {
    CF_CELL_FLOAT,
    CF_CELL_DOUBLE,
    CF_CELL_LONG_DOUBLE,
    CF_CELL_INTEGER /* of `size` bytes */
} cf_cell_kind;

/* A number inside an element of a parameter's data. */
typedef struct cf_cell {
    cf_cell_kind kind;
    uint64_t offset, size;
} cf_cell;

/* The data of one parameter: an array of elements that a pointer points to, or one number that is passed itself. */
typedef struct cf_data {
    const char *name;
    bool pointer, dup;
    uint64_t count, size; /* elements, and bytes of each */
    const cf_cell *cells; /* in each element */
    size_t n;
    char *start;                       /* what it holds at the beginning of each call */
    char *memory;                      /* what the function works on */
    char *shadow;                      /* tangents or adjoints; only of what is dup */
    real *direction, *weight;          /* a number for each floating cell of what is dup */
    char *memory_guard, *shadow_guard; /* the byte after it, which may not be touched; NULL without */
    void *memory_slot, *shadow_slot;   /* pointers: what is passed */
} cf_data;

/* What the user says about parameters: --array and --set. */
typedef struct cf_setting {
    const char *name, *type; /* type: of elements, NULL unless said */
    uint64_t count;          /* --array */
    double value;            /* --set */
    bool array, used;
} cf_setting;

typedef struct cf_plan {
    cf_arena *arena;
    CF_VEC(cf_setting) settings;
    uint64_t seed;
    double low, high; /* range of random numbers */
} cf_plan;

/* Data for each parameter. NULL after a message. */
cf_data *cf_make_data(cofactor *c, cf_plan *plan, const cf_prototype *p, const cf_words *words);

real cf_get(const cf_cell *cell, const char *element);
void cf_set(const cf_cell *cell, char *element, real value);
/* Number of a result of type t; false when it is none. */
bool cf_result_cell(const cf_ctype *t, cf_cell *cell);
/* Uniform in [0, 1). */
double cf_random(uint64_t *state);

/* ---- check_run.c ---- */

typedef void cf_caller(void **slots);

typedef struct cf_trial {
    cf_data *data;
    unsigned n;
    cf_caller *primal, *forward, *reverse; /* forward or reverse may be NULL */
    bool has_result;
    cf_cell result;
    real result_weight;
    void **slots;
} cf_trial;

typedef struct cf_outcome {
    real forward, reverse, difference;
    real uncertainty; /* of the difference, as extrapolation estimates it */
    bool kink;        /* slopes to both sides differ, however small the step */
    real scale;       /* sum of the absolute values of the terms: what errors are relative to */
} cf_outcome;

/* New directions and weights; only: the one parameter to vary, or NULL. */
void cf_draw(cf_trial *t, const cf_data *only, uint64_t *random);
/* Derivative along the direction of the weighted sum of outputs, in all ways that there are. step: of slopes to both
 * sides, which rounding must leave three digits of. */
cf_outcome cf_try(cf_trial *t, real step);
/* The weighted sum of outputs is a finite number where the check is made. */
bool cf_is_finite_here(cf_trial *t);

#endif
