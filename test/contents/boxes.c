// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -Wall -Wextra %s -lm -o %t && %t || exit 1; done
// RUN: for l in -O1 -O2; do %ad $l -g -fno-strict-aliasing %s -lm -o %t && %t || exit 1; done
// RUN: env COFACTOR_NO_INLINE=1 %ad -O2 -DCALLS %s -lm -o %t && %t
// Numbers in integers: boxed values of an interpreter, stacks and rings of words, unions with a tag, addresses with bits in them.
#include "agree.h"
#include <stdint.h>
#define APART __attribute__((noinline)) static

static uint64_t box(double d) {
    uint64_t v;
    memcpy(&v, &d, sizeof v);
    return v;
}
static double unbox(uint64_t v) {
    double d;
    memcpy(&d, &v, sizeof d);
    return d;
}

static double array(const double *x, int n) {
    uint64_t stack[MOST];
    double s = 0;
    for (int i = 0; i < n; i++) stack[i] = box(x[i] * x[i]);
    for (int i = 0; i < n; i++) s += (i + 1) * unbox(stack[n - 1 - i]);
    return s;
}
PROGRAM(array)

/* Functions that know nothing but words. */
struct words { int top; uint64_t word[2 * MOST]; };
APART void push(struct words *w, uint64_t v) { w->word[w->top++] = v; }
APART uint64_t pop(struct words *w) { return w->word[--w->top]; }
APART void turn(struct words *w) {
    uint64_t t = w->word[w->top - 1];
    w->word[w->top - 1] = w->word[w->top - 2];
    w->word[w->top - 2] = t;
}
static double stack(const double *x, int n) {
    struct words w = {0, {0}};
    for (int i = 0; i < n; i++) {
        push(&w, box(x[i]));
        push(&w, (uint64_t)i);
    }
    double s = 1;
    for (int i = 0; i < n; i++) {
        if (i % 2) turn(&w);
        uint64_t a = pop(&w), b = pop(&w);
        s *= i % 2 ? unbox(a) + (double)b : unbox(b) * (double)(a + 1);
    }
    return s;
}
PROGRAM(stack)

/* Words of 32 bits hold float. */
static double ring(const double *x, int n) {
    uint32_t r[4] = {0};
    double s = 0;
    for (int i = 0; i < n; i++) {
        float f = (float)(x[i] * x[i]), g;
        memcpy(&g, &r[i % 4], sizeof g);
        s += (double)(g * f);
        memcpy(&r[i % 4], &f, sizeof f);
    }
    return s;
}
PROGRAM(ring)

/* A value that is a number or an integer, with arithmetic on both. */
struct value { int tag; union { double d; long i; } u; };
APART void times(struct value *r, const struct value *a, const struct value *b) {
    if (a->tag && b->tag) {
        r->tag = 1;
        r->u.i = a->u.i * b->u.i;
    } else {
        r->tag = 0;
        r->u.d = (a->tag ? (double)a->u.i : a->u.d) * (b->tag ? (double)b->u.i : b->u.d);
    }
}
static struct value plus(struct value a, struct value b) {
    struct value r = {a.tag && b.tag, {0}};
    if (r.tag)
        r.u.i = a.u.i + b.u.i;
    else
        r.u.d = (a.tag ? (double)a.u.i : a.u.d) + (b.tag ? (double)b.u.i : b.u.d);
    return r;
}
static double interpreted(const double *x, int n) {
    struct value p = {1, {.i = 3}}, q = {1, {.i = 2}}, t;
    for (int i = 0; i < n; i++) {
        struct value v = {i % 3 != 1, {0}};
        if (v.tag)
            v.u.i = i + 1;
        else
            v.u.d = x[i];
        times(&t, &p, &v);
        p = t;
        q = plus(q, v);
        q = plus(q, p);
    }
    return (p.tag ? (double)p.u.i : p.u.d) * (q.tag ? (double)q.u.i : q.u.d) * x[0];
}
PROGRAM(interpreted)

/* Addresses as integers, one bit of which says something. */
static double read(uintptr_t a) { return *(const double *)(a & ~(uintptr_t)1) * (a & 1 ? 2 : 1); }
static double addresses(const double *x, int n) {
    double y[MOST];
    uintptr_t a[MOST];
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * x[i];
        a[(i + 1) % n] = (uintptr_t)&y[i] | (uintptr_t)(i % 2);
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += (i + 1) * read(a[i]);
    return s;
}
#ifndef CALLS /* an address in an integer argument is refused in reverse mode */
PROGRAM(addresses)
#define ADDRESSES AGREE(addresses, 5)
#else
#define ADDRESSES 0
#endif

/* A computed number without derivative goes as bytes into memory that has a shadow. */
static const double weight[4] = {0.1, 0.2, -0.3, 0.4};
APART double use(double *p, int deep) {
    if (deep > 0) return use(p, deep - 1);
    p[2] = p[0];
    p[0] = p[2] * p[1];
    return p[0] + p[3];
}
static double constants(const double *x, int n) {
    double v = sin(x[0]) * x[1], m[4];
    for (int i = 0; i < 4; i++) m[i] = v + 0.1 * i;
    double c = sin(weight[n & 3]);
    unsigned char bytes[sizeof(double)];
    memcpy(bytes, &c, sizeof c);
    memcpy(&m[n & 3], bytes, sizeof c);
    return use(m, n);
}
PROGRAM(constants)

int main(void) {
    return AGREE(array, 6) + AGREE(stack, 5) + AGREE_FLOAT(ring, 9) + AGREE(interpreted, 7) + ADDRESSES +
           AGREE(constants, 2) + AGREE(constants, 3);
}
