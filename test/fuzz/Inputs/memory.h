/* What the programs of memory.py share: functions that move bytes without knowing what they are, containers that do not know
 * their elements, and the comparison of the derivatives with what the machine (machine.py) has computed. */
#include <cofactor/ad.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, unused)) static
#define SOME __attribute__((unused, always_inline)) static inline
typedef uint16_t __attribute__((may_alias)) half_word;
typedef uint32_t __attribute__((may_alias)) word;
typedef uint64_t __attribute__((may_alias)) long_word;
struct nine { char c[9]; };

/* --- bytes */
APART void by_bytes(void *to, const void *from, size_t n) { for (size_t i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[i]; }
APART void by_bytes_down(void *to, const void *from, size_t n) { while (n--) ((unsigned char *)to)[n] = ((const unsigned char *)from)[n]; }
APART void by_halves(void *to, const void *from, size_t n) {
    size_t i = 0;
    for (; i + 2 <= n; i += 2) *(half_word *)((char *)to + i) = *(const half_word *)((const char *)from + i);
    for (; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
}
APART void by_words(void *to, const void *from, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) *(word *)((char *)to + i) = *(const word *)((const char *)from + i);
    for (; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
}
APART void by_long_words(void *to, const void *from, size_t n) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) *(long_word *)((char *)to + i) = *(const long_word *)((const char *)from + i);
    for (; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
}
APART void by_doubles(void *to, const void *from, size_t n) { /* moved as numbers, whatever they are */
    size_t i = 0;
    for (; i + 8 <= n; i += 8) *(long_word *)((char *)to + i) = *(const long_word *)((const char *)from + i);
    if (i < n) memcpy((char *)to + i, (const char *)from + i, n - i);
}
APART void by_nine(void *to, const void *from, size_t n) {
    size_t i = 0;
    for (; i + 9 <= n; i += 9) *(struct nine *)((char *)to + i) = *(const struct nine *)((const char *)from + i);
    memcpy((char *)to + i, (const char *)from + i, n - i);
}
APART void by_memcpy(void *to, const void *from, size_t n) { memcpy(to, from, n); }
APART void by_memmove(void *to, const void *from, size_t n) { memmove(to, from, n); }
APART void by_parts(void *to, const void *from, size_t n) {
    if (n > 24) { size_t h = n / 2; by_parts(to, from, h); by_parts((char *)to + h, (const char *)from + h, n - h); }
    else memcpy(to, from, n);
}
APART void longs(long *to, const long *from, size_t n) { memcpy(to, from, n); }
APART void ints(int *to, const int *from, size_t n) { memmove(to, from, n); }
APART void by_longs(void *to, const void *from, size_t n) { longs((long *)to, (const long *)from, n); }
APART void by_ints(void *to, const void *from, size_t n) { ints((int *)to, (const int *)from, n); }
APART void by_buffer(void *to, const void *from, size_t n) {
    char t[256];
    memcpy(t, from, n);
    by_bytes(to, t, n);
}
APART void by_block(void *to, const void *from, size_t n) {
    uint64_t *t = (uint64_t *)malloc(n + 8);
    memcpy(t, from, n), memcpy(to, t, n);
    free(t);
}
APART void swap_bytes(void *a, void *b, size_t n) {
    char *p = (char *)a, *q = (char *)b;
    if (p != q) while (n--) { char t = *p; *p++ = *q; *q++ = t; }
}
APART void swap_buffer(void *a, void *b, size_t n) {
    char t[256];
    memcpy(t, a, n); memmove(a, b, n); memcpy(b, t, n);
}
APART void swap_words(void *a, void *b, size_t n) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) { long_word *p = (long_word *)((char *)a + i), *q = (long_word *)((char *)b + i), t = *p; *p = *q; *q = t; }
    for (; i < n; i++) { char *p = (char *)a + i, *q = (char *)b + i, t = *p; *p = *q; *q = t; }
}
SOME uint64_t bits(double d) { uint64_t v; memcpy(&v, &d, sizeof v); return v; }
SOME double number(uint64_t v) { double d; memcpy(&d, &v, sizeof d); return d; }
SOME uint32_t bits32(float d) { uint32_t v; memcpy(&v, &d, sizeof v); return v; }
SOME float number32(uint32_t v) { float d; memcpy(&d, &v, sizeof d); return d; }
APART void *same(void *p) { return p; }
APART void *element(void *base, size_t i, size_t size) { return (char *)base + i * size; }
APART double *third(double *a, double *b, double *c, int k) { return k == 0 ? a : k == 1 ? b : c; }

