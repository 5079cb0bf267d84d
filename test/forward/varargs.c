// RUN: for l in -O0 -O2; do %ad $l %s -I%S -lm -o %t && %t || exit 1; done
// Functions with variable arguments: numbers, pointers, structures; copied lists; lists passed on.
#include "check.h"
#include <stdarg.h>

typedef struct {
    double x, y;
} pair;
typedef struct {
    double v[4];
} big;
static double tail(int n, va_list a) {
    double s = 0;
    for (int i = 0; i < n; i++) s += va_arg(a, double) * (i + 1);
    return s;
}
__attribute__((noinline)) static double sum(int n, ...) {
    va_list a, again;
    va_start(a, n);
    va_copy(again, a);
    double s = tail(n, a), t = 0;
    for (int i = 0; i < n; i++) t += va_arg(again, double);
    va_end(a);
    va_end(again);
    return s * t;
}
static double f(double x, double y) { return sum(3, x, 2., x * y); }
double f_tan(double x, double xd, double y, double yd);
CF_FORWARD(f_tan, f, "dup dup");

__attribute__((noinline)) static double kinds(const char *what, ...) {
    va_list a;
    va_start(a, what);
    double s = 0;
    for (; *what; what++) switch (*what) {
        case 'd': s += va_arg(a, double); break;
        case 'i': s += va_arg(a, int); break;
        case 'L': s += (double)va_arg(a, long double); break;
        case 'p': s += *va_arg(a, double *); break;
        case '2': {
            pair p = va_arg(a, pair);
            s += p.x * p.y;
            break;
        }
        case 'b': {
            big b = va_arg(a, big);
            s += b.v[3] * b.v[0];
            break;
        }
        }
    va_end(a);
    return s;
}
static double g(double x) {
    double here = x * x;
    char text[32];
    snprintf(text, sizeof text, "%d %.2f", 3, x);
    return kinds("idLp2bidddddddddd", 1, x, (long double)x * 2, &here, (pair){x, x}, (big){{x, 0, 0, x * x}},
                 5, x, x, x, x, x, x, x, x, x, x);
}
double g_tan(double x, double xd);
CF_FORWARD(g_tan, g, "dup");

int main(void) {
    /* s = x + 4 + 3 x y, t = x + 2 + x y */
    WANT(f_tan(3, 1, 5, 0), (1 + 15) * (3 + 2 + 15) + (3 + 4 + 45) * (1 + 5));
    WANT(f_tan(3, 0, 5, 1), 9 * (3 + 2 + 15) + (3 + 4 + 45) * 3);
    WANT(g_tan(3, 1), 1 + 2 + 6 + 6 + 27 + 10);
    return wrong;
}
