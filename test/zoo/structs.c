/* Structs by value and by pointer, nested, in arrays, with padding, integers and pointers inside. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */
#include <stdint.h>

struct vec2 {
    T x, y;
};
static struct vec2 add(struct vec2 a, struct vec2 b) { return (struct vec2){a.x + b.x, a.y + b.y}; }
static struct vec2 turn(struct vec2 a) { return (struct vec2){-a.y, a.x}; }
static T dot(struct vec2 a, struct vec2 b) { return a.x * b.x + a.y * b.y; }
__attribute__((noinline)) static struct vec2 kept(struct vec2 a) { return (struct vec2){a.x * a.y, a.x}; }

static T by_value(T x, T y) {
    struct vec2 a = {x, y}, b = turn(a);
    return dot(add(a, b), kept(a));
}
/* a + b = (x - y, x + y), kept = (xy, x): x^2 y - x y^2 + x^2 + xy */
ZOO_NUM2(by_value, (2, 3), (12 - 18 + 4 + 6), (12 - 9 + 4 + 3, 4 - 12 + 2));

/* Too large for registers: by hidden pointer, in and out. */
struct big {
    T v[6];
    int n;
};
__attribute__((noinline)) static struct big squares(struct big b) {
    for (int i = 0; i < b.n; i++) b.v[i] *= b.v[i];
    return b;
}
static T large_by_value(const T *x, int n) {
    struct big b = {{0}, n}, c;
    for (int i = 0; i < n; i++) b.v[i] = x[i];
    c = squares(b);
    T s = 0;
    for (int i = 0; i < n; i++) s += b.v[i] * c.v[i];
    return s;
}
ZOO_OF(large_by_value, 3, (1, 2, 3), (36), (3, 12, 27));

/* Three floats, or a float and an integer, are packed into registers by the ABI. */
struct mixed {
    float a, b, c;
    int k;
    double d;
};
struct three {
    float a, b, c;
};
struct tagged {
    int tag;
    float value;
};
#ifndef ZOO_PAIRS /* arithmetic on one half of bits that carry a number in the other is refused between functions */
__attribute__((noinline)) static struct three permute(struct three t) {
    return (struct three){t.b, t.c * t.a, t.a};
}
__attribute__((noinline)) static struct tagged retag(struct tagged t) {
    return (struct tagged){t.tag + 1, t.value * (float)t.tag};
}
static T packed_by_value(T x, T y) {
    struct three t = permute((struct three){(float)x, (float)y, 3});
    struct tagged g = retag((struct tagged){2, (float)x});
    return (T)(t.a * t.b * t.c) + (T)(g.value * (float)g.tag);
}
/* y 3x x + 6x */
ZOO_NUM2_FLAGS(packed_by_value, ZOO_COARSE, (2, 5), (72), (3 * 5 * 4 + 6, 12));
#endif

__attribute__((noinline)) static double sum_mixed(struct mixed m) { return m.a * m.b + m.c * m.k * m.d; }
static T mixed_by_value(T x, T y) {
    return (T)sum_mixed((struct mixed){(float)x, (float)y, 2, 3, (double)y});
}
ZOO_NUM2_FLAGS(mixed_by_value, ZOO_COARSE, (2, 5), (10 + 30), (5, 2 + 6));

/* By pointer, with integers and a pointer to itself among the numbers. */
struct item {
    char name[3];
    T value;
    int32_t count;
    T *where;
    struct item *next;
};
static void visit(struct item *i) {
    for (; i; i = i->next) *i->where += i->value * (T)i->count;
}
static T by_pointer(const T *x, int n) {
    T sum = 0, other = 1;
    struct item c = {"c", x[2] * x[2], 3, &sum, NULL}, b = {"b", x[1], 2, &other, &c},
                a = {"a", x[0], 1, &sum, &b};
    visit(&a);
    (void)n;
    return sum * other;
}
/* (x0 + 3 x2^2) (1 + 2 x1) */
ZOO_OF(by_pointer, 3, (2, 3, 1), (5 * 7), (7, 10, 6 * 7));

struct inner {
    T w[2];
    int on;
};
struct outer {
    struct inner in[2];
    struct vec2 at;
};
static T nested(const T *x, int n) {
    struct outer o = {{{{x[0], x[1]}, 1}, {{x[2], 1}, 0}}, {x[3], 2}};
    struct outer copy = o;
    o.in[0].w[1] = 100;
    T s = 0;
    for (int i = 0; i < 2; i++)
        if (copy.in[i].on) s += copy.in[i].w[0] * copy.in[i].w[1] * o.at.x;
    (void)n;
    return s + o.in[0].w[1] * o.in[1].w[0];
}
ZOO_OF(nested, 4, (2, 3, 5, 7), (42 + 500), (21, 14, 100, 6));

