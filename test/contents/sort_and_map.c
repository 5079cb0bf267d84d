// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -Wall -Wextra %s -lm -o %t && %t || exit 1; done
// RUN: %ad -O2 -g %s -lm -o %t && %t
// A sort that swaps byte by byte and a hash map that copies byte by byte, each used with double, float, pointers and structs of
// both in one program. Nothing but the run tells what the bytes are.
#include "agree.h"

typedef int order(const void *, const void *);
__attribute__((noinline)) static void swap_bytes(char *a, char *b, size_t n) {
    while (n--) {
        char t = *a;
        *a++ = *b;
        *b++ = t;
    }
}
__attribute__((noinline)) static void insertion_sort(void *base, size_t n, size_t size, order *less) {
    char *p = base;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && less(p + j * size, p + (j - 1) * size); j--)
            swap_bytes(p + j * size, p + (j - 1) * size, size);
}

struct map {
    size_t n, capacity, size;
    char *used, *value;
    int *key;
};
__attribute__((noinline)) static void map_begin(struct map *m, size_t capacity, size_t size) {
    *m = (struct map){0, capacity, size, calloc(capacity, 1), malloc(capacity * size), malloc(capacity * sizeof(int))};
}
__attribute__((noinline)) static void map_end(struct map *m) {
    free(m->used);
    free(m->value);
    free(m->key);
}
static size_t map_place(const struct map *m, int key) {
    size_t h = (size_t)key * 7u % m->capacity;
    while (m->used[h] && m->key[h] != key) h = (h + 1) % m->capacity;
    return h;
}
__attribute__((noinline)) static void *map_at(struct map *m, int key) { return m->value + map_place(m, key) * m->size; }
__attribute__((noinline)) static void map_put(struct map *m, int key, const void *value) {
    if (2 * (m->n + 1) > m->capacity) {
        struct map old = *m;
        map_begin(m, 2 * old.capacity, old.size);
        for (size_t i = 0; i < old.capacity; i++)
            if (old.used[i]) map_put(m, old.key[i], old.value + i * old.size);
        map_end(&old);
    }
    size_t h = map_place(m, key);
    m->n += !m->used[h];
    m->used[h] = 1;
    m->key[h] = key;
    for (size_t i = 0; i < m->size; i++) m->value[h * m->size + i] = ((const char *)value)[i];
}

struct item {
    short id;
    double v;
    const double *p;
    float w;
    char tail;
};
static int less_double(const void *a, const void *b) { return *(const double *)a < *(const double *)b; }
static int less_float(const void *a, const void *b) { return *(const float *)a < *(const float *)b; }
static int less_pointer(const void *a, const void *b) { return **(double *const *)a < **(double *const *)b; }
static int less_item(const void *a, const void *b) { return ((const struct item *)a)->v < ((const struct item *)b)->v; }

static double sorted(const double *x, int n) {
    double d[MOST], s = 0, *p[MOST];
    float g[MOST];
    struct item e[MOST];
    for (int i = 0; i < n; i++) {
        d[i] = x[i] * x[i];
        g[i] = (float)(x[i] * 3);
        p[i] = &d[i];
        e[i] = (struct item){(short)i, sin(x[i]), &x[(i + 1) % n], (float)x[i], 't'};
    }
    insertion_sort(g, (size_t)n, sizeof *g, less_float);
    insertion_sort(p, (size_t)n, sizeof *p, less_pointer);
    for (int i = 0; i < n; i++) s += (i + 1) * *p[i] * (double)g[i];
    insertion_sort(e, (size_t)n, sizeof *e, less_item);
    for (int i = 0; i < n; i++) s += (i + 2) * e[i].v * *e[i].p + (double)e[i].w * e[i].id;
    insertion_sort(d, (size_t)n, sizeof *d, less_double);
    for (int i = 0; i < n; i++) s += (3 * i + 1) * d[i];
    return s;
}
PROGRAM(sorted)

static double mapped(const double *x, int n) {
    double s = 0, d[MOST];
    float g[MOST];
    const double *p[MOST];
    struct map m;
    for (int i = 0; i < n; i++) d[i] = x[i] * x[0], g[i] = (float)(x[i] * x[i]), p[i] = &d[(i + 2) % n];
    map_begin(&m, 4, sizeof *d);
    for (int i = 0; i < n; i++) map_put(&m, i, &d[i]);
    for (int i = 0; i < n; i++) s += i * *(double *)map_at(&m, i);
    map_end(&m);
    map_begin(&m, 4, sizeof *g);
    for (int i = 0; i < n; i++) map_put(&m, 3 * i, &g[i]);
    for (int i = 0; i < n; i++) s += i * (double)*(float *)map_at(&m, 3 * i);
    map_end(&m);
    map_begin(&m, 4, sizeof *p);
    for (int i = 0; i < n; i++) map_put(&m, -i, &p[i]);
    for (int i = 0; i < n; i++) s += (i + 1) * **(const double **)map_at(&m, -i);
    map_end(&m);
    map_begin(&m, 4, sizeof(struct item));
    for (int i = 0; i < n; i++)
        map_put(&m, i, &(struct item){(short)i, d[i], p[i], (float)x[i], 0});
    for (int i = 0; i < n; i++) {
        struct item *q = map_at(&m, i);
        s += q->id * q->v * *q->p * (double)q->w;
    }
    map_end(&m);
    return s;
}
PROGRAM(mapped)

int main(void) { return AGREE_FLOAT(sorted, 7) + AGREE_FLOAT(mapped, 9) + AGREE_FLOAT(sorted, 1) + AGREE_FLOAT(mapped, 2); }
