// RUN: for l in -O0 -O2; do %ad $l %s -lm -o %t && %t || exit 1; done
// Statics that lead to one another over a long way, also in constant tables: shadows behind them begin each request anew, and
// numbers that are stored there are found.
#include <cofactor/ad.h>
#include <stdio.h>

struct node { double v; struct node *next; };
#define NODE(k, next) static struct node n##k = {0, &n##next};
static struct node n40 = {0, 0};
NODE(39, 40) NODE(38, 39) NODE(37, 38) NODE(36, 37) NODE(35, 36) NODE(34, 35) NODE(33, 34) NODE(32, 33) NODE(31, 32) NODE(30, 31)
NODE(29, 30) NODE(28, 29) NODE(27, 28) NODE(26, 27) NODE(25, 26) NODE(24, 25) NODE(23, 24) NODE(22, 23) NODE(21, 22) NODE(20, 21)
NODE(19, 20) NODE(18, 19) NODE(17, 18) NODE(16, 17) NODE(15, 16) NODE(14, 15) NODE(13, 14) NODE(12, 13) NODE(11, 12) NODE(10, 11)
static double last(double x, int set) {
    struct node *p = &n10;
    while (p->next) p = p->next;
    if (set) p->v = x * x;
    return p->v + x;
}
double last_rev(double x, double *xb, int set);
CF_REVERSE(last_rev, last, "dup const");
double last_fwd(double x, double xd, int set);
CF_FORWARD(last_fwd, last, "dup const");

/* Tables of constant pointers to constant tables, the last of which leads to a number. */
static double number;
struct table { const struct table *next; double *number; };
#define TABLE(k, n) static const struct table t##k = {&t##n, 0};
static const struct table t30 = {0, &number};
TABLE(29, 30) TABLE(28, 29) TABLE(27, 28) TABLE(26, 27) TABLE(25, 26) TABLE(24, 25) TABLE(23, 24) TABLE(22, 23) TABLE(21, 22)
TABLE(20, 21) TABLE(19, 20) TABLE(18, 19) TABLE(17, 18) TABLE(16, 17) TABLE(15, 16) TABLE(14, 15) TABLE(13, 14) TABLE(12, 13)
static double behind_tables(double x, int set) {
    const struct table *t = &t12;
    while (t->next) t = t->next;
    if (set) *t->number = 3 * x * x;
    return *t->number * x;
}
double behind_rev(double x, double *xb, int set);
CF_REVERSE(behind_rev, behind_tables, "dup const");
double behind_fwd(double x, double xd, int set);
CF_FORWARD(behind_fwd, behind_tables, "dup const");

static int bad;
static void want(const char *what, double got, double wanted) {
    if (got != wanted) bad++, printf("%s: %g, not %g\n", what, got, wanted);
}

int main(void) {
    double b = 0;
    last_rev(3, &b, 0), want("nothing stored", b, 1), b = 0;
    last_rev(3, &b, 1), want("stored", b, 7), b = 0;
    last_rev(3, &b, 0), want("nothing stored again", b, 1), b = 0;
    last_fwd(3, 1, 1), want("forward, nothing stored", last_fwd(3, 1, 0), 1);
    want("forward, stored", last_fwd(3, 1, 1), 7);
    behind_rev(2, &b, 1), want("tables", b, 36), b = 0;
    behind_rev(2, &b, 0), want("tables, nothing stored", b, 12);
    want("tables forward", behind_fwd(2, 1, 1), 36);
    return bad;
}
