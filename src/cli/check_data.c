/* Data for the parameters of a function that is checked.
 *
 * In:     its prototype, sizes and values that the user gave
 * Out:    for each parameter an array or a number, filled with random numbers, and room for its shadow
 *
 * Idea: an element of whatever type is a list of cells (numbers at offsets). Arrays end where a page ends, and the
 * next page may not be touched: a function that goes past the size that was said stops there, and the place tells
 * which parameter it was.
 */
#include "cli/check.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Elements of arrays and values of integers when nobody says otherwise. */
enum { DEFAULT_COUNT = 16, MAX_CELLS = 4096 };

double cf_random(uint64_t *state) { /* splitmix64: Steele, Lea, Flood, 2014 */
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* ---- cells ---- */

real cf_get(const cf_cell *cell, const char *element) {
    float f;
    double d;
    long double l;
    switch (cell->kind) {
    case CF_CELL_FLOAT: return memcpy(&f, element + cell->offset, sizeof f), (real)f;
    case CF_CELL_DOUBLE: return memcpy(&d, element + cell->offset, sizeof d), (real)d;
    case CF_CELL_LONG_DOUBLE: return memcpy(&l, element + cell->offset, sizeof l), l;
    default: return 0;
    }
}

void cf_set(const cf_cell *cell, char *element, real value) {
    float f = (float)value;
    double d = (double)value;
    long double l = value;
    int64_t i = (int64_t)value; /* little endian: its first bytes are the small integer */
    switch (cell->kind) {
    case CF_CELL_FLOAT: memcpy(element + cell->offset, &f, sizeof f); break;
    case CF_CELL_DOUBLE: memcpy(element + cell->offset, &d, sizeof d); break;
    case CF_CELL_LONG_DOUBLE: memcpy(element + cell->offset, &l, sizeof l); break;
    case CF_CELL_INTEGER: memcpy(element + cell->offset, &i, cell->size < 8 ? cell->size : 8); break;
    }
}

static bool float_kind(const cf_ctype *t, cf_cell_kind *kind) {
    if (t->size == 4)
        *kind = CF_CELL_FLOAT;
    else if (t->size == 8)
        *kind = CF_CELL_DOUBLE;
    else if (t->size == sizeof(long double) && !strcmp(t->name, "long double"))
        *kind = CF_CELL_LONG_DOUBLE;
    else
        return false;
    return true;
}

bool cf_result_cell(const cf_ctype *t, cf_cell *cell) {
    *cell = (cf_cell){CF_CELL_DOUBLE, 0, t->size};
    return t->kind == CF_C_FLOAT && float_kind(t, &cell->kind);
}

typedef struct cell_list {
    cf_arena *arena;
    CF_VEC(cf_cell) cells;
} cell_list;

/* Lists the numbers of a type; false when it has parts that nobody can invent, or too many. */
static bool list_cells(cell_list *l, const cf_ctype *t, uint64_t offset) {
    cf_cell cell = {CF_CELL_INTEGER, offset, t->size};
    if (l->cells.n > MAX_CELLS) return false;
    switch (t->kind) {
    case CF_C_FLOAT:
        if (!float_kind(t, &cell.kind)) return false;
        cf_push(l->arena, &l->cells, cell);
        return true;
    case CF_C_INTEGER: cf_push(l->arena, &l->cells, cell); return true;
    case CF_C_COMPLEX: {
        cf_ctype half = {
            .kind = CF_C_FLOAT, .size = t->size / 2, .name = t->size == 32 ? "long double" : "double"};
        return list_cells(l, &half, offset) && list_cells(l, &half, offset + half.size);
    }
    case CF_C_ARRAY:
        for (uint64_t i = 0; i < t->n; i++)
            if (!list_cells(l, t->of, offset + i * t->of->size)) return false;
        return t->n > 0;
    case CF_C_STRUCT:
        for (uint64_t i = 0; i < t->n; i++)
            if (!list_cells(l, t->members[i].type, offset + t->members[i].offset)) return false;
        return t->n > 0;
    case CF_C_VOID: return true;
    default: return false;
    }
}

/* ---- what the user says ---- */

static const cf_ctype named_types[] = {
    {.kind = CF_C_FLOAT, .name = "double", .size = 8},
    {.kind = CF_C_FLOAT, .name = "float", .size = 4},
    {.kind = CF_C_FLOAT, .name = "long double", .size = 16},
    {.kind = CF_C_INTEGER, .name = "int", .size = 4},
    {.kind = CF_C_INTEGER, .name = "long", .size = 8},
    {.kind = CF_C_INTEGER, .name = "short", .size = 2},
    {.kind = CF_C_INTEGER, .name = "char", .size = 1},
};

static const cf_ctype *named_type(const char *name) {
    for (size_t i = 0; i < sizeof named_types / sizeof *named_types; i++)
        if (!strcmp(named_types[i].name, name)) return &named_types[i];
    return NULL;
}

static cf_setting *setting_of(cf_plan *plan, const char *name, bool array) {
    cf_setting *found = NULL;
    for (size_t i = 0; i < plan->settings.n; i++) {
        cf_setting *s = &plan->settings.at[i];
        if (s->array != array || strcmp(s->name, name) != 0) continue;
        s->used = true;
        found = s;
    }
    return found;
}

/* An integer that was set is most likely a length. */
static uint64_t default_count(const cf_plan *plan, const cf_prototype *p) {
    uint64_t count = DEFAULT_COUNT;
    for (size_t i = 0; i < plan->settings.n; i++) {
        const cf_setting *s = &plan->settings.at[i];
        for (unsigned k = 0; k < p->n; k++)
            if (!s->array && !strcmp(s->name, p->parameters[k].name) &&
                p->parameters[k].type->kind == CF_C_INTEGER && s->value > (double)count && s->value < 1e7)
                count = (uint64_t)s->value;
    }
    return count;
}

/* ---- memory ---- */

/* Zeroed memory that ends at a page which may not be touched. */
static char *guarded(size_t bytes, char **guard) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (bytes + page) / page * page;
    char *p = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + room, page, PROT_NONE)) return NULL;
    *guard = p + room;
    return p + room - (bytes + 15) / 16 * 16;
}

