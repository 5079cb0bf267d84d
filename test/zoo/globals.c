/* Globals: constant tables, mutable state, static locals, arrays, pointers, structs. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */

static const T weights[3] = {2, 3, 5};
static T constant_table(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) s += weights[i] * x[i] * x[i];
    return s;
}
ZOO_OF(constant_table, 3, (1, 2, 3), (2 + 12 + 45), (4, 12, 30));

/* Written before it is read. */
static T scratch;
static T through_global(T x, T y) {
    scratch = x * y;
    scratch = scratch * x;
    return scratch * scratch;
}
ZOO_NUM2(through_global, (2, 3), (144), (4 * 8 * 9, 2 * 16 * 3));

__attribute__((noinline)) static void put(T v) { scratch += v * v; }
__attribute__((noinline)) static T take(void) {
    T v = scratch;
    scratch = 1;
    return v;
}
static T through_callees(const T *x, int n) {
    scratch = 0;
    for (int i = 0; i < n; i++) put(x[i]);
    T a = take();
    put(x[0]);
    return a * take();
}
/* (a^2 + b^2) (1 + a^2) */
ZOO_OF(through_callees, 2, (2, 3), (13 * 5), (4 * 5 + 13 * 4, 6 * 5));

static T buffer[8];
static int filled;
__attribute__((noinline)) static void push(T v) { buffer[filled++] = v; }
__attribute__((noinline)) static T pop(void) { return buffer[--filled]; }
/* A stack machine: 0 pushes the next input, 1 adds, 2 multiplies. */
static T stack_machine(const T *x, int n) {
    static const char program[] = {0, 0, 1, 0, 2, 0, 0, 2, 1};
    int next = 0;
    filled = 0;
    for (size_t i = 0; i < sizeof program; i++) {
        if (program[i] == 0) {
            push(x[next++ % n]);
        } else {
            T b = pop(), a = pop();
            push(program[i] == 1 ? a + b : a * b);
        }
    }
    return pop();
}
/* (x0 + x1) x2 + x0 x1 */
ZOO_OF(stack_machine, 3, (2, 3, 5), (31), (5 + 3, 5 + 2, 5));

/* A static local keeps a value between calls of the helper, within one call of the primal. */
__attribute__((noinline)) static T running(T v, int reset) {
    static T sum;
    if (reset) sum = 0;
    sum = sum * v + v;
    return sum;
}
static T static_local(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) s += running(x[i], i == 0);
    return s;
}
/* a, ab + b, (ab + b) c + c */
ZOO_OF(static_local, 3, (2, 3, 1), (2 + 9 + 10), (1 + 3 + 3, 3 + 3, 10));

/* A pointer in a global, to active memory. */
static T *cursor;
static void through_global_pointer(T *x, int n) {
    for (cursor = x; cursor != x + n - 1; cursor++) *cursor *= cursor[1];
    *cursor = 4 * *cursor;
    cursor = NULL;
}
ZOO_INOUT(through_global_pointer, 3, (2, 3, 5), (6, 15, 20), (3, 2, 0, 0, 5, 3, 0, 0, 4));

/* An initialised global is read, then overwritten, then set back. */
static T gain = 3;
static T set_back(T x) {
    T a = gain * x;
    gain = a;
    T b = gain * x;
    gain = 3;
    return a + b;
}
/* 3x + 3x^2 */
ZOO_NUM1(set_back, (2), (18), (15));

static struct {
    T value[2];
    int calls;
    T *best;
} state;
__attribute__((noinline)) static void record(T v) {
    state.value[state.calls % 2] = v * state.value[(state.calls + 1) % 2];
    state.best = &state.value[state.calls % 2];
    state.calls++;
}
static T struct_state(const T *x, int n) {
    state.calls = 0;
    state.value[0] = state.value[1] = 1;
    for (int i = 0; i < n; i++) record(x[i]);
    return *state.best * state.value[0];
}
/* v0 = a, v1 = ab, v0 = abc: (abc)^2 */
ZOO_OF(struct_state, 3, (2, 3, 1), (36), (36, 24, 72));

/* Global memory is as the primal leaves it, after either mode. */
static T left[2];
static T leaves(T x) {
    left[0] = x;
    left[1] = left[0] * x;
    left[0] = left[1] * 2;
    return left[0] * x;
}
ZOO_NUM1(leaves, (2), (16), (24));

ZOO_FREE(global_after) {
    left[0] = left[1] = 0;
    ZOO_WANT(leaves(2), 16);
    ZOO_R(left[0] = left[1] = 0; T b = 0; ZOO_WANT(leaves_rev(2, &b), 16); ZOO_WANT(b, 24);
          ZOO_WANT(left[0], 8); ZOO_WANT(left[1], 4);)
    ZOO_F(left[0] = left[1] = 0; ZOO_WANT(leaves_fwd(2, 1), 24); ZOO_WANT(left[0], 8); ZOO_WANT(left[1], 4);)
}

/* Shadows of globals start at zero in each request: an earlier request leaves no trace. */
static T carried;
static T carries(T x) {
    T old = carried;
    carried = x;
    return old * x;
}
ZOO_R(T carries_rev(T x, T *xb); CF_REVERSE(carries_rev, carries, "dup");)
ZOO_F(T carries_fwd(T x, T xd); CF_FORWARD(carries_fwd, carries, "dup");)
ZOO_FREE(requests_are_independent) {
    carried = 5;
    ZOO_WANT(carries(2), 10);
    ZOO_R(T b = 0; carried = 5; carries_rev(2, &b); ZOO_WANT(b, 5); carries_rev(3, &b); ZOO_WANT(b, 5 + 2);)
    ZOO_F(carried = 5; ZOO_WANT(carries_fwd(2, 1), 5); ZOO_WANT(carries_fwd(3, 1), 2);)
}
