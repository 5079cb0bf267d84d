// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t > %t.txt && %FileCheck %s < %t.txt || exit 1; done
// RUN: for l in -O0 -O2; do %ad $l -DQUICK -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t > %t.txt && %FileCheck %s < %t.txt || exit 1; done
// atexit and at_quick_exit: the functions run inside the context when the program ends, the last first, each its own.
#include "events.h"
#include <stdlib.h>

struct say { const char *name; };
CF_PREHOOK(say, "call word") static void on_word(struct say *c, const cf_site *s, const char *text) { (void)s, printf("%s: %s\n", c->name, text), fflush(stdout); }

static int words;
APART void word(const char *text) { words += text[0] != 0; }
APART void first(void) { word("first"); }
APART void second(void) { word("second"), word("again"); }
static int f(int x) {
#ifdef QUICK
    return at_quick_exit(first) + at_quick_exit(second) + at_quick_exit(second) + x;
#else
    return atexit(first) + atexit(second) + atexit(second) + x;
#endif
}
int f_in(struct say *c, int x);
CF_IN(f_in, f, say);

int main(void) {
    static struct say a = {"a"}, b = {"b"};
    int r = f_in(&a, 5) + f_in(&b, 6);
    printf("r %d %d\n", r, words), fflush(stdout);
    // CHECK: r 11 0
    // CHECK-NEXT: b: second
    // CHECK-NEXT: b: again
    // CHECK-NEXT: b: second
    // CHECK-NEXT: b: again
    // CHECK-NEXT: b: first
    // CHECK-NEXT: a: second
    // CHECK-NEXT: a: again
    // CHECK-NEXT: a: second
    // CHECK-NEXT: a: again
    // CHECK-NEXT: a: first
    // CHECK-NOT: {{.}}
#ifdef QUICK
    quick_exit(0);
#endif
    return 0;
}
