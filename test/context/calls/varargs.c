// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Functions with variable arguments: hooks see all of them; a va_list is handed on; through a pointer; libc's printf family.
#include "every.h"

APART double sum_list(int n, va_list list) {
    double s = 0;
    for (int i = 0; i < n; i++) s += i % 2 ? va_arg(list, double) : (double)va_arg(list, long);
    return s;
}
APART double sum(int n, ...) {
    va_list list;
    va_start(list, n);
    double s = sum_list(n, list);
    va_end(list);
    return s;
}
APART double twice(int n, ...) {
    va_list list, again;
    va_start(list, n);
    va_copy(again, list);
    double s = sum_list(n, list) + sum_list(n, again);
    va_end(again), va_end(list);
    return s;
}
APART int format(char *to, size_t n, const char *form, ...) {
    va_list list;
    va_start(list, form);
    int r = vsnprintf(to, n, form, list);
    va_end(list);
    return r;
}
static double direct(long a, double b) { return sum(3, a, b, 4L) + sum(0); }
static double copied(long a, double b) { return twice(2, a, b); }
static double pointer(long a, double b) {
    double (*f)(int, ...) = sum;
    return f(2, a, b);
}
static int text(char *to) { return format(to, 40, "%d-%s-%.1f", 7, "seven", 7.5) + snprintf(to + 20, 20, "%c", 'x'); }
double direct_in(struct every *c, long a, double b);
CF_IN(direct_in, direct, every);
double copied_in(struct every *c, long a, double b);
CF_IN(copied_in, copied, every);
double pointer_in(struct every *c, long a, double b);
CF_IN(pointer_in, pointer, every);
int text_in(struct every *c, char *to);
CF_IN(text_in, text, every);

int main(void) {
    static struct every c;
    char to[40];
    WANT(direct_in(&c, 10, 0.5), 14.5);
    SAME(c.e, "sum( 3 10 0.5 4 ) sum_list( 3 ptr ) [sum_list 14.5 ] [sum 14.5 ] sum( 0 ) sum_list( 0 ptr ) [sum_list 0 ] [sum 0 ]");
    WANT(copied_in(&c, 10, 0.5), 21);
    SAME(c.e, "twice( 2 10 0.5 ) sum_list( 2 ptr ) [sum_list 10.5 ] sum_list( 2 ptr ) [sum_list 10.5 ] [twice 21 ]");
    WANT(pointer_in(&c, 10, 0.5), 10.5);
    SAME(c.e, "( 2 10 0.5 ) sum_list( 2 ptr ) [sum_list 10.5 ] [ 10.5 ]");
    WANT(text_in(&c, to), 12);
    TEXT(to, "7-seven-7.5"), TEXT(to + 20, "x");
    SAME(c.e, "format( ptr 40 ptr 7 ptr 7.5 ) vsnprintf( ptr 40 ptr ptr ) [vsnprintf 11 ] [format 11 ] snprintf( ptr 20 ptr 120 ) [snprintf 1 ]");
    return wrong;
}
