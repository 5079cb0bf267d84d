/* Recording: which numbers behind its arguments a primal reads and writes. See check.h.
 *
 * In:     calls of the recording derivative of a primal, in a child process with one thread
 * Out:    places
 * Needs:  malloc_usable_size, for blocks that are freed
 *
 * Idea: a table by the address of the shadow, in cells of 4 bytes. A cell is as the caller left it until something is
 * written there. A number that is read from such cells is one that the primal depends on. Where bytes are copied, the copy's
 * cells remember where their bytes came from, so that a number that is read from a copy counts where it was. Objects that the
 * primal makes are written as a whole when they begin. */
#include "runtime/check.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELL = 4, CELLS = 1024, PAGE = CELL * CELLS };
enum { AS_BEFORE, WRITTEN, COPIED, STATE = 3, FRESH = 4, POINTER = 8 }; /* states of a cell, and flags */

typedef struct origin {
    char *at, *shadow;
} origin;

typedef struct page {
    uintptr_t number;
    unsigned char state[CELLS];
    uint32_t place[CELLS]; /* 1 + index of the place that begins here */
    origin *from;          /* of copied cells */
} page;

/* What a pointer leads to, and where that pointer lies (NULL: it is an argument). */
typedef struct base {
    char *shadow, *parent;
    uint64_t order;
    uint32_t depth, argument;
    uint64_t via;
} base;

typedef struct range {
    char *from, *to;
} range;

static struct {
    page **slot, *last;
    size_t n_slots, n_pages;
    cf_spot *places;
    size_t n, room;
    base *bases; /* a hash table */
    size_t n_bases, base_slots;
    range *gone; /* blocks of the caller's that were freed */
    size_t n_gone, gone_room;
    origin passed[16]; /* objects passed by value to the call that comes */
    unsigned n_passed, n_received;
} rec;

static void *more(void *p, size_t bytes) {
    void *q = realloc(p, bytes ? bytes : 1);
    if (!q) _exit(1);
    return q;
}
static void *cleared(size_t bytes) { return memset(more(NULL, bytes), 0, bytes); }

static size_t hash(uintptr_t a) { return (size_t)(a * UINT64_C(0x9E3779B97F4A7C15) >> 20); }

/* ---- numbers ---- */

size_t __cf_place_bytes(unsigned kind) {
    return kind == CF_PLACE_FLOAT ? sizeof(float) : kind == CF_PLACE_DOUBLE ? sizeof(double) : 10;
}

static size_t stride(unsigned kind) {
    return kind == CF_PLACE_LONG_DOUBLE ? sizeof(long double) : __cf_place_bytes(kind);
}
static size_t cells_of(unsigned kind) { return (__cf_place_bytes(kind) + CELL - 1) / CELL; }

long double __cf_place_get(unsigned kind, const char *p) {
    float f;
    double d;
    long double l = 0;
    if (kind == CF_PLACE_FLOAT) return memcpy(&f, p, sizeof f), (long double)f;
    if (kind == CF_PLACE_DOUBLE) return memcpy(&d, p, sizeof d), (long double)d;
    memcpy(&l, p, 10);
    return l;
}

void __cf_place_set(unsigned kind, char *p, long double x) {
    float f = (float)x;
    double d = (double)x;
    if (kind == CF_PLACE_FLOAT)
        memcpy(p, &f, sizeof f);
    else if (kind == CF_PLACE_DOUBLE)
        memcpy(p, &d, sizeof d);
    else
        memcpy(p, &x, 10);
}

/* ---- cells ---- */

static page **slot_of(uintptr_t number) {
    size_t at = hash(number) & (rec.n_slots - 1);
    while (rec.slot[at] && rec.slot[at]->number != number) at = (at + 1) & (rec.n_slots - 1);
    return &rec.slot[at];
}

static void grow_table(void) {
    page **old = rec.slot;
    size_t n = rec.n_slots;
    rec.n_slots = n ? 2 * n : 256;
    rec.slot = cleared(rec.n_slots * sizeof *rec.slot);
    for (size_t i = 0; i < n; i++)
        if (old[i]) *slot_of(old[i]->number) = old[i];
    free(old);
}

static page *page_of(const char *shadow) {
    uintptr_t number = (uintptr_t)shadow / PAGE;
    if (rec.last && rec.last->number == number) return rec.last;
    page *p = rec.n_slots ? *slot_of(number) : NULL;
    if (p) return rec.last = p;
    if (2 * ++rec.n_pages > rec.n_slots) grow_table();
    p = cleared(sizeof *p);
    p->number = number;
    *slot_of(number) = p;
    return rec.last = p;
}

