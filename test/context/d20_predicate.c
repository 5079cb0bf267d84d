// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Hooks for one of several types, over a map of numbers to texts: exact counts.
#include "events.h"

struct count { long either, digits, long_texts; };
CF_PREHOOK(count, "call") static void of_int(struct count *c, const cf_site *s, int n) { (void)s, (void)n, c->either++; }
CF_PREHOOK(count, "call") static void of_double(struct count *c, const cf_site *s, double n) { (void)s, (void)n, c->either++; }
CF_PREHOOK_ANY(count, "call") static void if_digit(struct count *c, const cf_site *s, const cf_value *v) {
    if (s->operands == 2 && v[0].kind == CF_POINTER && v[1].kind == CF_INTEGER && v[1].as.integer >= '0' && v[1].as.integer <= '9') c->digits++;
}
CF_POSTHOOK(count, "call text") static void if_long(struct count *c, const cf_site *s, int length, char *to, int n) { (void)s, (void)to, (void)n, c->long_texts += length > 1; }

APART void put(char *to, char c) { *to = c; }
APART int width(int n) { return n < 10 ? 1 : 1 + width(n / 10); }
APART double half(double x) { return x / 2; }
APART int text(char *to, int n) {
    int w = width(n);
    for (int i = w - 1; i >= 0; i--, n /= 10) put(to + i, (char)('0' + n % 10));
    put(to + w, 0);
    return w;
}
static double map(char (*to)[8], int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += half(text(to[i], i + 1));
    return s;
}
double map_counted(struct count *c, char (*to)[8], int n);
CF_IN(map_counted, map, count);

int main(void) {
    struct count c = {0, 0, 0};
    char to[10][8];
    WANT(map_counted(&c, to, 10), 5.5);
    TEXT(to[0], "1"), TEXT(to[8], "9"), TEXT(to[9], "10");
    /* width: once for each, once more for 10; half: ten times. Digits: one for each, one more for 10. */
    WANT(c.either, 11 + 10), WANT(c.digits, 11), WANT(c.long_texts, 1);
    return wrong;
}