static bool make_memory(cofactor *c, cf_arena *a, cf_data *d) {
    uint64_t bytes;
    if (__builtin_mul_overflow(d->count, d->size, &bytes) || bytes > UINT64_C(1) << 36) {
        cf_fail(c, COFACTOR_BAD_CALL, "`%s` is too large to be checked", d->name);
        return false;
    }
    if (!d->pointer) { /* one number, which needs no guard */
        d->memory = cf_alloc(a, bytes + 16);
        d->shadow = cf_alloc(a, bytes + 16);
    } else {
        d->memory = guarded(bytes, &d->memory_guard);
        d->shadow = guarded(bytes, &d->shadow_guard);
    }
    d->start = cf_alloc(a, bytes + 16);
    d->direction = CF_ARRAY(a, real, d->count * d->n + 1);
    d->weight = CF_ARRAY(a, real, d->count * d->n + 1);
    d->memory_slot = d->memory;
    d->shadow_slot = d->shadow;
    if (d->memory && d->shadow) return true;
    cf_fail(c, COFACTOR_BAD_CALL, "there is no memory for `%s`", d->name);
    return false;
}

/* ---- filling ---- */

/* Integers behind pointers are most likely indices: they stay below the length of every array. */
static real draw(const cf_plan *plan, uint64_t *random, const cf_data *d, const cf_cell *cell,
                 uint64_t shortest) {
    double u = cf_random(random);
    if (cell->kind != CF_CELL_INTEGER) return (real)(plan->low + (plan->high - plan->low) * u);
    if (cell->size == 1) return d->pointer ? 0 : 1;
    return d->pointer ? (real)(int64_t)(u * (double)shortest) : (real)DEFAULT_COUNT;
}