static size_t cell_of(const char *shadow) { return (uintptr_t)shadow % PAGE / CELL; }
static unsigned char *state_of(const char *shadow) { return &page_of(shadow)->state[cell_of(shadow)]; }
static uint32_t *place_of(const char *shadow) { return &page_of(shadow)->place[cell_of(shadow)]; }
static int is_odd(const char *shadow) { return (uintptr_t)shadow % CELL != 0; }

static origin *origin_of(const char *shadow) {
    page *p = page_of(shadow);
    if (!p->from) p->from = cleared(CELLS * sizeof *p->from);
    return &p->from[cell_of(shadow)];
}

/* Everything from the cell of the first byte to that of the last. */
static void set_state(char *shadow, size_t bytes, unsigned state) {
    if (!bytes) return;
    char *from = shadow - (uintptr_t)shadow % CELL, *end = shadow + bytes;
    for (; from < end; from += CELL) {
        unsigned char *s = state_of(from);
        *s = (unsigned char)((*s & ~(unsigned)STATE) | state);
    }
}

/* Where the bytes of a number, or of a pointer, were before the call. False: they were made since. */
static int before(char *at, char *shadow, size_t cells, origin *out) {
    unsigned state = *state_of(shadow) & STATE;
    *out = state == COPIED ? *origin_of(shadow) : (origin){at, shadow};
    if (state == WRITTEN) return 0;
    for (size_t k = 1; k < cells; k++) {
        char *next = shadow + k * CELL;
        if ((*state_of(next) & STATE) != state) return 0;
        if (state == COPIED && origin_of(next)->shadow != out->shadow + k * CELL) return 0;
    }
    return 1;
}

/* ---- places ---- */

static void overlap(cf_spot *p, uint32_t other) {
    if (!other) return;
    rec.places[other - 1].flags |= CF_PLACE_UNCLEAR;
    p->flags |= CF_PLACE_UNCLEAR;
}

/* A number that begins in a cell before and reaches into this one. */
static void reaches(cf_spot *p) {
    for (size_t k = 1; k < cells_of(CF_PLACE_LONG_DOUBLE); k++) {
        uint32_t other = *place_of(p->shadow - k * CELL);
        if (other && cells_of(rec.places[other - 1].kind) > k) overlap(p, other);
    }
}

static cf_spot *new_place(char *at, char *shadow, unsigned kind) {
    if (rec.n == rec.room) {
        rec.room = rec.room ? 2 * rec.room : 256;
        rec.places = more(rec.places, rec.room * sizeof *rec.places);
    }
    cf_spot *p = &rec.places[rec.n++];
    *p = (cf_spot){.at = at, .shadow = shadow, .kind = (uint8_t)kind};
    if (*state_of(shadow) & FRESH) p->flags = CF_PLACE_LOCAL;
    reaches(p);
    for (size_t k = 1; k < cells_of(kind); k++) overlap(p, *place_of(shadow + k * CELL));
    *place_of(shadow) = (uint32_t)rec.n;
    return p;
}

static void note(char *at, char *shadow, unsigned kind, unsigned flag) {
    uint32_t known = *place_of(shadow);
    cf_spot *p = known ? &rec.places[known - 1] : new_place(at, shadow, kind);
    if (p->kind != kind || p->at != at) p->flags |= CF_PLACE_UNCLEAR;
    if (*state_of(shadow) & POINTER) p->flags |= CF_PLACE_POINTER;
    p->flags |= (uint8_t)flag;
}

void __cf_record_read(char *p, char *shadow, uint64_t kind, uint64_t count) {
    origin o;
    if (p == shadow || is_odd(shadow)) return;
    for (uint64_t i = 0; i < count; i++, p += stride((unsigned)kind), shadow += stride((unsigned)kind)) {
        int copied = (*state_of(shadow) & STATE) == COPIED;
        if (!before(p, shadow, cells_of((unsigned)kind), &o)) continue;
        note(o.at, o.shadow, (unsigned)kind, CF_PLACE_READ);
        if (copied) note(p, shadow, (unsigned)kind, CF_PLACE_WRITTEN);
    }
}

void __cf_record_write(char *p, char *shadow, uint64_t kind, uint64_t count) {
    if (p == shadow) return;
    for (uint64_t i = 0; i < count; i++, p += stride((unsigned)kind), shadow += stride((unsigned)kind)) {
        set_state(shadow, __cf_place_bytes((unsigned)kind), WRITTEN);
        if (!is_odd(shadow)) note(p, shadow, (unsigned)kind, CF_PLACE_WRITTEN);
    }
}

