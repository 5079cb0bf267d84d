// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// RUN: rm -f %t.o
// RUN: %not %ad -O1 -g -DMISSING -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// bodyless=error: every function that is called has a body or an override; intrinsics are no functions. Else an error with
// the place of the call.
#include "events.h"
#include <stdlib.h>

struct closed { long n; };
CF_CONTEXT(closed, "bodyless=error");
CF_OVERDUB(closed, strtol) static long my_strtol(struct closed *c, const cf_site *s, const char *text, char **end, int base) { (void)end, (void)base; return (void)s, c->n++, text[0] - '0'; }
#ifndef MISSING
CF_OVERDUB(closed, strtoul) static unsigned long my_strtoul(struct closed *c, const cf_site *s, const char *text, char **end, int base) { (void)end, (void)base; return (void)s, c->n++, (unsigned long)(text[0] - '0'); }
#endif

static long f(const char *text) {
    long v[20] = {0};
    v[3] = strtol(text, NULL, 10);
    // CHECK: bodyless.c:[[#@LINE+2]]:{{.*}}error:{{.*}}strtoul
    // CHECK-NOT: strtol`
    return (long)strtoul(text, NULL, 10) + v[3] + v[4];
}
long f_in(struct closed *c, const char *text);
CF_IN(f_in, f, closed);

int main(void) {
    struct closed c = {0};
    WANT(f_in(&c, "7"), 14), WANT(c.n, 2);
    return wrong;
}
