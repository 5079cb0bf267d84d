// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && (%t > %t.txt; test $? = 7) && %FileCheck %s < %t.txt || exit 1; done
// Calls that do not return: a pre hook, no post hook.
#include "events.h"
#include <stdlib.h>

struct every { struct events e; };
CF_PREHOOK(every, "call") static void before(struct every *c, const cf_site *s, int x) { (void)c, printf("%s(%d\n", s->what, x), fflush(stdout); }
CF_POSTHOOK(every, "call") static void after(struct every *c, const cf_site *s) { (void)c, printf("%s)\n", s->what), fflush(stdout); }

__attribute__((noreturn)) APART void stop(int x) { exit(x + 1); }
APART int work(int x) { return x * 2; }
static int f(int x) {
    x = work(x);
    if (x > 5) stop(x);
    return x;
}
int f_in(struct every *c, int x);
CF_IN(f_in, f, every);

int main(void) {
    static struct every c;
    // CHECK: work(2
    // CHECK-NEXT: work)
    // CHECK-NEXT: four
    if (f_in(&c, 2) == 4) puts("four");
    // CHECK-NEXT: work(3
    // CHECK-NEXT: work)
    // CHECK-NEXT: stop(6
    // CHECK-NEXT: exit(7
    // CHECK-NOT: )
    return f_in(&c, 3) * 100;
}
