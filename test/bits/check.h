/* Functions of four numbers in both modes: values to the bit, derivatives against differences, forward against reverse. */
#include <cofactor/ad.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef T
#define T double
#endif

#define OF(name)                                                                                             \
    T name##_rev(const T *x, T *x_bar);                                                                      \
    CF_REVERSE(name##_rev, name, "dup");                                                                     \
    T name##_fwd(const T *x, const T *x_dot);                                                                \
    CF_FORWARD(name##_fwd, name, "dup");

/* How near differences are: most functions are smooth around the arguments; some are rounded in steps. */
enum { SMOOTH, STEPS, SINGLE }; /* SINGLE: of numbers in double that are computed in float */

typedef struct operation {
    const char *name;
    T (*f)(const T *);
    T (*rev)(const T *, T *);
    T (*fwd)(const T *, const T *);
    int how;
} operation;
#define ROW(name) {#name, name, name##_rev, name##_fwd, SMOOTH}
#define ROUGH(name) {#name, name, name##_rev, name##_fwd, STEPS}

static int wrong;

static void check_at(const operation *o, const T *at) {
    T x[4], bar[4] = {0}, dot[4];
    int fine = sizeof(T) == 8 && o->how != SINGLE;
    double h = fine ? 1e-5 : 1e-2, near = o->how == STEPS ? 2e-2 : fine ? 1e-7 : 2e-3;
    memcpy(x, at, sizeof x);
    T value = o->f(x), again = o->rev(x, bar);
    int same = !memcmp(&value, &again, sizeof value);
    if (o->how == STEPS) h *= 10;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) dot[j] = i == j;
        T tangent = o->fwd(x, dot);
        x[i] = at[i] + (T)h;
        double up = o->f(x), by = x[i];
        x[i] = at[i] - (T)h;
        double down = o->f(x), d = (up - down) / (by - x[i]);
        x[i] = at[i];
        double scale = near * (1 + fabs(d) + fabs((double)value));
        if (same && fabs(bar[i] - d) <= scale && fabs(tangent - bar[i]) <= 1e-6 * (1 + fabs(d))) continue;
        printf("%s by %d at %g %g %g %g: reverse %.9g, forward %.9g, differences %.9g; value %.9g, in reverse %.9g\n",
               o->name, i, (double)at[0], (double)at[1], (double)at[2], (double)at[3], (double)bar[i],
               (double)tangent, d, (double)value, (double)again);
        wrong++;
    }
}

static int check(const operation *o, size_t n) {
    static const T at[][4] = {{(T)1.3, (T)2.6, (T)-0.7, (T)3.1}, {(T)-2.2, (T)0.6, (T)5.3, (T)-1.4}};
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) check_at(&o[k], at[i]);
    return wrong != 0;
}
#define CHECK(rows) check(rows, sizeof rows / sizeof *rows)
