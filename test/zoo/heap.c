/* Heap: every way to allocate, per iteration, growing, linked lists, trees, arrays of pointers. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */

static T temporary(const T *x, int n) {
    T *t = malloc((size_t)n * sizeof *t), s = 0;
    for (int i = 0; i < n; i++) t[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) s += t[i] * x[i];
    free(t);
    return s;
}
ZOO_OF(temporary, 3, (1, 2, 3), (36), (3, 12, 27));

static T zeroed(const T *x, int n) {
    T *t = calloc((size_t)n, sizeof *t);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n; i++) t[i] += x[i] * x[(i + k) % n];
    T s = t[0] * t[n - 1];
    free(t);
    return s;
}
/* (a^2 + ab) (b^2 + ab) = ab (a + b)^2 */
ZOO_OF(zeroed, 2, (2, 3), (150), (75 + 60, 50 + 60));

static T grown(const T *x, int n) {
    T *t = NULL, s = 1;
    for (int i = 0; i < n; i++) {
        t = realloc(t, (size_t)(i + 1) * sizeof *t);
        t[i] = x[i] * x[i];
        s += t[i / 2] * x[i];
    }
    free(t);
    return s;
}
/* 1 + a^3 + a^2 b + b^2 c */
ZOO_OF(grown, 3, (2, 3, 5), (1 + 8 + 12 + 45), (12 + 12, 4 + 30, 9));

/* realloc to a smaller and then a larger block keeps what was there. */
static T shrunk(const T *x, int n) {
    T *t = malloc(64 * sizeof *t);
    for (int i = 0; i < n; i++) t[i] = x[i] * 2;
    t = realloc(t, (size_t)n * sizeof *t);
    t[0] *= x[0];
    t = realloc(t, 4096 * sizeof *t);
    t[4000] = t[0] * t[1];
    T r = t[4000];
    free(t);
    return r;
}
/* 4 a^2 b */
ZOO_OF(shrunk, 2, (2, 3), (48), (48, 16));

/* Allocated and freed in each iteration: the same address comes back. */
static T each_iteration(const T *x, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) {
        T *t = malloc(3 * sizeof *t);
        t[0] = x[i];
        t[1] = t[0] * t[0];
        t[2] = t[1] * t[0];
        s += t[2] * t[1];
        free(t);
    }
    return s;
}
ZOO_OF(each_iteration, 2, (1, 2), (33), (5, 80));

/* Freed before its last use in the other sweep, then the memory is overwritten. */
static T freed_early(const T *x, int n) {
    T *t = malloc(2 * sizeof *t);
    t[0] = x[0] * x[1];
    T v = M(sin)(t[0]);
    free(t);
    T *u = malloc(2 * sizeof *u);
    u[0] = 100;
    u[1] = v;
    T r = u[0] * u[1];
    free(u);
    (void)n;
    return r;
}
ZOO_OF(freed_early, 2, (0.5, 1.5), (100 * sin(0.75)), (150 * cos(0.75), 50 * cos(0.75)));

static T aligned(const T *x, int n) {
    T *a = aligned_alloc(64, 256);
    void *p = NULL;
    if (posix_memalign(&p, 32, 256)) return 0;
    T *b = p;
    for (int i = 0; i < n; i++) a[i] = x[i] * x[i], b[i] = a[i] * x[i];
    T r = a[0] * b[n - 1];
    free(a);
    free(b);
    return r;
}
/* a^2 b^3 */
ZOO_OF(aligned, 2, (2, 3), (108), (108, 108));

struct node {
    T value;
    struct node *next;
};
static struct node *cons(T v, struct node *next) {
    struct node *c = malloc(sizeof *c);
    c->value = v;
    c->next = next;
    return c;
}
static T linked_list(const T *x, int n) {
    struct node *list = NULL;
    for (int i = 0; i < n; i++) list = cons(x[i], list);
    T s = 1;
    for (struct node *c = list; c; c = c->next) s = s * c->value + 1;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return s;
}
/* c, b, a: ((c + 1) b + 1) a + 1 */
ZOO_OF(linked_list, 3, (2, 3, 5), (39), (19, 12, 6));

/* The list is turned round in place, its values change, the head is lost. */
static T turned_list(const T *x, int n) {
    struct node *list = NULL, *back = NULL;
    for (int i = 0; i < n; i++) list = cons(x[i], list);
    while (list) {
        struct node *next = list->next;
        list->next = back;
        list->value *= back ? back->value : 2;
        back = list;
        list = next;
    }
    T r = back->value;
    while (back) {
        struct node *next = back->next;
        r += back->value;
        free(back);
        back = next;
    }
    return r;
}
/* c' = 2c, b' = bc', a' = a b': 2 abc * 2 + 2 bc + 2 c */
ZOO_OF(turned_list, 3, (2, 3, 5), (120 + 30 + 10), (60, 40 + 10, 24 + 6 + 2));

