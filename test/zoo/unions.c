/* Unions used consistently: what is stored as one member is read as that member. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */

union number {
    T real;
    long integer;
    T pair[2];
};

static T one_member(T x) {
    union number u;
    u.real = x * x;
    return u.real * x;
}
ZOO_NUM1(one_member, (2), (8), (12));

struct variant {
    enum { REAL, INTEGER, PAIR } kind;
    union number as;
};
static T value_of(const struct variant *v) {
    switch (v->kind) {
    case REAL: return v->as.real * v->as.real;
    case INTEGER: return (T)v->as.integer;
    default: return v->as.pair[0] * v->as.pair[1];
    }
}
static T variants(const T *x, int n) {
    struct variant v[3];
    v[0].kind = REAL, v[0].as.real = x[0];
    v[1].kind = INTEGER, v[1].as.integer = 7;
    v[2].kind = PAIR, v[2].as.pair[0] = x[1], v[2].as.pair[1] = x[0];
    T p = 1;
    for (int i = 0; i < n + 1; i++) p *= value_of(&v[i]);
    return p;
}
/* 7 x0^3 x1 */
ZOO_OF(variants, 2, (2, 3), (168), (7 * 3 * 4 * 3, 56));

/* The same storage is an integer first and a number later. */
static T reused(T x) {
    union number u;
    u.integer = 5;
    long k = u.integer;
    u.real = x;
    T r = u.real * (T)k;
    u.integer = 3;
    return r * (T)u.integer;
}
ZOO_NUM1(reused, (2), (30), (15));

/* Two names for one layout. */
union vector {
    struct {
        T x, y, z;
    } by_name;
    T at[3];
};
static T two_names(const T *x, int n) {
    union vector v;
    for (int i = 0; i < n; i++) v.at[i] = x[i] * x[i];
    return v.by_name.x * v.by_name.y + v.by_name.z;
}
ZOO_OF(two_names, 3, (2, 3, 5), (36 + 25), (4 * 9, 4 * 6, 10));

/* By value, and copied as a whole. */
static T pass(struct variant v) {
    struct variant w = v;
    return value_of(&w) + value_of(&v);
}
static T copied_variant(T x) {
    struct variant v = {REAL, {.real = x}};
    return pass(v) * x;
}
ZOO_NUM1(copied_variant, (2), (16), (6 * 4));