/* Assignment of whole structs, also onto itself. */
static T assigned(const T *x, int n) {
    struct vec2 v[3] = {{x[0], x[1]}, {x[1], x[0]}, {x[1], 2}};
    for (int i = 0; i < n + 1; i++) v[i % 3] = v[(i * 2) % 3];
    v[2] = turn(v[2]);
    return v[0].x * v[2].y + v[1].x;
}
/* v0 = v0, v1 = v2 = (b, 2), v2 = v1 = (b, 2), turned (-2, b): ab + b */
ZOO_OF(assigned, 2, (2, 3), (9), (3, 3));

static T swapped_structs(const T *x, int n) {
    struct vec2 a = {x[0], 3}, b = {x[1], x[0]};
    for (int i = 0; i < n + 1; i++) {
        struct vec2 t = a;
        a = b;
        b = t;
    }
    return a.x * a.y + 10 * b.x * b.y;
}
/* three exchanges: a = (x1, x0), b = (x0, 3) */
ZOO_OF(swapped_structs, 2, (2, 5), (10 + 60), (5 + 30, 2));

/* Array of structs: adds up one member, updates another. */
struct particle {
    T at, speed;
    int id;
};
static T particles(const T *x, int n) {
    struct particle p[4];
    for (int i = 0; i < n; i++) p[i] = (struct particle){x[i], 0, i};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < n; i++) {
            p[i].speed -= p[i].at;
            p[i].at += p[i].speed / 2;
        }
    T e = 0;
    for (int i = 0; i < n; i++) e += p[i].speed * p[i].speed * (T)(p[i].id + 1);
    return e;
}
/* v=-x, a=x/2; v=-3x/2: e = 9/4 (i + 1) x^2 */
ZOO_OF(particles, 2, (1, 2), (2.25 * (1 + 8)), (4.5, 4.5 * 4));

/* Bit fields and enums beside a number. */
struct bits {
    unsigned k : 3, m : 5;
    T v;
};
static T bit_fields(T x) {
    struct bits b = {3, 17, x * x};
    b.k++;
    b.m -= 2;
    return b.v * (T)b.k + (T)b.m * x;
}
ZOO_NUM1(bit_fields, (2), (16 + 30), (16 + 15));

/* A flexible array member, compound literals. */
struct polynomial {
    int degree;
    const T *c;
};
static T evaluate(struct polynomial p, T x) {
    T r = 0;
    for (int i = p.degree; i >= 0; i--) r = r * x + p.c[i];
    return r;
}
static T literal(T x, T y) { return evaluate((struct polynomial){2, (const T[]){y, 3, x}}, x); }
/* y + 3x + x^3 */
ZOO_NUM2(literal, (2, 5), (19), (15, 1));

/* The request's own parameter is a pointer to a struct; its shadow is a struct of the same kind. */
struct model {
    int n;
    T a, b[2];
};
static T model_cost(const struct model *m) {
    T s = m->a * m->a;
    for (int i = 0; i < m->n; i++) s += m->a * m->b[i];
    return s;
}
static void struct_request_P(zoo_io *io) {
    struct model m = {2, (T)io->x[0], {(T)io->x[1], (T)io->x[2]}};
    io->r = (double)model_cost(&m);
}
ZOO_R(T model_rev(const struct model *m, struct model *mb); CF_REVERSE(model_rev, model_cost, "dup");
      static void struct_request_R(zoo_io *io) {
          struct model m = {2, (T)io->x[0], {(T)io->x[1], (T)io->x[2]}};
          struct model b = {77, (T)io->xs[0], {(T)io->xs[1], (T)io->xs[2]}};
          io->r = (double)model_rev(&m, &b);
          io->xs[0] = (double)b.a, io->xs[1] = (double)b.b[0], io->xs[2] = (double)b.b[1];
          if (b.n != 77) io->xs[0] = NAN;
      })
ZOO_F(T model_fwd(const struct model *m, const struct model *md); CF_FORWARD(model_fwd, model_cost, "dup");
      static void struct_request_F(zoo_io *io) {
          struct model m = {2, (T)io->x[0], {(T)io->x[1], (T)io->x[2]}};
          struct model d = {77, (T)io->xs[0], {(T)io->xs[1], (T)io->xs[2]}};
          io->rs = (double)model_fwd(&m, &d);
      })
ZOO_CASE(struct_request, ZOO_RESULT, 3, 0, (2, 3, 5), (4 + 16), (4 + 8, 2, 2));
