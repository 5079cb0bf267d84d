// RUN: %S/run.sh "%ad" %s %t
// Variable arguments are memory: numbers, pointers and structures come through them, in both modes; what goes to the
// library's v*printf alone carries nothing.
#include "hazard.h"
#include <stdarg.h>

/* A list that is copied, and passed on. */
static double weighted(int n, va_list a) {
    double s = 0;
    for (int i = 0; i < n; i++) s += va_arg(a, double) * (i + 1);
    return s;
}
APART double sums(int n, ...) {
    va_list a, again;
    va_start(a, n);
    va_copy(again, a);
    double s = weighted(n, a), t = 0;
    for (int i = 0; i < n; i++) t += va_arg(again, double);
    va_end(again);
    va_end(a);
    return s * t;
}
static double several(double *x, int n) { return sums(3, x[0], 2., x[0] * x[1]) + n; }
GRADIENT(several);

/* Everything that may stand in a list, and more of it than there are registers. */
typedef struct two {
    double x, y;
} two;
typedef struct mixed {
    float x;
    int i;
} mixed;
typedef struct large {
    double v[4];
} large;
APART double kinds(const char *what, ...) {
    va_list a;
    va_start(a, what);
    double s = 0;
    for (; *what; what++) switch (*what) {
        case 'd': s += va_arg(a, double); break;
        case 'i': s *= va_arg(a, int); break;
        case 'l': s += (double)va_arg(a, long double); break;
        case 'p': s += *va_arg(a, const double *); break;
        case 't': {
            two t = va_arg(a, two);
            s += t.x * t.y;
            break;
        }
        case 'm': {
            mixed m = va_arg(a, mixed);
            s += (double)m.x * m.i;
            break;
        }
        case 'g': {
            large g = va_arg(a, large);
            s += g.v[3] * g.v[0];
            break;
        }
        case 'o': { /* an output */
            double *o = va_arg(a, double *);
            *o = s * s;
            break;
        }
        }
    va_end(a);
    return s;
}
static double all(double *x, int n) {
    double y = x[0] * x[1], out;
    double s = kinds("dldpidtgddmddddddddo", x[0], (long double)x[1], x[0], &y, n, x[1], (two){x[0], x[1]},
                     (large){{x[0], 0, 0, x[1]}}, x[0], x[0], (mixed){(float)x[1], 3}, 1., 2., 3., x[1], x[1], 6., 7., 8.,
                     &out);
    return s + out;
}
GRADIENT(all);

/* A log function: an active structure and active numbers go in, nothing comes back but a count. */
struct model {
    double x;
    int lines;
};
static FILE *sink;
APART void note(struct model *m, const char *format, ...) {
    va_list a;
    va_start(a, format);
    if (m) m->lines++;
    if (sink) vfprintf(sink, format, a);
    va_end(a);
}
static double logs(double *x, int n) {
    struct model m = {x[0], 0};
    note(&m, "begin\n");
    for (int i = 0; i < n; i++) {
        m.x *= x[i];
        note(&m, "%d: %g %s\n", i, m.x, "so far");
    }
    return m.x * m.lines;
}
GRADIENT(logs);

/* The same, said to be inactive; what it writes loses its derivative. */
APART void forget(struct model *m, const char *format, ...) {
    va_list a;
    va_start(a, format);
    m->x = 2 * va_arg(a, double);
    if (sink) vfprintf(sink, format, a);
    va_end(a);
}
CF_INACTIVE(forget);
static double inactive(double *x, int n) {
    struct model m = {x[0], n};
    double before = m.x * x[1];
    forget(&m, "a number\n", x[1]);
    return before + m.x * x[0];
}
GRADIENT(inactive);

/* Through pointers: of the program's own, of the library, and in a table. */
struct tools {
    void (*log)(struct model *, const char *, ...);
    double (*sum)(int, ...);
    int (*format)(char *, size_t, const char *, ...);
};
APART double product(int n, ...) {
    va_list a;
    double p = 1;
    va_start(a, n);
    while (n--) p *= va_arg(a, double);
    va_end(a);
    return p;
}
static const struct tools tools[] = {{note, sums, snprintf}, {NULL, product, snprintf}};
static double through(double *x, int n) {
    char text[40];
    double s = 0;
    struct model m = {0, 0};
    for (int i = 0; i < n; i++) {
        if (tools[i % 2].log) tools[i % 2].log(&m, "%g\n", x[i]);
        s += tools[i % 2].sum(2, x[i], x[0]);
        tools[i % 2].format(text, sizeof text, "%.1f %d", x[i], i);
        s += strtod(text, NULL) * x[i];
    }
    return s + m.lines;
}
GRADIENT(through);

int main(void) {
    sink = tmpfile();
    double x = 3, y = 5, v;
    /* s = x + 4 + 3 x y, t = x + 2 + x y */
    v = x + 4 + 3 * x * y;
    double t = x + 2 + x * y;
    CHECK_SAME(several, 2, LIST(3, 5), v * t + 2,
               LIST((1 + 3 * y) * t + v * (1 + y), 3 * x * t + v * x));
    /* (2x + y + xy) n + y + x y + x y + 2x + 3y + 2y + sums, n = 2 */
    v = (2 * x + y + x * y) * 2 + y + 2 * x * y + 2 * x + 3 * y + 1 + 2 + 3 + 2 * y + 6 + 7 + 8;
    double dx = (2 + y) * 2 + 2 * y + 2, dy = (1 + x) * 2 + 1 + 2 * x + 5;
    CHECK_SAME(all, 2, LIST(3, 5), v + v * v, LIST(dx * (1 + 2 * v), dy * (1 + 2 * v)));
    CHECK_SAME(logs, 2, LIST(3, 5), 3 * 45, LIST(3 * 2 * x * y, 3 * x * x));
    CHECK_SAME(inactive, 2, LIST(3, 5), 15 + 30, LIST(5 + 10, 3));
    /* sums(2, a, b) = (a + 2b)(a + b), product(2, a, b) = a b; texts give 3 and 5 */
    CHECK_SAME(through, 2, LIST(3, 5), 9 * 6 + 3 * 3 + 5 * 3 + 5 * 5 + 1, LIST(2 * 3 * 6 + 3 + 5, 3 + 5));
    return wrong;
}
