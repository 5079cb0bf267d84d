// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Structs by value: small ones in registers, large ones in memory, as arguments and results; what a callee does to its copy
// does not come back. At the level of hooks they are what the ABI makes of them: two doubles, a pointer to the copy.
#include "every.h"

struct pair { double x, y; };
struct mixed { float a; int b; };
struct big { long v[6]; double w; };
APART struct pair turn(struct pair p, int k) { return (struct pair){p.y * k, p.x}; }
APART struct mixed bump(struct mixed m) { return m.a += 1, m.b += 2, m; }
APART struct big scale_big(struct big b, long k) {
    b.v[5] *= k, b.w *= 2;
    return b;
}
APART struct pair swap(struct pair p) { return (struct pair){p.y, p.x}; }

struct lots { struct events e; };
CF_PREHOOK(lots, "call scale_big") static void big_before(struct lots *c, const cf_site *s, struct big *result, struct big *b, long k) {
    (void)result, note(&c->e, "%s(%ld,%g,%ld)", s->what, b->v[5], b->w, k);
}
CF_POSTHOOK(lots, "call scale_big") static void big_after(struct lots *c, const cf_site *s, struct big *result, struct big *b, long k) {
    (void)b, (void)k, note(&c->e, "=%s(%ld,%g)", s->what, result->v[5], result->w);
}
CF_PREHOOK(lots, "call turn") static void pair_before(struct lots *c, const cf_site *s, double x, double y, int k) { note(&c->e, "%s(%g,%g,%d)", s->what, x, y, k); }
CF_POSTHOOK_ANY(lots, "call turn") static void pair_after(struct lots *c, const cf_site *s, const cf_value *v, const cf_value *r) {
    (void)v;
    if (r->kind != CF_BYTES || r->bits != 128) { note(&c->e, "%d:%u", r->kind, r->bits); return; }
    const struct pair *p = r->as.pointer;
    note(&c->e, "=%s(%g,%g)", s->what, p->x, p->y);
}
CF_OVERDUB(lots, swap) static struct pair swap_and_double(struct lots *c, struct pair p) {
    struct pair r = cf_recurse(swap)(p);
    return note(&c->e, "swap"), (struct pair){r.x * 2, r.y * 2};
}
CF_OVERDUB(lots, bump) static struct mixed bump_back(struct lots *c, struct mixed m) {
    m = cf_original(bump)(m);
    return note(&c->e, "bump"), m.b -= 1, m;
}

static double program(void) {
    struct pair p = turn((struct pair){1, 2}, 3);
    struct mixed m = bump((struct mixed){0.5f, 7});
    struct big b = {{1, 2, 3, 4, 5, 6}, 0.25}, d = scale_big(b, 10);
    struct pair q = swap(p);
    return p.x + p.y + (double)m.a + m.b + (double)b.v[5] + (double)d.v[5] + d.w + 100 * q.x + 1000 * q.y;
}
double program_in(struct lots *c);
CF_IN(program_in, program, lots);

/* Such a struct goes in and out of the requested function itself. */
static struct big entry(struct big b, struct pair p) { return b.w = p.x - p.y, b; }
struct big entry_in(struct lots *c, struct big b, struct pair p);
CF_IN(entry_in, entry, lots);

/* Through a pointer, with what the function called does inside. */
struct inside { long muls; };
CF_PREHOOK(inside, "mul type=i64") static void on_mul(struct inside *c) { c->muls++; }
static struct big (*volatile pointer)(struct big, long) = scale_big;
static double pointed(long k) {
    struct big b = {{1, 2, 3, 4, 5, 6}, 0.25}, d = pointer(b, k);
    return (double)d.v[0] + (double)d.v[5] + d.w + 1000 * ((double)b.v[5] + b.w);
}
double pointed_in(struct inside *c, long k);
CF_IN(pointed_in, pointed, inside);

int main(void) {
    static struct lots c;
    /* p = (6, 1), m = (1.5, 9), b.v[5] = 6, d = (60, 0.5), q = (1, 6) */
    WANT(program(), 6 + 1 + 1.5 + 9 + 6 + 60 + 0.5 + 100 + 6000);
    WANT(program_in(&c), 6 + 1 + 1.5 + 8 + 6 + 60 + 0.5 + 200 + 12000);
    SAME(c.e, "turn(1,2,3) =turn(6,1) bump scale_big(6,0.25,10) =scale_big(60,0.5) swap");
    struct big b = {{1, 2, 3, 4, 5, 6}, 0}, d = entry_in(&c, b, (struct pair){7, 3});
    WANT(d.w, 4), WANT(d.v[5], 6), WANT(b.w, 0);
    struct inside i = {0};
    WANT(pointed_in(&i, 10), 1 + 60 + 0.5 + 6250), WANT(i.muls, 1);
    return wrong;
}
