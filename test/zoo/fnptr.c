/* Function pointers: in variables, tables and structs, passed as arguments, chosen at run time. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */
#include <stdlib.h>

typedef T unary(T);
static T square_of(T x) { return x * x; }
static T cube_of(T x) { return x * x * x; }
static T sine_of(T x) { return M(sin)(x); }
static T same(T x) { return x; }

__attribute__((noinline)) static T apply(unary *f, T x) { return f(x); }
static T passed(T x) { return apply(square_of, x) + apply(cube_of, x); }
ZOO_NUM1(passed, (2), (12), (4 + 12));

/* The target is known only at run time. */
static T chosen(T x, T y) {
    unary *f = y > 1 ? square_of : cube_of;
    unary *g = y > 5 ? square_of : cube_of;
    return f(x) * y + g(x);
}
ZOO_NUM2(chosen, (2, 3), (20), (12 + 12, 4));

static unary *const unaries[] = {square_of, cube_of, sine_of, same};
static T table(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) s += unaries[i](x[i]);
    return s;
}
ZOO_OF(table, 4, (3, 2, 0.5, 7), (9 + 8 + sin(0.5) + 7), (6, 12, cos(0.5), 1));

/* Chained: each call's argument is the last call's result. */
static T chain(const T *x, int n) {
    T s = x[0];
    for (int i = 0; i < n; i++) s = unaries[(i * 3 + 1) % 4](s) * x[1];
    return s;
}
/* i = 0: cube, i = 1: square: ((a^3 b)^2) b = a^6 b^3 */
ZOO_OF(chain, 2, (1.5, 2), (pow(1.5, 6) * 8), (6 * pow(1.5, 5) * 8, pow(1.5, 6) * 12));

struct op {
    T weight;
    unary *f;
    int times;
};
static T in_struct(const T *x, int n) {
    struct op ops[2] = {{x[0], square_of, 1}, {2, cube_of, 2}};
    T s = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < ops[i].times; k++) s += ops[i].weight * ops[i].f(x[n - 1]);
    return s;
}
/* a b^2 + 4 b^3 */
ZOO_OF(in_struct, 2, (2, 3), (18 + 108), (9, 2 * 2 * 3 + 12 * 9));

/* An object with a table of its methods. */
struct shape;
struct shape_methods {
    T (*area)(const struct shape *);
    void (*scale)(struct shape *, T);
};
struct shape {
    const struct shape_methods *methods;
    T a, b;
};
static T disc_area(const struct shape *s) { return 3 * s->a * s->a; }
static T box_area(const struct shape *s) { return s->a * s->b; }
static void scale_both(struct shape *s, T k) {
    s->a *= k;
    s->b *= k;
}
static const struct shape_methods disc_methods = {disc_area, scale_both},
                                  box_methods = {box_area, scale_both};
static T methods(const T *x, int n) {
    struct shape shapes[2] = {{&disc_methods, x[0], 0}, {&box_methods, x[1], x[2]}};
    T sum = 0;
    for (int i = 0; i < 2; i++) {
        struct shape *s = &shapes[i];
        s->methods->scale(s, x[n - 1]);
        sum += s->methods->area(s);
    }
    return sum;
}
/* d^2 (3 a^2 + b c) */
ZOO_OF(methods, 4, (1, 2, 3, 2), (4 * (3 + 6)), (4 * 6, 4 * 3, 4 * 2, 2 * 2 * 9));

/* A callback with its context. */
typedef T with_context(void *context, T);
static T scaled(void *context, T x) { return *(T *)context * x * x; }
static T integrate(with_context *f, void *context, T from, T to, int n) {
    T h = (to - from) / (T)n, s = 0;
    for (int i = 0; i < n; i++) s += f(context, from + ((T)i + (T)0.5) * h);
    return s * h;
}
static T callback(T k, T to) { return integrate(scaled, &k, 0, to, 4); }
/* midpoint rule: k to^3 (1 + 9 + 25 + 49) / 64 / 4 */
ZOO_NUM2(callback, (2, 3), (2 * 27 * 84. / 256), (27 * 84. / 256, 2 * 27 * 84. / 256));