/* --- containers */
struct vec { char *data; size_t n, most, size; };
APART void *vec_at(struct vec *v, size_t i) { return v->data + i * v->size; }
APART void vec_push(struct vec *v, const void *e) {
    if (v->n == v->most) v->data = (char *)realloc(v->data, (v->most = 2 * v->most + 1) * v->size);
    memcpy(v->data + v->n++ * v->size, e, v->size);
}
struct list { struct list *next; size_t size; };
APART struct list *list_push(struct list *next, const void *e, size_t size) {
    struct list *l = (struct list *)malloc(sizeof *l + size);
    l->next = next, l->size = size;
    memcpy(l + 1, e, size);
    return l;
}
APART void *list_at(struct list *l, size_t i) { while (i--) l = l->next; return l + 1; }
struct map { uint64_t key[8]; unsigned char used[8], *slot; size_t size; };
APART void *map_slot(struct map *m, uint64_t key) {
    size_t i = (size_t)(key * 0x9E3779B97F4A7C15u >> 32) & 7;
    while (m->used[i] && m->key[i] != key) i = (i + 1) & 7;
    m->key[i] = key, m->used[i] = 1;
    return m->slot + i * m->size;
}
APART void map_put(struct map *m, uint64_t key, const void *e) { memcpy(map_slot(m, key), e, m->size); }
struct arena { char *base; size_t used, size; };
APART void *take(struct arena *a, size_t n) {
    char *p = a->base + a->used;
    a->used += (n + 7) & ~(size_t)7;
    return p;
}
struct stack { int n; uint64_t at[32]; };
APART void push(struct stack *w, uint64_t v) { w->at[w->n++] = v; }
APART uint64_t pop(struct stack *w) { return w->at[--w->n]; }

/* --- results beside the result */
static int last_sign;
APART double root(double v) {
    errno = 0, last_sign = v < 0 ? -1 : 1;
    if (v < 0) { errno = EDOM; return 0.5 * v; }
    return sqrt(v);
}

/* --- the comparison */
typedef double f_primal(const double *, int);
typedef double f_derivative(const double *, double *, int);
typedef double f_tangent(const double *, const double *, int);
#define PROGRAM(f)                                                                                                                         \
    double f##_rev(const double *x, double *x_bar, int n);                                                                                 \
    CF_REVERSE(f##_rev, f, "dup const");                                                                                                   \
    double f##_fwd(const double *x, const double *x_dot, int n);                                                                           \
    CF_FORWARD(f##_fwd, f, "dup const");

static int differs(double a, double b, double tolerance) { return !(fabs(a - b) <= tolerance * (1 + fabs(b))); }

static int compare(const char *name, f_primal *f, f_derivative *rev, f_tangent *fwd, const double *at, double value, const double *slope,
                   double tolerance) {
    double x[4], bar[4] = {0, 0, 0, 0};
    memcpy(x, at, sizeof x);
    double v = f(x, 4);
    if (differs(v, value, tolerance)) return printf("%s: generator: value %.12g, machine %.12g\n", name, v, value), 3;
    v = rev(x, bar, 4);
    int bad = 0;
    if (differs(v, value, tolerance)) bad = 2, printf("%s: wrong: value in reverse mode %.12g, not %.12g\n", name, v, value);
    for (int k = 0; k < 4; k++) {
        double dot[4] = {0, 0, 0, 0};
        dot[k] = 1;
        double t = fwd(x, dot, 4);
        if (differs(bar[k], slope[k], tolerance)) bad = 2, printf("%s: wrong: reverse mode [%d] %.12g, not %.12g\n", name, k, bar[k], slope[k]);
        if (differs(t, slope[k], tolerance)) bad = 2, printf("%s: wrong: forward mode [%d] %.12g, not %.12g\n", name, k, t, slope[k]);
        if (!isfinite(x[k])) continue;
        double d[2];
        for (int s = 0; s < 2; s++) {
            double h = s ? 1e-6 : 1e-5;
            x[k] = at[k] + h;
            double p = f(x, 4);
            x[k] = at[k] - h;
            d[s] = (p - f(x, 4)) / (2 * h);
            x[k] = at[k];
        }
        if (tolerance < 1e-6 && isfinite(d[0]) && !differs(d[0], d[1], 1e-5) && differs(d[0], slope[k], 1e-3))
            return printf("%s: generator: differences [%d] %.12g, machine %.12g\n", name, k, d[0], slope[k]), 3;
    }
    return bad;
}

/* In a process of its own: what crashes or ends there is reported, and the others go on. */
static int run_apart(const char *name, f_primal *f, f_derivative *rev, f_tangent *fwd, const double *at, double value, const double *slope,
                     double tolerance) {
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(20);
        int bad = compare(name, f, rev, fwd, at, value, slope, tolerance);
        fflush(stdout);
        _exit(bad);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) return WEXITSTATUS(status) != 0;
    printf("%s: crash: signal %d\n", name, WTERMSIG(status));
    return 1;
}
#define COMPARE(f, at, value, slope, tolerance) run_apart(#f, f, f##_rev, f##_fwd, at, value, slope, tolerance)
