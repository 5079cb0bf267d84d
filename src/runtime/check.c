/* Checked requests: what is compared, and what is said. See check.h.
 *
 * In:     one call of a checked function
 * Out:    nothing; after a disagreement a message on stderr, and the program ends with status 1
 * Needs:  check_run.c
 *
 * Differences are central ones, extrapolated to step 0 (Ridders, Accurate computation of F'(x) and F'(x)F''(x), 1982). The
 * direction of a place is a random number of the size of what it holds, its weight one of the inverse size of what is written
 * behind the same argument. After a disagreement the places that are varied are halved until one is left. */
#include "runtime/check.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Thread_local const char *__cf_check_site;
_Thread_local int __cf_check_busy;
cf_check_settings __cf_check_settings;

typedef long double real;

/* The program may have no libm. NaN counts as large. */
static real larger(real x, real y) { return x > y || x != x ? x : y; }

/* ---- whether a call is checked ---- */

enum { USUAL_CALLS = 3, USUAL_SECONDS = 60 };

/* The number after a word; `all` is a large one. */
static uint64_t setting(const char *words, const char *word, uint64_t usual) {
    const char *at = words ? strstr(words, word) : NULL;
    if (!at) return usual;
    at += strlen(word);
    return strncmp(at, "all", 3) ? strtoull(at, NULL, 10) : UINT64_MAX;
}

static void read_settings(void) {
    const char *words = getenv("COFACTOR_CHECKED");
    if (__cf_check_settings.read) return;
    __cf_check_settings = (cf_check_settings){
        .read = 1,
        .calls = setting(words, "calls=", USUAL_CALLS),
        .seconds = (unsigned)setting(words, "seconds=", USUAL_SECONDS),
        .verbose = words && strstr(words, "verbose"),
        .go_on = words && strstr(words, "continue"),
    };
}

