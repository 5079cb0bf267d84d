// RUN: %clang -O1 -I%include -DOTHER -c %s -o %t.other.o
// RUN: for l in -O0 -O1 "-O2 -g" -O3; do %ad $l %s %t.other.o -lm -o %t && %t || exit 1; done
// RUN: env COFACTOR_NO_INLINE=1 %ad -O2 %s %t.other.o -lm -o %t && %t
// Functions of another unit through pointers: where nothing active goes in, they are called as they are.
#include "hazard.h"
#include <stdarg.h>

struct point {
    float x;
    short i;
};
struct entry {
    const char *name;
    int (*pick)(int, int);
    const char *(*text)(signed char);
    double (*scale)(int);
    int (*count)(void);
    int (*join)(const char *, const char *, ...);
    const struct entry *(*next)(const struct entry *);
    float (*weigh)(struct point);
};
const struct entry *entries(void);

#ifdef OTHER
static int pick(int a, int b) { return a > b ? a : b; }
static const char *text(signed char c) { return c < 0 ? "below" : "above"; }
static double scale(int i) { return i + 0.5; }
static int count(void) {
    static int n;
    return n++;
}
static int join(const char *first, const char *format, ...) {
    char to[64];
    va_list a;
    va_start(a, format);
    int n = vsnprintf(to, sizeof to, format, a);
    va_end(a);
    return n + (int)strlen(first);
}
static const struct entry *next(const struct entry *e) { return e + 1; }
static float weigh(struct point p) { return p.x * p.i; }
const struct entry *entries(void) {
    static const struct entry all[] = {{"first", pick, text, scale, count, join, next, weigh},
                                       {"second", pick, text, scale, count, join, next, weigh}};
    return all;
}
#else

static int calls;
static double f(double *x, int n) {
    const struct entry *e = entries();
    double s = 0;
    for (int i = 0; i < n; i++) {
        int k = e->pick(i, 1);
        const char *t = e->text((signed char)(i - 1));
        calls = e->count();
        s += x[k] * x[i] * e->scale(i) * (t[0] == 'b' ? 2 : 1) * (double)e->weigh((struct point){2, 3});
        if (i == 1) {
            const struct entry *other = e->next(e);
            s += x[0] * (other->name[0] == 's');
        }
    }
    return s + e->join(e->name, "%g and %d %s", 2.5, n, "more") * x[0];
}
GRADIENT(f);

int main(void) {
    double x = 3, y = 5; /* 0.5 * 2 * 6 x y + 1.5 * 6 y y + x + 19 x */
    CHECK_SAME(f, 2, LIST(3, 5), 6 * x * y + 9 * y * y + 20 * x, LIST(6 * y + 20, 6 * x + 18 * y));
    if (calls != 2 * 2 * (1 + 2) - 1) wrong = printf("%d calls\n", calls);
    return wrong;
}
#endif