struct tree {
    T key, weight;
    struct tree *left, *right;
};
static void insert(struct tree **at, T key, T weight) {
    while (*at) at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = malloc(sizeof **at);
    **at = (struct tree){key, weight, NULL, NULL};
}
static T fold(const struct tree *t, int depth) {
    if (!t) return 1;
    return fold(t->left, depth + 1) * t->weight + fold(t->right, depth + 1) * t->key * (T)depth;
}
static void cut(struct tree *t) {
    if (!t) return;
    cut(t->left);
    cut(t->right);
    free(t);
}
static T search_tree(const T *x, int n) {
    struct tree *root = NULL;
    for (int i = 0; i < n; i++) insert(&root, x[i], x[i] * x[i]);
    T r = fold(root, 1);
    cut(root);
    return r;
}
/* root a, left b, right c: F(b) = b^2 + 2b, F(c) = c^2 + 2c; F = F(b) a^2 + F(c) a */
ZOO_OF(search_tree, 3, (2, 1, 3), (12 + 30), (12 + 15, 4 * 4, 2 * 8));

/* An array of pointers: rows of a matrix, exchanged. */
static T rows(const T *x, int n) {
    T **row = malloc((size_t)n * sizeof *row);
    for (int i = 0; i < n; i++) {
        row[i] = malloc((size_t)n * sizeof *row[i]);
        for (int j = 0; j < n; j++) row[i][j] = x[i] * (T)(j + 1);
    }
    T *first = row[0];
    row[0] = row[n - 1];
    row[n - 1] = first;
    for (int j = 0; j < n; j++) row[0][j] *= row[1][j];
    T s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) s += row[i][j] * row[i][j];
    for (int i = 0; i < n; i++) free(row[i]);
    free(row);
    return s;
}
/* n = 2: row0 = b (1 2), row1 = a (1 2); row0 = ab (1 4): 17 a^2 b^2 + 5 a^2 */
ZOO_OF(rows, 2, (2, 3), (17 * 36 + 20), (17 * 36 + 20, 17 * 24));

/* A block is handed out of the function that made it, and filled by another. */
static T *made(int n) { return calloc((size_t)n, sizeof(T)); }
static void fill(T *t, const T *x, int n) {
    for (int i = 0; i < n; i++) t[i] += x[i] * x[i];
}
static T handed_out(const T *x, int n) {
    T *a = made(n), *b = made(n);
    fill(a, x, n);
    fill(b, a, n);
    fill(a, b, n);
    T r = a[0] + b[n - 1];
    free(b);
    free(a);
    return r;
}
/* a = x^2, b = x^4, a = x^2 + x^8 */
ZOO_OF(handed_out, 2, (1.5, 2), (2.25 + pow(1.5, 8) + 16), (3 + 8 * pow(1.5, 7), 32));

/* An arena: pieces of one block, with integers in between. */
struct arena {
    char *at, *end;
};
static void *piece(struct arena *a, size_t size) {
    void *p = a->at;
    a->at += (size + 15) / 16 * 16;
    return a->at <= a->end ? p : NULL;
}
static T arena(const T *x, int n) {
    char *block = malloc(1024);
    struct arena a = {block, block + 1024};
    T *u = piece(&a, (size_t)n * sizeof *u);
    int *k = piece(&a, sizeof *k * 3);
    T *v = piece(&a, (size_t)n * sizeof *v);
    for (int i = 0; i < n; i++) k[i] = n - 1 - i, u[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) v[i] = u[k[i]] * x[i];
    T r = v[0] * v[n - 1];
    free(block);
    return r;
}
/* b^2 a * a^2 b = a^3 b^3 */
ZOO_OF(arena, 2, (2, 3), (216), (3 * 4 * 27, 3 * 8 * 9));

/* Allocation whose size depends on data, conditional free, free(NULL). */
static T conditional(const T *x, int n) {
    T s = 0, *t = NULL;
    for (int i = 0; i < n; i++) {
        if (x[i] > 1) {
            free(t);
            t = malloc((size_t)(x[i] + 1) * sizeof *t);
            t[(int)x[i]] = x[i] * x[i];
            s += t[(int)x[i]];
        }
        if (t) s *= 2;
    }
    free(t);
    free(NULL);
    return s;
}
/* none; b^2 2; then b^2 4; (b^2 4 + d^2) 2 */
ZOO_OF(conditional, 4, (0.5, 2.5, 0.75, 3.5), ((6.25 * 4 + 12.25) * 2), (0, 5 * 8, 0, 14));
