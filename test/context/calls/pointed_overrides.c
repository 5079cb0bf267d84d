// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -Wall -Wextra -Werror -DLINES=0 -I%S/.. %s -lm -o %t && %t || exit 1; done
// RUN: for l in -O0 -O2; do %ad $l -g -Wall -Wextra -Werror -DLINES=1 -I%S/.. %s -lm -o %t && %t || exit 1; done
// An override holds through pointers wherever it would by name: for functions with variable arguments, at each place that `in=`
// means, at the last level of `depth=`, for many functions; and the site is that of the call.
#include "events.h"
#include <stdio.h>
#include <stdlib.h>

struct over { struct events e; const cf_site *at; };
CF_CONTEXT(over, "optional");
struct wide { double v[5]; };

APART int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int s = 0;
    while (n-- > 0) s += va_arg(list, int);
    va_end(list);
    return s;
}
APART int last(int n, ...) { return n; }
APART int untouched(int n, ...) { return sum(2, n, 5); }
APART double mixed(const char *form, ...) { return form[0]; }
APART struct wide widest(int n, ...) { return (struct wide){{n, n, n, n, n}}; }
CF_OVERDUB(over, sum) static int my_sum(struct over *c, const cf_site *at, int n, ...) {
    va_list list;
    va_start(list, n);
    int s = 1000;
    while (n-- > 0) s -= va_arg(list, int);
    va_end(list);
    return c->at = at, s;
}
CF_OVERDUB(over, last) static int my_last(struct over *c, int n, ...) {
    va_list list;
    va_start(list, n);
    while (n-- > 1) (void)va_arg(list, int);
    int s = va_arg(list, int);
    va_end(list);
    return note(&c->e, "last"), s;
}
CF_OVERDUB(over, mixed) static double my_mixed(struct over *c, const char *form, ...) {
    va_list list;
    va_start(list, form);
    double s = 0;
    for (; *form; form++) s = 10 * s + (*form == 'd' ? va_arg(list, double) : *form == 'i' ? va_arg(list, int) : va_arg(list, struct wide).v[3]);
    va_end(list);
    return note(&c->e, "mixed"), s;
}
CF_OVERDUB(over, widest) static struct wide my_widest(struct over *c, int n, ...) { return note(&c->e, "widest"), (struct wide){{0, 0, 0, 0, -n}}; }
CF_OVERDUB(over, snprintf) static int my_snprintf(struct over *c, char *text, size_t room, const char *form, ...) {
    va_list list;
    va_start(list, form);
    int n = vsnprintf(text, room, form, list);
    va_end(list);
    return note(&c->e, "snprintf"), n;
}
CF_POSTHOOK(over, "call") static void after(struct over *c, const cf_site *s, int r) { note(&c->e, "%s=%d", s->what, r); }

typedef int list_function(int, ...);
static list_function *const lists[] = {sum, last, untouched};
static double (*const mixers[])(const char *, ...) = {mixed};
static struct wide (*widener)(int, ...) = widest;
static int (*printer)(char *, size_t, const char *, ...) = snprintf;
enum { CALL = __LINE__ + 1 };
APART int call_list(int i) { return lists[i](3, 7, 8, 9); }
static double f(int i, char *text) {
    struct wide w = {{1, 2, 3, 4, 5}};
    double s = call_list(i) + 1e4 * mixers[0]("diwd", 1.0, 2, w, 3.0) + widener(6, w).v[4];
    return s + printer(text, 20, "%d %g %s", 3, 0.5, "x");
}
double f_in(struct over *c, int i, char *text);
CF_IN(f_in, f, over);

/* By the place of the call; by the depth; many. */
struct place { long n; const char *last; };
CF_OVERDUB(place, "call hub* in=here,there site=yes") static int at_place(struct place *c, const cf_site *s, int x) { return c->n++, c->last = s->function, x + 100; }
struct deep { long n; };
CF_CONTEXT(deep, "depth=1");
CF_OVERDUB(deep, "call hub*") static int at_depth(struct deep *c, int x) { return c->n++, x + 100; }
#define EACH(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15) F(16) F(17) F(18) F(19)
#define DEFINE(i) APART int hub##i(int x) { return x + i; }
#define NAME(i) hub##i,
EACH(DEFINE)
APART int other(int x) { return -x; }
static int (*const many[])(int) = {EACH(NAME) other};
enum { MANY = sizeof many / sizeof *many };
APART int here(int x) { return many[x](x); }
APART int elsewhere(int x) { return many[x](x); }
APART int there(int x) { return many[x](x) + elsewhere(x); }
static int g(void) {
    int s = 0;
    for (int i = 0; i < MANY; i++) s += here(i) + 1000 * there(i);
    return s;
}
int g_place(struct place *c);
CF_IN(g_place, g, place);
int g_deep(struct deep *c);
CF_IN(g_deep, g, deep);

/* The library calls: at no place of the program. */
struct sort { long n; const cf_site *at; };
APART int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
CF_OVERDUB(sort, "call comp* site=yes") static int upside_down(struct sort *c, const cf_site *at, const void *a, const void *b) { return c->n++, c->at = at, compare(b, a); }
static void sorted(int *x) { qsort(x, 3, sizeof *x, compare); }
void sorted_in(struct sort *c, int *x);
CF_IN(sorted_in, sorted, sort);

int main(void) {
    static struct over c;
    char text[20];
    double rest = 1e4 * 1243 - 6 + 7;
    WANT(f_in(&c, 0, text), 976 + rest);
    TEXT(text, "3 0.5 x");
    TEXT(c.at->function, "call_list"), TEXT(c.at->what, ""), WANT(c.at->operands, 4);
    if (LINES) WANT(c.at->line, CALL);
    SAME(c.e, "=976 call_list=976 mixed widest snprintf =7");
    WANT(f_in(&c, 1, text), 9 + rest);
    SAME(c.e, "last =9 call_list=9 mixed widest snprintf =7");
    c.at = NULL;
    WANT(f_in(&c, 2, text), 1000 - 8 + rest);
    TEXT(c.at->function, "untouched"), TEXT(c.at->what, "sum");
    WANT(f(0, text), 24 + 1e4 * 'd' + 1.0 * 6 + 7);
    long plain = 190 + 190 - 20, twice = 1000 * 2 * plain;
    struct place p = {0};
    struct deep d = {0};
    WANT(g(), plain + twice);
    WANT(g_place(&p), plain - 190 + 2000 + 1000 * (plain - 190 + 2000 + plain)), WANT(p.n, 40), TEXT(p.last, "there");
    WANT(g_deep(&d), plain - 190 + 2000 + 1000 * (plain - 190 + 2000 + plain)), WANT(d.n, 40);
    struct sort s = {0};
    int x[3] = {2, 1, 3};
    sorted_in(&s, x);
    WANT(x[0] * 100 + x[1] * 10 + x[2], 321), WANT(s.n >= 2, 1), TEXT(s.at->file, ""), WANT(s.at->line, 0);
    return wrong;
}
