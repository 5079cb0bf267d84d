// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -pthread -o %t && %t || exit 1; done
// A comparison that sorts itself, and sorts in two contexts, one inside the other's comparison: each keeps its own context.
#include "events.h"
#include <stdlib.h>

struct count { long inner, outer; };
CF_PREHOOK(count, "sub in=by_digit") static void on_digit(struct count *c) { c->inner++; }
CF_PREHOOK(count, "sub in=by_sorted") static void on_sorted(struct count *c) { c->outer++; }

static long digits, texts, contexts; /* comparisons, however they are called */
APART int by_digit(const void *a, const void *b) { return digits++, *(const char *)a - *(const char *)b; }
APART int canonical(const char *text) {
    char d[3] = {text[0], text[1], text[2]};
    qsort(d, 3, 1, by_digit);
    return (d[0] * 128 + d[1]) * 128 + d[2];
}
APART int by_sorted(const void *a, const void *b) { return texts++, canonical(a) - canonical(b); }
static int f(char (*x)[3], int n) { return qsort(x, (size_t)n, 3, by_sorted), x[0][0]; }
int f_in(struct count *c, char (*x)[3], int n);
CF_IN(f_in, f, count);

static struct count second;
APART int by_context(const void *a, const void *b) {
    char x[2][3] = {{'c', 'a', 'b'}, {'a', 'b', 'a'}};
    contexts++;
    return f_in(&second, x, 2) + *(const char *)a - *(const char *)b - x[0][0];
}
static int g(char *x, int n) { return qsort(x, (size_t)n, 1, by_context), x[0]; }
struct other { long n; };
CF_PREHOOK(other, "sub in=by_context") static void on_context(struct other *c) { c->n++; }
int g_in(struct other *c, char *x, int n);
CF_IN(g_in, g, other);

int main(void) {
    struct count c = {0, 0};
    char x[4][3];
    memcpy(x, "zyacabbbbaaz", 12);
    /* Sorted: ayz, abc, bbb, aaz. */
    WANT(f_in(&c, x, 4), 'a');
    WANT(memcmp(x, "aazcabzyabbb", 12), 0);
    WANT(c.outer, texts), WANT(c.inner, digits);
    WANT(c.outer >= 3 && c.outer <= 6, 1), WANT(c.inner >= 2 * 2 * c.outer && c.inner <= 2 * 3 * c.outer, 1);

    struct other d = {0};
    char y[4] = {'d', 'b', 'a', 'c'};
    WANT(g_in(&d, y, 4), 'a');
    WANT(memcmp(y, "abcd", 4), 0);
    /* Two subtractions in each comparison. Each of them sorts two texts in the context of its own. */
    WANT(d.n >= 6 && d.n <= 12 && d.n % 2 == 0, 1), WANT(second.outer, d.n / 2), WANT(d.n, 2 * contexts);
    WANT(second.outer, texts - c.outer), WANT(second.inner, digits - c.inner);
    return wrong;
}