/* No number of its own is left in any place that has bytes there. */
static void unwrite(char *shadow, size_t bytes) {
    char *from = shadow - (uintptr_t)shadow % CELL - (cells_of(CF_PLACE_LONG_DOUBLE) - 1) * CELL;
    for (char *s = from; s < shadow + bytes; s += CELL) {
        uint32_t known = *place_of(s);
        if (known && s + __cf_place_bytes(rec.places[known - 1].kind) > shadow)
            rec.places[known - 1].flags &= (uint8_t)~CF_PLACE_WRITTEN;
    }
}

void __cf_record_fill(char *p, char *shadow, uint64_t bytes) {
    if (p == shadow || !bytes) return;
    set_state(shadow, bytes, WRITTEN);
    unwrite(shadow, bytes);
}

void __cf_record_fresh(char *shadow, uint64_t bytes) {
    if (!shadow || !bytes) return;
    for (char *s = shadow - (uintptr_t)shadow % CELL; s < shadow + bytes; s += CELL) {
        *state_of(s) = WRITTEN | FRESH;
        *place_of(s) = 0;
    }
}

/* ---- copies ---- */

typedef struct copied {
    origin from;
    uint32_t place;
    unsigned char state;
} copied;

static copied look(char *from, char *from_shadow) {
    copied c = {.state = WRITTEN, .place = *place_of(from_shadow)};
    unsigned state = *state_of(from_shadow) & STATE;
    if (state == WRITTEN) return c;
    c.state = COPIED;
    c.from = state == COPIED ? *origin_of(from_shadow) : (origin){from, from_shadow};
    return c;
}

/* A number whose kind is known is one in the copy. */
static void put(char *at, char *shadow, const copied *c, size_t left) {
    set_state(shadow, CELL, c->state);
    if (c->state == COPIED) *origin_of(shadow) = c->from;
    if (!c->place) return;
    cf_spot p = rec.places[c->place - 1];
    if (!(p.flags & CF_PLACE_UNCLEAR) && cells_of(p.kind) <= left) note(at, shadow, p.kind, CF_PLACE_WRITTEN);
}

void __cf_record_copy(char *p, char *shadow, char *from, char *from_shadow, uint64_t bytes) {
    if (p == shadow || !bytes) return;
    int even = !is_odd(shadow) && from_shadow && from != from_shadow && !is_odd(from_shadow);
    size_t n = even ? bytes / CELL : 0;
    copied *all = n ? more(NULL, n * sizeof *all) : NULL;
    for (size_t k = 0; k < n; k++) all[k] = look(from + k * CELL, from_shadow + k * CELL);
    __cf_record_fill(p, shadow, bytes);
    for (size_t k = 0; k < n; k++) put(p + k * CELL, shadow + k * CELL, &all[k], n - k);
    free(all);
}

void __cf_record_pass(char *from, char *from_shadow) {
    if (rec.n_received) rec.n_passed = rec.n_received = 0;
    if (rec.n_passed < 16) rec.passed[rec.n_passed++] = (origin){from, from_shadow};
}

void __cf_record_receive(char *p, char *shadow, uint64_t bytes) {
    origin o = {NULL, NULL};
    if (rec.n_received < rec.n_passed) o = rec.passed[rec.n_received++];
    __cf_record_fresh(shadow, bytes);
    if (o.shadow) __cf_record_copy(p, shadow, o.at, o.shadow, bytes);
}

/* ---- pointers ---- */

static base *base_slot(base *table, size_t slots, char *shadow) {
    size_t at = hash((uintptr_t)shadow >> 3) & (slots - 1);
    while (table[at].shadow && table[at].shadow != shadow) at = (at + 1) & (slots - 1);
    return &table[at];
}

static base *add_base(char *shadow, char *parent) {
    if (2 * (rec.n_bases + 1) > rec.base_slots) {
        size_t slots = rec.base_slots ? 2 * rec.base_slots : 256;
        base *grown = cleared(slots * sizeof *grown);
        for (size_t i = 0; i < rec.base_slots; i++)
            if (rec.bases[i].shadow) *base_slot(grown, slots, rec.bases[i].shadow) = rec.bases[i];
        free(rec.bases);
        rec.bases = grown;
        rec.base_slots = slots;
    }
    base *b = base_slot(rec.bases, rec.base_slots, shadow);
    if (b->shadow) return b;
    *b = (base){.shadow = shadow, .parent = parent, .order = rec.n_bases++};
    return b;
}