/* A pointer to a recursive function. */
typedef T walker(T, int);
__attribute__((noinline)) static T walk(T x, int n) {
    walker *volatile again = walk;
    return n == 0 ? 1 : x * again(x, n - 1);
}
static T recursive_pointer(T x) { return walk(x, 3); }
ZOO_NUM1(recursive_pointer, (2), (8), (12));

/* Returned from a function. */
static unary *which(int i) { return i ? cube_of : square_of; }
static T returned(T x) { return which(0)(x) * which(1)(x); }
ZOO_NUM1(returned, (1.5), (pow(1.5, 5)), (5 * pow(1.5, 4)));

/* Kept in memory of the heap. */
static T on_heap(T x) {
    unary **f = malloc(2 * sizeof *f);
    f[0] = square_of;
    f[1] = sine_of;
    T r = f[0](x) * f[1](x);
    free(f);
    return r;
}
ZOO_NUM1(on_heap, (1.5), (2.25 * sin(1.5)), (3 * sin(1.5) + 2.25 * cos(1.5)));

/* A target that changes memory. */
typedef void updater(T *, int);
static void doubles(T *x, int n) {
    for (int i = 0; i < n; i++) x[i] *= 2;
}
static void squares(T *x, int n) {
    for (int i = 0; i < n; i++) x[i] *= x[i];
}
static void updates(T *x, int n) {
    updater *const steps[] = {squares, doubles, squares};
    for (int i = 0; i < 3; i++) steps[i](x, n);
}
/* (2 x^2)^2 = 4 x^4 */
ZOO_INOUT(updates, 2, (1, 1.5), (4, 4 * pow(1.5, 4)), (16, 0, 0, 16 * pow(1.5, 3)));

/* A function of libm as the target. */
static T libm_target(T x, T y) {
    unary *f = y > 0 ? M(sin) : M(cos);
    return f(x) * y;
}
ZOO_NUM2(libm_target, (0.5, 2), (2 * sin(0.5)), (2 * cos(0.5), sin(0.5)));

/* qsort with a comparison: moves active memory through pointers to void. */
static int by_value(const void *a, const void *b) {
    T x = *(const T *)a, y = *(const T *)b;
    return (x > y) - (x < y);
}
static void sift(void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    char *b = base;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && compare(b + (j - 1) * size, b + j * size) > 0; j--) {
            T t;
            memcpy(&t, b + j * size, sizeof t);
            memcpy(b + j * size, b + (j - 1) * size, size);
            memcpy(b + (j - 1) * size, &t, sizeof t);
        }
}
static T generic_sort(const T *x, int n) {
    T a[8];
    memcpy(a, x, (size_t)n * sizeof *a);
    sift(a, (size_t)n, sizeof *a, by_value);
    return a[0] * a[0] + 3 * a[n - 1];
}
ZOO_OF(generic_sort, 4, (4, 2, 7, 5), (25), (0, 4, 3, 0));

/* The function pointer is a parameter of the request. */
static T twice(unary *f, T x) { return f(f(x)); }
static void pointer_in_request_P(zoo_io *io) { io->r = (double)twice(square_of, (T)io->x[0]); }
ZOO_R(T twice_rev(unary *f, T x, T *xb); CF_REVERSE(twice_rev, twice, "const dup");
      static void pointer_in_request_R(zoo_io *io) {
          T b = (T)io->xs[0];
          io->r = (double)twice_rev(square_of, (T)io->x[0], &b);
          io->xs[0] = (double)b;
      })
ZOO_F(T twice_fwd(unary *f, T x, T xd); CF_FORWARD(twice_fwd, twice, "const dup");
      static void pointer_in_request_F(zoo_io *io) {
          io->rs = (double)twice_fwd(square_of, (T)io->x[0], (T)io->xs[0]);
      })
ZOO_CASE(pointer_in_request, ZOO_RESULT, 1, 0, (1.5), (pow(1.5, 4)), (4 * pow(1.5, 3)));