static void *shared(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void end(cf_check *c) {
    if (c->told) munmap(c->told, c->told_size);
    if (c->odd) munmap(c->odd, 2 * c->n + 1);
    free(c->places);
    free(c->v);
    free(c->w);
    free(c);
    __cf_check_busy = 0;
}

cf_check *__cf_check_begin(cf_checked *of, uint64_t n_arguments) {
    const char *site = __cf_check_site;
    __cf_check_site = NULL;
    if (__cf_check_busy) return NULL;
    read_settings();
    uint64_t call = __atomic_add_fetch(&of->calls, 1, __ATOMIC_RELAXED);
    if (call > __cf_check_settings.calls || of->told) return NULL;
    cf_check *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    __cf_check_busy = 1;
    c->of = of;
    c->site = site;
    c->call = call;
    c->n_arguments = n_arguments;
    c->direction = (call - 1) % of->width;
    c->told_size = sizeof *c->told + (n_arguments + 1) * sizeof *c->told->largest;
    c->told = shared(c->told_size);
    if (c->told) return c;
    end(c);
    return NULL;
}

uint64_t __cf_check_direction(const cf_check *c) { return c->direction; }

void __cf_check_number(cf_check *c, char *at, char *shadow, uint64_t kind, uint64_t count, uint64_t argument,
                       char *object) {
    size_t bytes = kind == CF_PLACE_LONG_DOUBLE ? sizeof(long double) : __cf_place_bytes((unsigned)kind);
    cf_spot *grown = realloc(c->places, (c->n + count) * sizeof *grown);
    if (!grown) return;
    c->places = grown;
    c->room = c->n + count;
    for (uint64_t i = 0; i < count; i++)
        c->places[c->n++] = (cf_spot){
            .at = at + i * bytes,
            .shadow = shadow + i * bytes,
            .offset = (uint64_t)(at - object) + i * bytes,
            .argument = (uint16_t)argument,
            .kind = (uint8_t)kind,
            .flags = argument ? CF_PLACE_READ : CF_PLACE_RESULT,
        };
}

void __cf_check_base(cf_check *c, char *at, char *shadow, uint64_t argument, uint64_t depth, uint64_t via) {
    if (at && at == shadow && !depth) c->itself = (uint16_t)argument;
    if (!shadow || at == shadow || c->n_bases == CF_CHECK_BASES) return;
    c->bases[c->n_bases].at = at;
    c->bases[c->n_bases].shadow = shadow;
    c->bases[c->n_bases].depth = depth;
    c->bases[c->n_bases].via = via;
    c->bases[c->n_bases++].argument = argument;
}

/* ---- directions and weights ---- */

static uint64_t mixed(uint64_t x) {
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* Of size 1/2 to 1, of either sign. */
static double drawn(const cf_check *c, size_t i, uint64_t which) {
    uint64_t x = mixed(mixed(c->call * 2 + which) + i);
    double size = 0.5 + (double)(x >> 12) * 0x1p-53;
    return x & 1 ? size : -size;
}

static int by_place(const void *x, const void *y) {
    const cf_spot *a = x, *b = y;
    if (a->argument != b->argument) return a->argument < b->argument ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static size_t end_of_argument(const cf_check *c, size_t from) {
    size_t i = from;
    while (i < c->n && c->places[i].argument == c->places[from].argument) i++;
    return i;
}

/* What holds 0 gets a direction of the smallest size beside it: it may stand at the edge of where it makes sense. */
static void draw_directions(cf_check *c, size_t from, size_t to) {
    double least = INFINITY;
    for (size_t i = from; i < to; i++) {
        double x = fabs((double)__cf_place_get(c->places[i].kind, c->places[i].at));
        if (x > 0 && x < least) least = x;
    }
    for (size_t i = from; i < to; i++) {
        const cf_spot *p = &c->places[i];
        double x = fabs((double)__cf_place_get(p->kind, p->at));
        if (!(p->flags & CF_PLACE_READ) || p->flags & CF_PLACE_UNCLEAR || !isfinite(x)) continue;
        c->v[i] = drawn(c, i, 0) * (x > 0 ? x : isfinite(least) ? least : 1);
    }
}

static void draw_weights(cf_check *c) {
    for (size_t i = 0; i < c->n; i++) {
        const cf_spot *p = &c->places[i];
        if (!(p->flags & (CF_PLACE_WRITTEN | CF_PLACE_RESULT)) || p->flags & CF_PLACE_UNCLEAR || c->odd[i])
            continue;
        double size = c->told->largest[p->argument <= c->n_arguments ? p->argument : 0];
        c->w[i] = drawn(c, i, 1) / (size > 0 ? size : 1);
        if (p->flags & CF_PLACE_RESULT && c->of->flags & CF_CHECKED_UNSEEDED) c->w[i] = 1;
    }
}

/* ---- the three ways to the same number ---- */

typedef struct answer {
    int there; /* it could be computed */
    real value, scale;
} answer;

static answer run(cf_check *c, int what, real step) {
    c->step = step;
    const cf_told *t = __cf_check_evaluate(c, what);
    return t ? (answer){1, t->sum, t->scale} : (answer){0, NAN, NAN};
}

static int has_result(const cf_check *c) {
    for (size_t i = 0; i < c->n; i++)
        if (c->places[i].flags & CF_PLACE_RESULT) return 1;
    return 0;
}

/* A derivative is linear: what it gives without a direction or a weight comes from numbers of the shadows that are no places
 * (the primal moves them as integers, say), and is taken off. Where the weight of the result is always 1, that cannot be told. */
static answer derivative(cf_check *c, int what) {
    if (what == CF_RUN_REVERSE && c->of->flags & CF_CHECKED_UNSEEDED && has_result(c)) return run(c, what, 0);
    c->blank = 1;
    answer stray = run(c, what, 0);
    c->blank = 0;
    answer a = run(c, what, 0);
    a.value -= stray.value;
    a.scale += stray.scale;
    return a;
}

static real primal(cf_check *c, real step) { return run(c, CF_RUN_PRIMAL, step).value; }

static real central(cf_check *c, real step) { return (primal(c, step) - primal(c, -step)) / (2 * step); }

enum { ROWS = 8 };
#define SHRINK 1.6L

static real extrapolated_from(cf_check *c, real step, real *uncertainty) {
    real table[ROWS][ROWS], best = NAN;
    *uncertainty = INFINITY;
    for (int i = 0; i < ROWS; i++, step /= SHRINK) {
        real factor = SHRINK * SHRINK;
        table[i][0] = central(c, step);
        for (int k = 1; k <= i; k++, factor *= SHRINK * SHRINK) {
            table[i][k] = (table[i][k - 1] * factor - table[i - 1][k - 1]) / (factor - 1);
            real error =
                larger(fabsl(table[i][k] - table[i][k - 1]), fabsl(table[i][k] - table[i - 1][k - 1]));
            if (!(error <= *uncertainty)) continue;
            *uncertainty = error;
            best = table[i][k];
        }
        if (i && fabsl(table[i][i] - table[i - 1][i - 1]) >= 2 * *uncertainty) break;
    }
    return best;
}

/* From several first steps, relative to what the places hold. */
static real difference(cf_check *c, real *uncertainty) {
    static const real fine[] = {0.01L, 0.0005L, 0.00002L}, coarse[] = {0.05L, 0.01L, 0.002L};
    real best = NAN;
    *uncertainty = INFINITY;
    for (int i = 0; i < 3; i++) {
        real error, value = extrapolated_from(c, c->coarse ? coarse[i] : fine[i], &error);
        if (!(error < *uncertainty)) continue;
        *uncertainty = error;
        best = value;
        if (error <= (c->coarse ? 1e-3L : 1e-8L) * fabsl(value)) break;
    }
    return best;
}

/* By how much the slopes to both sides differ. Of a smooth function that shrinks with the step. */
static real bend(cf_check *c, real step) {
    real here = primal(c, 0);
    return fabsl(primal(c, step) - here - (here - primal(c, -step))) / step;
}

static int has_kink(cf_check *c, real scale, real values) {
    real step = c->coarse ? 1e-2L : 1e-4L, wide = bend(c, step), narrow = bend(c, step / 10);
    real rounding = (c->coarse ? 1e-6L : 2e-15L) * values / (step / 10);
    return narrow > 1e-3L * scale + rounding && narrow > wide / 2;
}

/* Smaller steps give it again. */
static int is_settled(cf_check *c, real difference) {
    real error, again = extrapolated_from(c, c->coarse ? 4e-3L : 1e-5L, &error);
    return fabsl(again - difference) <= 1e-2L * fabsl(difference) + error;
}

/* The rounding of what is read alone changes the values as a whole, so that differences say nothing. */
static int is_steep(cf_check *c, real scale, real values) {
    real beside = run(c, CF_RUN_PRIMAL, c->coarse ? 1e-2L : 1e-4L).scale;
    return scale > (c->coarse ? 1e5L : 1e13L) * larger(values, beside);
}

/* ---- comparing ---- */

enum { GOOD, MODES, DIFFERENCES, NOT_FINITE, NOT_ADDED, UNSURE };

typedef struct outcome {
    answer forward, reverse;
    real difference, uncertainty, scale;
    real values; /* the sum of the absolute values of weighted results, for their rounding */
} outcome;

static int is_reverse(const cf_check *c) { return (c->of->flags & CF_CHECKED_REVERSE) != 0; }

static void both_modes(cf_check *c, outcome *o) {
    o->forward = o->reverse = (answer){0, NAN, 0};
    if (!(c->of->flags & CF_CHECKED_NO_FORWARD)) o->forward = derivative(c, CF_RUN_FORWARD);
    if (!(c->of->flags & CF_CHECKED_NO_REVERSE)) o->reverse = derivative(c, CF_RUN_REVERSE);
    o->scale = 0;
    if (o->forward.there && isfinite(o->forward.scale)) o->scale = o->forward.scale;
    if (o->reverse.there && isfinite(o->reverse.scale)) o->scale = larger(o->scale, o->reverse.scale);
}

static int is_finite(const answer *a) { return !a->there || isfinite(a->value); }

static int judge_modes(const cf_check *c, const outcome *o) {
    if (!is_finite(&o->forward) || !is_finite(&o->reverse)) return NOT_FINITE;
    if (!o->forward.there || !o->reverse.there) return GOOD;
    real apart = fabsl(o->forward.value - o->reverse.value);
    return apart <= (c->coarse ? 1e-3L : 1e-8L) * o->scale ? GOOD : MODES;
}

static int judge_differences(cf_check *c, outcome *o) {
    const answer *own = is_reverse(c) ? &o->reverse : &o->forward;
    o->values = run(c, CF_RUN_PRIMAL, 0).scale;
    o->difference = difference(c, &o->uncertainty);
    if (!own->there) return GOOD;
    real scale = larger(o->scale, fabsl(o->difference));
    real allowed =
        (c->coarse ? 2e-2L : 1e-6L) * scale + 10 * o->uncertainty + (c->coarse ? 1e-4L : 1e-9L) * o->values;
    if (!isfinite(o->difference) || o->uncertainty > 1e-3L * scale) return UNSURE;
    if (fabsl(own->value - o->difference) <= allowed) return GOOD;
    int unsure =
        has_kink(c, scale, o->values) || is_steep(c, scale, o->values) || !is_settled(c, o->difference);
    return unsure ? UNSURE : DIFFERENCES;
}

/* Reverse mode adds: what a shadow held before must still be in it. */
static int judge_added(cf_check *c, outcome *o) {
    if (!is_reverse(c) || !o->reverse.there) return GOOD;
    real sum = 0;
    answer before = run(c, CF_RUN_REVERSE, 0);
    double size = c->told->most > 0 ? c->told->most : 1;
    c->extra = size;
    answer after = run(c, CF_RUN_REVERSE, 0);
    c->extra = 0;
    for (size_t i = c->from; i < c->to; i++) sum += fabsl(size * c->v[i]);
    if (!before.there || !after.there) return GOOD;
    real allowed = (c->coarse ? 1e-3L : 1e-8L) * (before.scale + sum);
    return fabsl(before.value - after.value) <= allowed ? GOOD : NOT_ADDED;
}

/* Whether the places that are varied show a disagreement of this kind. */
static int shows(cf_check *c, int kind, outcome *o) {
    both_modes(c, o);
    int verdict = judge_modes(c, o);
    if (kind == MODES || kind == NOT_FINITE) return verdict == kind;
    return (kind == DIFFERENCES ? judge_differences(c, o) : judge_added(c, o)) == kind;
}

/* Narrows the places that are varied down to one that shows it. False: only all of them together do. */
static int locate(cf_check *c, int kind, outcome *o) {
    outcome whole = *o;
    for (size_t from = 0; from < c->n; from = c->to) {
        c->from = from;
        c->to = end_of_argument(c, from);
        if (!shows(c, kind, o)) continue;
        while (c->to - c->from > 1) {
            size_t end = c->to, middle = c->from + (c->to - c->from) / 2, start = c->from;
            c->to = middle;
            if (shows(c, kind, o)) continue;
            c->from = middle;
            c->to = end;
            if (shows(c, kind, o)) continue;
            c->from = start;
            shows(c, kind, o);
            break;
        }
        return 1;
    }
    c->from = 0;
    c->to = c->n;
    *o = whole;
    return 0;
}

/* ---- saying it ---- */

static const char *argument_name(const cf_check *c, unsigned argument) {
    return argument && argument <= c->n_arguments ? c->of->arguments[argument - 1] : "";
}

static void say_place(const cf_check *c) {
    static const char *const kinds[] = {"float", "double", "long double"};
    const cf_spot *p = &c->places[c->from];
    const char *name = argument_name(c, p->argument);
    if (!p->argument) return;
    fprintf(stderr, "  by argument %u%s%s%s", p->argument, *name ? " (`" : "", name, *name ? "`)" : "");
    if (c->to - c->from > 1) {
        fprintf(stderr, ", %zu numbers together\n", c->to - c->from);
        return;
    }
    if (p->depth == 1) fprintf(stderr, ", through the pointer at byte %llu", (unsigned long long)p->via);
    if (p->depth > 1)
        fprintf(stderr, ", through %u pointers, the last at byte %llu", p->depth, (unsigned long long)p->via);
    size_t size = __cf_place_bytes(p->kind);
    int element = p->depth < 2 && !(p->offset % size);
    fprintf(stderr, ", at byte %llu", (unsigned long long)p->offset);
    if (element)
        fprintf(stderr, ": %s number %llu, from 0", kinds[p->kind], (unsigned long long)(p->offset / size));
    else
        fprintf(stderr, ": a %s", kinds[p->kind]);
    fputc('\n', stderr);
}

static void say_value(const char *what, int there, real value, real unit) {
    if (there) fprintf(stderr, "    %-12s %22.15Le\n", what, value / unit);
}

static void say_values(cf_check *c, const outcome *o, int kind) {
    real unit = c->to - c->from == 1 && c->v[c->from] != 0 ? c->v[c->from] : 1, uncertainty;
    real d = kind == DIFFERENCES ? o->difference : difference(c, &uncertainty);
    say_value("reverse", o->reverse.there, o->reverse.value, unit);
    say_value("forward", o->forward.there, o->forward.value, unit);
    say_value("differences", isfinite(d), d, unit);
    real f = fabsl(o->forward.value - d), r = fabsl(o->reverse.value - d), near = 1e-4L * fabsl(d);
    const char *what = "  The modes disagree.";
    if (kind == DIFFERENCES)
        what = "  Both modes agree and the program differs: a function that is called inactive, a rule, or a "
               "value that is "
               "found by\n  comparison alone (a search by halves), whose derivative no mode can see.";
    else if (kind == NOT_FINITE)
        what = "  The program's values there are finite.";
    else if (f <= near && r > near)
        what = "  Forward mode agrees with the program, reverse mode does not.";
    else if (r <= near && f > near)
        what = "  Reverse mode agrees with the program, forward mode does not.";
    fprintf(stderr, "%s\n", what);
}

static void say_head(const cf_check *c, const char *what, const char *why) {
    const cf_checked *r = c->of;
    fprintf(stderr, "%s: cofactor: `%s`, the derivative of `%s`, %s in call %llu%s%s%s%s\n", r->place,
            r->name, r->primal, what, (unsigned long long)c->call, c->site ? " (" : "",
            c->site ? c->site : "", c->site ? ")" : "", why);
}

static void disagree(cf_check *c, outcome *o, int kind) {
    c->of->told = 1;
    locate(c, kind, o);
    say_head(c,
             kind == NOT_ADDED    ? "does not add to what its shadows hold"
             : kind == NOT_FINITE ? "is not finite"
                                  : "is wrong",
             "");
    say_place(c);
    if (kind != NOT_ADDED) say_values(c, o, kind);
    fputs(c->of->suspects, stderr);
    if (__cf_check_settings.go_on) return;
    fflush(NULL);
    _exit(1);
}

/* A call that cannot be checked; said once. */
static void leave_out(const cf_check *c, const char *why) {
    if (c->of->left_out && !__cf_check_settings.verbose) return;
    c->of->left_out = 1;
    say_head(c, "is not checked", why);
}

/* ---- one call ---- */

static int by_address(const void *x, const void *y) {
    const cf_spot *a = x, *b = y;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* What two arguments point to, each with a shadow of its own, cannot be varied for one of them alone. */
static void leave_shared(cf_check *c) {
    qsort(c->places, c->n, sizeof *c->places, by_address);
    for (size_t i = 1; i < c->n; i++)
        if (c->places[i].at == c->places[i - 1].at) {
            c->places[i].flags |= CF_PLACE_UNCLEAR;
            c->places[i - 1].flags |= CF_PLACE_UNCLEAR;
        }
}

/* The argument whose shadow lies in what it is a shadow of, or in another's; 0: there is none. Places are in the order of their
 * addresses. */
static unsigned overlapping(const cf_check *c) {
    enum { LARGEST = 16 };
    if (c->itself) return c->itself;
    for (size_t i = 0; i < c->n; i++) {
        const cf_spot *p = &c->places[i];
        const char *begin = p->shadow, *end = begin + __cf_place_bytes(p->kind);
        size_t low = 0, high = c->n;
        while (low < high) {
            size_t mid = (low + high) / 2;
            if (c->places[mid].at + LARGEST <= begin)
                low = mid + 1;
            else
                high = mid;
        }
        for (; low < c->n && c->places[low].at < end; low++)
            if (c->places[low].at + __cf_place_bytes(c->places[low].kind) > begin) return p->argument;
    }
    return 0;
}

static void tell_overlap(cf_check *c, unsigned argument) {
    const char *name = c->of->arguments[argument - 1];
    c->of->told = 1;
    say_head(c, "gets a shadow that overlaps what is differentiated", "");
    fprintf(stderr, "  the shadow of argument %u%s%s%s\n", argument, *name ? " (`" : "", name,
            *name ? "`)" : "");
    if (__cf_check_settings.go_on) return;
    fflush(NULL);
    _exit(1);
}

static int set_up(cf_check *c) {
    qsort(c->places, c->n, sizeof *c->places, by_place);
    c->v = calloc(c->n + 1, sizeof *c->v);
    c->w = calloc(c->n + 1, sizeof *c->w);
    c->odd = shared(2 * c->n + 1);
    if (!c->v || !c->w || !c->odd) return 0;
    c->changed = c->odd + c->n;
    int any = 0;
    for (size_t from = 0, to; from < c->n; from = to) {
        to = end_of_argument(c, from);
        draw_directions(c, from, to);
    }
    for (size_t i = 0; i < c->n; i++) {
        any |= c->v[i] != 0;
        c->coarse |= c->places[i].kind == CF_PLACE_FLOAT && !(c->places[i].flags & CF_PLACE_UNCLEAR);
    }
    c->coarse |= (c->of->flags & CF_CHECKED_COARSE) != 0;
    c->to = c->n;
    return any;
}

/* Of the evaluation that was last. */
static const char *ending(const cf_check *c) {
    static char text[64];
    if (c->late) {
        snprintf(text, sizeof text, ": the primal takes more than %u s", __cf_check_settings.seconds);
        return text;
    }
    return ": the primal does not return";
}

/* All evaluations begin in the same state; where two differ, the primal's result is made from something else: the time, random
 * numbers of the system's, another process. */
static int repeats(cf_check *c) {
    answer one = run(c, CF_RUN_PRIMAL, 0), two = run(c, CF_RUN_PRIMAL, 0);
    if (!one.there || !two.there) return leave_out(c, ending(c)), 0;
    if (one.value == two.value || (one.value != one.value && two.value != two.value)) return 1;
    leave_out(c, ": from the same state the primal computes something else each time");
    return 0;
}

static void compare(cf_check *c) {
    outcome o = {0};
    if (!__cf_check_record(c)) {
        leave_out(c, ending(c));
        return;
    }
    leave_shared(c);
    unsigned argument = overlapping(c);
    if (argument) {
        tell_overlap(c, argument);
        return;
    }
    if (!set_up(c)) {
        leave_out(
            c,
            ": the primal reads no number behind a `dup` argument, or frees it, or two arguments share it");
        return;
    }
    if (!run(c, CF_RUN_PRIMAL, 0).there) {
        leave_out(c, ending(c));
        return;
    }
    draw_weights(c);
    if (!repeats(c)) return;
    both_modes(c, &o);
    if (!(is_reverse(c) ? &o.reverse : &o.forward)->there) {
        leave_out(c, ": the derivative does not return, as where a shadow is missing or too short");
        return;
    }
    int verdict = judge_modes(c, &o);
    if (verdict == GOOD) verdict = judge_added(c, &o);
    if (verdict == GOOD) verdict = judge_differences(c, &o);
    if (verdict != GOOD && verdict != UNSURE) {
        disagree(c, &o, verdict);
        return;
    }
    if (!__cf_check_settings.verbose) return;
    say_head(c, verdict == UNSURE ? "agrees in both modes; differences do not settle," : "agrees", "");
    fprintf(stderr, "  %zu numbers; reverse %.15Le, forward %.15Le, differences %.15Le\n", c->n,
            o.reverse.value, o.forward.value, o.difference);
}

__attribute__((noinline)) int __cf_check_run(cf_check *c) {
    int what = setjmp(c->out);
    if (what) return what;
    compare(c);
    end(c);
    return CF_RUN_NOTHING;
}