static void fill(cf_plan *plan, uint64_t *random, cf_data *d, uint64_t shortest) {
    const cf_setting *set = setting_of(plan, d->name, false);
    for (uint64_t i = 0; i < d->count; i++)
        for (size_t k = 0; k < d->n; k++) {
            real value = draw(plan, random, d, &d->cells[k], shortest);
            cf_set(&d->cells[k], d->start + i * d->size, set ? (real)set->value : value);
        }
}

/* ---- parameters ---- */

static const cf_ctype *element_of(cofactor *c, cf_plan *plan, const cf_cmember *p, cf_data *d) {
    const cf_ctype *t = d->pointer ? p->type->of : p->type;
    cf_setting *array = setting_of(plan, p->name, true);
    if (array && !d->pointer) {
        cf_fail(c, COFACTOR_BAD_CALL, "`%s` is no pointer; --array is for pointers, --set for numbers",
                p->name);
        return NULL;
    }
    if (array) d->count = array->count;
    if (array && array->type) {
        t = named_type(array->type);
        if (!t)
            cf_fail(c, COFACTOR_BAD_CALL,
                    "`%s` in --array is no type; double, float, long double, int, long, short and char are",
                    array->type);
    } else if (d->pointer && t->kind == CF_C_UNKNOWN) {
        t = named_type("double");
    }
    return t;
}

static bool describe(cofactor *c, cf_plan *plan, const cf_cmember *p, uint64_t count, cf_data *d) {
    d->name = p->name;
    d->pointer = p->type->kind == CF_C_POINTER;
    d->count = d->pointer ? count : 1;
    const cf_ctype *t = element_of(c, plan, p, d);
    if (!t) return false;
    cell_list l = {.arena = plan->arena};
    bool number = t->kind == CF_C_FLOAT || t->kind == CF_C_INTEGER;
    if ((!d->pointer && !number) || !list_cells(&l, t, 0)) {
        cf_fail(c, COFACTOR_BAD_REQUEST,
                "check cannot invent data for the parameter `%s`; numbers, and pointers to numbers or to "
                "structs of them, "
                "can be checked (a small function around this one may help)",
                cf_c_declaration(plan->arena, p->type, p->name));
        return false;
    }
    d->cells = l.cells.at;
    d->n = l.cells.n;
    d->size = t->size ? t->size : 1;
    return true;
}

static bool all_used(cofactor *c, const cf_plan *plan, const cf_prototype *p) {
    for (size_t i = 0; i < plan->settings.n; i++) {
        const cf_setting *s = &plan->settings.at[i];
        if (s->used) continue;
        const char *names = "";
        for (unsigned k = 0; k < p->n; k++)
            names = cf_text(plan->arena, "%s%s`%s`", names, k ? ", " : "", p->parameters[k].name);
        cf_fail(c, COFACTOR_BAD_CALL, "`%s` has no parameter `%s`; it has %s", p->shown, s->name,
                *names ? names : "none");
        return false;
    }
    return true;
}

cf_data *cf_make_data(cofactor *c, cf_plan *plan, const cf_prototype *p, const cf_words *words) {
    cf_data *data = CF_ARRAY(plan->arena, cf_data, p->n + 1);
    uint64_t count = default_count(plan, p), shortest = UINT64_MAX, random = plan->seed;
    for (unsigned i = 0; i < p->n; i++) {
        data[i].dup = words->dup[i];
        if (!describe(c, plan, &p->parameters[i], count, &data[i]) || !make_memory(c, plan->arena, &data[i]))
            return NULL;
        if (data[i].pointer && data[i].count < shortest) shortest = data[i].count;
    }
    for (unsigned i = 0; i < p->n; i++) fill(plan, &random, &data[i], shortest);
    return all_used(c, plan, p) ? data : NULL;
}
