/* Marks. See marks.h.
 *
 * In:     calls of generated code, in one thread
 * Out:    adjoints and pointers at their places
 * Needs:  malloc, free
 * Keeps:  no two numbers overlap; a number is not 0 when it is put there; tickets that no byte refers to are freed at the end
 *
 * Idea: a table of pages by address, made on demand: a byte of marks and a byte of value for each byte of a shadow.
 * Whoever asks for a page that is not there learns that nothing is known. */
#include "runtime/marks.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { NONE, FLOAT, DOUBLE, LONG_DOUBLE, KINDS } kind;
enum {
    KIND = 7,
    REFERRED = 8,
    MAYBE = 64,
    POINTER = 128
}; /* a mark: the kind of the number that begins here; flags */
enum { PAGE_BITS = 12, PAGE = 1 << PAGE_BITS, WIDEST = 10 };
static const unsigned char width[KINDS] = {0, 4, 8, WIDEST};

/* A number that was cut, or bytes of unknown kind (NONE), from address `origin` on. */
typedef struct ticket {
    struct ticket *before;
    kind kind;
    uintptr_t origin;
    unsigned char value[];
} ticket;

/* Byte `index` of a ticket lies here. */
typedef struct reference {
    struct reference *next;
    ticket *of;
    size_t index;
} reference;

typedef struct page {
    uintptr_t number;
    reference **refers; /* by byte; NULL: none on this page */
    unsigned char mark[PAGE], value[PAGE];
} page;

/* What a move carries from one place to another. */
typedef struct load {
    size_t offset;
    kind kind;            /* of a number */
    reference *reference; /* else of a byte */
    unsigned char value[16];
} load;

struct cf_marks {
    page **slot, *last;
    size_t n_slots, n_pages;
    ticket *tickets;
    reference *spare;
    load *load;
    size_t n_loads, most_loads;
};
typedef struct cf_marks marks;

/* --- messages and memory --- */

static _Noreturn void stop(const char *site, const char *what) {
    fprintf(stderr, "%scofactor: %s\n", site ? site : "", what);
    abort();
}

static void *more(void *p, size_t bytes) {
    void *q = realloc(p, bytes);
    if (!q) stop(NULL, "out of memory for the marks of a gradient");
    return q;
}

static void *cleared(size_t bytes) { return memset(more(NULL, bytes), 0, bytes); }

static marks *marks_of(cf_tape *t) {
    if (!t->marks) t->marks = cleared(sizeof(marks));
    return t->marks;
}

/* --- pages --- */