void __cf_record_lead(char *p, char *shadow, char *to) {
    origin o;
    if (p == shadow || !to || is_odd(shadow) || !before(p, shadow, sizeof(char *) / CELL, &o)) return;
    for (size_t k = 0; k < sizeof(char *) / CELL; k++) {
        *state_of(o.shadow + k * CELL) |= POINTER;
        uint32_t known = *place_of(o.shadow + k * CELL);
        if (known) rec.places[known - 1].flags |= CF_PLACE_POINTER;
    }
    add_base(to, o.shadow);
}

void __cf_record_gone(char *p, char *shadow) {
    if (!p || !shadow || p == shadow || *state_of(shadow) & FRESH) return;
    if (rec.n_gone == rec.gone_room) {
        rec.gone_room = rec.gone_room ? 2 * rec.gone_room : 16;
        rec.gone = more(rec.gone, rec.gone_room * sizeof *rec.gone);
    }
    rec.gone[rec.n_gone++] = (range){p, p + malloc_usable_size(p)};
}

void __cf_record_begin(const cf_check *c) {
    for (size_t i = 0; i < c->n_bases; i++) {
        base *b = add_base(c->bases[i].shadow, NULL);
        b->argument = (uint32_t)c->bases[i].argument;
        b->depth = (uint32_t)c->bases[i].depth;
        b->via = c->bases[i].via;
    }
}

/* ---- the end: whose place it is ---- */

static int by_address(const void *x, const void *y) {
    const base *a = x, *b = y;
    return a->shadow < b->shadow ? -1 : a->shadow > b->shadow;
}
static int by_order(const void *x, const void *y) {
    const base *const *a = x, *const *b = y;
    return (*a)->order<(*b)->order ? -1 : (*a)->order>(*b)->order;
}

/* What an address belongs to: that which begins nearest before it. */
static base *nearest(base *all, size_t n, const char *shadow) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (all[mid].shadow <= shadow)
            low = mid + 1;
        else
            high = mid;
    }
    return low ? &all[low - 1] : NULL;
}

static base *sorted_bases(void) {
    base *all = more(NULL, rec.n_bases * sizeof *all);
    base **ordered = more(NULL, rec.n_bases * sizeof *ordered);
    size_t n = 0;
    for (size_t i = 0; i < rec.base_slots; i++)
        if (rec.bases[i].shadow) all[n++] = rec.bases[i];
    qsort(all, n, sizeof *all, by_address);
    for (size_t i = 0; i < n; i++) ordered[i] = &all[i];
    qsort(ordered, n, sizeof *ordered, by_order);
    for (size_t i = 0; i < n; i++) {
        base *b = ordered[i], *of = b->parent ? nearest(all, n, b->parent) : NULL;
        if (!of || of == b) continue;
        b->argument = of->argument;
        b->depth = of->depth + 1;
        b->via = (uint64_t)(b->parent - of->shadow);
    }
    free(ordered);
    return all;
}

static int by_start(const void *x, const void *y) {
    const range *a = x, *b = y;
    return a->from < b->from ? -1 : a->from > b->from;
}

static int within(const void *x, const void *y) {
    const char *at = x;
    const range *r = y;
    return at < r->from ? -1 : at >= r->to;
}

static int is_gone(const char *at) {
    return rec.n_gone && bsearch(at, rec.gone, rec.n_gone, sizeof *rec.gone, within) != NULL;
}

static void send(int pipe, const void *data, size_t bytes) {
    const char *from = data;
    while (bytes) {
        ssize_t n = write(pipe, from, bytes);
        if (n <= 0) _exit(1);
        from += n;
        bytes -= (size_t)n;
    }
}

void __cf_record_send(int pipe) {
    base *all = sorted_bases();
    if (rec.n_gone) qsort(rec.gone, rec.n_gone, sizeof *rec.gone, by_start);
    size_t n = 0;
    for (size_t i = 0; i < rec.n; i++) {
        cf_spot p = rec.places[i];
        int used = p.flags & (CF_PLACE_READ | CF_PLACE_WRITTEN | CF_PLACE_UNCLEAR);
        if (!used || p.flags & (CF_PLACE_LOCAL | CF_PLACE_POINTER) || is_gone(p.at)) continue;
        base *of = nearest(all, rec.n_bases, p.shadow);
        if (of) {
            p.argument = (uint16_t)of->argument;
            p.depth = of->depth;
            p.via = of->via;
            p.offset = (uint64_t)(p.shadow - of->shadow);
        }
        rec.places[n++] = p;
    }
    send(pipe, rec.places, n * sizeof *rec.places);
}