static page **slot_of(const marks *m, uintptr_t number) {
    size_t at = (size_t)(number * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (m->n_slots - 1);
    while (m->slot[at] && m->slot[at]->number != number) at = (at + 1) & (m->n_slots - 1);
    return &m->slot[at];
}

static void grow_table(marks *m) {
    marks old = *m;
    m->n_slots = old.n_slots ? 2 * old.n_slots : 64;
    m->slot = cleared(m->n_slots * sizeof *m->slot);
    for (size_t i = 0; i < old.n_slots; i++)
        if (old.slot[i]) *slot_of(m, old.slot[i]->number) = old.slot[i];
    free(old.slot);
}

static page *page_of(marks *m, uintptr_t a) {
    uintptr_t number = a >> PAGE_BITS;
    if (m->last && m->last->number == number) return m->last;
    page *p = m->n_slots ? *slot_of(m, number) : NULL;
    if (p) m->last = p;
    return p;
}

static page *new_page(marks *m, uintptr_t a) {
    page *p = page_of(m, a);
    if (p) return p;
    if (2 * ++m->n_pages > m->n_slots) grow_table(m);
    p = cleared(sizeof *p);
    p->number = a >> PAGE_BITS;
    *slot_of(m, p->number) = p;
    return m->last = p;
}

static unsigned mark_at(marks *m, uintptr_t a) {
    page *p = page_of(m, a);
    return p ? p->mark[a % PAGE] : 0;
}

static kind kind_at(marks *m, uintptr_t a) { return (kind)(mark_at(m, a) & KIND); }
static int is_pointer(marks *m, uintptr_t a) { return (mark_at(m, a) & (POINTER | MAYBE)) != 0; }
static int is_home(uintptr_t a) { return (int)(a >> (8 * sizeof a - 1)); }
static unsigned char *shadow(uintptr_t a) { return (unsigned char *)a; }

/* The end of the part of [a, end) that has the same page as a; *p is that page. */
static uintptr_t on_page(marks *m, uintptr_t a, uintptr_t end, page **p) {
    uintptr_t next = ((a >> PAGE_BITS) + 1) << PAGE_BITS;
    *p = page_of(m, a);
    return next && next < end ? next : end;
}

/* The next address in [a, end) that has one of these marks; `end`: none. */
static uintptr_t next_marked(marks *m, uintptr_t a, uintptr_t end, unsigned any) {
    while (a < end) {
        page *p;
        uintptr_t stop_at = on_page(m, a, end, &p);
        for (; p && a < stop_at; a++)
            if (p->mark[a % PAGE] & any) return a;
        a = stop_at;
    }
    return end;
}

/* --- numbers --- */

static void read_value(marks *m, uintptr_t a, unsigned n, unsigned char *to) {
    for (unsigned i = 0; i < n; i++) to[i] = page_of(m, a + i)->value[(a + i) % PAGE];
}

static void write_value(marks *m, uintptr_t a, unsigned n, const unsigned char *from) {
    for (unsigned i = 0; i < n; i++) new_page(m, a + i)->value[(a + i) % PAGE] = from[i];
}

static void remove_number(marks *m, uintptr_t a) { page_of(m, a)->mark[a % PAGE] &= (unsigned char)~KIND; }

/* to += from */
static void sum(kind k, unsigned char *to, const unsigned char *from) {
    float f[2];
    double d[2];
    long double l[2] = {0, 0};
    switch (k) {
    case FLOAT:
        memcpy(&f[0], to, 4), memcpy(&f[1], from, 4);
        f[0] += f[1];
        memcpy(to, &f[0], 4);
        break;
    case DOUBLE:
        memcpy(&d[0], to, 8), memcpy(&d[1], from, 8);
        d[0] += d[1];
        memcpy(to, &d[0], 8);
        break;
    default:
        memcpy(&l[0], to, WIDEST), memcpy(&l[1], from, WIDEST);
        l[0] += l[1];
        memcpy(to, &l[0], WIDEST);
    }
}

static int is_zero(kind k, const unsigned char *value) {
    unsigned any = 0;
    for (unsigned i = 0; i + 1 < width[k]; i++) any |= value[i];
    return !any && !(value[width[k] - 1] & 0x7F); /* -0 too */
}

static ticket *new_ticket(marks *m, kind k, uintptr_t origin, const unsigned char *value, size_t size) {
    ticket *x = more(NULL, sizeof *x + size);
    x->before = m->tickets;
    x->kind = k;
    x->origin = origin;
    memcpy(x->value, value, size);
    return m->tickets = x;
}

static reference *new_reference(marks *m, ticket *of, size_t index) {
    reference *r = m->spare ? m->spare : more(NULL, sizeof *r);
    if (m->spare) m->spare = r->next;
    *r = (reference){NULL, of, index};
    return r;
}

static void free_reference(marks *m, reference *r) {
    r->next = m->spare;
    m->spare = r;
}

static reference **references(marks *m, uintptr_t a) {
    page *p = new_page(m, a);
    if (!p->refers) p->refers = cleared(PAGE * sizeof *p->refers);
    return &p->refers[a % PAGE];
}

static void refer(marks *m, uintptr_t a, reference *r) {
    reference **at = references(m, a);
    r->next = *at;
    *at = r;
    page_of(m, a)->mark[a % PAGE] |= REFERRED;
}

/* Takes all references away from a byte. */
static reference *take_references(marks *m, uintptr_t a) {
    if (!(mark_at(m, a) & REFERRED)) return NULL;
    reference **at = references(m, a), *all = *at;
    *at = NULL;
    page_of(m, a)->mark[a % PAGE] &= (unsigned char)~REFERRED;
    return all;
}

/* Whether r is the byte that follows `first` in n bytes: of the same ticket, or, of unknown kind, from as far on. */
static int follows(const reference *r, const reference *first, size_t n) {
    if (r->of->kind != NONE || first->of->kind != NONE)
        return r->of == first->of && r->index == first->index + n;
    return r->of->origin + r->index == first->of->origin + first->index + n;
}

/* The reference at byte a + n that follows `first`, which is at a. */
static reference **find_reference(marks *m, uintptr_t a, const reference *first, size_t n) {
    static reference *none;
    if (!(mark_at(m, a + n) & REFERRED)) return &none;
    reference **at = references(m, a + n);
    while (*at && !follows(*at, first, n)) at = &(*at)->next;
    return at;
}

/* Takes away n bytes that follow one another from `first` on. */
static void take_run(marks *m, uintptr_t a, const reference *first, size_t n, unsigned char *to) {
    for (size_t i = n; i-- > 0;) {
        reference **at = find_reference(m, a, first, i), *r = *at;
        to[i] = r->of->value[r->index];
        *at = r->next;
        free_reference(m, r);
        if (!*references(m, a + i)) page_of(m, a + i)->mark[(a + i) % PAGE] &= (unsigned char)~REFERRED;
    }
}

/* A number becomes a ticket. */
static void split(marks *m, uintptr_t a) {
    unsigned char value[16];
    kind k = kind_at(m, a);
    read_value(m, a, width[k], value);
    remove_number(m, a);
    ticket *x = new_ticket(m, k, 0, value, width[k]);
    for (unsigned i = 0; i < width[k]; i++) refer(m, a + i, new_reference(m, x, i));
}

/* Splits the numbers that lie across either end of [a, end). */
static void split_ends(marks *m, uintptr_t a, uintptr_t end) {
    uintptr_t from = a >= WIDEST ? a - WIDEST + 1 : 0;
    for (uintptr_t b = from; (b = next_marked(m, b, a, KIND)) < a; b++)
        if (b + width[kind_at(m, b)] > a) split(m, b);
    from = end - a >= WIDEST ? end - WIDEST + 1 : a;
    for (uintptr_t b = from; (b = next_marked(m, b, end, KIND)) < end; b++)
        if (b + width[kind_at(m, b)] > end) split(m, b);
}

static void add(marks *m, uintptr_t a, kind k, const unsigned char *bar) {
    if (is_zero(k, bar)) return;
    page *p = new_page(m, a);
    if ((p->mark[a % PAGE] & KIND) == (unsigned)k) {
        unsigned char value[16];
        read_value(m, a, width[k], value);
        sum(k, value, bar);
        write_value(m, a, width[k], value);
        return;
    }
    split_ends(m, a, a + width[k]);
    for (uintptr_t b = a, end = a + width[k]; (b = next_marked(m, b, end, KIND)) < end; b++) split(m, b);
    new_page(m, a)->mark[a % PAGE] |= (unsigned char)k;
    write_value(m, a, width[k], bar);
}

/* A ticket of kind k whose bytes all lie in order from a on: its adjoint is added to `to`. */
static int gather_one(marks *m, uintptr_t a, kind k, unsigned char *to) {
    if (!(mark_at(m, a) & REFERRED)) return 0;
    for (reference *r = *references(m, a); r; r = r->next) {
        unsigned char value[16] = {0};
        unsigned n = 1;
        if (r->of->kind != k || r->index) continue;
        while (n < width[k] && *find_reference(m, a, r, n)) n++;
        if (n < width[k]) continue;
        take_run(m, a, r, n, value);
        sum(k, to, value);
        return 1;
    }
    return 0;
}

/* Bytes of unknown kind at a that were beside one another: as a number of kind k they are added to `to`. Those that are not
 * here were 0, or are in their place in the shadow. */
static int gather_unknown(marks *m, uintptr_t a, kind k, unsigned char *to) {
    unsigned char value[16] = {0};
    uintptr_t b = a, end = a + width[k], base = 0;
    reference *r = NULL;
    for (; !r && (b = next_marked(m, b, end, REFERRED)) < end; b += !r)
        for (r = *references(m, b); r && r->of->kind != NONE;) r = r->next;
    if (!r) return 0;
    base = r->of->origin + r->index - (b - a);
    for (unsigned i = 0; i < width[k]; i++) {
        ticket whole = {.origin = base};
        reference first = {NULL, &whole, 0};
        unsigned char byte;
        for (reference *x; (x = *find_reference(m, a, &first, i)); value[i] |= byte)
            take_run(m, a + i, x, 1, &byte);
        if (base == a) value[i] |= *shadow(a + i), *shadow(a + i) = 0;
    }
    sum(k, to, value);
    return 1;
}

static const char lost_number[] =
    "a number that carries a derivative is read from bytes that were not stored as this number (another "
    "member of a "
    "union, a part of it, integer arithmetic on its bits): its derivative is not known";

/* Takes the adjoint of a number of kind k. Others over the same bytes would be lost. */
static void take(cf_tape *t, char *at, kind k, unsigned char *bar, const char *site) {
    memset(bar, 0, 16);
    if (!at) return;
    marks *m = marks_of(t);
    uintptr_t a = (uintptr_t)at, end = a + width[k];
    int pointers = 0;
    if (kind_at(m, a) == k) {
        read_value(m, a, width[k], bar);
        remove_number(m, a);
    }
    while (gather_one(m, a, k, bar) || gather_unknown(m, a, k, bar)) {
    }
    split_ends(m, a, end);
    if (next_marked(m, a, end, KIND) < end) stop(site, lost_number);
    for (uintptr_t b = a; b < end; b++) {
        pointers |= is_pointer(m, b);
        for (reference *r = take_references(m, b), *next; r; r = next) {
            if (r->of->kind != NONE) stop(site, lost_number);
            next = r->next;
            free_reference(m, r);
        }
    }
    if (pointers || is_home(a)) return;
    sum(k, bar, shadow(a));
    memset(shadow(a), 0, width[k]);
}

void __cf_marks_add_float(cf_tape *t, char *at, float bar) {
    if (at) add(marks_of(t), (uintptr_t)at, FLOAT, (unsigned char *)&bar);
}
void __cf_marks_add_double(cf_tape *t, char *at, double bar) {
    if (at) add(marks_of(t), (uintptr_t)at, DOUBLE, (unsigned char *)&bar);
}
void __cf_marks_add_long_double(cf_tape *t, char *at, long double bar) {
    if (at) add(marks_of(t), (uintptr_t)at, LONG_DOUBLE, (unsigned char *)&bar);
}

#define TAKE(NAME, T, K)                                                                                     \
    T NAME(cf_tape *t, char *at, const char *site) {                                                         \
        unsigned char bar[16];                                                                               \
        T value;                                                                                             \
        take(t, at, K, bar, site);                                                                           \
        memcpy(&value, bar, sizeof value);                                                                   \
        return value;                                                                                        \
    }
TAKE(__cf_marks_take_float, float, FLOAT)
TAKE(__cf_marks_take_double, double, DOUBLE)
TAKE(__cf_marks_take_long_double, long double, LONG_DOUBLE)

/* --- bytes --- */

static void carry(marks *m, load x) {
    if (m->n_loads == m->most_loads) {
        m->most_loads = m->most_loads ? 2 * m->most_loads : 64;
        m->load = more(m->load, m->most_loads * sizeof *m->load);
    }
    m->load[m->n_loads++] = x;
}

/* Bytes of a shadow that are an adjoint of unknown kind become a ticket. */
static void pick_up_unknown(marks *m, uintptr_t a, uintptr_t end, uintptr_t base) {
    while (a < end) {
        uintptr_t stop_at = next_marked(m, a, end, POINTER | MAYBE);
        unsigned any = 0;
        for (uintptr_t b = a; b < stop_at; b++) any |= *shadow(b);
        if (any) {
            ticket *x = new_ticket(m, NONE, a, shadow(a), stop_at - a);
            memset(shadow(a), 0, stop_at - a);
            for (uintptr_t b = a; b < stop_at; b++)
                carry(m, (load){.offset = b - base, .reference = new_reference(m, x, b - a)});
        }
        for (a = stop_at; a < end && is_pointer(m, a); a++) {
        }
    }
}

/* Picks up all adjoints in [a, end). */
static void pick_up(marks *m, uintptr_t a, uintptr_t end) {
    m->n_loads = 0;
    split_ends(m, a, end);
    for (uintptr_t b = a; (b = next_marked(m, b, end, KIND)) < end; b++) {
        load x = {.offset = b - a, .kind = kind_at(m, b)};
        read_value(m, b, width[x.kind], x.value);
        remove_number(m, b);
        carry(m, x);
    }
    for (uintptr_t b = a; (b = next_marked(m, b, end, REFERRED)) < end; b++)
        for (reference *r = take_references(m, b), *next; r; r = next) {
            next = r->next;
            carry(m, (load){.offset = b - a, .reference = r});
        }
    if (!is_home(a)) pick_up_unknown(m, a, end, a);
}

static void drop_loads(marks *m) {
    for (size_t i = 0; i < m->n_loads; i++)
        if (m->load[i].reference) free_reference(m, m->load[i].reference);
}

void __cf_marks_move(cf_tape *t, char *to, char *from, size_t bytes) {
    if (!from || !bytes || to == from) return;
    marks *m = marks_of(t);
    pick_up(m, (uintptr_t)from, (uintptr_t)from + bytes);
    if (!to) {
        drop_loads(m);
        return;
    }
    for (size_t i = 0; i < m->n_loads; i++) {
        load *x = &m->load[i];
        uintptr_t a = (uintptr_t)to + x->offset;
        if (x->reference)
            refer(m, a, x->reference);
        else
            add(m, a, x->kind, x->value);
    }
}

void __cf_marks_forget(cf_tape *t, char *at, size_t bytes) { __cf_marks_move(t, NULL, at, bytes); }

void __cf_marks_lose(cf_tape *t, char *home, size_t bytes, const char *site) {
    if (!home) return;
    marks *m = marks_of(t);
    pick_up(m, (uintptr_t)home, (uintptr_t)home + bytes);
    for (size_t i = 0; i < m->n_loads; i++)
        if (!m->load[i].reference || m->load[i].reference->of->kind != NONE)
            stop(site, "integer arithmetic on the bits of a number that carries a derivative, which would be "
                       "lost; use "
                       "fabs, copysign, frexp, ldexp or a rule (CF_RULE_REVERSE) instead");
    drop_loads(m);
}

void __cf_marks_clear(cf_tape *t, char *at, size_t bytes) {
    if (!t->marks || !at) return;
    marks *m = t->marks;
    uintptr_t a = (uintptr_t)at, end = a + bytes;
    for (uintptr_t b = a; (b = next_marked(m, b, end, 0xFF)) < end; b++) {
        for (reference *r = take_references(m, b), *next; r; r = next) {
            next = r->next;
            free_reference(m, r);
        }
        page_of(m, b)->mark[b % PAGE] = 0;
    }
}

/* --- into the shadows --- */

/* A place for an adjoint: a pointer that is still there is of another time. */
static void make_room(marks *m, uintptr_t a, size_t n) {
    for (uintptr_t b = a; b < a + n; b++)
        if (is_pointer(m, b)) {
            *shadow(b) = 0;
            page_of(m, b)->mark[b % PAGE] &= (unsigned char)~(POINTER | MAYBE);
        }
}

static void put_number(marks *m, uintptr_t a) {
    unsigned char value[16];
    kind k = kind_at(m, a);
    read_value(m, a, width[k], value);
    remove_number(m, a);
    make_room(m, a, width[k]);
    sum(k, shadow(a), value);
}

/* Bytes of unknown kind, from a on. */
static void put_unknown(marks *m, uintptr_t a) {
    size_t n = 1;
    while (*find_reference(m, a, *references(m, a), n)) n++;
    unsigned char *value = more(NULL, n);
    take_run(m, a, *references(m, a), n, value);
    make_room(m, a, n);
    for (size_t i = 0; i < n; i++)
        if (shadow(a)[i])
            stop(NULL, "two adjoints of a kind that is not known would have to be added: they went through "
                       "copies of "
                       "bytes alone; compile with -g, or copy them with their type");
    memcpy(shadow(a), value, n);
    free(value);
}

/* What lies in parts becomes numbers; bytes of unknown kind take the kind of the number there. */
static void gather_all(marks *m, page *p) {
    uintptr_t a = p->number << PAGE_BITS, end = a + PAGE;
    for (uintptr_t b = a; (b = next_marked(m, b, end, REFERRED)) < end; b++)
        for (kind k = FLOAT; k < KINDS; k++) {
            unsigned char value[16] = {0};
            int unknown = kind_at(m, b) == k, any = 0;
            while (gather_one(m, b, k, value) || (unknown && gather_unknown(m, b, k, value))) any = 1;
            if (any) add(m, b, k, value);
        }
}

static void put_page(marks *m, page *p) {
    uintptr_t a = p->number << PAGE_BITS, end = a + PAGE;
    for (uintptr_t b = a; (b = next_marked(m, b, end, KIND)) < end; b++) put_number(m, b);
    for (uintptr_t b = a; (b = next_marked(m, b, end, REFERRED)) < end; b++)
        while (mark_at(m, b) & REFERRED) {
            if ((*references(m, b))->of->kind != NONE) stop(NULL, lost_number);
            put_unknown(m, b);
        }
}

/* What may have been a pointer and nobody used as one. */
static void drop_maybe(marks *m, page *p) {
    uintptr_t a = p->number << PAGE_BITS, end = a + PAGE;
    for (uintptr_t b = a; (b = next_marked(m, b, end, MAYBE)) < end; b++) *shadow(b) = 0;
}

void __cf_marks_flush(cf_tape *t) {
    marks *m = t->marks;
    for (size_t i = 0; m && i < m->n_slots; i++)
        if (m->slot[i] && !is_home(m->slot[i]->number << PAGE_BITS)) gather_all(m, m->slot[i]);
    for (size_t i = 0; m && i < m->n_slots; i++)
        if (m->slot[i] && !is_home(m->slot[i]->number << PAGE_BITS)) put_page(m, m->slot[i]);
}

void __cf_marks_end(cf_tape *t) {
    marks *m = t->marks;
    if (!m) return;
    __cf_marks_flush(t);
    for (size_t i = 0; i < m->n_slots; i++) {
        page *p = m->slot[i];
        if (!p) continue;
        if (!is_home(p->number << PAGE_BITS)) drop_maybe(m, p);
    }
    for (size_t i = 0; i < m->n_slots; i++) {
        if (!m->slot[i]) continue;
        for (unsigned b = 0; b < PAGE && m->slot[i]->refers; b++)
            for (reference *r = m->slot[i]->refers[b], *next; r; r = next) next = r->next, free(r);
        free(m->slot[i]->refers);
        free(m->slot[i]);
    }
    for (ticket *x = m->tickets, *before; x; x = before) before = x->before, free(x);
    for (reference *r = m->spare, *next; r; r = next) next = r->next, free(r);
    free(m->slot);
    free(m->load);
    free(m);
    t->marks = NULL;
}

void __cf_marks_leave(cf_tape *t, char *to, char *home, size_t bytes) {
    marks *m = marks_of(t);
    memset(to, 0, bytes);
    pick_up(m, (uintptr_t)home, (uintptr_t)home + bytes);
    for (size_t i = 0; i < m->n_loads; i++) {
        load *x = &m->load[i];
        if (x->reference && x->reference->of->kind != NONE) stop(NULL, lost_number);
        if (x->reference)
            to[x->offset] = (char)x->reference->of->value[x->reference->index];
        else
            sum(x->kind, (unsigned char *)to + x->offset, x->value);
    }
    drop_loads(m);
}

void __cf_marks_enter(cf_tape *t, char *home, char *from, size_t bytes) {
    marks *m = marks_of(t);
    ticket *x = new_ticket(m, NONE, (uintptr_t)from, (unsigned char *)from, bytes);
    for (size_t i = 0; i < bytes; i++) refer(m, (uintptr_t)home + i, new_reference(m, x, i));
}

/* --- pointers --- */

static void set_pointer(marks *m, uintptr_t a, unsigned flag) {
    unsigned char *at = &new_page(m, a)->mark[a % PAGE];
    *at = (unsigned char)((*at & ~(unsigned)(POINTER | MAYBE)) | flag);
}

void __cf_marks_pointer(cf_tape *t, char *at) {
    for (unsigned i = 0; at && i < 8; i++) set_pointer(marks_of(t), (uintptr_t)at + i, POINTER);
}

void __cf_marks_see(cf_tape *t, char *at, size_t offset, size_t bytes, size_t stride) {
    for (; at && offset + 8 <= bytes; offset += stride) {
        uint64_t word;
        memcpy(&word, at + offset, 8);
        if (word) __cf_marks_pointer(t, at + offset);
        if (!stride) return;
    }
}

void __cf_marks_other(cf_tape *t, char *at, size_t bytes) {
    if (!t->marks || !at) return;
    uintptr_t a = (uintptr_t)at, end = a + bytes;
    for (uintptr_t b = a; (b = next_marked(t->marks, b, end, POINTER | MAYBE)) < end; b++) {
        *shadow(b) = 0;
        set_pointer(t->marks, b, 0);
    }
}

/* The flag that a copy of the byte at a has. */
static unsigned flag_of(marks *m, uintptr_t a) {
    unsigned flag = mark_at(m, a) & (POINTER | MAYBE);
    return flag ? flag : *shadow(a) ? (unsigned)MAYBE : 0;
}

static void put_byte(marks *m, uintptr_t a, unsigned char value, unsigned flag, const char *site) {
    if (!flag) {
        if (!is_pointer(m, a)) return;
        *shadow(a) = 0;
    } else {
        if (flag == MAYBE && !is_pointer(m, a) && *shadow(a))
            stop(site, "bytes are copied between two shadows of the caller's that are not 0, and nothing "
                       "tells numbers from "
                       "pointers; compile with -g, or copy the parts with their own types");
        *shadow(a) = value;
    }
    set_pointer(m, a, flag);
}

void __cf_marks_copy(cf_tape *t, char *to, char *from, size_t bytes, const char *site) {
    if (!to || to == from) return;
    if (!from) {
        __cf_marks_other(t, to, bytes);
        return;
    }
    marks *m = marks_of(t);
    uintptr_t d = (uintptr_t)to, s = (uintptr_t)from;
    for (size_t i = 0; d < s && i < bytes; i++) put_byte(m, d + i, *shadow(s + i), flag_of(m, s + i), site);
    for (size_t i = bytes; d > s && i-- > 0;) put_byte(m, d + i, *shadow(s + i), flag_of(m, s + i), site);
}

uint64_t __cf_marks_mask(cf_tape *t, char *at, size_t bytes) {
    uint64_t mask = 0;
    for (size_t i = 0; at && i < bytes; i++) {
        unsigned flag = flag_of(marks_of(t), (uintptr_t)at + i);
        mask |= (uint64_t)(flag & POINTER ? 0xFF : flag ? 1 : 0) << 8 * i;
    }
    return mask;
}

void __cf_marks_put(cf_tape *t, char *at, uint64_t value, uint64_t mask, size_t bytes, const char *site) {
    for (size_t i = 0; at && i < bytes; i++) {
        unsigned m = (unsigned)(mask >> 8 * i & 0xFF);
        put_byte(marks_of(t), (uintptr_t)at + i, (unsigned char)(value >> 8 * i),
                 m == 0xFF ? (unsigned)POINTER
                 : m       ? (unsigned)MAYBE
                           : 0,
                 site);
    }
}

void *__cf_marks_realloc(cf_tape *t, void *old, void *old_shadow, size_t bytes, void **new_shadow,
                         int follow) {
    size_t keep = old ? malloc_usable_size(old) : 0;
    if (old_shadow == old) old_shadow = NULL;
    void *p = __cf_realloc(t, old, NULL, bytes, new_shadow);
    if (!p) return NULL;
    if (follow) __cf_marks_copy(t, *new_shadow, old_shadow, keep < bytes ? keep : bytes, NULL);
    __cf_tape_defer(t, NULL, old_shadow);
    return p;
}
